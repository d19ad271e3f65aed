/* SPDX-License-Identifier: MIT
 *
 * The facts of a run as "# key: value" lines: what was called, with which program, on what machine.
 */
#ifndef AB_HARNESS_RUN_FACTS_H
#define AB_HARNESS_RUN_FACTS_H

#include "options.h"
#include "plan.h"
#include "text.h"

enum { AB_SCHEMA = 1 };

/* Adds the facts to the CSV's head, and the machine's warnings, one line each, to `warnings`. */
void ab_run_facts(const ab_options *options, const ab_plan *plan, ab_text *facts,
                  ab_text *warnings);

/* "allocbench 1.0.0 (commit 0123456789, gcc 12.2.0, optimised)" in parts. */
const char *ab_version_number(void);
const char *ab_version_commit(void);
const char *ab_version_compiler(void);
const char *ab_version_build(void);

#endif
