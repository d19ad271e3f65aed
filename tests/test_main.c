/* SPDX-License-Identifier: MIT
 *
 * main() of every test program: see test.h.
 */
#include "test.h"

static ab_test *tests;
static int argument_count;
static char **arguments;

void ab_test_register(ab_test *test)
{
    test->next = tests;
    tests = test;
}

const char *ab_test_argument(int index)
{
    return index + 2 < argument_count ? arguments[index + 2] : NULL;
}

int main(int argc, char **argv)
{
    int ran = 0;

    argument_count = argc;
    arguments = argv;
    for (const ab_test *test = tests; test != NULL; test = test->next) {
        if (argc < 2 || strcmp(argv[1], test->name) == 0) {
            test->run();
            ran++;
        }
    }
    if (ran == 0) {
        fprintf(stderr, "no test case named %s\n", argc < 2 ? "at all" : argv[1]);
        return 1;
    }
    return 0;
}
