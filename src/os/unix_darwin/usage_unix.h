/* SPDX-License-Identifier: MIT
 *
 * What usage_posix.c needs to know of macOS and the BSDs. Included there alone.
 */
#ifndef AB_OS_USAGE_UNIX_H
#define AB_OS_USAGE_UNIX_H

#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#define UNIX_RUSAGE_WHO RUSAGE_SELF

static uint64_t unix_tick_ns(void)
{
    long ticks = sysconf(_SC_CLK_TCK);
    return ticks > 0 ? 1000000000u / (uint64_t)ticks : 10000000u;
}

#endif
