/* SPDX-License-Identifier: MIT
 *
 * The table for people: what it says of made-up rows.
 */
#include "test.h"

#include "harness/sink.h"

extern const ab_scenario ab_scenario_churn;

enum { TEXT_BYTES = 4096 };

/* The table of one row; in `text`. */
static void print_row(const char *status, const char *verdict, bool has_colour,
                      char text[TEXT_BYTES])
{
    const char *path = "test_table.tmp";
    ab_row row = ab_row_empty();
    ab_rows rows = {.row = &row, .count = 1};
    ab_cell cell = {.name = "malloc"};
    ab_group group = {.scenario = &ab_scenario_churn, .cells = &cell, .cell_count = 1};
    ab_output out;

    row.op = "replace";
    row.backend = "malloc";
    row.status = status;
    row.verdict = verdict;
    row.threads = 1;
    row.ns_per_op = 12.345;
    row.ratio = 1.5;
    CHECK_EQ(ab_output_open(&out, path), 0);
    CHECK_EQ(ab_output_begin(&out), 0);
    ab_table table = {.out = &out, .has_colour = has_colour};
    CHECK_EQ(ab_table_rows(&table, &rows, &group), 0);
    CHECK_EQ(ab_table_end(&table), 0);
    CHECK_EQ(ab_output_close(&out), 0);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    size_t length = fread(text, 1, TEXT_BYTES - 1, file);
    text[length] = '\0';
    CHECK_EQ(fclose(file), 0);
    CHECK_EQ(remove(path), 0);
}

TEST(colours)
{
    static const struct {
        const char *status, *verdict, *shown;
    } cases[] = {{"ok", "faster", "\x1b[32m   1.50x faster\x1b[0m\n"},
                 {"ok", "slower", "\x1b[33m   1.50x slower\x1b[0m\n"},
                 {"ok", "same", "     1.50x same\n"},
                 {"ok", NULL, "     1.50x \n"},
                 {"unsupported", NULL, "\x1b[2m   1.50x unsupported\x1b[0m\n"},
                 {"crashed", NULL, "\x1b[31m   1.50x crashed\x1b[0m\n"}};
    char text[TEXT_BYTES];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        print_row(cases[i].status, cases[i].verdict, true, text);
        if (strstr(text, cases[i].shown) == NULL) {
            FAIL("case %zu: no '%s' in '%s'", i, cases[i].shown, text);
        }
        print_row(cases[i].status, cases[i].verdict, false, text);
        CHECK(strchr(text, '\x1b') == NULL);
    }
}
