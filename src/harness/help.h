/* SPDX-License-Identifier: MIT
 *
 * What the program tells about itself: usage, a scenario's parameters, the lists, a plan that is
 * not run. Adds to a text.
 */
#ifndef AB_HARNESS_HELP_H
#define AB_HARNESS_HELP_H

#include "plan.h"
#include "text.h"

/* What --list and the manual say of it, which is no table's. */
#define AB_HELP_PRELOAD "a shared library in the place of malloc: preload:PATH; not on Windows"

void ab_help_usage(ab_text *out);
/* false with an error when there is no such scenario. */
bool ab_help_scenario(const char *name, ab_text *out, ab_error *error);
void ab_help_list(ab_text *out);
/* What stands for a parameter's values: SIZE, N, or its choices. */
const char *ab_help_kind(const ab_param *param);
void ab_help_dry_run(const ab_plan *plan, ab_text *out);

#endif
