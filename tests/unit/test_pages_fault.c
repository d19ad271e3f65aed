/* SPDX-License-Identifier: MIT
 *
 * What must fault: pages that are not committed, not any more, or gone. A child does it and must
 * not reach its end.
 */
#include "test_os_child.h"

#include "allocbench/pages.h"
#include "os/sanitizer.h"

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

/* The child plays `role` and must die of an access fault. Sanitizers turn that into an exit code.
 */
static void check_role_faults(const char *test_case, const char *role)
{
    ab_child child = start_role(test_case, role, NULL, NULL);
    ab_exit end = wait_for_end(&child);

    if (AB_HAS_SHADOW) {
        CHECK(end.kind == AB_EXIT_SIGNAL || (end.value != 0 && end.value != 3));
    } else {
        CHECK_EQ(end.kind, AB_EXIT_SIGNAL);
        CHECK(strcmp(end.text, "signal 11 (SIGSEGV)") == 0 ||
              strcmp(end.text, "signal 10 (SIGBUS)") == 0 ||
              strcmp(end.text, "exception 0xC0000005") == 0);
    }
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

TEST(access_before_commit_faults)
{
    if (is_role("read") || is_role("write") || is_role("beside")) {
        (void)attach_to_parent();
        ab_pages pages = make_pages();
        ab_region region = make_region(&pages, 4);
        CHECK_EQ(ab_pages_commit(&pages, &region, 0, page_bytes), 0);
        touch(&region, page_bytes - 1);
        if (is_role("read")) {
            (void)peek(&region, 2 * page_bytes);
        } else {
            touch(&region, is_role("write") ? 3 * page_bytes : page_bytes);
        }
        exit(3);
    }
    check_role_faults("access_before_commit_faults", "read");
    check_role_faults("access_before_commit_faults", "write");
    check_role_faults("access_before_commit_faults", "beside");
}

TEST(access_after_decommit_faults)
{
    if (is_role("read") || is_role("write")) {
        (void)attach_to_parent();
        ab_pages pages = make_pages();
        ab_region region = make_region(&pages, 4);
        CHECK_EQ(ab_pages_commit(&pages, &region, 0, 4 * page_bytes), 0);
        touch(&region, page_bytes);
        CHECK_EQ(ab_pages_decommit(&pages, &region, page_bytes, page_bytes), 0);
        touch(&region, 0);
        touch(&region, 2 * page_bytes);
        if (is_role("read")) {
            (void)peek(&region, page_bytes);
        } else {
            touch(&region, page_bytes);
        }
        exit(3);
    }
    check_role_faults("access_after_decommit_faults", "read");
    check_role_faults("access_after_decommit_faults", "write");
}

TEST(access_after_release_faults)
{
    if (is_role("first") || is_role("last")) {
        (void)attach_to_parent();
        ab_pages pages = make_pages();
        ab_region region = make_region(&pages, 64);
        CHECK_EQ(ab_pages_commit(&pages, &region, 0, 64 * page_bytes), 0);
        ab_region copy = region;
        CHECK_EQ(ab_pages_release(&pages, &region), 0);
        touch(&copy, is_role("first") ? 0 : 63 * page_bytes);
        exit(3);
    }
    check_role_faults("access_after_release_faults", "first");
    check_role_faults("access_after_release_faults", "last");
}
