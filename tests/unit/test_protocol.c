/* SPDX-License-Identifier: MIT
 *
 * What a worker may say, and that nothing else is believed; cells as text.
 */
#include "test.h"

#include "harness/plan.h"
#include "harness/protocol.h"
#include "harness/registry.h"

static void check_round_trip(const ab_said *said)
{
    char line[AB_LINE_MAX];
    ab_said again;
    size_t length = ab_said_print(said, line);

    CHECK(length > 0 && line[length - 1] == '\n');
    line[length - 1] = '\0';
    if (!ab_said_parse(line, 4, &again)) {
        FAIL("not understood: %s", line);
    }
    char second[AB_LINE_MAX];
    ab_said_print(&again, second);
    line[length - 1] = '\n';
    CHECK_STR(second, line);
}

TEST(what_is_printed_is_understood)
{
    ab_said said = {.kind = AB_SAID_SAMPLE, .operation = 3};

    said.sample = (ab_sample){10, 2, UINT64_MAX - 1, AB_NO_COUNT, 0, 7, AB_NO_COUNT, 1};
    check_round_trip(&said);
    said = (ab_said){.kind = AB_SAID_MEMORY, .memory = {1, AB_NO_COUNT, 3, 4}};
    check_round_trip(&said);
    said = (ab_said){.kind = AB_SAID_FAILURE, .operation = 1, .status = AB_STATUS_NOMEM};
    snprintf(said.text, sizeof said.text, "block 3 of 4 could not be had");
    check_round_trip(&said);
    said = (ab_said){.kind = AB_SAID_EXTRA, .name = "gcs", .text = "12"};
    check_round_trip(&said);
    said = (ab_said){.kind = AB_SAID_DIGEST, .text = "97f46061cb0ae3fa"};
    check_round_trip(&said);
    said = (ab_said){.kind = AB_SAID_OPERATIONS, .operations = 13};
    check_round_trip(&said);
    said = (ab_said){.kind = AB_SAID_END};
    check_round_trip(&said);
}

TEST(a_reason_stays_on_its_line)
{
    ab_said said = {.kind = AB_SAID_FAILURE, .status = AB_STATUS_FAILED};
    char line[AB_LINE_MAX];

    snprintf(said.text, sizeof said.text, "two\nlines\rand more");
    size_t length = ab_said_print(&said, line);
    CHECK(strchr(line, '\n') == line + length - 1);
    CHECK(strchr(line, '\r') == NULL);
}

TEST(nonsense_is_not_believed)
{
    static const char *const lines[] = {
        "",
        " ",
        "s",
        "s 0",
        "s 9 1 1 1 - - - - -", /* no such operation */
        "o 16",                /* the same, in a set */
        "o 0",                 /* no operation at all */
        "o 1 2",
        "s 0 1 1 1 - - - -",     /* too few */
        "s 0 1 1 1 - - - - - -", /* too many */
        "s 0 - 1 1 - - - - -",   /* ops must be known */
        "s 0 1 1 -1 - - - - -",  /* negative */
        "s 0 1K 1 1 - - - - -",  /* a unit */
        "s 0 1 1 99999999999999999999999 - - - - -",
        "f 0 ok fine", /* not a failure */
        "f 0 strange reason",
        "f 0 failed", /* no reason */
        "x 0 a=b 1",
        "x 0 \fname 1", /* control characters */
        "f 0 failed two\rlines",
        "x 0 name 1;other=2",
        "d 0 97f46061cb0ae3f",
        "d 0 97F46061CB0AE3FA",
        "m 1 2 3",
        "..",
        "z 0 1",
    };
    ab_said said;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (ab_said_parse(lines[i], 4, &said)) {
            FAIL("believed: %s", lines[i]);
        }
    }
}

TEST(lines_come_out_of_pieces)
{
    ab_line_buffer buffer = {{0}, 0};
    char line[AB_LINE_MAX];
    bool is_too_long;

    memcpy(buffer.bytes, "one\r\ntwo\nthr", 12);
    buffer.used = 12;
    CHECK(ab_line_take(&buffer, line, &is_too_long));
    CHECK_STR(line, "one");
    CHECK(ab_line_take(&buffer, line, &is_too_long));
    CHECK_STR(line, "two");
    CHECK(!ab_line_take(&buffer, line, &is_too_long) && !is_too_long);
    memcpy(buffer.bytes + buffer.used, "ee\n", 3);
    buffer.used += 3;
    CHECK(ab_line_take(&buffer, line, &is_too_long));
    CHECK_STR(line, "three");
    memset(buffer.bytes, 'x', AB_LINE_MAX);
    buffer.used = AB_LINE_MAX;
    CHECK(!ab_line_take(&buffer, line, &is_too_long) && is_too_long);
}

/* Every scenario's every point at every scale survives the way to a worker. */
TEST(cells_survive_as_text)
{
    static const char *const scales[] = {"quick", "default", "published"};

    for (int i = 0; i < 3; i++) {
        char scale[16], *arguments[] = {(char[]){"allocbench"}, (char[]){"--scenario=all"},
                                        (char[]){"--scale"}, scale};
        ab_options options;
        ab_plan plan;
        ab_error error;
        snprintf(scale, sizeof scale, "%s", scales[i]);
        CHECK(ab_options_parse(4, arguments, &options, &error));
        if (!ab_plan_make(&options, &plan, &error)) {
            FAIL("%s: %s", scale, error.text);
        }
        CHECK(plan.group_count > 0);
        for (size_t g = 0; g < plan.group_count; g++) {
            for (size_t c = 0; c < plan.groups[g].cell_count; c++) {
                char id[2048];
                ab_cell_id cell;
                CHECK(
                    ab_cell_id_write(&plan.groups[g], &plan.groups[g].cells[c], 77, id, sizeof id));
                if (!ab_cell_id_read(id, &cell, &error)) {
                    FAIL("%s: %s", id, error.text);
                }
                CHECK(cell.scenario == plan.groups[g].scenario);
                CHECK(cell.contender == plan.groups[g].cells[c].contender);
                CHECK_EQ(cell.seed, 77);
                CHECK(memcmp(cell.params.bytes, plan.groups[g].params.bytes,
                             cell.scenario->params_bytes) == 0);
            }
        }
        ab_plan_free(&plan);
    }
}

TEST(malformed_cells_are_refused)
{
    static const char *const ids[] = {
        "",
        "scenario",
        "scenario=",
        "backend=malloc",
        "scenario=nothing;backend=malloc",
        "scenario=granularity;backend=nothing",
        "scenario=granularity",
        "scenario=granularity;backend=none;seed=x",
        "scenario=granularity;backend=lib:",
        "scenario=granularity;backend=lib:%4",
        "scenario=granularity;backend=lib:%zz",
        "scenario=growth;backend=preload:x.so", /* which does not know malloc */
        "scenario=granularity;backend=none;seed=1;strange=1",
        "scenario=granularity;backend=none;seed=1;size=0",
        "scenario=granularity;backend=none;seed=1;size=",
        "scenario=granularity;backend=none;seed=1;size=4096", /* total is missing */
    };
    ab_cell_id cell;
    ab_error error;

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        if (ab_cell_id_read(ids[i], &cell, &error)) {
            FAIL("accepted: %s", ids[i]);
        }
    }
}
