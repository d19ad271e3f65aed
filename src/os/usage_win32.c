/* SPDX-License-Identifier: MIT
 *
 * Thread times and the process's page fault count. Windows counts soft and hard faults together,
 * and no involuntary switches. Wine's count stays 0: a probe at first use finds that out; its
 * result is the only state and is set once.
 */
#include "usage.h"

#include <stdbool.h>
#include <windows.h>
#include <psapi.h>

static uint64_t ns_of(FILETIME time)
{
    return ((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) * 100u;
}

static uint64_t fault_count(void)
{
    PROCESS_MEMORY_COUNTERS counters;
    if (!GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)) {
        return 0;
    }
    return counters.PageFaultCount;
}

/* Whether touching a fresh page raises the count. */
static bool do_faults_count(void)
{
    volatile char *page = VirtualAlloc(NULL, 1, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);

    if (page == NULL) {
        return true;
    }
    uint64_t before = fault_count();
    *page = 1;
    bool is_counted = fault_count() > before;
    VirtualFree((void *)page, 0, MEM_RELEASE);
    return is_counted;
}

static void read_usage(bool is_thread, ab_usage *out)
{
    static enum { UNTRIED, COUNTED, UNCOUNTED } faults = UNTRIED;
    FILETIME created;
    FILETIME exited;
    FILETIME kernel;
    FILETIME user;

    if (faults == UNTRIED) {
        faults = do_faults_count() ? COUNTED : UNCOUNTED;
    }
    *out = (ab_usage){AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN};
    if (is_thread ? GetThreadTimes(GetCurrentThread(), &created, &exited, &kernel, &user)
                  : GetProcessTimes(GetCurrentProcess(), &created, &exited, &kernel, &user)) {
        out->user_ns = ns_of(user);
        out->sys_ns = ns_of(kernel);
    }
    if (faults == COUNTED) {
        out->minor_faults = fault_count();
    }
}

void ab_usage_read(ab_usage *out)
{
    read_usage(true, out);
}

void ab_usage_read_process(ab_usage *out)
{
    read_usage(false, out);
}

uint64_t ab_usage_tick_ns(void)
{
    DWORD adjustment;
    DWORD increment;
    BOOL is_disabled;

    if (!GetSystemTimeAdjustment(&adjustment, &increment, &is_disabled) || increment == 0) {
        return 15625000;
    }
    return (uint64_t)increment * 100u;
}
