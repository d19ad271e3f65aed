/* SPDX-License-Identifier: MIT
 *
 * See stats.h. The t distribution comes from the regularised incomplete beta function (continued
 * fraction by Lentz's method) and is inverted by bisection, which is exact to rounding and fast
 * enough for a few thousand rows.
 */
#include "stats.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ab_median(double *values, size_t count)
{
    if (count == 0) {
        return NAN;
    }
    qsort(values, count, sizeof values[0], by_value);
    return count % 2 == 1 ? values[count / 2]
                          : values[count / 2 - 1] + (values[count / 2] - values[count / 2 - 1]) / 2;
}

static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);

    d = 1 / (fabs(d) < tiny ? tiny : d);
    double result = d;
    for (int m = 1; m <= 500; m++) {
        double step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 + step * d;
        c = 1 + step / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        result *= d * c;
        step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + step * d;
        c = 1 + step / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        result *= d * c;
        if (fabs(d * c - 1) < 1e-15) {
            break;
        }
    }
    return result;
}

static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1) {
        return x <= 0 ? 0 : 1;
    }
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* P(T > x) for x >= 0. */
static double t_tail(double x, double df)
{
    return incomplete_beta(df / 2, 0.5, df / (df + x * x)) / 2;
}

double ab_t_quantile(double p, double df)
{
    if (!(p > 0 && p < 1) || !(df >= 1)) {
        return NAN;
    }
    if (p < 0.5) {
        return -ab_t_quantile(1 - p, df);
    }
    double tail = 1 - p, low = 0, high = 1;
    while (t_tail(high, df) > tail && high < 1e300) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < 200 && high - low > 1e-14 * high; i++) {
        double middle = low + (high - low) / 2;
        if (t_tail(middle, df) > tail) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low + (high - low) / 2;
}

ab_estimate ab_estimate_logs(const double *logs, size_t processes, double alpha)
{
    double sum = 0, squares = 0;
    size_t n = 0;

    for (size_t i = 0; i < processes; i++) {
        if (!isnan(logs[i])) {
            sum += logs[i];
            n++;
        }
    }
    if (n == 0) {
        return (ab_estimate){NAN, NAN, NAN};
    }
    double mean = sum / (double)n;
    if (n == 1) {
        return (ab_estimate){exp(mean), NAN, NAN};
    }
    for (size_t i = 0; i < processes; i++) {
        if (!isnan(logs[i])) {
            squares += (logs[i] - mean) * (logs[i] - mean);
        }
    }
    double error = sqrt(squares / (double)(n - 1) / (double)n);
    double half = ab_t_quantile(1 - alpha / 2, (double)(n - 1)) * error;
    return (ab_estimate){exp(mean), exp(mean - half), exp(mean + half)};
}

void ab_process_logs(const ab_times *times, const ab_times *base, size_t first, double *scratch,
                     double *out)
{
    for (size_t process = 0; process < times->processes; process++) {
        size_t n = 0;
        for (size_t round = first; round < times->rounds; round++) {
            double ns = times->ns[process * times->rounds + round];
            double base_ns = base != NULL ? base->ns[process * times->rounds + round] : 1;
            if (ns > 0 && base_ns > 0) { /* false for NaN, and for a tie at the clock's step */
                scratch[n++] = log(ns / base_ns);
            }
        }
        out[process] = ab_median(scratch, n);
    }
}

double ab_spread_pct(const ab_times *times, size_t first, double *scratch, double *out)
{
    size_t found = 0;

    for (size_t process = 0; process < times->processes; process++) {
        const double *ns = &times->ns[process * times->rounds];
        size_t n = 0;
        for (size_t round = first; round < times->rounds; round++) {
            if (!isnan(ns[round])) {
                scratch[n++] = ns[round];
            }
        }
        double middle = ab_median(scratch, n);
        for (size_t i = 0; i < n; i++) {
            scratch[i] = fabs(scratch[i] - middle);
        }
        if (n > 1 && middle > 0) {
            out[found++] = ab_median(scratch, n) / middle * 100;
        }
    }
    return ab_median(out, found);
}

size_t ab_pair_logs(const ab_times *times, const ab_times *base, size_t first, double *out)
{
    size_t n = 0;

    for (size_t i = 0; i < times->processes * times->rounds; i++) {
        if (i % times->rounds >= first && times->ns[i] > 0 && base->ns[i] > 0) {
            out[n++] = log(times->ns[i] / base->ns[i]);
        }
    }
    return n;
}

/* Squared deviations of `count` values from their mean, given their sum and sum of squares. */
static double deviations(double sum, double squares, double count)
{
    double rest = squares - sum * sum / count;
    return rest > 0 ? rest : 0;
}

ab_modes ab_find_modes(double *values, size_t count, double least_apart)
{
    const size_t fewest = 8, least_share = 4, many = 20;
    ab_modes best = {false, NAN, NAN};
    double sum = 0, squares = 0, left = 0, left_squares = 0, best_within = INFINITY, common = 0;
    size_t least = (count + least_share - 1) / least_share;

    if (count < fewest) {
        return best;
    }
    double centre = ab_median(values, count); /* sorts */
    for (size_t i = 0; i < count; i++) {
        double x = values[i] - centre;
        sum += x;
        squares += x * x;
    }
    for (size_t i = 0; i + least < count; i++) {
        double x = values[i] - centre, below = (double)(i + 1), above = (double)(count - i - 1);
        left += x;
        left_squares += x * x;
        double low = deviations(left, left_squares, below);
        double high = deviations(sum - left, squares - left_squares, above);
        if (i + 1 >= least && low + high < best_within) {
            best_within = low + high;
            common = sqrt((low / (below - 1) + high / (above - 1)) / 2);
            best.low = centre + left / below;
            best.high = centre + (sum - left) / above;
        }
    }
    double apart = best.high - best.low;
    best.are_two = apart > least_apart && apart > (count < many ? 8 : 5) * common;
    return best;
}

const char *ab_verdict(double low, double high, double threshold_pct)
{
    double below = 1 - threshold_pct / 100, above = 1 + threshold_pct / 100;

    if (isnan(low) || isnan(high)) {
        return NULL;
    }
    if (high < below) {
        return "faster";
    }
    if (low > above) {
        return "slower";
    }
    return low >= below && high <= above ? "same" : "unclear";
}
