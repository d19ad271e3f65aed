/* SPDX-License-Identifier: MIT
 *
 * Memory figures of this process and of the machine. Wine tells no address space in use; a probe at
 * first use finds that out; its result is the only state and is set once.
 */
#include "usage.h"

#include <stdbool.h>
#include <windows.h>
#include <psapi.h>

static uint64_t mapped_bytes(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullTotalVirtual - status.ullAvailVirtual : 0;
}

/* Whether a reservation raises the figure. */
static bool is_mapped_told(void)
{
    const SIZE_T probe_bytes = 1 << 20;
    uint64_t before = mapped_bytes();
    void *probe = VirtualAlloc(NULL, probe_bytes, MEM_RESERVE, PAGE_NOACCESS);
    bool is_told = probe != NULL && mapped_bytes() >= before + probe_bytes;

    if (probe != NULL) {
        VirtualFree(probe, 0, MEM_RELEASE);
    }
    return is_told;
}

void ab_memory_read(ab_memory *out)
{
    static enum { UNTRIED, TOLD, UNTOLD } mapped = UNTRIED;
    PROCESS_MEMORY_COUNTERS counters;

    if (mapped == UNTRIED) {
        mapped = is_mapped_told() ? TOLD : UNTOLD;
    }

    *out = (ab_memory){AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN};
    if (GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)) {
        out->resident_bytes = counters.WorkingSetSize;
        out->peak_resident_bytes = counters.PeakWorkingSetSize;
    }
    if (mapped == TOLD) {
        out->mapped_bytes = mapped_bytes();
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t ab_memory_available_bytes(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};

    if (!GlobalMemoryStatusEx(&status)) {
        return AB_UNKNOWN;
    }
    /* ullAvailPageFile is what may still be committed. */
    return least(status.ullAvailPhys, least(status.ullAvailPageFile, status.ullAvailVirtual));
}
