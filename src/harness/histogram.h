/* SPDX-License-Identifier: MIT
 *
 * A histogram of durations with a fixed number of buckets: 128 to a power of two, so that a value
 * is known to 1/128 (0.8 %). Zeroed memory is an empty histogram; it belongs to the caller, and
 * nothing here allocates.
 */
#ifndef AB_HARNESS_HISTOGRAM_H
#define AB_HARNESS_HISTOGRAM_H

#include <stdint.h>

enum { AB_HISTOGRAM_BITS = 7, AB_HISTOGRAM_BUCKETS = (64 - AB_HISTOGRAM_BITS + 1) << 7 };

typedef struct ab_histogram {
    uint64_t count, max;
    uint64_t bucket[AB_HISTOGRAM_BUCKETS];
} ab_histogram;

/* Below 128 a bucket is a value; above, the leading bit and the seven behind it name the bucket. */
static inline unsigned ab_histogram_index(uint64_t value)
{
    if (value < 1u << AB_HISTOGRAM_BITS) {
        return (unsigned)value;
    }
    unsigned shift = 63u - (unsigned)__builtin_clzll(value) - AB_HISTOGRAM_BITS;
    return ((shift + 1) << AB_HISTOGRAM_BITS) + (unsigned)(value >> shift) -
           (1u << AB_HISTOGRAM_BITS);
}

static inline void ab_histogram_add(ab_histogram *histogram, uint64_t value)
{
    histogram->bucket[ab_histogram_index(value)]++;
    histogram->count++;
    if (value > histogram->max) {
        histogram->max = value;
    }
}

/* The least value that `share` of the values (0 to 1) do not exceed, to the middle of its bucket
 * and never above the largest; 0 when it is empty. */
uint64_t ab_histogram_quantile(const ab_histogram *histogram, double share);

#endif
