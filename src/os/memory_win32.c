/* SPDX-License-Identifier: MIT
 *
 * Memory figures of this process and of the machine. No state.
 */
#include "usage.h"

#include <windows.h>
#include <psapi.h>

void ab_memory_read(ab_memory *out)
{
    PROCESS_MEMORY_COUNTERS counters;
    MEMORYSTATUSEX status = {.dwLength = sizeof status};

    *out = (ab_memory){AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN};
    if (GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)) {
        out->resident_bytes = counters.WorkingSetSize;
        out->peak_resident_bytes = counters.PeakWorkingSetSize;
    }
    if (GlobalMemoryStatusEx(&status)) {
        out->mapped_bytes = status.ullTotalVirtual - status.ullAvailVirtual;
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t ab_memory_available(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};

    if (!GlobalMemoryStatusEx(&status)) {
        return AB_UNKNOWN;
    }
    /* ullAvailPageFile is what may still be committed. */
    return least(status.ullAvailPhys, least(status.ullAvailPageFile, status.ullAvailVirtual));
}
