/* SPDX-License-Identifier: MIT
 *
 * The collector against a shadow model: random stores into a table of slots, of which the shadow
 * knows size and pattern. Small and large objects, collections forced before every allocation,
 * failing OS calls. `program CASE 100000000` runs that many operations.
 */
#include "allocbench/gc.h"
#include "test.h"

enum { SLOTS = 2000, CHECK_EVERY = 9973 };

typedef struct shadow {
    size_t bytes;
    unsigned char pattern;
} shadow;

static ab_pages pages;
static ab_gc gc;
static void *slots[SLOTS];
static shadow shadows[SLOTS];
static uint64_t random_state;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static uint64_t operation_count(uint64_t otherwise)
{
    return ab_test_argument(0) != NULL ? strtoull(ab_test_argument(0), NULL, 10) : otherwise;
}

static void setup(size_t nursery_bytes, size_t old_bytes)
{
    memset(slots, 0, sizeof slots);
    random_state = 88172645463325252u;
    ab_pages_init(&pages);
    CHECK_EQ(ab_gc_init(&gc, &pages, slots, SLOTS, nursery_bytes, old_bytes), 0);
}

static void check(void)
{
    const char *broken = ab_gc_check(&gc);
    if (broken != NULL) {
        FAIL("%s", broken);
    }
}

static void teardown(void)
{
    pages.fail_every = pages.fail_at = 0;
    check();
    ab_gc_close(&gc);
    CHECK_EQ(pages.counts.reserved_bytes, 0);
    CHECK_EQ(pages.counts.committed_bytes, 0);
}

static bool is_all(const unsigned char *p, size_t bytes, unsigned char value)
{
    return bytes == 0 || (*p == value && memcmp(p, p + 1, bytes - 1) == 0);
}

static void verify(size_t slot)
{
    if (slots[slot] != NULL && !is_all(slots[slot], shadows[slot].bytes, shadows[slot].pattern)) {
        FAIL("the %zu bytes of slot %zu lost their contents", shadows[slot].bytes, slot);
    }
}

static void verify_all(void)
{
    for (size_t i = 0; i < SLOTS; i++) {
        verify(i);
    }
}

/* The old object stays in its slot during the allocation, as in a table of references. */
static bool store(size_t slot, size_t bytes)
{
    unsigned char *p = ab_gc_alloc(&gc, bytes);

    if (p == NULL) {
        return false;
    }
    CHECK_EQ((uintptr_t)p % AB_GC_ALIGN, 0);
    CHECK(is_all(p, bytes, 0));
    verify(slot);
    slots[slot] = p;
    shadows[slot] = (shadow){bytes, (unsigned char)next_random()};
    memset(p, shadows[slot].pattern, bytes);
    return true;
}

static size_t random_size(void)
{
    uint64_t r = next_random(), kind = r % 10000;
    r >>= 32;
    return (size_t)(kind < 9000   ? r % 64
                    : kind < 9990 ? r % 2000
                    : kind < 9996 ? r % 84000
                                  : 84900 + r % 200);
}

static void run(uint64_t operations, size_t nursery_bytes, size_t old_bytes, bool stress,
                uint64_t fail_every)
{
    setup(nursery_bytes, old_bytes);
    gc.stress = stress;
    pages.fail_every = fail_every;
    for (uint64_t i = 0; i < operations; i++) {
        size_t slot = (size_t)(next_random() % SLOTS);
        if (next_random() % 8 == 0) {
            verify(slot);
            slots[slot] = NULL;
        } else if (!store(slot, random_size())) {
            CHECK(fail_every != 0);
        }
        if (i % CHECK_EVERY == 0) {
            check();
            verify_all();
        }
    }
    verify_all();
    CHECK(gc.gcs > 0 && gc.gcs_full > 0);
    teardown();
}

TEST(random_stores)
{
    run(operation_count(1000000), 0, 0, false, 0);
    run(operation_count(1000000) / 4, 256 << 10, 64 << 20, false, 0);
}

TEST(collection_at_every_allocation)
{
    run(operation_count(1000000) / 20, 0, 0, true, 0);
}

TEST(growth_failure)
{
    for (uint64_t every = 2; every < 6; every++) {
        run(operation_count(1000000) / 8, AB_GC_NURSERY_BYTES_MIN, 0, false, every);
    }
    run(operation_count(1000000) / 200, AB_GC_NURSERY_BYTES_MIN, 0, true, 2);
}

/* The survivors outgrow the reservation of the old space, which is replaced by a larger one. */
TEST(old_space_grows)
{
    setup(0, 0);
    size_t reserved = gc.old.bytes;
    for (size_t i = 0; i < SLOTS; i++) {
        CHECK(store(i, 10000));
    }
    CHECK(gc.old.bytes > reserved);
    verify_all();
    teardown();
}

TEST(exhaustion_is_survived)
{
    setup(0, 0);
    pages.fail_every = 1;
    size_t count = 0;
    while (count < SLOTS && store(count, 10000)) {
        count++;
    }
    CHECK(count > 90 && count < SLOTS);
    CHECK(!store(count, 10000));
    CHECK(!store(count, 100000));
    CHECK(ab_gc_collect(&gc, true) > 0);
    check();
    verify_all();
    for (size_t i = 0; i < count; i++) { /* room is made by dropping objects ... */
        slots[i] = i % 4 == 0 ? slots[i] : NULL;
    }
    pages.fail_every = 0; /* ... and storage comes back */
    CHECK_EQ(ab_gc_collect(&gc, true), 0);
    CHECK(store(count, 10000));
    verify_all();
    teardown();
}

/* Storage for the survivors is there, though not for the whole nursery. */
TEST(few_survivors_need_little)
{
    setup(0, 0);
    for (int i = 0; i < 2000; i++) {
        CHECK(store(0, 1000));
    }
    pages.fail_every = 1;
    for (int i = 0; i < 20000; i++) {
        CHECK(store(0, 1000));
    }
    teardown();
}

TEST(large_objects)
{
    setup(0, 0);
    for (size_t i = 0; i < 8; i++) {
        CHECK(store(i, AB_GC_LARGE_BYTES - sizeof(ab_gc_header) - 4 + i));
    }
    CHECK(gc.large != NULL);
    CHECK_EQ(gc.large_bytes, 7 * AB_GC_LARGE_BYTES + 3 * 4); /* all but the first */
    void *fixed = slots[7];
    CHECK_EQ(ab_gc_collect(&gc, true), 0);
    CHECK(slots[7] == fixed); /* they never move */
    verify_all();
    memset(slots, 0, sizeof slots);
    CHECK_EQ(ab_gc_collect(&gc, true), 0);
    CHECK(gc.large == NULL);
    for (int i = 0; i < 100; i++) {
        CHECK(store((size_t)i % 3, 1 << 20));
        CHECK(gc.large_bytes < 16 << 20);
    }
    teardown();
}

TEST(sizes_from_outside)
{
    const size_t bad[] = {SIZE_MAX,      SIZE_MAX - 1,     SIZE_MAX - 12,
                          SIZE_MAX - 16, SIZE_MAX / 2 + 1, (size_t)AB_GC_OBJECT_BYTES_MAX + 1};
    setup(0, 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(ab_gc_alloc(&gc, bad[i]) == NULL);
        CHECK(store(i, i));
        CHECK(ab_gc_alloc(&gc, bad[i]) == NULL);
        check();
    }
    CHECK(store(9, 0) && store(10, 0) && slots[9] != slots[10]);
    CHECK_EQ(ab_gc_collect(&gc, false), 0);
    CHECK_EQ(ab_gc_collect(&gc, true), 0);
    CHECK(slots[9] != slots[10]);
    teardown();
}

TEST(bad_settings)
{
    ab_pages_init(&pages);
    CHECK(ab_gc_init(&gc, &pages, slots, SLOTS, 1, 0) > 0);
    CHECK(ab_gc_init(&gc, &pages, slots, SLOTS, SIZE_MAX, 0) > 0);
    CHECK(ab_gc_init(&gc, &pages, NULL, SLOTS, 0, 0) > 0);
    CHECK_EQ(ab_gc_init(&gc, &pages, NULL, 0, 0, SIZE_MAX), 0); /* as much as there is */
    for (int i = 0; i < 100000; i++) {
        CHECK(ab_gc_alloc(&gc, 100) != NULL); /* nothing survives */
    }
    CHECK_EQ(gc.bytes_copied, 0);
    ab_gc_close(&gc);
    for (uint64_t n = 1; n <= 2; n++) {
        ab_pages_init(&pages);
        pages.fail_at = n;
        CHECK(ab_gc_init(&gc, &pages, slots, SLOTS, 0, 0) > 0);
        CHECK_EQ(pages.counts.reserved_bytes, 0);
    }
}

/* What the explanation of the published figures rests on: bytes zeroed = bytes handed out, and the
 * share that survives a nursery of n objects over N slots is N (1 - exp(-n / N)) / n. */
TEST(figures)
{
    setup(0, 64 << 20);
    for (size_t i = 0; i < SLOTS; i++) {
        CHECK(store(i, 4));
    }
    uint64_t zeroed = gc.bytes_zeroed, copied = gc.bytes_copied, gcs = gc.gcs;
    while (gc.gcs < gcs + 40) {
        CHECK(store((size_t)(next_random() % SLOTS), 4));
    }
    zeroed = gc.bytes_zeroed - zeroed;
    copied = gc.bytes_copied - copied;
    CHECK(zeroed > 39 << 20 && zeroed <= (40 << 20) + 2 * AB_GC_QUANTUM_BYTES);
    /* n = 65536 objects of 16 bytes over 2000 slots: all 2000 are replaced, 32,000 bytes. */
    CHECK(copied >= 39 * 32000 && copied <= 3 * 40 * 32000);
    teardown();
}

TEST(check_finds_damage)
{
    setup(0, 0);
    CHECK(store(0, 40) && store(1, 40));
    void *p = slots[1];
    slots[1] = slots[0];
    CHECK(ab_gc_check(&gc) != NULL);
    slots[1] = (char *)p + 4;
    CHECK(ab_gc_check(&gc) != NULL);
    slots[1] = p;
    check();
    CHECK(gc.limit - gc.top > 1);
    gc.top[1] = 1;
    CHECK(ab_gc_check(&gc) != NULL);
    gc.top[1] = 0;
    check();
    ab_gc_header *header = (ab_gc_header *)p - 1;
    header->payload_bytes += 4;
    CHECK(ab_gc_check(&gc) != NULL);
    header->payload_bytes -= 4;
    check();
    teardown();
}
