/* SPDX-License-Identifier: MIT
 *
 * The monotonic clock. Ticks are what the OS counts in; they are converted to nanoseconds once, at
 * the end. No state but what ab_clock_init sets once at start.
 */
#ifndef AB_OS_CLOCK_H
#define AB_OS_CLOCK_H

#include <stdint.h>

/* Asks the frequency. Call once before anything else here. 0 or a positive OS error code. */
int ab_clock_init(void);
uint64_t ab_clock_ticks(void);
uint64_t ab_clock_frequency(void); /* ticks per second */

/* Ticks of a clock of `frequency` in nanoseconds, exact for every count whose result fits 64 bits:
 * divides before it multiplies. */
uint64_t ab_ticks_to_ns(uint64_t ticks, uint64_t frequency);

uint64_t ab_clock_now_ns(void);

/* Smallest step between two different readings, and the mean cost of one reading, both in
 * nanoseconds, measured in about 1 ms, or 1000 readings where these take longer. */
typedef struct ab_clock_quality {
    double step_ns;
    double read_ns;
} ab_clock_quality;
ab_clock_quality ab_clock_measure(void);

void ab_sleep_ns(uint64_t ns);

#endif
