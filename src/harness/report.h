/* SPDX-License-Identifier: MIT
 *
 * From the answers of a group's workers to rows. Rows and their texts belong to the ab_rows.
 */
#ifndef AB_HARNESS_REPORT_H
#define AB_HARNESS_REPORT_H

#include "result.h"
#include "row.h"

typedef struct ab_rows {
    ab_row *row;
    size_t count;
    void *texts; /* what the rows point into */
} ab_rows;

typedef struct ab_report_settings {
    double threshold_pct;
    double clock_step_ns; /* times that differ by less are ties */
    double alpha;         /* of the verdict: 0.05 over the number of rows that the plan compares */
} ab_report_settings;

/* Rows in plan order: repeat, operation, backend. false when there is no memory. */
bool ab_report(const ab_group_result *result, const ab_report_settings *settings, ab_rows *out);
void ab_rows_free(ab_rows *rows);

/* Rows of a plan that get a verdict: all but the baselines'. */
size_t ab_compared_rows(const ab_plan *plan);

#endif
