/* SPDX-License-Identifier: MIT
 *
 * What the user chose, checked: scenarios, parameters and backends by name. Used by plan.c alone.
 * Keeps pointers into the options.
 */
#ifndef AB_HARNESS_CHOICE_H
#define AB_HARNESS_CHOICE_H

#include "plan.h"

enum { AB_SCENARIOS_MAX = 16 };

typedef struct ab_named_backend {
    char name[AB_NAME_MAX];    /* in the CSV */
    char backend[AB_NAME_MAX]; /* of a contender */
    ab_foreign *foreign;       /* the library that takes its place, or NULL */
} ab_named_backend;

typedef struct ab_choice {
    const ab_scenario *scenario[AB_SCENARIOS_MAX];
    size_t scenario_count;
    ab_named_backend
        backend[AB_CELLS_MAX]; /* named by the user; none: each scenario's own choice */
    size_t backend_count;
    ab_foreign *foreign; /* from calloc, AB_CELLS_MAX of them; NULL: none was named */
    size_t foreign_count;
} ab_choice;

/* out->foreign is the caller's afterwards, in case of an error too. */
bool ab_choice_make(const ab_options *options, ab_choice *out, ab_error *error);
/* The text that the user gave for a parameter (the last one counts), or NULL. */
const ab_argument *ab_choice_parameter(const ab_options *options, const ab_param *param);
/* Makes the cells of a group whose parameters are complete. */
bool ab_choice_cells(const ab_options *options, const ab_choice *choice, ab_group *group,
                     const ab_page_info *info, ab_error *error);
/* Checks that a named baseline is in the plan at all. */
bool ab_choice_baseline(const ab_options *options, const ab_plan *plan, ab_error *error);

#endif
