/* SPDX-License-Identifier: MIT
 *
 * Measures the measuring: malloc against itself under two names, and against itself with 5 % more
 * work. Tells how often a difference is reported that is not there, by how much ratios are off, and
 * how small a difference can be seen on this machine as it is now.
 */
#ifndef AB_HARNESS_SELFTEST_H
#define AB_HARNESS_SELFTEST_H

#include "options.h"
#include "text.h"

typedef struct ab_selftest {
    size_t groups, verdicts, raw_false; /* A/A: faster or slower; 95 % interval without 1 */
    double error_median_pct, error_p95_pct;
    double smallest_pct;          /* difference that half of the groups would find */
    size_t injected, seen, found; /* +5 %: 95 % interval above 1; verdict slower */
    size_t covered;               /* +5 %: 95 % interval holds it */
    double clock_step_ns, null_ns;
    bool is_elision_caught, is_fit;
} ab_selftest;

/* Runs it: sizes of churn, as many times as the scale says (quick 3, default 6, published 23), with
 * the options' processes (else 20), rounds (else 12), seed, pin and threshold. false with an error
 * when it cannot run or was interrupted. */
bool ab_selftest_run(const ab_options *options, ab_selftest *out, ab_error *error);
void ab_selftest_print(const ab_selftest *result, double threshold_pct, ab_text *out);

#endif
