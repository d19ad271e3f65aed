/* SPDX-License-Identifier: MIT
 *
 * What every POSIX system tells of memory: the peak alone. No state.
 */
#include "usage.h"

#include <sys/resource.h>

void ab_memory_read(ab_memory *out)
{
    struct rusage usage;

    *out = (ab_memory){AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN};
    /* In KiB everywhere but on macOS, which has a file of its own. */
    if (getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > 0) {
        out->peak_resident_bytes = (uint64_t)usage.ru_maxrss * 1024;
    }
}

uint64_t ab_memory_available_bytes(void)
{
    return AB_UNKNOWN;
}
