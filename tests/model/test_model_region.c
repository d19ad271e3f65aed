/* SPDX-License-Identifier: MIT
 *
 * Regions against a shadow model: random allocations, cleanups and ends over each source of blocks,
 * with and without failing OS calls. Every object is filled with a pattern of its own and read back
 * before its scope ends, so that overlaps, moves and lost blocks show. `program CASE 100000000`
 * runs that many operations.
 */
#include "allocbench/region.h"
#include "test.h"

#include <inttypes.h>

enum { OBJECTS_MAX = 20000, CHECK_EVERY = 997 };
typedef enum source { AUTOFREE, SCOPE, SCOPE_SHARED, SOURCES } source;

typedef struct object {
    unsigned char *p;
    size_t bytes;
    unsigned char pattern;
} object;

typedef struct world {
    ab_pages pages;
    ab_extents extents;
    ab_block_pool pool;
    ab_scope scope;
    source source;
    uint64_t random;
    object objects[OBJECTS_MAX];
    size_t count, cleanups;
} world;

static world w;
static size_t cleanups_due; /* number that the next cleanup to run must have, plus 1 */

static uint64_t next_random(void)
{
    w.random ^= w.random << 13;
    w.random ^= w.random >> 7;
    w.random ^= w.random << 17;
    return w.random;
}

static uint64_t operation_count(uint64_t otherwise)
{
    return ab_test_argument(0) != NULL ? strtoull(ab_test_argument(0), NULL, 10) : otherwise;
}

static void setup(source from, size_t block_bytes, size_t limit_count)
{
    memset(&w, 0, sizeof w);
    w.random = 88172645463325252u;
    w.source = from;
    ab_pages_init(&w.pages);
    CHECK_EQ(ab_extents_init(&w.extents, &w.pages, block_bytes, false), 0);
    ab_block_pool_init(&w.pool, &w.extents, limit_count);
    if (from == AUTOFREE) {
        ab_scope_init(&w.scope, &ab_extents_source, &w.extents, w.extents.block_bytes);
    } else {
        ab_scope_init(&w.scope, &ab_block_pool_source, &w.pool, w.extents.block_bytes);
    }
}

static void check(void)
{
    const char *broken = ab_scope_check(&w.scope);
    if (broken == NULL) {
        broken = ab_block_pool_check(&w.pool);
    }
    if (broken != NULL) {
        FAIL("%s", broken);
    }
}

static void verify(const object *o)
{
    if (o->bytes > 0 && (*o->p != o->pattern || memcmp(o->p, o->p + 1, o->bytes - 1) != 0)) {
        FAIL("an object of %zu bytes lost its contents", o->bytes);
    }
}

static void run_cleanup(void *p)
{
    size_t number;
    memcpy(&number, p, sizeof number);
    CHECK_EQ(number + 1, cleanups_due);
    cleanups_due = number;
}

static void end_scope(void)
{
    for (size_t i = 0; i < w.count; i++) {
        verify(&w.objects[i]);
    }
    cleanups_due = w.cleanups;
    ab_scope_end(&w.scope);
    CHECK_EQ(cleanups_due, 0);
    w.count = w.cleanups = 0;
    if (w.source == SCOPE) {
        ab_block_pool_clear(&w.pool);
    }
    if (w.source != SCOPE_SHARED) {
        CHECK_EQ(w.extents.live, 0);
    }
    check();
}

static size_t random_size(void)
{
    uint64_t r = next_random(), kind = r % 1000;
    r >>= 32;
    return (size_t)(kind < 900   ? r % 100
                    : kind < 990 ? r % 3000
                    : kind < 998 ? 16300 + r % 80
                                 : r % 200000);
}

static void allocate(size_t bytes)
{
    bool has_cleanup = bytes >= sizeof(size_t) && next_random() % 16 == 0;
    object *o = &w.objects[w.count];
    void *p = has_cleanup ? ab_scope_alloc_cleanup(&w.scope, bytes, run_cleanup)
                          : ab_scope_alloc(&w.scope, bytes);

    if (p == NULL) {
        CHECK(w.pages.fail_every != 0);
        check();
        return;
    }
    CHECK_EQ((uintptr_t)p % AB_BLOCK_ALIGN, 0);
    *o = (object){p, bytes, (unsigned char)next_random()};
    memset(p, o->pattern, bytes);
    if (has_cleanup) { /* the number is no part of the pattern */
        memcpy(p, &w.cleanups, sizeof w.cleanups);
        w.cleanups++;
        o->p += sizeof w.cleanups;
        o->bytes -= sizeof w.cleanups;
    }
    w.count++;
}

static void teardown(void)
{
    w.pages.fail_every = 0;
    end_scope();
    ab_block_pool_clear(&w.pool);
    CHECK_EQ(w.extents.live, 0);
    check();
    ab_extents_close(&w.extents);
    CHECK_EQ(w.pages.counts.reserved_bytes, 0);
    CHECK_EQ(w.pages.counts.committed_bytes, 0);
}

static void run(uint64_t operations, source from, size_t block_bytes, size_t limit_count,
                uint64_t fail_every)
{
    setup(from, block_bytes, limit_count);
    w.pages.fail_every = fail_every;
    for (uint64_t i = 0; i < operations; i++) {
        if (w.count == OBJECTS_MAX || next_random() % 4000 == 0) {
            end_scope();
        } else {
            allocate(random_size());
        }
        if (i % CHECK_EVERY == 0) {
            check();
            if (w.count > 0) {
                verify(&w.objects[next_random() % w.count]);
            }
        }
    }
    teardown();
}

TEST(autofree)
{
    uint64_t operations = operation_count(1000000) / 2;

    run(operations, AUTOFREE, 0, SIZE_MAX, 0);
    run(operations, AUTOFREE, 2048, SIZE_MAX, 0);
}

TEST(scope)
{
    uint64_t operations = operation_count(1000000) / 2;

    run(operations, SCOPE, 0, SIZE_MAX, 0);
    run(operations, SCOPE, 2048, SIZE_MAX, 0);
}

TEST(scope_shared)
{
    uint64_t operations = operation_count(1000000) / 2;

    run(operations, SCOPE_SHARED, 0, SIZE_MAX, 0);
    run(operations, SCOPE_SHARED, 2048, 20, 0);
}

TEST(growth_failure)
{
    uint64_t operations = operation_count(1000000) / 8;

    for (int from = 0; from < SOURCES; from++) {
        run(operations, (source)from, 0, SIZE_MAX, 2);
        run(operations, (source)from, 2048, 20, 3);
    }
}

TEST(sizes_from_outside)
{
    const size_t bad[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 16, SIZE_MAX - 64, SIZE_MAX - 65536};

    for (int from = 0; from < SOURCES; from++) {
        setup((source)from, 0, SIZE_MAX);
        for (int pass = 0; pass < 2; pass++) { /* in an empty scope, and in one with a block */
            for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
                CHECK(ab_scope_alloc(&w.scope, bad[i]) == NULL);
                CHECK(ab_scope_alloc_cleanup(&w.scope, bad[i], run_cleanup) == NULL);
                check();
            }
            void *a = ab_scope_alloc(&w.scope, 0), *b = ab_scope_alloc(&w.scope, 0);
            CHECK(a != NULL && b != NULL && a != b);
        }
        for (size_t bytes = 1; bytes < 40; bytes++) {
            allocate(bytes);
        }
        for (size_t bytes = 16300; bytes < 16400; bytes++) {
            allocate(bytes);
        }
        teardown();
    }
}

TEST(block_sizes)
{
    memset(&w, 0, sizeof w);
    ab_pages_init(&w.pages);
    CHECK(ab_extents_init(&w.extents, &w.pages, 1, false) > 0);
    CHECK(ab_extents_init(&w.extents, &w.pages, SIZE_MAX, false) > 0);
    CHECK_EQ(ab_extents_init(&w.extents, &w.pages, 257, false), 0);
    CHECK_EQ(w.extents.block_bytes % AB_BLOCK_ALIGN, 0);
}

/* A large object stands behind the active block, whose room stays in use. */
TEST(own_block)
{
    setup(AUTOFREE, 0, SIZE_MAX);
    char *first = ab_scope_alloc(&w.scope, 100);
    CHECK(ab_scope_alloc(&w.scope, 100000) != NULL);
    char *second = ab_scope_alloc(&w.scope, 16);
    CHECK(first - second == 16);
    CHECK_EQ(w.scope.block_count, 2);
    teardown();
    setup(AUTOFREE, 0, SIZE_MAX);
    CHECK(ab_scope_alloc(&w.scope, 100000) != NULL);
    CHECK(w.scope.begin == w.scope.end);
    CHECK(ab_scope_alloc(&w.scope, 100) != NULL);
    CHECK_EQ(w.scope.block_count, 2);
    teardown();
}

/* A scope that ends leaves nothing to ask the OS for: the next one is as large for free. */
TEST(reset_keeps_memory)
{
    for (int from = 0; from < SOURCES; from++) {
        uint64_t os_calls = 0;
        setup((source)from, 2048, SIZE_MAX);
        for (int pass = 0; pass < 5; pass++) {
            for (int i = 0; i < 10000; i++) {
                CHECK(ab_scope_alloc(&w.scope, i % 100 == 0 ? 5000 : 40) != NULL);
            }
            end_scope();
            CHECK(pass == 0 || w.pages.counts.os_calls == os_calls);
            os_calls = w.pages.counts.os_calls;
        }
        CHECK(w.extents.extent_count < 10);
        teardown();
    }
}

/* Two scopes over one pool, ending in the order of their beginning: large blocks come again. */
TEST(two_scopes_one_pool)
{
    ab_scope other;
    size_t extents = 0;

    setup(SCOPE_SHARED, 2048, SIZE_MAX);
    ab_scope_init(&other, &ab_block_pool_source, &w.pool, w.extents.block_bytes);
    for (int pass = 0; pass < 200; pass++) {
        ab_scope *scope = pass % 2 == 0 ? &w.scope : &other;
        ab_scope_end(scope);
        for (int i = 0; i < 50; i++) {
            CHECK(ab_scope_alloc(scope, 60000) != NULL);
            CHECK(ab_scope_alloc(scope, 600) != NULL);
        }
        check();
        CHECK(pass < 4 || w.extents.extent_count == extents);
        extents = w.extents.extent_count;
    }
    ab_scope_end(&other);
    teardown();
}

TEST(exhaustion)
{
    setup(SCOPE, 0, SIZE_MAX);
    void *p = ab_scope_alloc(&w.scope, 16);
    CHECK(p != NULL);
    w.pages.fail_every = 1;
    size_t count = 0;
    while (ab_scope_alloc(&w.scope, 1000) != NULL) {
        count++;
    }
    CHECK(count > 0 && count < 100);
    check();
    CHECK(ab_scope_alloc(&w.scope, SIZE_MAX / 4) == NULL);
    w.pages.fail_every = 0;
    CHECK(ab_scope_alloc(&w.scope, 1000) != NULL);
    teardown();
}

TEST(check_finds_damage)
{
    setup(SCOPE_SHARED, 0, SIZE_MAX);
    CHECK(ab_scope_alloc(&w.scope, 40) != NULL);
    char *end = w.scope.end;
    w.scope.end = end + 4; /* aligned nowhere */
    CHECK(ab_scope_check(&w.scope) != NULL);
    w.scope.end = end;
    w.scope.block_count++;
    CHECK(ab_scope_check(&w.scope) != NULL);
    w.scope.block_count--;
    w.extents.live = 0;
    CHECK(ab_block_pool_check(&w.pool) != NULL);
    w.extents.live = 1;
    teardown();
}
