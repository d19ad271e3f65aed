/* SPDX-License-Identifier: MIT
 *
 * How time, and one figure of `extra`, grow with size: the exponent of a power law per operation,
 * variant and backend, by least squares on logarithms. 1 is linear, 2 quadratic. Rows are taken one
 * by one as they are made, since a group's rows do not outlive it; an ab_trends owns what it keeps.
 */
#ifndef AB_HARNESS_TREND_H
#define AB_HARNESS_TREND_H

#include "row.h"
#include "text.h"

/* Sums over points (x, y) of ln x, ln y. */
typedef struct ab_fit {
    double n, x, y, xx, xy;
} ab_fit;
/* Leaves out what has no logarithm. */
void ab_fit_add(ab_fit *fit, double x, double y);
/* NaN unless there are points at two or more x. */
double ab_fit_exponent(const ab_fit *fit);

typedef struct ab_trend ab_trend;
typedef struct ab_trends {
    ab_trend *trend;
    size_t count;
    const char *figure; /* of `extra`; static */
    bool is_short;      /* memory ran out: some are missing */
} ab_trends;

/* Takes a row whose status is ok; `context` is what the table shows of its variant. */
void ab_trends_add(ab_trends *trends, const ab_row *row, const char *context);
/* Adds the table of exponents, if any series has two sizes. */
void ab_trends_print(const ab_trends *trends, ab_text *out);
void ab_trends_free(ab_trends *trends);

#endif
