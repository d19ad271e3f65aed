/* SPDX-License-Identifier: MIT
 *
 * Bounded address space: it ends where it should, it can be fragmented, and the bound can be
 * lifted.
 */
#include "test.h"

#include "allocbench/pages.h"

#include <stdint.h>

enum { BOUND = 256 << 20, BLOCK = 64 << 10, MOST = BOUND / BLOCK };

static ab_region blocks[MOST + 1];

static ab_pages bounded(bool span)
{
    ab_pages pages;
    size_t limit = 0;

    ab_pages_init(&pages);
    if ((pages.info.can & (span ? AB_PAGES_CAN_BOUND_SPAN : AB_PAGES_CAN_BOUND)) == 0) {
        CHECK(ab_pages_bound(&pages, BOUND, span, &limit) > 0);
        CHECK(pages.bound == NULL);
        SKIP("address space cannot be bounded here");
    }
    CHECK_EQ(ab_pages_bound(&pages, BOUND, span, &limit), 0);
    CHECK(limit > BOUND / 2 && limit <= BOUND);
    CHECK(ab_pages_bound(&pages, BOUND, span, &limit) > 0); /* once at a time */
    return pages;
}

static int fill(ab_pages *pages)
{
    int count = 0;
    int code = 0;

    while (count <= MOST && (code = ab_pages_reserve(pages, BLOCK, &blocks[count])) == 0) {
        count++;
    }
    CHECK(count <= MOST);
    CHECK(ab_is_out_of_memory(code));
    CHECK(blocks[count].base == NULL);
    return count;
}

static void check_unbound(ab_pages *pages)
{
    ab_region large;

    ab_pages_unbound(pages);
    ab_pages_unbound(pages); /* again: nothing */
    CHECK(pages->bound == NULL);
    CHECK_EQ(ab_pages_reserve(pages, (size_t)1 << 30, &large), 0);
    CHECK_EQ(ab_pages_release(pages, &large), 0);
}

TEST(bound_limits_the_sum)
{
    ab_pages pages = bounded(false);
    ab_region large;

    CHECK(ab_is_out_of_memory(ab_pages_reserve(&pages, (size_t)1 << 30, &large)));
    int count = fill(&pages);
    CHECK(count > MOST / 2);
    /* Every region is still usable. */
    for (int i = 0; i < count; i++) {
        CHECK_EQ(ab_pages_commit(&pages, &blocks[i], 0, pages.info.page_bytes), 0);
        *(volatile char *)blocks[i].base = 1;
        CHECK_EQ(ab_pages_release(&pages, &blocks[i]), 0);
    }
    check_unbound(&pages);
}

TEST(bound_span_fragments)
{
    ab_pages pages = bounded(true);
    ab_region large;
    ab_region small;

    int count = fill(&pages);
    CHECK(count > MOST / 2);
    for (int i = 0; i < count; i += 2) {
        CHECK_EQ(ab_pages_release(&pages, &blocks[i]), 0);
    }
    /* Half of the space is free, in holes of one block. */
    CHECK(ab_is_out_of_memory(ab_pages_reserve(&pages, (size_t)2 * BLOCK, &large)));
    CHECK_EQ(ab_pages_reserve(&pages, BLOCK, &small), 0);
    CHECK_EQ(ab_pages_release(&pages, &small), 0);
    for (int i = 1; i < count; i += 2) {
        CHECK_EQ(ab_pages_release(&pages, &blocks[i]), 0);
    }
    /* Holes next to each other are one again. */
    CHECK_EQ(ab_pages_reserve(&pages, (size_t)64 * BLOCK, &large), 0);
    CHECK_EQ(ab_pages_release(&pages, &large), 0);
    check_unbound(&pages);
}

TEST(bound_again_after_unbound)
{
    ab_pages pages = bounded(true);
    size_t limit;

    for (int i = 0; i < 3; i++) {
        int count = fill(&pages);
        CHECK(count > MOST / 2);
        while (count-- > 0) {
            CHECK_EQ(ab_pages_release(&pages, &blocks[count]), 0);
        }
        check_unbound(&pages);
        CHECK_EQ(ab_pages_bound(&pages, BOUND, i % 2 == 0, &limit), 0);
    }
    check_unbound(&pages);
}

TEST(bound_too_small_is_a_code)
{
    ab_pages pages = bounded(true);
    size_t limit = 1;

    ab_pages_unbound(&pages);
    CHECK(ab_pages_bound(&pages, pages.info.page_bytes, true, &limit) > 0);
    CHECK_EQ(limit, 0);
    CHECK(ab_pages_bound(&pages, pages.info.page_bytes, false, &limit) > 0);
    CHECK(ab_pages_bound(&pages, 0, true, &limit) > 0);
    check_unbound(&pages);
}
