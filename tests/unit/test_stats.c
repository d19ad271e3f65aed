/* SPDX-License-Identifier: MIT
 *
 * Statistics against values that were computed elsewhere: quantiles of t from published tables, the
 * rest by hand.
 */
#include "test.h"

#include "harness/rng.h"
#include "harness/stats.h"

#include <math.h>

static void check_near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) {
        FAIL("%.12g is not %.12g", value, wanted);
    }
}

TEST(t_quantiles_match_the_tables)
{
    static const struct {
        double p, df, t;
    } table[] = {
        {0.975, 1, 12.706204736}, {0.975, 2, 4.302652730},  {0.975, 4, 2.776445105},
        {0.975, 9, 2.262157163},  {0.975, 30, 2.042272456}, {0.995, 4, 4.604094871},
        {0.9995, 9, 4.780912586}, {0.95, 5, 2.015048373},   {0.975, 1000, 1.962339081},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        check_near(ab_t_quantile(table[i].p, table[i].df), table[i].t, 1e-7 * table[i].t);
        check_near(ab_t_quantile(1 - table[i].p, table[i].df), -table[i].t, 1e-7 * table[i].t);
    }
    /* Cauchy and df = 2 have closed forms, which also hold far out in the tail. */
    check_near(ab_t_quantile(1 - 1e-6, 1) * 1e-6, 0.318309886, 1e-6);
    check_near(ab_t_quantile(0.5, 7), 0, 1e-9);
    CHECK(isnan(ab_t_quantile(1, 5)));
    CHECK(isnan(ab_t_quantile(0.9, 0)));
}

TEST(medians)
{
    CHECK(isnan(ab_median(NULL, 0)));
    check_near(ab_median((double[]){3}, 1), 3, 0);
    check_near(ab_median((double[]){4, 1}, 2), 2.5, 0);
    check_near(ab_median((double[]){9, 1, 5}, 3), 5, 0);
    check_near(ab_median((double[]){8, 2, 4, 6}, 4), 5, 0);
    check_near(ab_median((double[]){1e308, 1e308}, 2), 1e308, 0);
}

TEST(estimate_of_one_process_has_no_interval)
{
    ab_estimate e = ab_estimate_logs((double[]){log(20)}, 1, 0.05);

    check_near(e.value, 20, 1e-9);
    CHECK(isnan(e.low) && isnan(e.high));
    CHECK(isnan(ab_estimate_logs((double[]){NAN, NAN}, 2, 0.05).value));
}

TEST(estimate_of_three_processes)
{
    /* logs 0, 1, 2: mean 1, deviation 1, error 1/sqrt(3), t(0.975, 2) = 4.302652730 */
    ab_estimate e = ab_estimate_logs((double[]){0, 1, NAN, 2}, 4, 0.05);
    double half = 4.302652730 / sqrt(3);

    check_near(e.value, exp(1), 1e-9);
    check_near(e.low, exp(1 - half), 1e-6);
    check_near(e.high, exp(1 + half), 1e-6 * exp(1 + half));
}

TEST(process_logs_leave_ties_and_gaps_out)
{
    const double ns[] = {100, 2, 8, 2, 50, 0, 4, NAN}; /* two processes, four rounds */
    const double base_ns[] = {1, 1, 2, 1, 1, 5, 2, 1};
    ab_times times = {ns, 2, 4}, base = {base_ns, 2, 4};
    double scratch[4], out[2];

    ab_process_logs(&times, NULL, 1, scratch, out);
    check_near(out[0], log(2), 1e-12); /* median of 2, 8, 2 */
    check_near(out[1], log(4), 1e-12); /* 0 and NaN do not count */
    ab_process_logs(&times, &base, 1, scratch, out);
    check_near(out[0], log(2), 1e-12); /* median of 2, 4, 2 */
    check_near(out[1], log(2), 1e-12);
    ab_process_logs(&times, NULL, 0, scratch, out);
    check_near(out[0], (log(2) + log(8)) / 2, 1e-12); /* of 100, 2, 8, 2 */
}

TEST(spread_is_within_processes)
{
    const double ns[] = {10, 10, 12, 14, 1000, 1000, 1200, 1400};
    ab_times times = {ns, 2, 4};
    double scratch[4], out[2];

    /* rounds 2 to 4: 10 12 14 -> median 12, deviations 2 0 2 -> 2 -> 16.67 %; the other alike */
    check_near(ab_spread_pct(&times, 1, scratch, out), 100.0 / 6, 1e-9);
}

TEST(verdicts)
{
    CHECK_STR(ab_verdict(0.90, 0.97, 2), "faster");
    CHECK_STR(ab_verdict(1.03, 1.50, 2), "slower");
    CHECK_STR(ab_verdict(0.985, 1.015, 2), "same");
    CHECK_STR(ab_verdict(0.97, 1.015, 2), "unclear");
    CHECK_STR(ab_verdict(0.97, 1.5, 2), "unclear");
    CHECK(ab_verdict(NAN, NAN, 2) == NULL);
}

TEST(pairs_leave_gaps_out)
{
    const double ns[] = {9, 2, NAN, 8, 9, 4};
    const double base_ns[] = {9, 1, 1, 2, 9, 0};
    ab_times times = {ns, 2, 3}, base = {base_ns, 2, 3};
    double out[6];

    CHECK_EQ(ab_pair_logs(&times, &base, 1, out), 2); /* NaN and the 0 are no pairs */
    check_near(out[0], log(2), 1e-12);
    check_near(out[1], 0, 0);
    CHECK_EQ(ab_pair_logs(&times, &base, 0, out), 4);
}

/* --- simulated noise --- */

static double uniform(ab_rng *rng)
{
    return ((double)(ab_rng_next(rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(ab_rng *rng)
{
    return sqrt(-2 * log(uniform(rng))) * cos(6.283185307179586 * uniform(rng));
}

/* A time whose noise is normal with 3 %. */
static double normal_time(ab_rng *rng)
{
    return 20 * (1 + 0.03 * normal(rng));
}

/* A time that is never below its true value: disturbances add, on average 10 %. */
static double disturbed_time(ab_rng *rng)
{
    return 20 * (1 - 0.1 * log(uniform(rng)));
}

enum { PROCESSES = 10, MOST_ROUNDS = 9 };

/* Share of 95 % intervals that hold the truth: of the value (base NULL), or of the ratio of two
 * cells that are truly `ratio` apart. The truth of a value is what the same estimate of very many
 * processes comes to. */
static double coverage_pct(double (*time)(ab_rng *), size_t rounds, double ratio)
{
    enum { TRIALS = 10000, MANY = 200000 };
    double ns[PROCESSES * MOST_ROUNDS], base_ns[PROCESSES * MOST_ROUNDS];
    double scratch[MOST_ROUNDS], logs[PROCESSES], truth = ratio > 0 ? log(ratio) : 0;
    ab_times times = {ns, PROCESSES, rounds}, base = {base_ns, PROCESSES, rounds};
    ab_rng rng = {rounds};
    unsigned held = 0;

    if (ratio == 0) {
        ab_times one = {ns, 1, rounds};
        truth = 0;
        for (size_t i = 0; i < MANY; i++) {
            for (size_t j = 0; j < rounds; j++) {
                ns[j] = time(&rng);
            }
            ab_process_logs(&one, NULL, 0, scratch, logs);
            truth += logs[0] / MANY;
        }
    }
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        for (size_t i = 0; i < PROCESSES * rounds; i++) {
            ns[i] = time(&rng) * (ratio == 0 ? 1 : ratio);
            base_ns[i] = time(&rng);
        }
        ab_process_logs(&times, ratio == 0 ? NULL : &base, 0, scratch, logs);
        ab_estimate e = ab_estimate_logs(logs, PROCESSES, 0.05);
        held += log(e.low) <= truth && truth <= log(e.high);
    }
    return 100.0 * held / TRIALS;
}

static void check_coverage(const char *what, double pct)
{
    printf("%s: %.2f%%\n", what, pct);
    if (pct < 93 || pct > 97) {
        FAIL("%s: the 95 %% interval holds the truth in %.2f %% of cases", what, pct);
    }
}

TEST(intervals_hold_the_truth_under_normal_noise)
{
    check_coverage("value, one round", coverage_pct(normal_time, 1, 0));
    check_coverage("value, nine rounds", coverage_pct(normal_time, 9, 0));
    check_coverage("ratio 1, one round", coverage_pct(normal_time, 1, 1));
    check_coverage("ratio 1, nine rounds", coverage_pct(normal_time, 9, 1));
    check_coverage("ratio 1.05, nine rounds", coverage_pct(normal_time, 9, 1.05));
}

/* The median over the rounds of a process takes the tail off before Student's t sees it. A value
 * with a single round has no such help, and its interval holds the truth in 91 of 100 cases: the
 * reason why the default is not one round. */
TEST(intervals_hold_the_truth_under_disturbances)
{
    check_coverage("value, nine rounds", coverage_pct(disturbed_time, 9, 0));
    check_coverage("ratio 1, one round", coverage_pct(disturbed_time, 1, 1));
    check_coverage("ratio 1, nine rounds", coverage_pct(disturbed_time, 9, 1));
    check_coverage("ratio 1.05, nine rounds", coverage_pct(disturbed_time, 9, 1.05));
}

/* --- two modes --- */

static double share_with_two_modes(double (*value)(ab_rng *), size_t count)
{
    enum { TRIALS = 2000 };
    double values[100];
    ab_rng rng = {count};
    unsigned found = 0;

    for (unsigned trial = 0; trial < TRIALS; trial++) {
        for (size_t i = 0; i < count; i++) {
            values[i] = value(&rng);
        }
        found += ab_find_modes(values, count, 0.02).are_two;
    }
    return (double)found / TRIALS;
}

static double one_normal(ab_rng *rng)
{
    return 0.1 * normal(rng);
}

static double one_tail(ab_rng *rng)
{
    return log(1 - 0.5 * log(uniform(rng)));
}

static double one_flat(ab_rng *rng)
{
    return uniform(rng);
}

static double two_modes(ab_rng *rng)
{
    return 0.01 * normal(rng) + (uniform(rng) < 0.5 ? 0.1 : 0);
}

static double rare_outliers(ab_rng *rng)
{
    return 0.01 * normal(rng) + (uniform(rng) < 0.1 ? 0.3 : 0);
}

static double two_close_modes(ab_rng *rng)
{
    return 0.001 * normal(rng) + (uniform(rng) < 0.5 ? 0.01 : 0);
}

TEST(two_modes_are_seen_and_one_is_not)
{
    static const size_t counts[] = {20, 45, 90};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        CHECK(share_with_two_modes(one_normal, counts[i]) < 0.01);
        CHECK(share_with_two_modes(one_tail, counts[i]) < 0.02);
        CHECK(share_with_two_modes(one_flat, counts[i]) < 0.05);
        CHECK(share_with_two_modes(two_modes, counts[i]) > 0.9);
        CHECK(share_with_two_modes(rare_outliers, counts[i]) < 0.1);
        CHECK(share_with_two_modes(two_close_modes, counts[i]) == 0); /* apart by less than 2 % */
    }
    CHECK(share_with_two_modes(one_normal, 9) < 0.01);
    CHECK(share_with_two_modes(two_modes, 9) > 0.3);
    CHECK(!ab_find_modes((double[]){0, 0, 0, 1, 1, 1, 1}, 7, 0.02).are_two); /* too few */
}

TEST(modes_are_told)
{
    double values[] = {1.2, 1.0, 1.21, 1.01, 1.19, 0.99, 1.2, 1.0};
    ab_modes modes = ab_find_modes(values, 8, 0.02);

    CHECK(modes.are_two);
    check_near(modes.low, 1.0, 1e-9);
    check_near(modes.high, 1.2, 1e-9);
}
