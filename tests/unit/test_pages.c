/* SPDX-License-Identifier: MIT
 *
 * The page layer's contract on the real operating system: contents, sizes, counters and failures.
 */
#include "test.h"

#include "allocbench/pages.h"
#include "os/usage.h"

#include <stdint.h>

static size_t page_bytes;

static ab_pages make_pages(void)
{
    ab_pages pages;
    ab_pages_init(&pages);
    page_bytes = pages.info.page_bytes;
    return pages;
}

static ab_region make_region(ab_pages *pages, size_t page_count)
{
    ab_region region;
    CHECK_EQ(ab_pages_reserve(pages, page_count * page_bytes, &region), 0);
    return region;
}

static void touch(const ab_region *region, size_t offset)
{
    volatile char *byte = (volatile char *)region->base + offset;
    *byte = 1;
}

static char peek(const ab_region *region, size_t offset)
{
    return ((volatile char *)region->base)[offset];
}

TEST(page_info_is_plausible)
{
    ab_pages pages = make_pages();
    const ab_page_info *info = &pages.info;

    CHECK(info->page_bytes >= 512 && (info->page_bytes & (info->page_bytes - 1)) == 0);
    CHECK(info->granularity_bytes >= info->page_bytes);
    CHECK_EQ(info->granularity_bytes % info->page_bytes, 0);
    CHECK_EQ(info->huge_bytes % info->page_bytes, 0);
    CHECK_EQ(pages.counts.os_calls, 0);
    CHECK(pages.bound == NULL);
    for (size_t i = 1; i < 5; i++) {
        ab_region region = make_region(&pages, i);
        CHECK_EQ((uintptr_t)region.base % info->granularity_bytes, 0);
        CHECK_EQ(ab_pages_release(&pages, &region), 0);
    }
}

TEST(zero_at_first_and_after_decommit)
{
    enum { PAGES = 16 };
    ab_pages pages = make_pages();
    ab_region region = make_region(&pages, PAGES);
    size_t bytes = PAGES * page_bytes;

    for (int round = 0; round < 3; round++) {
        CHECK_EQ(ab_pages_commit(&pages, &region, 0, bytes), 0);
        for (size_t i = 0; i < bytes; i++) {
            CHECK_EQ(peek(&region, i), 0);
        }
        memset(region.base, 0x5A, bytes);
        CHECK_EQ(ab_pages_decommit(&pages, &region, 0, bytes), 0);
        /* Again, and of what was never committed: succeeds. */
        CHECK_EQ(ab_pages_decommit(&pages, &region, 0, bytes), 0);
    }
    CHECK_EQ(ab_pages_release(&pages, &region), 0);
    CHECK_EQ(ab_pages_map(&pages, bytes, &region), 0);
    for (size_t i = 0; i < bytes; i++) {
        CHECK_EQ(peek(&region, i), 0);
    }
    CHECK_EQ(ab_pages_release(&pages, &region), 0);
}

TEST(decommit_of_a_part_keeps_the_rest)
{
    ab_pages pages = make_pages();
    ab_region region = make_region(&pages, 3);

    CHECK_EQ(ab_pages_commit(&pages, &region, 0, 3 * page_bytes), 0);
    memset(region.base, 7, 3 * page_bytes);
    CHECK_EQ(ab_pages_decommit(&pages, &region, page_bytes, page_bytes), 0);
    CHECK_EQ(ab_pages_commit(&pages, &region, page_bytes, page_bytes), 0);
    for (size_t i = 0; i < 3 * page_bytes; i++) {
        CHECK_EQ(peek(&region, i), i / page_bytes == 1 ? 0 : 7);
    }
    CHECK_EQ(ab_pages_release(&pages, &region), 0);
}

TEST(committing_again_keeps_contents)
{
    ab_pages pages = make_pages();
    ab_region region = make_region(&pages, 4);

    CHECK_EQ(ab_pages_commit(&pages, &region, 0, 2 * page_bytes), 0);
    memset(region.base, 9, 2 * page_bytes);
    CHECK_EQ(ab_pages_commit(&pages, &region, 0, 4 * page_bytes), 0);
    CHECK_EQ(ab_pages_commit(&pages, &region, page_bytes, page_bytes), 0);
    for (size_t i = 0; i < 4 * page_bytes; i++) {
        CHECK_EQ(peek(&region, i), i < 2 * page_bytes ? 9 : 0);
    }
    CHECK_EQ(ab_pages_release(&pages, &region), 0);
}

TEST(purge_and_populate_stay_accessible)
{
    enum { PAGES = 8 };
    ab_pages pages = make_pages();
    ab_region region = make_region(&pages, PAGES);
    size_t bytes = PAGES * page_bytes;

    CHECK_EQ(ab_pages_commit(&pages, &region, 0, bytes), 0);
    touch(&region, page_bytes);
    CHECK_EQ(ab_pages_populate(&pages, &region, 0, bytes), 0);
    CHECK_EQ(peek(&region, page_bytes), 1);
    CHECK_EQ(peek(&region, 0), 0);
    CHECK_EQ(ab_pages_purge(&pages, &region, 0, bytes), 0);
    char left = peek(&region, page_bytes);
    CHECK(left == 0 || left == 1);
    memset(region.base, 3, bytes);
    for (size_t i = 0; i < bytes; i++) {
        CHECK_EQ(peek(&region, i), 3);
    }
    int code = ab_pages_advise_huge(&pages, &region, 0, bytes);
    CHECK(code == 0 || (pages.info.can & AB_PAGES_CAN_HUGE) == 0);
    CHECK_EQ(ab_pages_release(&pages, &region), 0);
}

TEST(resident_memory_follows)
{
    const size_t bytes = (size_t)64 << 20;
    const size_t most = (size_t)48 << 20;
    ab_pages pages = make_pages();
    ab_region region;
    ab_memory memory[4];

    ab_memory_read(&memory[0]);
    if (memory[0].resident_bytes == AB_UNKNOWN) {
        SKIP("this platform does not tell");
    }
    const bool is_mapped_told = memory[0].mapped_bytes != AB_UNKNOWN;
    CHECK_EQ(ab_pages_reserve(&pages, bytes, &region), 0);
    CHECK_EQ(ab_pages_commit(&pages, &region, 0, bytes), 0);
    ab_memory_read(&memory[1]);
    CHECK(!is_mapped_told || memory[1].mapped_bytes >= memory[0].mapped_bytes + bytes);
    CHECK(memory[1].resident_bytes < memory[0].resident_bytes + most);
    for (size_t i = 0; i < bytes; i += page_bytes) {
        touch(&region, i);
    }
    ab_memory_read(&memory[2]);
    CHECK(memory[2].resident_bytes >= memory[0].resident_bytes + most);
    CHECK_EQ(ab_pages_decommit(&pages, &region, 0, bytes), 0);
    ab_memory_read(&memory[3]);
    CHECK(memory[3].resident_bytes + most <= memory[2].resident_bytes);
    CHECK_EQ(ab_pages_commit(&pages, &region, 0, bytes), 0);
    CHECK_EQ(ab_pages_populate(&pages, &region, 0, bytes), 0);
    ab_memory_read(&memory[3]);
    CHECK(memory[3].resident_bytes >= memory[0].resident_bytes + most);
    CHECK_EQ(ab_pages_release(&pages, &region), 0);
    ab_memory_read(&memory[3]);
    CHECK(!is_mapped_told || memory[3].mapped_bytes + most <= memory[2].mapped_bytes);
}

typedef int range_fn(ab_pages *pages, ab_region *region, size_t offset, size_t bytes);

static range_fn *const range_verbs[] = {ab_pages_commit, ab_pages_decommit, ab_pages_purge,
                                        ab_pages_populate, ab_pages_advise_huge};
enum { RANGE_VERBS = sizeof range_verbs / sizeof *range_verbs };

TEST(bad_sizes_are_codes)
{
    ab_pages pages = make_pages();
    const size_t top = SIZE_MAX - SIZE_MAX % page_bytes;
    const size_t sizes[] = {0, 1, page_bytes - 1, page_bytes + 1, SIZE_MAX};
    const size_t ranges[][2] = {{0, 0},
                                {0, 1},
                                {1, page_bytes},
                                {0, 5 * page_bytes},
                                {4 * page_bytes, page_bytes},
                                {5 * page_bytes, page_bytes},
                                {page_bytes, top},
                                {top, page_bytes},
                                {top, 2 * page_bytes}};
    ab_region region;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CHECK(ab_pages_reserve(&pages, sizes[i], &region) > 0);
        CHECK(region.base == NULL && region.bytes == 0);
        CHECK(ab_pages_map(&pages, sizes[i], &region) > 0);
        CHECK(region.base == NULL && region.bytes == 0);
    }
    CHECK_EQ(pages.counts.os_calls, 0);
    region = make_region(&pages, 4);
    CHECK_EQ(ab_pages_commit(&pages, &region, 0, 4 * page_bytes), 0);
    memset(region.base, 1, 4 * page_bytes);
    uint64_t calls = pages.counts.os_calls;
    for (int verb = 0; verb < RANGE_VERBS; verb++) {
        for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
            CHECK(range_verbs[verb](&pages, &region, ranges[i][0], ranges[i][1]) > 0);
        }
    }
    CHECK_EQ(pages.counts.os_calls, calls);
    for (size_t i = 0; i < 4 * page_bytes; i++) {
        CHECK_EQ(peek(&region, i), 1);
    }
    CHECK_EQ(ab_pages_release(&pages, &region), 0);
    /* Nothing works on a released region, least of all a release. */
    CHECK(region.base == NULL && region.bytes == 0 && region.committed_bytes == 0);
    CHECK(ab_pages_release(&pages, &region) > 0);
    for (int verb = 0; verb < RANGE_VERBS; verb++) {
        CHECK(range_verbs[verb](&pages, &region, 0, page_bytes) > 0);
    }
}

TEST(more_than_there_is_is_a_code)
{
    ab_pages pages = make_pages();
    ab_region region;

    CHECK(ab_pages_reserve(&pages, SIZE_MAX / 2 + 1, &region) > 0);
    CHECK(region.base == NULL);
    CHECK(ab_pages_map(&pages, SIZE_MAX / 2 + 1, &region) > 0);
    CHECK(region.base == NULL);
    CHECK_EQ(pages.counts.reserved_bytes, 0);
    CHECK_EQ(pages.counts.committed_bytes, 0);
    region = make_region(&pages, 1);
    CHECK_EQ(ab_pages_release(&pages, &region), 0);
}

TEST(counters_tell_the_truth)
{
    ab_pages pages = make_pages();
    const ab_page_counts *counts = &pages.counts;
    ab_region one = make_region(&pages, 8);
    ab_region two;

    CHECK_EQ(counts->os_calls, 1);
    CHECK_EQ(counts->reserved_bytes, 8 * page_bytes);
    CHECK_EQ(counts->committed_bytes, 0);
    CHECK_EQ(ab_pages_commit(&pages, &one, 0, 2 * page_bytes), 0);
    CHECK_EQ(ab_pages_commit(&pages, &one, page_bytes, 2 * page_bytes), 0);
    CHECK_EQ(counts->os_calls, 3);
    CHECK_EQ(counts->pages_submitted, 4);
    CHECK_EQ(counts->committed_bytes, 3 * page_bytes);
    CHECK_EQ(one.committed_bytes, 3 * page_bytes);
    CHECK_EQ(one.prefix_bytes, 3 * page_bytes);
    CHECK_EQ(ab_pages_map(&pages, 4 * page_bytes, &two), 0);
    CHECK_EQ(counts->pages_submitted, 8);
    CHECK_EQ(counts->committed_bytes, 7 * page_bytes);
    CHECK_EQ(counts->reserved_bytes, 12 * page_bytes);
    CHECK_EQ(ab_pages_decommit(&pages, &one, 2 * page_bytes, page_bytes), 0);
    CHECK_EQ(counts->committed_bytes, 6 * page_bytes);
    CHECK_EQ(ab_pages_release(&pages, &one), 0);
    CHECK_EQ(ab_pages_release(&pages, &two), 0);
    CHECK_EQ(counts->reserved_bytes, 0);
    CHECK_EQ(counts->committed_bytes, 0);
    CHECK_EQ(counts->peak_reserved_bytes, 12 * page_bytes);
    CHECK_EQ(counts->peak_committed_bytes, 7 * page_bytes);
    CHECK(counts->os_calls >= 7);
}

/* One life of a region. Each failed call is tried again; returns how many failed. */
static int live(ab_pages *pages)
{
    int failures = 0;
    ab_region region;
    int code;

    while ((code = ab_pages_reserve(pages, 4 * page_bytes, &region)) != 0) {
        CHECK(ab_is_out_of_memory(code));
        CHECK(region.base == NULL);
        failures++;
    }
    for (int verb = 0; verb < RANGE_VERBS - 1; verb++) {
        /* commit, then purge and populate what is committed, then decommit */
        static const int order[RANGE_VERBS - 1] = {0, 2, 3, 1};
        while ((code = range_verbs[order[verb]](pages, &region, 0, 4 * page_bytes)) != 0) {
            CHECK(ab_is_out_of_memory(code));
            CHECK(region.base != NULL && region.bytes == 4 * page_bytes);
            failures++;
        }
        if (verb == 0) {
            memset(region.base, 1, region.bytes);
        }
    }
    while ((code = ab_pages_release(pages, &region)) != 0) {
        CHECK(ab_is_out_of_memory(code));
        CHECK(region.base != NULL);
        failures++;
    }
    CHECK_EQ(pages->counts.reserved_bytes, 0);
    CHECK_EQ(pages->counts.committed_bytes, 0);
    return failures;
}

TEST(every_call_can_fail)
{
    ab_pages pages = make_pages();
    CHECK_EQ(live(&pages), 0);
    uint64_t calls = pages.counts.os_calls;
    int failures = 0;

    for (uint64_t number = 1; number <= calls; number++) {
        pages = make_pages();
        pages.fail_at = number;
        int failed = live(&pages);
        CHECK(failed <= 1); /* a verb of two calls is checked before its first */
        failures += failed;
    }
    CHECK(failures >= 5);
    for (uint64_t every = 2; every < 7; every++) {
        pages = make_pages();
        pages.fail_every = every;
        CHECK(live(&pages) > 0 || every > 5);
    }
}
