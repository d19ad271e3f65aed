/* SPDX-License-Identifier: MIT
 *
 * The numbers of a row, from the samples of a cell's operation: value, interval, ratio, verdict,
 * counters (DESIGN 4). The caller says which rounds a row is about.
 */
#ifndef AB_HARNESS_FIGURES_H
#define AB_HARNESS_FIGURES_H

#include "report.h"

enum { AB_EXTRA_MAX = 768 };

typedef struct ab_figures {
    const ab_group_result *result;
    const ab_report_settings *settings;
    unsigned first_round, last_round; /* [first, last) that the row is about */
    double *own, *base, *pair_logs;   /* tables of times, and of their pairs' logarithms */
    double *scratch, *logs;
    char extra[AB_EXTRA_MAX]; /* of the row so far: "k=v;k=v" */
} ab_figures;

/* false: no memory. */
bool ab_figures_open(const ab_group_result *result, const ab_report_settings *settings,
                     ab_figures *out);
void ab_figures_close(ab_figures *f);

/* One more "k=v" of the row, if there is room. */
void AB_PRINTF(2, 3) ab_figures_extra(ab_figures *f, const char *format, ...);

/* Operations timed in the row's rounds; 0: there is no sample. */
double ab_figures_operations(const ab_figures *f, size_t cell, unsigned operation);

/* How much was done: known whether or not it went well. */
void ab_figures_work(const ab_figures *f, size_t cell, unsigned operation, ab_row *row);

/* Whether operations that took so long on average were not done: less than a tenth of a nanosecond
 * each, in a cell and an operation that work at all. */
bool ab_figures_is_elided(const ab_figures *f, size_t cell, unsigned operation, double ns_per_op);

/* Times, their comparison with the baseline, and counters; wants a sample. */
void ab_figures_times(ab_figures *f, size_t cell, unsigned operation, ab_row *row);

#endif
