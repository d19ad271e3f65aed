/* SPDX-License-Identifier: MIT
 *
 * The statistics of DESIGN: the process is the unit, its rounds are not independent and are never
 * pooled. Pure functions over caller-owned arrays; not available is NaN.
 */
#ifndef AB_HARNESS_STATS_H
#define AB_HARNESS_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Reorders the values. NaN for none. */
double ab_median(double *values, size_t count);

/* Quantile of Student's t: the x with P(T <= x) = p, for p in (0, 1) and df >= 1 degrees of
 * freedom. */
double ab_t_quantile(double p, double df);

typedef struct ab_estimate {
    double value;     /* geometric mean of the processes */
    double low, high; /* confidence interval; NaN with one process */
} ab_estimate;

/* Geometric mean of per-process values given as logarithms, with the confidence interval at
 * 1 - alpha by Student's t on the logarithms. NaN entries are left out. */
ab_estimate ab_estimate_logs(const double *logs, size_t processes, double alpha);

/* Table of times, [process * rounds + round], NaN where there is none. */
typedef struct ab_times {
    const double *ns;
    size_t processes, rounds;
} ab_times;

/* Per-process medians of logarithms over rounds [first, rounds), into out[processes]. `scratch`
 * holds `rounds` doubles. With `base`, of ln(ns / base ns) round by round, else of ln(ns). */
void ab_process_logs(const ab_times *times, const ab_times *base, size_t first, double *scratch,
                     double *out);

/* Median over the processes of the median absolute deviation within a process from its median, in
 * per cent of it, over rounds [first, rounds). */
double ab_spread_pct(const ab_times *times, size_t first, double *scratch, double *out);

/* ln(ns / base ns) of all pairs over rounds [first, rounds), into out; returns how many there are.
 */
size_t ab_pair_logs(const ab_times *times, const ab_times *base, size_t first, double *out);

/* Whether values fall into two groups with nothing between: the split into two that leaves the
 * least variance within, each holding a quarter or more, with means further apart than
 * `least_apart` and than five times (eight, for fewer than 20 values) the groups' common deviation:
 * Ashman, Bird and Zepf's D. Never of fewer than 8. One group that is normal, uniform, exponential
 * or Laplace passes for two in fewer than one case of a hundred. Sorts the values. */
typedef struct ab_modes {
    bool are_two;
    double low, high; /* means of the two */
} ab_modes;
ab_modes ab_find_modes(double *values, size_t count, double least_apart);

/* "faster", "slower", "same" or "unclear": the whole interval beyond, or inside, 1 -+ threshold.
 * NULL when there is no interval. */
const char *ab_verdict(double low, double high, double threshold_pct);

#endif
