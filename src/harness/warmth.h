/* SPDX-License-Identifier: MIT
 *
 * How long a worker must run after others had the CPU until its caches are its own again. Random
 * operations leave one in a hundred objects out until there have been five times as many as
 * objects, so three passes' worth are made, which is six operations a slot in churn. A cold line
 * costs up to 100 ns, that is a fifth of a nanosecond for every byte of objects of a kilobyte and
 * two milliseconds for ten thousands of small ones: no shorter than that, since a pass may be tiny,
 * and no longer than four times that. Beyond the size of the largest caches nothing stays warm,
 * with or without a hand-over.
 */
#ifndef AB_HARNESS_WARMTH_H
#define AB_HARNESS_WARMTH_H

#include "scenario.h"

enum {
    AB_WARM_UP_PASSES = 3 * AB_PREROLL_SHARE,
    AB_WARM_UP_MOST = 4,    /* times what ab_warm_up_ns tells */
    AB_WARM_ROUND_LEAST = 2 /* times the same: how long a warm round is timed at least */
};

/* The shortest warm-up; 0 for a scenario that has none. */
static inline uint64_t ab_warm_up_ns(const ab_scenario *scenario, const ab_contender *contender,
                                     const void *params)
{
    const uint64_t least_ns = 2000000, bytes_per_ns = 5, most_bytes = 256 << 20;

    if (scenario->preroll_parts == 0) {
        return 0;
    }
    uint64_t bytes = scenario->footprint_bytes(contender, params);
    return least_ns + (bytes < most_bytes ? bytes : most_bytes) / bytes_per_ns;
}

#endif
