/* SPDX-License-Identifier: MIT
 *
 * The pool against the shadow model, with and without growth failures, and directed cases: odd
 * sizes, sizes out of range, large pages, double frees and foreign pointers, memory given back.
 */
#include "allocbench/pool.h"
#include "model.h"

static model m;

static ab_pages fresh_pages(void)
{
    ab_pages pages;
    ab_pages_init(&pages);
    return pages;
}

static void free_all(ab_pool *pool)
{
    for (size_t i = 0; i < MODEL_SLOTS; i++) {
        if (m.slot[i].p != NULL) {
            void *p = m.slot[i].p;
            model_free(&m, i);
            ab_pool_free(pool, p);
        }
    }
}

/* Closing may be refused by an injected failure; it goes on where it stopped. */
static void close_pool(ab_pool *pool)
{
    while (ab_pool_close(pool) != 0) {
        CHECK(pool->block_count > 0);
    }
    CHECK_EQ(pool->block_count, 0);
    CHECK_EQ(pool->block_bytes, 0);
    CHECK_EQ(pool->pages->counts.reserved_bytes, 0);
    CHECK_EQ(pool->pages->counts.committed_bytes, 0);
}

static void run_random(size_t bytes, uint64_t operations, uint64_t fail_every, unsigned options)
{
    ab_pages pages = fresh_pages();
    ab_pool pool;
    uint64_t period = operations / 64 + 1;

    model_init(&m, bytes);
    CHECK_EQ(ab_pool_init(&pool, &pages, bytes, options), 0);
    pages.fail_every = fail_every;
    for (uint64_t i = 0; i < operations; i++) {
        size_t slot = model_random(&m, MODEL_SLOTS);
        void *p = m.slot[slot].p;
        if (p != NULL) {
            model_free(&m, slot);
            ab_pool_free(&pool, p);
        } else {
            model_allocated(&m, slot, ab_pool_alloc(&pool), bytes, _Alignof(max_align_t));
        }
        if (i % period == 0) {
            CHECK_SOUND(ab_pool_check(&pool));
            model_check(&m);
        }
    }
    free_all(&pool);
    CHECK_SOUND(ab_pool_check(&pool));
    close_pool(&pool);
}

TEST(random_sizes)
{
    static const size_t sizes[] = {1, 4, 8, 12, 20, 24, 100, 128, 1000, 1024};
    uint64_t operations = model_operations() / (sizeof sizes / sizeof sizes[0]);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run_random(sizes[i], operations, 0, 0);
    }
}

TEST(random_with_failures)
{
    uint64_t operations = model_operations() / 4;
    run_random(64, operations, 2, 0);
    run_random(1024, operations, 3, 0);
    CHECK(m.refused == 0); /* smaller blocks stood in */
    run_random(5000, operations, 2, 0);
    run_random(1024, operations, 2, AB_POOL_HUGE);
}

TEST(random_huge)
{
    ab_pages pages = fresh_pages();
    ab_pool pool;

    run_random(1024, model_operations() / 4, 0, AB_POOL_HUGE);
    CHECK_EQ(ab_pool_init(&pool, &pages, 1024, AB_POOL_HUGE), 0);
    char *p = ab_pool_alloc(&pool);
    CHECK(p != NULL);
    if ((pages.info.can & AB_PAGES_CAN_HUGE) != 0) {
        CHECK((uintptr_t)p % pages.info.huge_bytes < 1024);
        CHECK(pool.block_bytes % pages.info.huge_bytes == 0);
    } else {
        CHECK(!pool.is_huge);
    }
    close_pool(&pool);
}

TEST(sizes_out_of_range)
{
    ab_pages pages = fresh_pages();
    ab_region none;
    int invalid = ab_pages_reserve(&pages, 0, &none);
    ab_pool pool;

    CHECK(invalid > 0);
    CHECK_EQ(ab_pool_init(&pool, &pages, 0, 0), invalid);
    CHECK_EQ(ab_pool_init(&pool, &pages, SIZE_MAX, 0), invalid);
    CHECK_EQ(ab_pool_init(&pool, &pages, SIZE_MAX - 7, 0), invalid);
    CHECK_EQ(ab_pool_init(&pool, &pages, SIZE_MAX / 2 + 1, 0), invalid);
    CHECK_EQ(ab_pool_init(&pool, &pages, SIZE_MAX / 2 + 1, AB_POOL_HUGE), invalid);
    CHECK_EQ(pages.counts.os_calls, 0);
    /* In range, but more than there is: NULL, again and again. 32 of them overflow. */
    CHECK_EQ(ab_pool_init(&pool, &pages, SIZE_MAX / 4, 0), 0);
    int got = 0;
    while (ab_pool_alloc(&pool) != NULL) {
        CHECK(++got < 4);
    }
    CHECK(ab_pool_alloc(&pool) == NULL);
    CHECK_SOUND(ab_pool_check(&pool));
    close_pool(&pool);
}

TEST(odd_sizes_are_rounded_and_ascend)
{
    for (size_t bytes = 1; bytes <= 300; bytes++) {
        ab_pages pages = fresh_pages();
        ab_pool pool;
        CHECK_EQ(ab_pool_init(&pool, &pages, bytes, 0), 0);
        CHECK(pool.chunk_bytes >= bytes && pool.chunk_bytes >= sizeof(void *));
        CHECK(pool.chunk_bytes < bytes + sizeof(void *));
        CHECK(pool.chunk_bytes % sizeof(void *) == 0);
        char *before = ab_pool_alloc(&pool);
        for (int i = 0; i < 100; i++) {
            char *p = ab_pool_alloc(&pool);
            CHECK(p >= before + pool.chunk_bytes && p <= before + pool.chunk_bytes + 64);
            before = p;
        }
        close_pool(&pool);
    }
}

/* Objects that are larger than the first block's usual size. */
TEST(large_objects)
{
    ab_pages pages = fresh_pages();
    ab_pool pool;

    model_init(&m, 1);
    CHECK_EQ(ab_pool_init(&pool, &pages, 1000000, 0), 0);
    for (size_t i = 0; i < 40; i++) {
        model_allocated(&m, i, ab_pool_alloc(&pool), 1000000, _Alignof(max_align_t));
    }
    CHECK_EQ(m.live, 40);
    model_check(&m);
    free_all(&pool);
    CHECK_SOUND(ab_pool_check(&pool));
    close_pool(&pool);
}

TEST(blocks_double_and_lifo_order)
{
    ab_pages pages = fresh_pages();
    ab_pool pool;
    static void *p[100000];
    enum { COUNT = sizeof p / sizeof p[0] };

    CHECK_EQ(ab_pool_init(&pool, &pages, 8, 0), 0);
    for (size_t i = 0; i < COUNT; i++) {
        p[i] = ab_pool_alloc(&pool);
        CHECK(p[i] != NULL);
    }
    CHECK(pool.block_count > 1 && pool.block_count <= 6);
    for (size_t i = 0; i < COUNT; i++) {
        ab_pool_free(&pool, p[i]);
    }
    CHECK_SOUND(ab_pool_check(&pool));
    size_t blocks = pool.block_count;
    for (size_t i = COUNT; i-- > 0;) {
        CHECK(ab_pool_alloc(&pool) == p[i]);
    }
    CHECK_EQ(pool.block_count, blocks);
    close_pool(&pool);
}

TEST(failed_growth_then_recovery)
{
    ab_pages pages = fresh_pages();
    ab_pool pool;

    model_init(&m, 1);
    CHECK_EQ(ab_pool_init(&pool, &pages, 64, 0), 0);
    for (size_t i = 0; i < 100; i++) {
        model_allocated(&m, i, ab_pool_alloc(&pool), 64, _Alignof(max_align_t));
    }
    pages.fail_every = 1;
    size_t slot = 100;
    for (; m.refused == 0; slot++) {
        CHECK(slot < MODEL_SLOTS);
        model_allocated(&m, slot, ab_pool_alloc(&pool), 64, _Alignof(max_align_t));
    }
    CHECK_SOUND(ab_pool_check(&pool));
    model_check(&m);
    /* What is freed can be had again without growing. */
    void *p = m.slot[0].p;
    model_free(&m, 0);
    ab_pool_free(&pool, p);
    model_allocated(&m, 0, ab_pool_alloc(&pool), 64, _Alignof(max_align_t));
    CHECK(m.slot[0].p == p);
    CHECK(ab_pool_alloc(&pool) == NULL);

    pages.fail_every = 0;
    for (; slot < MODEL_SLOTS; slot++) {
        model_allocated(&m, slot, ab_pool_alloc(&pool), 64, _Alignof(max_align_t));
        CHECK(m.slot[slot].p != NULL);
    }
    CHECK_SOUND(ab_pool_check(&pool));
    free_all(&pool);
    close_pool(&pool);
}

TEST(every_call_may_fail)
{
    for (uint64_t n = 1; n < 24; n++) {
        for (unsigned options = 0; options <= AB_POOL_HUGE; options++) {
            ab_pages pages = fresh_pages();
            ab_pool pool;
            model_init(&m, n);
            pages.fail_at = n;
            CHECK_EQ(ab_pool_init(&pool, &pages, 512, options), 0);
            for (size_t i = 0; i < 2000; i++) {
                model_allocated(&m, i, ab_pool_alloc(&pool), 512, _Alignof(max_align_t));
            }
            CHECK(m.refused <= 1);
            CHECK_SOUND(ab_pool_check(&pool));
            model_check(&m);
            close_pool(&pool);
        }
    }
}

TEST(close_goes_on_after_a_failure)
{
    ab_pages pages = fresh_pages();
    ab_pool pool;

    CHECK_EQ(ab_pool_init(&pool, &pages, 1024, 0), 0);
    for (int i = 0; i < 2000; i++) {
        CHECK(ab_pool_alloc(&pool) != NULL);
    }
    CHECK(pool.block_count >= 3);
    pages.fail_at = pages.counts.os_calls + 2;
    int code = ab_pool_close(&pool);
    CHECK(ab_is_out_of_memory(code));
    CHECK_EQ(pool.block_count, 1);
    CHECK(ab_pool_alloc(&pool) != NULL); /* it may even be used again */
    CHECK_SOUND(ab_pool_check(&pool));
    close_pool(&pool);
    close_pool(&pool);
}

TEST(double_free_is_found)
{
    if (AB_HAS_POISON) {
        SKIP("AddressSanitizer ends the program at the double free itself");
    }
    ab_pages pages = fresh_pages();
    ab_pool pool;
    void *p[10];

    for (size_t first = 0; first < 10; first++) {
        CHECK_EQ(ab_pool_init(&pool, &pages, 16, 0), 0);
        for (size_t i = 0; i < 10; i++) {
            p[i] = ab_pool_alloc(&pool);
        }
        for (size_t i = 0; i < 10; i++) {
            ab_pool_free(&pool, p[i]);
        }
        CHECK_SOUND(ab_pool_check(&pool));
        ab_pool_free(&pool, p[first]);
        CHECK(ab_pool_check(&pool) != NULL);
        close_pool(&pool);
    }
}

TEST(foreign_pointers_are_found)
{
    if (AB_HAS_POISON) {
        SKIP("a foreign chunk would be poisoned");
    }
    ab_pages pages = fresh_pages();
    ab_pool pool;
    void *outside[2];

    CHECK_EQ(ab_pool_init(&pool, &pages, 24, 0), 0);
    char *p = ab_pool_alloc(&pool);
    ab_pool_free(&pool, outside);
    CHECK(ab_pool_check(&pool) != NULL);
    CHECK(ab_pool_alloc(&pool) == outside);
    CHECK_SOUND(ab_pool_check(&pool));
    ab_pool_free(&pool, p + 8);
    CHECK(ab_pool_check(&pool) != NULL);
    CHECK(ab_pool_alloc(&pool) == p + 8);
    CHECK_SOUND(ab_pool_check(&pool));
    ab_pool_free(&pool, p + pool.run_bytes); /* never handed out */
    CHECK(ab_pool_check(&pool) != NULL);
    close_pool(&pool);
}
