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

int ab_cpu_next(int cpu)
{
    DWORD_PTR mask = allowed();
    int highest = -1;
    int below = -1;
    for (int other = 0; other < (int)(8 * sizeof mask); other++) {
        if ((mask >> other & 1) != 0) {
            highest = other;
            below = other < cpu ? other : below;
        }
    }
    return below >= 0 ? below : highest;
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

int ab_cpu_try(int cpu)
{
    if (cpu < 0 || cpu >= (int)(8 * sizeof(DWORD_PTR))) {
        return ERROR_INVALID_PARAMETER;
    }
    DWORD_PTR before = SetThreadAffinityMask(GetCurrentThread(), (DWORD_PTR)1 << cpu);
    if (before == 0) {
        return (int)GetLastError();
    }
    SetThreadAffinityMask(GetCurrentThread(), before);
    return 0;
}

int ab_cpu_default(void)
{
    int cpu = ab_cpu_next(0);
    return ab_cpu_try(cpu) == 0 ? cpu : -1;
}
