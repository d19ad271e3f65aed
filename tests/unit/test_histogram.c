/* SPDX-License-Identifier: MIT
 *
 * The latency histogram: every value finds its bucket, and comes back to within one per cent.
 */
#include "test.h"

#include "harness/histogram.h"

static ab_histogram histogram;

static void check_value(uint64_t value)
{
    memset(&histogram, 0, sizeof histogram);
    CHECK(ab_histogram_index(value) < AB_HISTOGRAM_BUCKETS);
    ab_histogram_add(&histogram, value);
    ab_histogram_add(&histogram, UINT64_MAX);
    uint64_t back = ab_histogram_quantile(&histogram, 0.5);
    uint64_t error = back > value ? back - value : value - back;
    if (error > value / 100) {
        FAIL("%llu came back as %llu", (unsigned long long)value, (unsigned long long)back);
    }
}

TEST(values_come_back_to_one_per_cent)
{
    for (uint64_t value = 0; value < 5000; value++) {
        check_value(value);
    }
    for (int bit = 12; bit < 64; bit++) {
        check_value((UINT64_C(1) << bit) - 1);
        check_value(UINT64_C(1) << bit);
        check_value((UINT64_C(1) << bit) + (UINT64_C(1) << (bit - 1)) + 3);
    }
    check_value(UINT64_MAX);
}

TEST(buckets_ascend)
{
    unsigned last = 0;

    for (uint64_t value = 1; value < 1000000; value++) {
        unsigned index = ab_histogram_index(value);
        CHECK(index == last || index == last + 1);
        last = index;
    }
}

TEST(quantiles)
{
    memset(&histogram, 0, sizeof histogram);
    CHECK_EQ(ab_histogram_quantile(&histogram, 0.5), 0);
    for (uint64_t value = 1; value <= 100; value++) {
        ab_histogram_add(&histogram, value);
    }
    CHECK_EQ(ab_histogram_quantile(&histogram, 0.5), 50);
    CHECK_EQ(ab_histogram_quantile(&histogram, 0.99), 99);
    CHECK_EQ(ab_histogram_quantile(&histogram, 0.999), 100);
    CHECK_EQ(ab_histogram_quantile(&histogram, 1), 100);
    CHECK_EQ(ab_histogram_quantile(&histogram, 0), 1);
    CHECK_EQ(histogram.max, 100);
}
