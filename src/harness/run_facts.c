/* SPDX-License-Identifier: MIT
 *
 * See run_facts.h.
 */
#include "run_facts.h"
#include "report.h"

#include "os/clock.h"
#include "os/cpu.h"
#include "os/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct gathering {
    ab_text *facts, *warnings;
} gathering;

static void add_fact(void *context, const char *key, const char *value)
{
    gathering *to = context;

    ab_text_add(to->facts, "# %s: %s\n", key, value);
    if (strncmp(key, "warning", 7) == 0) {
        ab_text_add(to->warnings, "%s\n", value);
    }
}

/* One line whatever the arguments hold. */
static void add_call(ab_text *facts, const ab_options *options)
{
    ab_text_add(facts, "# call: allocbench");
    for (int i = 1; i < options->argument_count; i++) {
        ab_text_add(facts, " ");
        for (const char *at = options->arguments[i]; *at != '\0'; at++) {
            ab_text_add(facts, "%c", (unsigned char)*at < ' ' ? '?' : *at);
        }
    }
    ab_text_add(facts, "\n");
}

static void add_label(ab_text *facts, const char *label)
{
    ab_text_add(facts, "# label: ");
    for (; *label != '\0'; label++) {
        ab_text_add(facts, "%c", (unsigned char)*label < ' ' ? '?' : *label);
    }
    ab_text_add(facts, "\n");
}

/* Threads that wait for a CPU make times of the scheduler's. */
static void add_crowding(gathering *to, const ab_plan *plan)
{
    uint64_t most = 0;
    char text[120];

    for (size_t i = 0; i < plan->group_count; i++) {
        uint64_t threads = plan->groups[i].scenario->key(plan->groups[i].params.bytes).threads;
        most = threads > most ? threads : most;
    }
    if (most > (uint64_t)ab_cpu_count()) {
        snprintf(text, sizeof text, "%" PRIu64 " threads share %d CPU%s: they wait for each other",
                 most, ab_cpu_count(), ab_cpu_count() == 1 ? "" : "s");
        add_fact(to, "warning_threads", text);
    }
}

void ab_run_facts(const ab_options *options, const ab_plan *plan, ab_text *facts, ab_text *warnings)
{
    static const char *const scales[] = {"quick", "default", "published"};
    gathering to = {facts, warnings};
    ab_clock_quality clock = ab_clock_measure();
    ab_pages pages;

    ab_pages_init(&pages);
    ab_text_add(facts, "# schema: %d\n", AB_SCHEMA);
    ab_text_add(facts, "# version: %s\n# commit: %s\n# compiler: %s\n# build: %s\n",
                ab_version_number(), ab_version_commit(), ab_version_compiler(),
                ab_version_build());
    add_call(facts, options);
    if (options->label != NULL) {
        add_label(facts, options->label);
    }
    for (size_t i = 0; i < plan->foreign_count; i++) {
        ab_foreign_add_fact(&plan->foreign[i], facts);
    }
    ab_text_add(facts, "# scale: %s\n# seed: %" PRIu64 "\n", scales[options->scale], options->seed);
    ab_text_add(facts, "# threshold_pct: %.9g\n# compared_rows: %zu\n", options->threshold_pct,
                ab_compared_rows(plan));
    ab_text_add(facts, "# page_bytes: %zu\n# granularity_bytes: %zu\n# huge_page_bytes: %zu\n",
                pages.info.page_bytes, pages.info.granularity_bytes, pages.info.huge_bytes);
    ab_text_add(facts, "# pointer_bytes: %zu\n", sizeof(void *));
    ab_text_add(facts, "# clock_step_ns: %.3g\n# clock_read_ns: %.3g\n", clock.step_ns,
                clock.read_ns);
    ab_machine_facts(add_fact, &to);
    add_crowding(&to, plan);
    if (strcmp(ab_version_build(), "optimised") != 0) {
        add_fact(&to, "warning_build",
                 "this program was built without optimisation or with a sanitizer: its figures say "
                 "nothing about the allocators");
    }
}
