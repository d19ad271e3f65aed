/* SPDX-License-Identifier: MIT
 *
 * What the clocks of all platforms share: ticks to nanoseconds without overflow, and how fine and
 * how dear the clock is. The readings come from clock_posix.c or clock_win32.c. No state.
 */
#include "clock.h"

#define NS_PER_SECOND 1000000000u

/* floor(rest * 1e9 / frequency) for rest < frequency < 2^63: schoolbook multiplication, bit by bit
 * of 1e9 and kept reduced, since rest * 1e9 itself would overflow above 18 GHz. */
static uint64_t fraction_ns(uint64_t rest, uint64_t frequency)
{
    uint64_t quotient = 0;
    uint64_t remainder = 0;

    for (int bit = 29; bit >= 0; bit--) {
        quotient *= 2;
        remainder *= 2;
        if (remainder >= frequency) {
            remainder -= frequency;
            quotient++;
        }
        if ((NS_PER_SECOND >> bit & 1u) != 0) {
            remainder += rest;
            if (remainder >= frequency) {
                remainder -= frequency;
                quotient++;
            }
        }
    }
    return quotient;
}

uint64_t ab_ticks_to_ns(uint64_t ticks, uint64_t frequency)
{
    if (frequency == 0) {
        return 0;
    }
    uint64_t seconds_ns = ticks / frequency * NS_PER_SECOND;
    uint64_t rest = ticks % frequency;
    if (frequency <= UINT64_MAX / NS_PER_SECOND) {
        return seconds_ns + rest * NS_PER_SECOND / frequency;
    }
    return seconds_ns + fraction_ns(rest, frequency);
}

uint64_t ab_clock_now_ns(void)
{
    return ab_ticks_to_ns(ab_clock_ticks(), ab_clock_frequency());
}

ab_clock_quality ab_clock_measure(void)
{
    const double tick_ns = 1e9 / (double)ab_clock_frequency();
    const uint64_t enough = ab_clock_frequency() / 1000 + 1; /* 1 ms */
    /* A few readings between which the scheduler took the CPU would make a coarse clock. */
    const uint64_t least_readings = 1000;
    /* Ends the loop on a clock that stands still for longer than that. */
    const uint64_t most_readings = 1u << 20;
    uint64_t first = ab_clock_ticks();
    uint64_t last = first;
    uint64_t step = 0;
    uint64_t readings = 0;

    while ((last - first < enough || readings < least_readings) && readings < most_readings) {
        uint64_t now = ab_clock_ticks();
        readings++;
        if (now != last && (step == 0 || now - last < step)) {
            step = now - last;
        }
        last = now;
    }
    return (ab_clock_quality){
        .step_ns = (double)(step != 0 ? step : 1) * tick_ns,
        .read_ns = (double)(last - first) * tick_ns / (double)readings,
    };
}
