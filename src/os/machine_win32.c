/* SPDX-License-Identifier: MIT
 *
 * See machine_win32.h.
 */
#include "machine_win32.h"

#include <windows.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
/* Bit 31 of ECX of leaf 1 is reserved for hypervisors to announce themselves. */
bool ab_win32_is_vm(bool *is_vm)
{
    unsigned a;
    unsigned b;
    unsigned c;
    unsigned d;
    bool is_known = __get_cpuid(1, &a, &b, &c, &d) != 0;
    *is_vm = is_known && (c >> 31 & 1u) != 0;
    return is_known;
}
#else
bool ab_win32_is_vm(bool *is_vm)
{
    *is_vm = false;
    return false;
}
#endif

const char *ab_win32_wine_version(void)
{
    typedef const char *version_fn(void);
    HMODULE library = GetModuleHandleW(L"ntdll.dll");

    if (library == NULL) {
        return NULL;
    }
    version_fn *version = (version_fn *)(void (*)(void))GetProcAddress(library, "wine_get_version");
    return version != NULL ? version() : NULL;
}

bool ab_win32_is_on_battery(void)
{
    SYSTEM_POWER_STATUS status;
    return GetSystemPowerStatus(&status) && status.ACLineStatus == 0;
}
