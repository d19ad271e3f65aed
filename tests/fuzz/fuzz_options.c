/* SPDX-License-Identifier: MIT
 *
 * The command line, one argument a line: options, then the plan. Both either refuse with one line
 * of text or make a plan whose cells can be written for a worker and read back to the same text.
 */
#include "fuzz.h"

#include "harness/plan.h"

enum { WORDS_MAX = 40 };

static void check_plan(const ab_plan *plan, uint64_t seed)
{
    for (size_t i = 0; i < plan->group_count && i < 16; i++) {
        const ab_group *group = &plan->groups[i];
        char variant[2048];

        ab_group_variant(group, 1, variant, sizeof variant);
        FUZZ_CHECK(memchr(variant, '\0', sizeof variant) != NULL);
        for (size_t j = 0; j < group->cell_count; j++) {
            char text[4096];
            ab_cell_id id;
            ab_error error;
            if (group->cells[j].is_supported &&
                ab_cell_id_write(group, &group->cells[j], seed, text, sizeof text)) {
                FUZZ_CHECK(ab_cell_id_read(text, &id, &error));
                FUZZ_CHECK(id.seed == seed && id.scenario == group->scenario);
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    char program[] = "allocbench";
    char *words[WORDS_MAX + 1] = {program};
    int count = 1;
    ab_options options;
    ab_error error = {{0}};
    ab_plan plan;

    for (char *at = text; at != NULL && count < WORDS_MAX; count++) {
        words[count] = at;
        at = strchr(at, '\n');
        if (at != NULL) {
            *at++ = '\0';
        }
    }
    if (!ab_options_parse(count, words, &options, &error)) {
        FUZZ_CHECK(fuzz_is_line(error.text, sizeof error.text));
    } else if (!ab_plan_make(&options, &plan, &error)) {
        FUZZ_CHECK(fuzz_is_line(error.text, sizeof error.text));
    } else {
        check_plan(&plan, options.seed);
        ab_plan_free(&plan);
    }
    free(text);
    return 0;
}
