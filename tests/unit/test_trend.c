/* SPDX-License-Identifier: MIT
 *
 * Exponents below the table.
 */
#include "test.h"

#include "harness/trend.h"

#include <math.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

TEST(power_laws_have_their_exponent)
{
    ab_fit linear = {0}, square = {0}, flat = {0};

    for (double x = 1e6; x < 2e8; x *= 3) {
        ab_fit_add(&linear, x, 7 * x);
        ab_fit_add(&square, x, x * x / 5);
        ab_fit_add(&flat, x, 42);
    }
    CHECK(is_near(ab_fit_exponent(&linear), 1));
    CHECK(is_near(ab_fit_exponent(&square), 2));
    CHECK(is_near(ab_fit_exponent(&flat), 0));
}

TEST(least_squares_weigh_all_points)
{
    ab_fit fit = {0};

    /* Logarithms (0,0), (1,1), (2,1): slope 1/2. */
    ab_fit_add(&fit, 1, 1);
    ab_fit_add(&fit, exp(1), exp(1));
    ab_fit_add(&fit, exp(2), exp(1));
    CHECK(is_near(ab_fit_exponent(&fit), 0.5));
}

TEST(one_size_has_no_exponent)
{
    ab_fit fit = {0};

    CHECK(isnan(ab_fit_exponent(&fit)));
    ab_fit_add(&fit, 1e6, 5);
    CHECK(isnan(ab_fit_exponent(&fit)));
    ab_fit_add(&fit, 1e6, 6);
    CHECK(isnan(ab_fit_exponent(&fit)));
    ab_fit_add(&fit, 1e7, 0); /* has no logarithm */
    ab_fit_add(&fit, 1e7, (double)NAN);
    CHECK(isnan(ab_fit_exponent(&fit)));
}

static ab_row make_row(uint64_t size, const char *backend, double ns, const char *extra)
{
    ab_row row = ab_row_empty();

    row.op = "grow";
    row.size_bytes = size;
    row.variant = "step=1009";
    row.backend = backend;
    row.status = "ok";
    row.ns_per_op = ns;
    row.extra = extra;
    return row;
}

TEST(series_are_told_apart_and_failures_left_out)
{
    ab_trends trends = {.figure = "pages"};
    ab_text text = {0};
    ab_row rows[] = {make_row(1000, "a", 10, "x=1;pages=5"), make_row(1000, "b", 10, NULL),
                     make_row(10000, "a", 100, "pages=500"), make_row(10000, "b", 1e9, NULL),
                     make_row(1000, "c", 1, NULL)};

    rows[3].status = "failed";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ab_trends_add(&trends, &rows[i], "context");
    }
    ab_trends_print(&trends, &text);
    CHECK(strstr(text.bytes, "exponent over size") == text.bytes);
    CHECK(strstr(text.bytes, " a ") != NULL);
    CHECK(strstr(text.bytes, " 1.00  ") != NULL && strstr(text.bytes, " 2.00") != NULL);
    CHECK(strstr(text.bytes, "[context]") != NULL);
    CHECK(strstr(text.bytes, " b ") == NULL && strstr(text.bytes, " c ") == NULL);
    ab_text_free(&text);
    ab_trends_free(&trends);
    ab_trends_print(&trends, &text);
    CHECK(text.length == 0);
}
