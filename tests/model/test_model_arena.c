/* SPDX-License-Identifier: MIT
 *
 * The arena against the shadow model: the slots are a stack here, since objects go in the opposite
 * order (rewind) or all at once (reset). Directed cases: sizes, exhaustion, failures, both resets.
 */
#include "allocbench/arena.h"
#include "model.h"

enum { MARKS = 64 };

static model m;

static void close_arena(ab_arena *arena)
{
    while (ab_arena_close(arena) != 0) {
        CHECK_SOUND(ab_arena_check(arena));
    }
    CHECK_SOUND(ab_arena_check(arena));
    CHECK_EQ(arena->pages->counts.reserved_bytes, 0);
    CHECK_EQ(arena->pages->counts.committed_bytes, 0);
    CHECK_EQ(ab_arena_close(arena), 0);
}

/* Checks and forgets the objects from `live` on. */
static void pop_to(size_t live)
{
    while (m.live > live) {
        model_free(&m, m.live - 1);
    }
}

static size_t random_size(void)
{
    size_t most = model_random(&m, 16) == 0 ? 20000 : 200;
    return 1 + model_random(&m, most);
}

static void run_random(uint64_t operations, uint64_t fail_every)
{
    ab_pages pages;
    ab_arena arena;
    struct {
        size_t bytes, live;
    } mark[MARKS];
    size_t marks = 0;

    ab_pages_init(&pages);
    model_init(&m, fail_every + 7);
    CHECK_EQ(ab_arena_init(&arena, &pages, 4 * 1024 * 1024), 0);
    pages.fail_every = fail_every;
    for (uint64_t i = 0; i < operations; i++) {
        size_t what = model_random(&m, 1000);
        if (what < 900 && m.live < MODEL_SLOTS) {
            size_t bytes = random_size();
            model_allocated(&m, m.live, ab_arena_alloc(&arena, bytes), bytes, AB_ARENA_ALIGN);
        } else if (what < 950 && marks < MARKS) {
            mark[marks].bytes = ab_arena_mark(&arena);
            mark[marks++].live = m.live;
        } else if (what < 995 && marks > 0) {
            marks -= 1 + model_random(&m, marks);
            pop_to(mark[marks].live);
            CHECK_EQ(ab_arena_rewind(&arena, mark[marks].bytes), 0);
        } else if (what >= 995) {
            pop_to(0);
            marks = 0;
            if (what == 999) {
                int code = ab_arena_reset_decommit(&arena);
                CHECK(code == 0 || fail_every != 0);
                CHECK(code != 0 || pages.counts.committed_bytes == 0);
            } else {
                ab_arena_reset(&arena);
            }
            CHECK_EQ(ab_arena_mark(&arena), 0);
        }
        CHECK_SOUND(ab_arena_check(&arena));
        if (i % 16384 == 0) {
            model_check(&m);
        }
    }
    model_check(&m);
    close_arena(&arena);
}

TEST(random_operations)
{
    run_random(model_operations(), 0);
}

TEST(random_with_failures)
{
    run_random(model_operations() / 2, 2);
    run_random(model_operations() / 2, 3);
}

TEST(sizes_out_of_range)
{
    ab_pages pages;
    ab_region none;
    ab_arena arena;

    ab_pages_init(&pages);
    int invalid = ab_pages_reserve(&pages, 0, &none);
    CHECK(invalid > 0);
    CHECK_EQ(ab_arena_init(&arena, &pages, 0), invalid);
    CHECK_EQ(ab_arena_init(&arena, &pages, SIZE_MAX), invalid);
    CHECK_EQ(ab_arena_close(&arena), 0);
    CHECK(ab_arena_init(&arena, &pages, SIZE_MAX - 2 * pages.info.page_bytes) != 0);
    CHECK(ab_arena_alloc(&arena, 1) == NULL);
    CHECK_EQ(ab_arena_close(&arena), 0);

    CHECK_EQ(ab_arena_init(&arena, &pages, 1), 0);
    CHECK(ab_arena_alloc(&arena, 0) == NULL);
    CHECK(ab_arena_alloc(&arena, 1) != NULL);
    CHECK(ab_arena_alloc(&arena, 0) == NULL);
    for (size_t less = 0; less < 40; less++) {
        CHECK(ab_arena_alloc(&arena, SIZE_MAX - less) == NULL);
        CHECK(ab_arena_alloc(&arena, SIZE_MAX / 2 + less) == NULL);
    }
    CHECK_SOUND(ab_arena_check(&arena));
    CHECK_EQ(ab_arena_mark(&arena), AB_ARENA_ALIGN);
    close_arena(&arena);
}

TEST(every_object_is_aligned_to_the_strictest)
{
    ab_pages pages;
    ab_arena arena;

    ab_pages_init(&pages);
    CHECK_EQ(ab_arena_init(&arena, &pages, 1024 * 1024), 0);
    char *end = ab_arena_alloc(&arena, 1);
    end += AB_ARENA_ALIGN;
    for (size_t bytes = 1; bytes <= 500; bytes++) {
        char *p = ab_arena_alloc(&arena, bytes);
        CHECK(p == end);
        CHECK((uintptr_t)p % AB_ARENA_ALIGN == 0);
        end = p + (bytes + AB_ARENA_ALIGN - 1) / AB_ARENA_ALIGN * AB_ARENA_ALIGN;
    }
    close_arena(&arena);
}

TEST(exhaustion_uses_the_whole_reservation)
{
    ab_pages pages;
    ab_arena arena;

    ab_pages_init(&pages);
    size_t bytes = 64 * pages.info.page_bytes;
    CHECK_EQ(ab_arena_init(&arena, &pages, bytes - 1), 0);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t got = 0; got < bytes; got += 64) {
            CHECK(ab_arena_alloc(&arena, 64) != NULL);
        }
        CHECK(ab_arena_alloc(&arena, 1) == NULL);
        CHECK_EQ(ab_arena_mark(&arena), bytes);
        CHECK_SOUND(ab_arena_check(&arena));
        ab_arena_reset(&arena);
        CHECK_EQ(arena.peak_bytes, bytes);
    }
    CHECK(ab_arena_alloc(&arena, bytes + 1) == NULL);
    CHECK(ab_arena_alloc(&arena, bytes) != NULL);
    close_arena(&arena);
}

TEST(resets_keep_or_return_the_pages)
{
    ab_pages pages;
    ab_arena arena;

    ab_pages_init(&pages);
    CHECK_EQ(ab_arena_init(&arena, &pages, 16 * 1024 * 1024), 0);
    CHECK_EQ(ab_arena_reset_decommit(&arena), 0);
    unsigned char *p = ab_arena_alloc(&arena, 300000);
    memset(p, 0xA5, 300000);
    size_t committed = pages.counts.committed_bytes;
    CHECK(committed >= 300000);
    ab_arena_reset(&arena);
    CHECK_EQ(pages.counts.committed_bytes, committed);
    uint64_t calls = pages.counts.os_calls;
    CHECK(ab_arena_alloc(&arena, 300000) == p);
    CHECK_EQ(pages.counts.os_calls, calls);
    CHECK_EQ(ab_arena_reset_decommit(&arena), 0);
    CHECK_EQ(pages.counts.committed_bytes, 0);
    CHECK(ab_arena_alloc(&arena, 300000) == p);
    for (size_t i = 0; i < 300000; i++) {
        CHECK(p[i] == 0);
    }
    close_arena(&arena);
}

TEST(rewind_rejects_what_is_no_mark)
{
    ab_pages pages;
    ab_arena arena;
    ab_region none;

    ab_pages_init(&pages);
    int invalid = ab_pages_reserve(&pages, 0, &none);
    CHECK_EQ(ab_arena_init(&arena, &pages, 65536), 0);
    char *p = ab_arena_alloc(&arena, 100);
    size_t mark = ab_arena_mark(&arena);
    char *q = ab_arena_alloc(&arena, 100);
    CHECK_EQ(ab_arena_rewind(&arena, mark + 1), invalid);
    CHECK_EQ(ab_arena_rewind(&arena, ab_arena_mark(&arena) + AB_ARENA_ALIGN), invalid);
    CHECK_EQ(ab_arena_rewind(&arena, SIZE_MAX), invalid);
    CHECK_EQ(ab_arena_rewind(&arena, mark), 0);
    CHECK(ab_arena_alloc(&arena, 50) == q);
    CHECK_EQ(ab_arena_rewind(&arena, 0), 0);
    CHECK(ab_arena_alloc(&arena, 50) == p);
    close_arena(&arena);
}

TEST(failed_growth_then_recovery)
{
    for (uint64_t n = 1; n < 12; n++) {
        ab_pages pages;
        ab_arena arena;
        ab_pages_init(&pages);
        model_init(&m, n);
        pages.fail_at = n;
        if (ab_arena_init(&arena, &pages, 8 * 1024 * 1024) != 0) {
            CHECK(n == 1);
            CHECK(ab_arena_alloc(&arena, 1) == NULL);
            CHECK_EQ(ab_arena_init(&arena, &pages, 8 * 1024 * 1024), 0);
        }
        for (size_t i = 0; i < 2000; i++) {
            model_allocated(&m, i, ab_arena_alloc(&arena, 1000), 1000, AB_ARENA_ALIGN);
            CHECK_SOUND(ab_arena_check(&arena));
        }
        /* A refused step is followed by a smaller one, where there is a smaller one. */
        CHECK(m.refused == 0 || pages.info.page_bytes >= 65536);
        model_check(&m);
        pages.fail_every = 1;
        CHECK(ab_arena_alloc(&arena, 5 * 1024 * 1024) == NULL);
        CHECK(ab_arena_reset_decommit(&arena) != 0);
        CHECK(ab_arena_close(&arena) != 0);
        CHECK_SOUND(ab_arena_check(&arena));
        CHECK(ab_arena_alloc(&arena, 1000) == m.slot[0].p || m.slot[0].p == NULL);
        pages.fail_every = 0;
        CHECK(ab_arena_alloc(&arena, 5 * 1024 * 1024) != NULL);
        close_arena(&arena);
    }
}
