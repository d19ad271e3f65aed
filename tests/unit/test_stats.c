/* SPDX-License-Identifier: MIT
 *
 * Statistics against values that were computed elsewhere: quantiles of t from published tables, the
 * rest by hand.
 */
#include "test.h"

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
