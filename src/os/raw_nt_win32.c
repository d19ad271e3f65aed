/* SPDX-License-Identifier: MIT
 *
 * See raw_nt.h. The functions of ntdll are not in its import library everywhere, and are looked up;
 * their addresses are set once.
 */
#include "raw_nt.h"

#include <windows.h>

typedef LONG NTAPI nt_allocate_fn(HANDLE process, PVOID *base, ULONG_PTR zero_bits, PSIZE_T bytes,
                                  ULONG type, ULONG protection);
typedef ULONG NTAPI nt_error_fn(LONG status);

static nt_allocate_fn *nt_allocate;
static nt_error_fn *nt_error;

int ab_raw_nt_find(void)
{
    HMODULE library = GetModuleHandleW(L"ntdll.dll");

    if (library != NULL && nt_allocate == NULL) {
        nt_error = (nt_error_fn *)(void (*)(void))GetProcAddress(library, "RtlNtStatusToDosError");
        nt_allocate =
            (nt_allocate_fn *)(void (*)(void))GetProcAddress(library, "NtAllocateVirtualMemory");
    }
    return nt_allocate != NULL && nt_error != NULL ? 0 : ERROR_CALL_NOT_IMPLEMENTED;
}

int ab_raw_nt_commit(void *base, size_t bytes)
{
    PVOID at = base;
    SIZE_T size = bytes;
    LONG status = nt_allocate(GetCurrentProcess(), &at, 0, &size, MEM_COMMIT, PAGE_READWRITE);

    return status >= 0 ? 0 : (int)nt_error(status);
}
