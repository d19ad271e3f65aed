/* SPDX-License-Identifier: MIT
 *
 * The clock of POSIX systems: CLOCK_MONOTONIC, whose ticks are nanoseconds. Nothing to set at
 * start.
 */
#include "clock.h"

#include <errno.h>
#include <time.h>

int ab_clock_init(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) != 0 ? errno : 0;
}

/* A clock that ab_clock_init has read does not fail; should it, it is asked again. One that never
 * answers again stands at the end of time, where every deadline has passed and no loop waits for
 * it. */
uint64_t ab_clock_ticks(void)
{
    const unsigned most_tries = 1000;
    struct timespec now;

    for (unsigned tries = 0; clock_gettime(CLOCK_MONOTONIC, &now) != 0; tries++) {
        if (tries == most_tries) {
            return UINT64_MAX;
        }
    }
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t ab_clock_frequency(void)
{
    return 1000000000u;
}

void ab_sleep_ns(uint64_t ns)
{
    struct timespec rest = {
        .tv_sec = (time_t)(ns / 1000000000u),
        .tv_nsec = (long)(ns % 1000000000u),
    };
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
    }
}
