/* SPDX-License-Identifier: MIT
 *
 * The program: decides between coordinator and worker, prints what is not a result, and alone
 * decides the exit code.
 */
#include "doctor.h"
#include "help.h"
#include "run.h"
#include "run_facts.h"
#include "selftest.h"
#include "worker.h"

#include "os/arguments.h"
#include "os/clock.h"
#include "os/output.h"
#include "os/process.h"

#include <stdio.h>
#include <string.h>

static int fail(const ab_error *error)
{
    fprintf(stderr, "allocbench: %s\n", error->text);
    return AB_EXIT_USAGE;
}

static int print(ab_text *text)
{
    ab_output out;

    ab_output_standard(&out, false);
    int code =
        text->is_short ? ab_out_of_memory_code() : ab_output_write(&out, text->bytes, text->length);
    ab_text_free(text);
    if (code != 0) {
        char reason[160];
        ab_os_error_text(code, reason, sizeof reason);
        fprintf(stderr, "allocbench: cannot write to stdout: %s\n", reason);
        return AB_EXIT_OUTPUT;
    }
    return AB_EXIT_FINE;
}

static int print_version(void)
{
    ab_text text = {0};

    ab_text_add(&text, "allocbench %s (commit %s, %s, %s)\n", ab_version_number(),
                ab_version_commit(), ab_version_compiler(), ab_version_build());
    return print(&text);
}

static int print_help(const ab_options *options)
{
    ab_text text = {0};
    ab_error error;

    if (options->help_scenario == NULL) {
        ab_help_usage(&text);
    } else if (!ab_help_scenario(options->help_scenario, &text, &error)) {
        return fail(&error);
    }
    return print(&text);
}

static int doctor(void)
{
    ab_text text = {0};
    size_t findings = ab_doctor(&text);
    int code = print(&text);

    return code != AB_EXIT_FINE ? code : findings > 0 ? AB_EXIT_CELL_FAILED : AB_EXIT_FINE;
}

static int selftest(const ab_options *options)
{
    ab_text text = {0};
    ab_selftest result;
    ab_error error;

    if (!ab_selftest_run(options, &result, &error)) {
        int signal = ab_signal_pending();
        return signal != 0 ? 128 + signal : fail(&error);
    }
    ab_selftest_print(&result, options->threshold_pct, &text);
    int code = print(&text);
    return code != AB_EXIT_FINE ? code : result.is_fit ? AB_EXIT_FINE : AB_EXIT_CELL_FAILED;
}

static int run(const ab_options *options)
{
    ab_error error = {{0}};
    ab_plan plan;
    int code;

    if (!ab_plan_make(options, &plan, &error)) {
        return fail(&error);
    }
    if (options->dry_run) {
        ab_text text = {0};
        ab_help_dry_run(&plan, &text);
        code = print(&text);
    } else {
        code = ab_run_plan(options, &plan, &error);
        code = code == AB_EXIT_USAGE ? fail(&error) : code;
    }
    ab_plan_free(&plan);
    return code;
}

int main(int argc, char **argv)
{
    ab_options options;
    ab_error error;

    argv = ab_arguments(&argc, argv);
    if (argv == NULL || ab_clock_init() != 0) {
        fprintf(stderr, "allocbench: this machine has no memory or no monotonic clock\n");
        return AB_EXIT_USAGE;
    }
    if (argc > 1 && strncmp(argv[1], AB_WORKER_OPTION, strlen(AB_WORKER_OPTION)) == 0) {
        return ab_worker_main(argc, argv);
    }
    ab_output_guard_standard();
    ab_signals_install();
    if (argc < 2) {
        ab_text usage = {0};
        ab_help_usage(&usage);
        fputs(usage.is_short ? "allocbench: out of memory\n" : usage.bytes, stderr);
        ab_text_free(&usage);
        return AB_EXIT_USAGE;
    }
    if (!ab_options_parse(argc, argv, &options, &error)) {
        return fail(&error);
    }
    if (options.version) {
        return print_version();
    }
    if (options.help) {
        return print_help(&options);
    }
    if (options.list) {
        ab_text text = {0};
        ab_help_list(&text);
        return print(&text);
    }
    switch (options.verb) {
    case AB_VERB_DOCTOR:
        return doctor();
    case AB_VERB_SELFTEST:
        return selftest(&options);
    case AB_VERB_RUN:
        break;
    }
    return run(&options);
}
