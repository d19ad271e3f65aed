/* SPDX-License-Identifier: MIT
 *
 * The smallest test runner that does the job. A test file holds TEST(name) { ... } cases and links
 * with test_main.c; `program NAME` runs one case, without a name all of them. CMake makes one ctest
 * entry of each line that begins with TEST(. A failed CHECK ends the case: exit 1; SKIP: exit 77.
 */
#ifndef AB_TEST_H
#define AB_TEST_H

#include "allocbench/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ab_test ab_test;
struct ab_test {
    const char *name;
    void (*run)(void);
    ab_test *next;
};
void ab_test_register(ab_test *test);
/* Path of the running program, and the arguments after the case's name, for tests that start
 * themselves: a case calls ab_test_argument(0) to see whether it is the child. NULL past the end.
 */
const char *ab_test_argument(int index);

#define TEST(case_name)                                                                            \
    static void test_##case_name(void);                                                            \
    __attribute__((constructor)) static void register_##case_name(void)                            \
    {                                                                                              \
        static ab_test entry = {#case_name, test_##case_name, NULL};                               \
        ab_test_register(&entry);                                                                  \
    }                                                                                              \
    static void test_##case_name(void)

#define FAIL(...)                                                                                  \
    (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__),                 \
     fputc('\n', stderr), exit(1))
#define CHECK(condition) ((condition) ? (void)0 : FAIL("failed: %s", #condition))
#define CHECK_EQ(a, b)                                                                             \
    do {                                                                                           \
        long long check_a_ = (long long)(a), check_b_ = (long long)(b);                            \
        if (check_a_ != check_b_) {                                                                \
            FAIL("%s is %lld, %s is %lld", #a, check_a_, #b, check_b_);                            \
        }                                                                                          \
    } while (0)
#define CHECK_STR(a, b)                                                                            \
    do {                                                                                           \
        const char *check_a_ = (a), *check_b_ = (b);                                               \
        if (check_a_ == NULL || strcmp(check_a_, check_b_) != 0) {                                 \
            FAIL("%s is \"%s\", not \"%s\"", #a, check_a_ ? check_a_ : "(null)", check_b_);        \
        }                                                                                          \
    } while (0)
#define SKIP(reason) (printf("skipped: %s\n", (reason)), fflush(stdout), exit(77))

#endif
