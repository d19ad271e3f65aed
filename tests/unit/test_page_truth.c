/* SPDX-License-Identifier: MIT
 *
 * What page calls do, where the operating system documents it, and that running into the limit on
 * mappings is clean.
 */
#include "test_cell.h"

#include "growth.h"
#include "page_truth.h"

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

/* A few pages, or large ones, through their life; SKIPs the case where the call is missing. */
static page_truth find(const page_primitive *primitive, size_t *bytes)
{
    ab_pages pages = make_pages();
    char text[100];
    page_truth truth;
    uint64_t before = mappings();

    if (page_primitive_lack(primitive, &pages.info, text, sizeof text) != NULL ||
        (primitive->is_large && pages.info.huge_bytes == 0)) {
        SKIP("this system has no such call");
    }
    *bytes = primitive->is_large ? pages.info.huge_bytes : 16 * pages.info.page_bytes;
    CHECK_EQ(page_truth_find(primitive, AB_TOUCH_WRITE, &pages, *bytes, &truth), 0);
    CHECK_EQ(mappings(), before);
    return truth;
}

/* mremap is what tells Linux from the rest: the advices mean other things elsewhere. */
static void linux_only(void)
{
    if (growth_remap.lack() != NULL) {
        SKIP("documented so by Linux alone");
    }
}

static void check_phase(const page_truth *truth, page_phase phase, uint64_t bytes)
{
    if (truth->resident_bytes[phase] != AB_RAW_UNKNOWN) {
        CHECK_EQ(truth->resident_bytes[phase], bytes);
    }
}

/* Unknown is always allowed for what a system may be unable to tell. */
static void check_state(const page_state *state, ab_raw_answer dropped, ab_raw_answer zeroed,
                        ab_raw_answer faults)
{
    if (state->resident_dropped != AB_RAW_DONT_KNOW) {
        CHECK_EQ(state->resident_dropped, dropped);
    }
    CHECK_EQ(state->zeroed, zeroed);
    CHECK_EQ(state->faults_after, faults);
}

static void check_released(const page_truth *truth)
{
    check_state(&truth->after_release, AB_RAW_YES, AB_RAW_DONT_KNOW, AB_RAW_YES);
    if (truth->after_release.charged_before_bytes != AB_RAW_UNKNOWN &&
        truth->after_release.charged_before_bytes > 0) {
        CHECK_EQ(truth->after_release.commit_charge_dropped, AB_RAW_YES);
    }
}

TEST(release_takes_everything)
{
    size_t bytes;
    page_truth truth = find(&page_mapped, &bytes);

    check_phase(&truth, PAGE_RESERVE, 0);
    check_phase(&truth, PAGE_FIRST_TOUCH, bytes);
    check_phase(&truth, PAGE_SECOND_TOUCH, bytes);
    check_phase(&truth, PAGE_RELEASE, 0);
    check_released(&truth);
}

TEST(forbidding_access_keeps_storage_and_contents)
{
    size_t bytes;
    page_truth truth = find(&page_reserve_commit, &bytes);

    check_phase(&truth, PAGE_COMMIT, 0);
    check_phase(&truth, PAGE_DECOMMIT, bytes);
    check_state(&truth.after_decommit, AB_RAW_NO, AB_RAW_NO, AB_RAW_YES);
    check_released(&truth);
}

TEST(dontneed_drops_and_zeroes_and_stays_accessible)
{
    linux_only();
    size_t bytes;
    page_truth truth = find(&page_dontneed, &bytes);

    check_phase(&truth, PAGE_DECOMMIT, 0);
    check_phase(&truth, PAGE_TOUCH_AGAIN, bytes);
    check_state(&truth.after_decommit, AB_RAW_YES, AB_RAW_YES, AB_RAW_NO);
    CHECK(truth.after_decommit.commit_charge_dropped != AB_RAW_YES);
    check_released(&truth);
}

TEST(dontneed_and_protection_drop_zero_and_fault)
{
    linux_only();
    size_t bytes;
    page_truth truth = find(&page_dontneed_protect, &bytes);

    check_state(&truth.after_decommit, AB_RAW_YES, AB_RAW_YES, AB_RAW_YES);
    check_released(&truth);
}

TEST(a_new_mapping_drops_zeroes_and_faults)
{
    size_t bytes;
    page_truth truth = find(&page_remap_none, &bytes);

    check_phase(&truth, PAGE_DECOMMIT, 0);
    check_state(&truth.after_decommit, AB_RAW_YES, AB_RAW_YES, AB_RAW_YES);
    check_released(&truth);
}

TEST(lazy_free_promises_nothing)
{
    size_t bytes;
    page_truth truth = find(&page_free_lazy, &bytes);

    CHECK(truth.after_decommit.resident_dropped != AB_RAW_NO);
    CHECK(truth.after_decommit.zeroed != AB_RAW_NO);
    CHECK_EQ(truth.after_decommit.faults_after, AB_RAW_NO);
    check_phase(&truth, PAGE_TOUCH_AGAIN, bytes);
    check_released(&truth);
}

TEST(populate_makes_everything_resident)
{
    size_t bytes;
    page_truth truth = find(&page_populate, &bytes);

    check_phase(&truth, PAGE_COMMIT, bytes);
    check_phase(&truth, PAGE_FIRST_TOUCH, bytes);
    check_state(&truth.after_decommit, AB_RAW_YES, AB_RAW_YES, AB_RAW_NO);
    check_released(&truth);
}

TEST(large_pages_drop_and_zero_like_small_ones)
{
    size_t bytes;
    page_truth truth = find(&page_huge, &bytes);

    check_phase(&truth, PAGE_FIRST_TOUCH, bytes);
    check_state(&truth.after_decommit, AB_RAW_YES, AB_RAW_YES, AB_RAW_NO);
    check_released(&truth);
}

TEST(decommit_drops_zeroes_faults_and_uncharges)
{
    size_t bytes;
    page_truth truth = find(&page_decommit, &bytes);

    check_state(&truth.after_decommit, AB_RAW_YES, AB_RAW_YES, AB_RAW_YES);
    CHECK_EQ(truth.after_decommit.commit_charge_dropped, AB_RAW_YES);
    check_released(&truth);
}

TEST(reset_promises_nothing_and_stays_charged)
{
    size_t bytes;
    page_truth truth = find(&page_reset, &bytes);

    CHECK(truth.after_decommit.zeroed != AB_RAW_NO);
    CHECK_EQ(truth.after_decommit.faults_after, AB_RAW_NO);
    CHECK_EQ(truth.after_decommit.commit_charge_dropped, AB_RAW_NO);
    check_released(&truth);
}

/* More holes than Linux allows unless told otherwise. */
TEST(a_checkerboard_ends_at_the_limit_and_is_released)
{
    enum { MOST = 65536 };
    static void *base[MOST];
    ab_pages pages = make_pages();
    page_regions r = {.primitive = &page_reserve_commit,
                      .pages = &pages,
                      .bytes = pages.info.page_bytes,
                      .most = MOST,
                      .is_board = true,
                      .base = base};
    uint64_t before = mappings();
    ab_raw_mappings limit;
    char text[100];

    CHECK_EQ(page_regions_reserve(&r), 0);
    CHECK_EQ(r.count, MOST);
    int code = page_regions_commit(&r);
    *(volatile char *)base[0] = 42;
    if (code != 0) {
        CHECK(r.done > 0 && r.done < MOST);
        *(volatile char *)base[r.done - 1] = 43;
        CHECK_EQ(*(volatile char *)base[0], 42);
    }
    ab_raw_mappings_read(&limit);
    if (code != 0 && limit.limit_name != NULL) { /* wine meets the limit and knows none */
        CHECK(ab_is_out_of_memory(code));
        page_limit_met(text, sizeof text);
        CHECK(strstr(text, " mappings and vm.max_map_count is ") != NULL);
    }
    CHECK_EQ(page_regions_release(&r), 0);
    CHECK_EQ(mappings(), before);
}

TEST(a_cell_at_the_limit_names_it_and_releases_everything)
{
    static test_cell cell;
    ab_raw_mappings limit;

    ab_raw_mappings_read(&limit);
    if (limit.limit_name == NULL || limit.limit > 120000) {
        SKIP("mappings are not limited, or to very many");
    }
    begin_cell(&cell, "scenario=pages;backend=remap-none;seed=1;size=4096;count=65536;touch=write;"
                      "pattern=checkerboard");
    uint64_t before = mappings();
    ab_run_round(&cell.run, false);
    for (unsigned i = 0; i < PAGE_PHASES; i++) {
        CHECK_EQ(cell.meter.operation[i].status, AB_STATUS_NOMEM);
        CHECK(strstr(cell.meter.operation[i].reason, "commit failed at region ") != NULL);
        CHECK(strstr(cell.meter.operation[i].reason, "vm.max_map_count is ") != NULL);
    }
    CHECK_EQ(mappings(), before);
    end_cell(&cell);
}
