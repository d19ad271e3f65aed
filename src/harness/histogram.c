/* SPDX-License-Identifier: MIT
 *
 * See histogram.h.
 */
#include "histogram.h"

#include <math.h>

static uint64_t middle_of(unsigned index)
{
    unsigned shift = index >> AB_HISTOGRAM_BITS;

    if (shift == 0) {
        return index;
    }
    shift--;
    uint64_t low = (uint64_t)((index & ((1u << AB_HISTOGRAM_BITS) - 1)) + (1u << AB_HISTOGRAM_BITS))
                   << shift;
    return low + ((UINT64_C(1) << shift) >> 1);
}

uint64_t ab_histogram_quantile(const ab_histogram *histogram, double share)
{
    double rank = ceil(share * (double)histogram->count);
    uint64_t wanted = rank < 1 ? 1 : (uint64_t)rank, seen = 0;

    for (unsigned i = 0; i < AB_HISTOGRAM_BUCKETS; i++) {
        seen += histogram->bucket[i];
        if (seen >= wanted) {
            uint64_t value = middle_of(i);
            return value < histogram->max ? value : histogram->max;
        }
    }
    return histogram->max;
}
