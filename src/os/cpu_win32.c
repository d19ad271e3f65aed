/* SPDX-License-Identifier: MIT
 *
 * CPU affinity on Windows, within the processor group (of up to 64 CPUs) that Windows put this
 * process in. No state.
 */
#include "cpu.h"

#include <windows.h>

static DWORD_PTR allowed(void)
{
    DWORD_PTR process = 0;
    DWORD_PTR system = 0;
    return GetProcessAffinityMask(GetCurrentProcess(), &process, &system) ? process : 0;
}

int ab_cpu_default(void)
{
    int cpu = -1;
    for (DWORD_PTR mask = allowed(); mask != 0; mask >>= 1) {
        cpu++;
    }
    return cpu;
}

int ab_cpu_count(void)
{
    int count = 0;
    for (DWORD_PTR mask = allowed(); mask != 0; mask &= mask - 1) {
        count++;
    }
    return count > 0 ? count : 1;
}

int ab_cpu_pin(int cpu)
{
    if (cpu < 0 || cpu >= (int)(8 * sizeof(DWORD_PTR))) {
        return ERROR_INVALID_PARAMETER;
    }
    if (SetThreadAffinityMask(GetCurrentThread(), (DWORD_PTR)1 << cpu) == 0) {
        return (int)GetLastError();
    }
    return 0;
}
