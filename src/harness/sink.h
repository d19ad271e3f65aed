/* SPDX-License-Identifier: MIT
 *
 * Where results go: CSV, table, raw samples. A sink writes to an ab_output that the caller owns;
 * every function returns 0 or the OS error code of the write that failed, and a group goes out in
 * one write, so that a run that is killed leaves whole groups.
 */
#ifndef AB_HARNESS_SINK_H
#define AB_HARNESS_SINK_H

#include "report.h"
#include "result.h"
#include "text.h"
#include "trend.h"

#include "os/output.h"

/* The facts as "# key: value" lines (may be empty), then the header row. */
int ab_csv_begin(ab_output *out, const ab_text *facts);
int ab_csv_rows(ab_output *out, const ab_rows *rows);

/* Every sample of a group, integers only. */
int ab_raw_begin(ab_output *out, const ab_text *facts);
int ab_raw_group(ab_output *out, const ab_group_result *result);

typedef struct ab_table {
    ab_output *out;
    bool has_colour;
    const ab_scenario *scenario; /* of the last group; a new one gets a heading */
    int backend_columns;         /* width of that column, in the same scenario */
    ab_trends trends;            /* of that scenario */
} ab_table;
/* Keeps neither; `group` is what the rows are of. */
int ab_table_rows(ab_table *table, const ab_rows *rows, const ab_group *group);
/* What stands below the last scenario's rows; gives the table's memory back. */
int ab_table_end(ab_table *table);

#endif
