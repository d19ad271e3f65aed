/* SPDX-License-Identifier: MIT
 *
 * The scenarios this program was built with, from scenarios.def. Const tables only.
 */
#ifndef AB_HARNESS_REGISTRY_H
#define AB_HARNESS_REGISTRY_H

#include "scenario.h"

/* NULL-terminated, in the order of the list. */
extern const ab_scenario *const ab_scenarios[];

const ab_scenario *ab_scenario_named(const char *name);
const ab_contender *ab_contender_named(const ab_scenario *scenario, const char *name);
const ab_param *ab_param_named(const ab_scenario *scenario, const char *name);

/* The scenario's name for a value: its text in a cell id and in `variant`. */
void ab_param_print(const ab_param *param, const void *params, char *out, size_t out_bytes);
void ab_param_set(const ab_param *param, void *params, const ab_value *value);

#endif
