/* SPDX-License-Identifier: MIT
 *
 * Children: transfers, ends, what reaches them and what must not, and that nobody outlives a dead
 * parent.
 */
#include "test_os_child.h"
#include "test_os_platform.h"

#include "os/arguments.h"
#include "os/output.h"
#include "os/sanitizer.h"

#include <stdint.h>

/* A byte that depends on its place. */
static unsigned char pattern(size_t i)
{
    return (unsigned char)(i * 31 + (i >> 8) * 17 + (i >> 16));
}

TEST(echo)
{
    if (is_role("echo")) {
        ab_parent parent = attach_to_parent();
        char text[256];
        size_t got;
        while (ab_parent_read(&parent, text, sizeof text, &got) == 0) {
            CHECK_EQ(ab_parent_write(&parent, text, got), 0);
        }
        exit(0);
    }
    ab_child child = start_role("echo", "echo", NULL, NULL);
    for (int i = 0; i < 100; i++) {
        char sent[16];
        char received[16];
        (void)snprintf(sent, sizeof sent, "round %9d", i);
        CHECK_EQ(ab_child_write(&child, sent, sizeof sent), 0);
        read_fully(&child, received, sizeof received);
        CHECK_STR(received, sent);
    }
    ab_child_hang_up(&child);
    ab_exit end = wait_for_end(&child);
    CHECK_EQ(end.kind, AB_EXIT_CODE);
    CHECK_EQ(end.value, 0);
}

TEST(large_transfer)
{
    enum { BYTES = 8 << 20 };

    if (is_role("mirror")) {
        ab_parent parent = attach_to_parent();
        char *data = malloc(BYTES);
        CHECK(data != NULL);
        for (size_t done = 0, got; done < BYTES; done += got) {
            CHECK_EQ(ab_parent_read(&parent, data + done, BYTES - done, &got), 0);
        }
        CHECK_EQ(ab_parent_write(&parent, data, BYTES), 0);
        free(data);
        exit(0);
    }
    ab_child child = start_role("large_transfer", "mirror", NULL, NULL);
    unsigned char *data = malloc(BYTES);
    CHECK(data != NULL);
    for (size_t i = 0; i < BYTES; i++) {
        data[i] = pattern(i);
    }
    CHECK_EQ(ab_child_write(&child, data, BYTES), 0);
    memset(data, 0, BYTES);
    read_fully(&child, data, BYTES);
    for (size_t i = 0; i < BYTES; i++) {
        CHECK_EQ(data[i], pattern(i));
    }
    free(data);
    CHECK_EQ(wait_for_end(&child).value, 0);
}

TEST(timeout_and_kill)
{
    if (is_role("idle")) {
        ab_parent parent = attach_to_parent();
        idle_until_end(&parent);
    }
    ab_child child = start_role("timeout_and_kill", "idle", NULL, NULL);
    char byte;
    size_t got;
    CHECK_EQ(ab_child_read(&child, &byte, 1, 0, &got), AB_PIPE_TIMEOUT);
    CHECK_EQ(ab_child_read(&child, &byte, 1, 20000000, &got), AB_PIPE_TIMEOUT);
    CHECK_EQ(got, 0);
    CHECK_EQ(ab_child_wait(&child, 0).kind, AB_EXIT_RUNNING);
    CHECK_EQ(ab_child_wait(&child, 5000000).kind, AB_EXIT_RUNNING);
    ab_child_kill(&child);
    CHECK_EQ(ab_child_read(&child, &byte, 1, TEST_PATIENCE_NS, &got), AB_PIPE_END);
    CHECK_EQ(ab_child_write(&child, "x", 1), AB_PIPE_END);
    ab_child_kill(&child); /* again: nothing */
    ab_child_close(&child);
    CHECK_EQ(child.to, -1);
    CHECK_EQ(child.from, -1);
}

TEST(busy_child_is_killed)
{
    if (is_role("busy")) {
        ab_parent parent = attach_to_parent();
        CHECK_EQ(ab_parent_write(&parent, "b", 1), 0);
        for (volatile unsigned i = 0;; i++) {
        }
    }
    ab_child child = start_role("busy_child_is_killed", "busy", NULL, NULL);
    char byte;
    read_fully(&child, &byte, 1);
    ab_child_kill(&child);
    ab_child_close(&child);
}

TEST(exit_code)
{
    if (is_role("seven")) {
        (void)attach_to_parent();
        exit(7);
    }
    ab_child child = start_role("exit_code", "seven", NULL, NULL);
    char byte;
    size_t got;
    CHECK_EQ(ab_child_read(&child, &byte, 1, TEST_PATIENCE_NS, &got), AB_PIPE_END);
    ab_exit end = wait_for_end(&child);
    CHECK_EQ(end.kind, AB_EXIT_CODE);
    CHECK_EQ(end.value, 7);
    CHECK_STR(end.text, "exit code 7");
}

TEST(crash_is_told)
{
    if (is_role("crash")) {
        (void)attach_to_parent();
        static volatile uintptr_t nowhere = 64;
        *(volatile char *)nowhere = 1;
        exit(0);
    }
    if (AB_HAS_SHADOW) {
        SKIP("a sanitizer turns crashes into exit codes");
    }
    ab_child child = start_role("crash_is_told", "crash", NULL, NULL);
    char byte;
    size_t got;
    CHECK_EQ(ab_child_read(&child, &byte, 1, TEST_PATIENCE_NS, &got), AB_PIPE_END);
    ab_exit end = wait_for_end(&child);
    CHECK_EQ(end.kind, AB_EXIT_SIGNAL);
    CHECK(strcmp(end.text, "signal 11 (SIGSEGV)") == 0 ||
          strcmp(end.text, "signal 10 (SIGBUS)") == 0 ||
          strcmp(end.text, "exception 0xC0000005") == 0);
}

TEST(abort_is_told)
{
    if (is_role("abort")) {
        (void)attach_to_parent();
        abort();
    }
    ab_child child = start_role("abort_is_told", "abort", NULL, NULL);
    ab_exit end = wait_for_end(&child);
    CHECK_EQ(end.kind, AB_EXIT_SIGNAL);
    CHECK(strcmp(end.text, "signal 6 (SIGABRT)") == 0 ||
          strcmp(end.text, "exception 0xC0000409") == 0);
}

TEST(no_foreign_handles)
{
    if (is_role("polite")) {
        ab_parent parent = attach_to_parent();
        char byte;
        size_t got;
        CHECK_EQ(ab_parent_write(&parent, "h", 1), 0);
        CHECK_EQ(ab_parent_read(&parent, &byte, 1, &got), AB_PIPE_END);
        CHECK_EQ(ab_parent_write(&parent, "b", 1), 0);
        exit(0);
    }
    ab_child one = start_role("no_foreign_handles", "polite", NULL, NULL);
    ab_child other = start_role("no_foreign_handles", "polite", NULL, NULL);
    char byte;
    size_t got;
    read_fully(&one, &byte, 1);
    read_fully(&other, &byte, 1);
    /* If the other child held our end of one's pipe, one would never see its end. */
    ab_child_hang_up(&one);
    read_fully(&one, &byte, 1);
    CHECK_EQ(byte, 'b');
    CHECK_EQ(ab_child_read(&one, &byte, 1, TEST_PATIENCE_NS, &got), AB_PIPE_END);
    CHECK_EQ(wait_for_end(&one).value, 0);
    CHECK_EQ(ab_child_wait(&other, 0).kind, AB_EXIT_RUNNING);
    ab_child_hang_up(&other);
    read_fully(&other, &byte, 1);
    CHECK_EQ(byte, 'b');
    CHECK_EQ(wait_for_end(&other).value, 0);
}

static const char *const odd_arguments[] = {"",
                                            " ",
                                            "two words",
                                            "\"",
                                            "say \"yes\" and \\\"no\\\"",
                                            "\\",
                                            "ends in backslash\\",
                                            "ends in two\\\\",
                                            "\\\\server\\share name\\",
                                            "a\\\\\"b",
                                            "tab\there",
                                            "*",
                                            "%PATH% $HOME `x` ^ & | < >",
                                            "gr\xC3\xBC\xC3\x9F Gott \xE2\x82\xAC \xF0\x9F\x98\x80",
                                            "--handles=1,2",
                                            NULL};

TEST(arguments_arrive_unchanged)
{
    if (is_role("arguments")) {
        ab_parent parent = attach_to_parent();
        char name[] = "program";
        char *own[TEST_MOST_ARGUMENTS + 2] = {name, name};
        int count = 2;
        for (; ab_test_argument(count - 2) != NULL; count++) {
            own[count] = (char *)(uintptr_t)ab_test_argument(count - 2);
        }
        char **list = ab_arguments(&count, own);
        CHECK(list != NULL);
        CHECK(list[count] == NULL);
        for (int i = 3; i < count - 1; i++) {
            CHECK_EQ(ab_parent_write(&parent, list[i], strlen(list[i]) + 1), 0);
        }
        exit(0);
    }
    ab_child child = start_role("arguments_arrive_unchanged", "arguments", odd_arguments, NULL);
    for (int i = 0; odd_arguments[i] != NULL; i++) {
        char received[128];
        size_t length = 0;
        do {
            CHECK(length < sizeof received);
            read_fully(&child, &received[length], 1);
        } while (received[length++] != '\0');
        CHECK_STR(received, odd_arguments[i]);
    }
    char byte;
    size_t got;
    CHECK_EQ(ab_child_read(&child, &byte, 1, TEST_PATIENCE_NS, &got), AB_PIPE_END);
    CHECK_EQ(wait_for_end(&child).value, 0);
}

/* The middle process has the variable itself and replaces it for its own child. */
TEST(environment_arrives)
{
    static const char *const first[] = {"AB_TEST_VALUE=one", "AB_TEST_KEPT=kept", NULL};
    static const char *const second[] = {"AB_TEST_VALUE=gr\xC3\xBC\xC3\x9F two",
                                         "AB_TEST_EMPTY=", NULL};
    char text[64] = {0};

    if (is_role("tell")) {
        ab_parent parent = attach_to_parent();
        CHECK_STR(ab_environment("AB_TEST_KEPT"), "kept");
        CHECK(ab_environment("AB_TEST_NOT_THERE") == NULL);
        (void)snprintf(text, sizeof text, "%s", ab_environment("AB_TEST_VALUE"));
        CHECK_EQ(ab_parent_write(&parent, text, sizeof text), 0);
        exit(0);
    }
    if (is_role("middle")) {
        ab_parent parent = attach_to_parent();
        CHECK_STR(ab_environment("AB_TEST_VALUE"), "one");
        ab_child child = start_role("environment_arrives", "tell", NULL, second);
        read_fully(&child, text, sizeof text);
        CHECK_EQ(wait_for_end(&child).value, 0);
        CHECK_EQ(ab_parent_write(&parent, text, sizeof text), 0);
        exit(0);
    }
    ab_child child = start_role("environment_arrives", "middle", NULL, first);
    read_fully(&child, text, sizeof text);
    CHECK_STR(text, "gr\xC3\xBC\xC3\x9F two");
    CHECK_EQ(wait_for_end(&child).value, 0);
}

TEST(standard_streams_are_null)
{
    if (is_role("reader")) {
        ab_parent parent = attach_to_parent();
        bool is_end = getchar() == EOF;
        puts("this goes nowhere");
        CHECK_EQ(fflush(stdout), 0);
        CHECK_EQ(ab_parent_write(&parent, is_end ? "y" : "n", 1), 0);
        exit(0);
    }
    ab_child child = start_role("standard_streams_are_null", "reader", NULL, NULL);
    char byte;
    read_fully(&child, &byte, 1);
    CHECK_EQ(byte, 'y');
    CHECK_EQ(wait_for_end(&child).value, 0);
}

/* coordinator (killed hard) -> an idle and a busy worker */
TEST(workers_die_with_their_parent)
{
    static const char name[] = "workers_die_with_their_parent";
    uint64_t ids[2];

    if (is_role("idle") || is_role("busy")) {
        ab_parent parent = attach_to_parent();
        uint64_t id = test_process_id();
        CHECK_EQ(ab_parent_write(&parent, &id, sizeof id), 0);
        if (is_role("idle")) {
            idle_until_end(&parent);
        }
        for (volatile unsigned i = 0;; i++) {
        }
    }
    if (is_role("coordinator")) {
        ab_parent parent = attach_to_parent();
        ab_child idle = start_role(name, "idle", NULL, NULL);
        ab_child busy = start_role(name, "busy", NULL, NULL);
        read_fully(&idle, &ids[0], sizeof ids[0]);
        read_fully(&busy, &ids[1], sizeof ids[1]);
        CHECK_EQ(ab_parent_write(&parent, ids, sizeof ids), 0);
        idle_until_end(&parent);
    }
    ab_child coordinator = start_role(name, "coordinator", NULL, NULL);
    read_fully(&coordinator, ids, sizeof ids);
    CHECK(test_is_process_running(ids[0]));
    CHECK(test_is_process_running(ids[1]));
    ab_child_kill(&coordinator);
    ab_child_close(&coordinator);
    for (int i = 0;
         i < 6000 && (test_is_process_running(ids[0]) || test_is_process_running(ids[1])); i++) {
        ab_sleep_ns(10000000);
    }
    CHECK(!test_is_process_running(ids[0]));
    CHECK(!test_is_process_running(ids[1]));
}

TEST(signal_ends_a_read)
{
    if (is_role("idle")) {
        ab_parent parent = attach_to_parent();
        idle_until_end(&parent);
    }
    ab_signals_install();
    CHECK_EQ(ab_signal_pending(), 0);
    ab_child child = start_role("signal_ends_a_read", "idle", NULL, NULL);
    char byte;
    size_t got;
    if (!test_interrupt_self()) {
        ab_child_kill(&child);
        ab_child_close(&child);
        SKIP("this platform cannot interrupt one process alone");
    }
    CHECK_EQ(ab_signal_pending(), 2);
    CHECK_EQ(ab_child_read(&child, &byte, 1, UINT64_MAX, &got), AB_PIPE_SIGNAL);
    ab_child_hang_up(&child);
    CHECK_EQ(wait_for_end(&child).value, 0);
}

TEST(bad_starts_are_codes)
{
    static const char *const bad_handles[] = {"",
                                              ",",
                                              "3",
                                              "3,",
                                              "x,y",
                                              "3,4x",
                                              "-1,-1",
                                              "3,4,5,6",
                                              "901,902,1",
                                              "901,902",
                                              "99999999999999999999,4,1"};
    static const char *const none[] = {NULL};
    ab_child_spec spec = {"no/such/program", none, NULL};
    ab_child child;
    ab_parent parent;
    char tiny[2];

    CHECK(ab_child_start(&child, &spec) > 0);
    CHECK_EQ(child.process, 0);
    ab_child_kill(&child);
    ab_child_close(&child);
    for (size_t i = 0; i < sizeof bad_handles / sizeof *bad_handles; i++) {
        CHECK(ab_parent_attach(&parent, bad_handles[i]) > 0);
    }
    CHECK(ab_self_path(tiny, sizeof tiny) > 0);
    CHECK(ab_self_path(tiny, 0) > 0);
}
