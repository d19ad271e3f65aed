/* SPDX-License-Identifier: MIT
 *
 * Tests that start themselves: `program CASE ROLE ... --handles=...`. The case asks is_role() first
 * and plays the child if so. Inline, without state.
 */
#ifndef AB_TEST_OS_CHILD_H
#define AB_TEST_OS_CHILD_H

#include "os/clock.h"
#include "os/process.h"
#include "test.h"

#define TEST_PATIENCE_NS (UINT64_C(120) * 1000000000u)

enum { TEST_MOST_ARGUMENTS = 32 };

static inline bool is_role(const char *role)
{
    return ab_test_argument(0) != NULL && strcmp(ab_test_argument(0), role) == 0;
}

/* In the child: its parent. The handles are the last argument. */
static inline ab_parent attach_to_parent(void)
{
    static const char option[] = "--handles=";
    ab_parent parent = {-1, -1};
    int last = 0;

    while (ab_test_argument(last + 1) != NULL) {
        last++;
    }
    CHECK_EQ(ab_clock_init(), 0);
    CHECK_EQ(strncmp(ab_test_argument(last), option, sizeof option - 1), 0);
    CHECK_EQ(ab_parent_attach(&parent, ab_test_argument(last) + sizeof option - 1), 0);
    return parent;
}

/* Starts this program as `CASE ROLE extra...`; extra and environment may be NULL. */
static inline ab_child start_role(const char *test_case, const char *role, const char *const *extra,
                                  const char *const *environment)
{
    char path[4096];
    const char *arguments[TEST_MOST_ARGUMENTS] = {test_case, role};
    ab_child child;

    CHECK_EQ(ab_clock_init(), 0);
    CHECK_EQ(ab_self_path(path, sizeof path), 0);
    for (int i = 0; extra != NULL && extra[i] != NULL; i++) {
        CHECK(i + 3 < TEST_MOST_ARGUMENTS);
        arguments[i + 2] = extra[i];
    }
    ab_child_spec spec = {path, arguments, environment};
    CHECK_EQ(ab_child_start(&child, &spec), 0);
    return child;
}

/* Exactly that many bytes from a child. */
static inline void read_fully(ab_child *child, void *data, size_t bytes)
{
    char *to = data;

    while (bytes > 0) {
        size_t got;
        CHECK_EQ(ab_child_read(child, to, bytes, TEST_PATIENCE_NS, &got), 0);
        CHECK(got > 0 && got <= bytes);
        to += got;
        bytes -= got;
    }
}

static inline ab_exit wait_for_end(ab_child *child)
{
    ab_exit end = ab_child_wait(child, TEST_PATIENCE_NS);
    CHECK(end.kind != AB_EXIT_RUNNING);
    ab_child_close(child);
    return end;
}

/* Blocks in read until the parent hangs up, then ends well. */
static inline void idle_until_end(ab_parent *parent)
{
    char byte;
    size_t got;

    while (ab_parent_read(parent, &byte, 1, &got) == 0) {
    }
    exit(0);
}

#endif
