/* SPDX-License-Identifier: MIT
 *
 * What usage_posix.c needs to know of Linux. Included there alone.
 */
#ifndef AB_OS_USAGE_UNIX_H
#define AB_OS_USAGE_UNIX_H

#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

#define UNIX_RUSAGE_WHO RUSAGE_THREAD

/* The coarse clock advances once per scheduler tick, which is what times are accounted in; CLK_TCK
 * is only the unit of /proc and always 10 ms. */
static uint64_t unix_tick_ns(void)
{
    struct timespec step;
    if (clock_getres(CLOCK_MONOTONIC_COARSE, &step) != 0 || step.tv_sec != 0 || step.tv_nsec <= 0) {
        return 10000000;
    }
    return (uint64_t)step.tv_nsec;
}

#endif
