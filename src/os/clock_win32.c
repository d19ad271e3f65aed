/* SPDX-License-Identifier: MIT
 *
 * The clock of Windows: the performance counter. The frequency is set once by ab_clock_init.
 */
#include "clock.h"

#include <windows.h>

static uint64_t frequency;

int ab_clock_init(void)
{
    LARGE_INTEGER value;

    if (!QueryPerformanceFrequency(&value) || value.QuadPart <= 0) {
        return ERROR_NOT_SUPPORTED;
    }
    frequency = (uint64_t)value.QuadPart;
    return 0;
}

uint64_t ab_clock_ticks(void)
{
    LARGE_INTEGER value;
    QueryPerformanceCounter(&value);
    return (uint64_t)value.QuadPart;
}

uint64_t ab_clock_frequency(void)
{
    return frequency;
}

/* Sleep counts in scheduler ticks of up to 16 ms; the timer is finer where there is one. */
void ab_sleep_ns(uint64_t ns)
{
    LARGE_INTEGER due;
    HANDLE timer = CreateWaitableTimerW(NULL, TRUE, NULL);

    due.QuadPart = -(LONGLONG)(ns / 100 > 0 ? ns / 100 : 1); /* negative: from now, in 100 ns */
    if (timer != NULL && SetWaitableTimer(timer, &due, 0, NULL, NULL, FALSE)) {
        WaitForSingleObject(timer, INFINITE);
    } else {
        Sleep((DWORD)(ns / 1000000u < 1000000u ? ns / 1000000u : 1000000u));
    }
    if (timer != NULL) {
        CloseHandle(timer);
    }
}
