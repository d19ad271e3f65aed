/* SPDX-License-Identifier: MIT
 *
 * What Windows tells about memory: see raw_probe.h. Its mappings have no limit of their own. No
 * state.
 */
#include "raw_probe.h"

#include <stdbool.h>
#include <windows.h>
#include <psapi.h>

static bool is_accessible(const MEMORY_BASIC_INFORMATION *info)
{
    return info->State == MEM_COMMIT && (info->Protect & (PAGE_NOACCESS | PAGE_GUARD)) == 0;
}

/* Pages that are committed and not accessible leave the working set and stay in memory: unknown. */
uint64_t ab_raw_resident_bytes(void *base, size_t bytes)
{
    enum { PAGES_AT_ONCE = 512 };
    PSAPI_WORKING_SET_EX_INFORMATION info[PAGES_AT_ONCE];
    MEMORY_BASIC_INFORMATION first;
    SYSTEM_INFO system;
    uint64_t resident = 0;

    GetSystemInfo(&system);
    if (VirtualQuery(base, &first, sizeof first) == 0 ||
        (first.State == MEM_COMMIT && !is_accessible(&first))) {
        return AB_RAW_UNKNOWN;
    }
    for (size_t done = 0; done < bytes;) {
        size_t left = (bytes - done) / system.dwPageSize;
        size_t pages = left < PAGES_AT_ONCE ? left : PAGES_AT_ONCE;
        for (size_t i = 0; i < pages; i++) {
            info[i].VirtualAddress = (char *)base + done + i * system.dwPageSize;
        }
        if (!QueryWorkingSetEx(GetCurrentProcess(), info, (DWORD)(pages * sizeof info[0]))) {
            return AB_RAW_UNKNOWN;
        }
        for (size_t i = 0; i < pages; i++) {
            resident += info[i].VirtualAttributes.Valid ? system.dwPageSize : 0;
        }
        done += pages * system.dwPageSize;
    }
    return resident;
}

/* Every committed page is charged, touched or not. */
uint64_t ab_raw_charged_bytes(void *base, size_t bytes)
{
    uint64_t charged = 0;

    for (size_t done = 0; done < bytes;) {
        MEMORY_BASIC_INFORMATION info;
        if (VirtualQuery((char *)base + done, &info, sizeof info) == 0 || info.RegionSize == 0) {
            return AB_RAW_UNKNOWN;
        }
        size_t part = info.RegionSize < bytes - done ? info.RegionSize : bytes - done;
        charged += info.State == MEM_COMMIT ? part : 0;
        done += part;
    }
    return charged;
}

/* Asks for the protection: wine's ReadProcessMemory reads what is protected, too. */
ab_raw_answer ab_raw_faults(void *address)
{
    MEMORY_BASIC_INFORMATION info;

    if (VirtualQuery(address, &info, sizeof info) == 0) {
        return AB_RAW_DONT_KNOW;
    }
    return is_accessible(&info) ? AB_RAW_NO : AB_RAW_YES;
}

void ab_raw_mappings_read(ab_raw_mappings *out)
{
    *out = (ab_raw_mappings){AB_RAW_UNKNOWN, AB_RAW_UNKNOWN, NULL};
}
