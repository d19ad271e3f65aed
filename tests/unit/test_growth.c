/* SPDX-License-Identifier: MIT
 *
 * The ways to grow a region: contents survive every step and every failure, calls and pages are
 * what the strategy says, and all of it is released.
 */
#include "test_cell.h"

#include "growth_contents.h"
#include "os/raw_probe.h"

static const growth_strategy *const strategies[] = {
#define GROWTH_STRATEGY(id, ...) &growth_##id,
    GROWTH_STRATEGIES
#undef GROWTH_STRATEGY
};
enum { STRATEGIES = sizeof strategies / sizeof strategies[0] };

static ab_pages make_pages(void)
{
    ab_pages pages;
    ab_pages_init(&pages);
    return pages;
}

static uint64_t mappings(void)
{
    ab_raw_mappings now;
    ab_raw_mappings_read(&now);
    return now.count;
}

TEST(doubling_to_256_mib_and_halving_back_keeps_contents)
{
    const size_t most = (size_t)256 << 20;
    uint64_t before = mappings();

    for (int i = 0; i < STRATEGIES; i++) {
        const growth_strategy *s = strategies[i];
        ab_pages pages = make_pages();
        bool is_intact = true;
        growth g;
        if (s->lack() != NULL) {
            continue;
        }
        CHECK_EQ(growth_begin(s, &pages, most, &g), 0);
        CHECK_EQ(growth_prove_doubling(s, &g, most, &is_intact), 0);
        CHECK(is_intact);
        CHECK_EQ(g.bytes, 1);
        growth_end(s, &g);
        CHECK_EQ(pages.counts.reserved_bytes, 0);
        CHECK(s->is_heap || mappings() == before);
        before = mappings();
    }
}

TEST(small_steps_keep_contents)
{
    for (int i = 0; i < STRATEGIES; i++) {
        ab_pages pages = make_pages();
        bool is_intact = true;
        growth g;
        if (strategies[i]->lack() != NULL) {
            continue;
        }
        CHECK_EQ(growth_begin(strategies[i], &pages, 3000000, &g), 0);
        CHECK_EQ(growth_prove_steps(strategies[i], &g, 3000000, 1009, &is_intact), 0);
        CHECK(is_intact);
        CHECK_EQ(g.bytes, 3000000);
        growth_end(strategies[i], &g);
    }
}

/* Calls and pages of a growth of `pages_wanted` pages by half pages. */
static void check_work(const growth_strategy *s, uint64_t calls, uint64_t pages_named)
{
    ab_pages pages = make_pages();
    const size_t page = pages.info.page_bytes;
    growth g;

    CHECK_EQ(growth_begin(s, &pages, 100 * page, &g), 0);
    for (size_t bytes = page / 2; bytes <= 100 * page; bytes += page / 2) {
        CHECK_EQ(growth_grow(s, &g, bytes), 0);
    }
    CHECK_EQ(g.calls, calls);
    CHECK_EQ(g.pages_named, pages_named);
    if (s->is_layer) {
        CHECK_EQ(pages.counts.pages_submitted, pages_named);
        CHECK_EQ(pages.counts.committed_bytes, 100 * page);
    }
    growth_end(s, &g);
}

TEST(each_strategy_submits_what_it_says)
{
    const uint64_t whole = 2 * (100 * 101 / 2); /* two steps for each size in pages */

    check_work(&growth_os_delta, 100, 100);
    check_work(&growth_delta, 100, 100);
    check_work(&growth_whole, 200, whole);
    check_work(&growth_doubling, 8, 100); /* 1, 2, 4 ... 64, 100 pages */
    check_work(&growth_upfront, 1, 100);
    check_work(&growth_populate_whole, 300, whole + 100);
    if (growth_remap.lack() == NULL) {
        check_work(&growth_remap, 100, 100);
    }
    if (growth_nt_delta.lack() == NULL) {
        check_work(&growth_nt_delta, 100, 100);
        check_work(&growth_nt_whole, 200, whole);
    }
}

/* Every OS call in turn fails once. */
TEST(a_step_that_fails_keeps_what_was_grown)
{
    for (int i = 0; i < STRATEGIES; i++) {
        const growth_strategy *s = strategies[i];
        for (uint64_t fail_at = 2; s->is_layer && s->reach != GROWTH_NOTHING && fail_at < 40;
             fail_at++) {
            ab_pages pages = make_pages();
            const size_t page = pages.info.page_bytes;
            uint64_t before = mappings();
            int failures = 0;
            growth g;

            pages.fail_at = fail_at;
            CHECK_EQ(growth_begin(s, &pages, 64 * page, &g), 0);
            while (g.bytes < 64 * page) {
                size_t grown = g.bytes;
                int code = growth_grow(s, &g, grown + page);
                if (code != 0) {
                    CHECK(ab_is_out_of_memory(code));
                    CHECK_EQ(g.bytes, grown);
                    failures++;
                } else {
                    growth_mark_new(&g, grown);
                }
                CHECK(growth_is_intact(&g, 0, g.bytes));
            }
            CHECK(failures == 1 || s->reach == GROWTH_DOUBLE);
            pages.fail_at = 0; /* the release, where there were fewer calls */
            growth_end(s, &g);
            CHECK_EQ(mappings(), before);
            CHECK_EQ(pages.counts.reserved_bytes, 0);
        }
    }
}

/* Under a bound on the address space, which strikes in the middle. */
static void check_exhausted(const growth_strategy *s)
{
    const size_t total = (size_t)4 << 30, step = (size_t)1 << 20;
    ab_pages pages = make_pages(), space = make_pages();
    size_t limit_bytes;
    int code = 0;
    growth g;

    CHECK_EQ(growth_begin(s, &pages, total, &g), 0);
    uint64_t before = mappings();
    CHECK_EQ(ab_pages_bound(&space, (size_t)128 << 20, false, &limit_bytes), 0);
    while (code == 0 && g.bytes < total) {
        size_t grown = g.bytes;
        code = growth_grow(s, &g, grown + step);
        if (code == 0) {
            growth_mark_new(&g, grown);
        }
    }
    CHECK(s->is_heap || ab_is_out_of_memory(code));
    CHECK(code != 0 && g.bytes > 0 && g.bytes < (size_t)128 << 20);
    CHECK(growth_is_intact(&g, 0, g.bytes));
    ab_pages_unbound(&space);
    growth_end(s, &g);
    CHECK(s->is_heap || mappings() == before);
}

TEST(address_space_that_runs_out_keeps_what_was_grown)
{
    ab_pages pages = make_pages();

    if ((pages.info.can & AB_PAGES_CAN_BOUND) == 0 || growth_remap.lack() != NULL) {
        SKIP("the bound does not reach memory that is not the page layer's");
    }
    check_exhausted(&growth_remap);
    check_exhausted(&growth_heap);
}

TEST(a_cell_that_fails_tells_the_step_and_releases_everything)
{
    static test_cell cell;
    ab_pages layer;
    char text[128];

    ab_pages_init(&layer); /* a step is a page, however large those are */
    size_t page = layer.info.page_bytes;
    snprintf(text, sizeof text, "scenario=growth;backend=delta;seed=1;total=%zu;step=%zu",
             256 * page, page);
    begin_cell(&cell, text);
    uint64_t before = mappings();
    cell.run.pages.fail_at = 20; /* the reservation was the first */
    ab_run_round(&cell.run, false);
    CHECK_EQ(cell.meter.operation[0].status, AB_STATUS_NOMEM);
    CHECK(strstr(cell.meter.operation[0].reason, "step 19 of 256 failed with OS error") != NULL);
    snprintf(text, sizeof text, "; %zu bytes were grown", 18 * page);
    CHECK(strstr(cell.meter.operation[0].reason, text) != NULL);
    CHECK_EQ(mappings(), before);
    CHECK_EQ(cell.run.pages.counts.reserved_bytes, 0);
    end_cell(&cell);
}

TEST(a_cell_that_cannot_begin_says_so)
{
    static test_cell cell;

    begin_cell(&cell, "scenario=growth;backend=whole;seed=1;total=1048576;step=4096");
    cell.run.pages.fail_at = 1;
    ab_run_round(&cell.run, false);
    CHECK_EQ(cell.meter.operation[0].status, AB_STATUS_NOMEM);
    CHECK(strstr(cell.meter.operation[0].reason, "address space cannot be had") != NULL);
    end_cell(&cell);
}

TEST(the_proof_finds_the_published_pages)
{
    static test_cell cell;

    begin_cell(&cell, "scenario=growth;backend=whole;seed=1;total=26214400;step=1009");
    if (cell.run.pages.info.page_bytes != 4096) {
        SKIP("the published figures are for pages of 4096 bytes");
    }
    cell.run.scenario->prove(&cell.run);
    CHECK_EQ(cell.meter.operation[0].status, AB_STATUS_OK);
    CHECK_STR(cell_figure(&cell, 0, "commit_calls"), "25981");
    CHECK_STR(cell_figure(&cell, 0, "pages_submitted"), "83156745");
    CHECK_STR(cell_figure(&cell, 0, "new_pages"), "6400");
    CHECK(cell_figure(&cell, 0, "worst_step_ns") != NULL);
    end_cell(&cell);
}
