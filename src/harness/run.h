/* SPDX-License-Identifier: MIT
 *
 * A whole run: outputs are opened, groups run one after another, rows go to the sinks as each group
 * is done.
 */
#ifndef AB_HARNESS_RUN_H
#define AB_HARNESS_RUN_H

#include "conversation.h"
#include "options.h"
#include "plan.h"

typedef enum ab_exit_code {
    AB_EXIT_FINE = 0,
    AB_EXIT_CELL_FAILED = 1,
    AB_EXIT_USAGE = 2,
    AB_EXIT_OUTPUT = 4
    /* 128 + signal: interrupted */
} ab_exit_code;

/* How workers are to be started: this program's path, the CPU, seed and timeout. false with an
 * error for the user. */
bool ab_worker_settings_make(const ab_options *options, ab_worker_settings *out, ab_error *error);

/* The exit code. With AB_EXIT_USAGE nothing has run and *error says why. */
int ab_run_plan(const ab_options *options, ab_plan *plan, ab_error *error);

#endif
