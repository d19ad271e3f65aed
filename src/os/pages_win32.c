/* SPDX-License-Identifier: MIT
 *
 * The page layer on VirtualAlloc and VirtualFree. A bound is the highest address that reservations
 * may use: an argument of VirtualAlloc2, which is looked up once at start. Memory is the caller's;
 * the state of a bound is that address itself, kept in ab_pages.
 */
#include "allocbench/pages.h"

#include "pages_count.h"

#include <windows.h>

typedef PVOID WINAPI virtual_alloc2_fn(HANDLE process, PVOID base, SIZE_T bytes, ULONG type,
                                       ULONG protection, MEM_EXTENDED_PARAMETER *parameters,
                                       ULONG parameter_count);

/* NULL where Windows is older than 10. Set once by ab_pages_init. */
static virtual_alloc2_fn *virtual_alloc2;

static void *at(const ab_region *region, size_t offset)
{
    return (char *)region->base + offset;
}

static int last_error(void)
{
    int code = (int)GetLastError();
    return code != 0 ? code : ERROR_GEN_FAILURE;
}

/* Below the bound, which is the last address allowed. */
static void *allocate_bounded(void *bound, size_t bytes, DWORD type, DWORD protection)
{
    MEM_ADDRESS_REQUIREMENTS addresses = {.HighestEndingAddress = bound};
    MEM_EXTENDED_PARAMETER parameter = {.Type = MemExtendedParameterAddressRequirements};

    parameter.Pointer = &addresses;
    return virtual_alloc2(NULL, NULL, bytes, type, protection, &parameter, 1);
}

static int allocate(ab_pages *pages, size_t bytes, DWORD type, DWORD protection, ab_region *out)
{
    *out = (ab_region){0};
    if (!ab_pages_is_size(pages, bytes)) {
        return ERROR_INVALID_PARAMETER;
    }
    if (ab_pages_next_call_fails(pages)) {
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    out->base = pages->bound != NULL && virtual_alloc2 != NULL
                    ? allocate_bounded(pages->bound, bytes, type, protection)
                    : VirtualAlloc(NULL, bytes, type, protection);
    if (out->base == NULL) {
        return last_error();
    }
    out->bytes = bytes;
    ab_pages_count_reserve(pages, bytes);
    return 0;
}

int ab_pages_reserve(ab_pages *pages, size_t bytes, ab_region *out)
{
    return allocate(pages, bytes, MEM_RESERVE, PAGE_NOACCESS, out);
}

int ab_pages_map(ab_pages *pages, size_t bytes, ab_region *out)
{
    int code = allocate(pages, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE, out);
    if (code == 0) {
        ab_pages_count_commit(pages, out, 0, bytes);
    }
    return code;
}

/* What every verb on a range begins with: 0 when the OS call may be made. */
static int begin(ab_pages *pages, const ab_region *region, size_t offset, size_t bytes)
{
    if (!ab_pages_is_range(pages, region, offset, bytes)) {
        return ERROR_INVALID_PARAMETER;
    }
    return ab_pages_next_call_fails(pages) ? ERROR_NOT_ENOUGH_MEMORY : 0;
}

int ab_pages_commit(ab_pages *pages, ab_region *region, size_t offset, size_t bytes)
{
    int code = begin(pages, region, offset, bytes);
    if (code != 0) {
        return code;
    }
    if (VirtualAlloc(at(region, offset), bytes, MEM_COMMIT, PAGE_READWRITE) == NULL) {
        return last_error();
    }
    ab_pages_count_commit(pages, region, offset, bytes);
    return 0;
}

int ab_pages_decommit(ab_pages *pages, ab_region *region, size_t offset, size_t bytes)
{
    int code = begin(pages, region, offset, bytes);
    if (code != 0) {
        return code;
    }
    if (!VirtualFree(at(region, offset), bytes, MEM_DECOMMIT)) {
        return last_error();
    }
    ab_pages_count_decommit(pages, region, offset, bytes);
    return 0;
}

int ab_pages_purge(ab_pages *pages, ab_region *region, size_t offset, size_t bytes)
{
    int code = begin(pages, region, offset, bytes);
    if (code != 0) {
        return code;
    }
    /* The protection is ignored but has to be valid. */
    return VirtualAlloc(at(region, offset), bytes, MEM_RESET, PAGE_READWRITE) == NULL ? last_error()
                                                                                      : 0;
}

int ab_pages_populate(ab_pages *pages, ab_region *region, size_t offset, size_t bytes)
{
    if (!ab_pages_is_range(pages, region, offset, bytes)) {
        return ERROR_INVALID_PARAMETER;
    }
    for (size_t i = 0; i < bytes; i += pages->info.page_bytes) {
        volatile char *byte = (volatile char *)at(region, offset + i);
        *byte = *byte;
    }
    pages->counts.pages_submitted += bytes / pages->info.page_bytes;
    return 0;
}

int ab_pages_advise_huge(ab_pages *pages, ab_region *region, size_t offset, size_t bytes)
{
    if (!ab_pages_is_range(pages, region, offset, bytes)) {
        return ERROR_INVALID_PARAMETER;
    }
    return ERROR_NOT_SUPPORTED;
}

int ab_pages_release(ab_pages *pages, ab_region *region)
{
    if (region->base == NULL || region->bytes == 0) {
        return ERROR_INVALID_PARAMETER;
    }
    if (ab_pages_next_call_fails(pages)) {
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    /* The size must be 0: whole reservations only. */
    if (!VirtualFree(region->base, 0, MEM_RELEASE)) {
        return last_error();
    }
    ab_pages_count_release(pages, region);
    return 0;
}

int ab_pages_bound(ab_pages *pages, size_t bytes, bool span, size_t *limit_bytes)
{
    SYSTEM_INFO system;

    (void)span; /* addresses below a bound are a span by nature */
    *limit_bytes = 0;
    if ((pages->info.can & AB_PAGES_CAN_BOUND) == 0) {
        return ERROR_NOT_SUPPORTED;
    }
    if (pages->bound != NULL) {
        return ERROR_BUSY;
    }
    GetSystemInfo(&system);
    size_t own_bytes = (size_t)(uintptr_t)system.lpMaximumApplicationAddress + 1;
    bytes -= bytes % pages->info.granularity_bytes;
    if (bytes <= (uintptr_t)system.lpMinimumApplicationAddress) {
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    /* A 32-bit process has a bound of its own, which is all there is before Windows 10. */
    if (bytes > own_bytes) {
        bytes = own_bytes - own_bytes % pages->info.granularity_bytes;
    } else if (virtual_alloc2 == NULL) {
        return ERROR_NOT_SUPPORTED;
    }
    pages->bound = (void *)(uintptr_t)(bytes - 1);
    *limit_bytes = bytes;
    return 0;
}

void ab_pages_unbound(ab_pages *pages)
{
    pages->bound = NULL;
}

bool ab_is_out_of_memory(int code)
{
    /* INVALID_ADDRESS is what a search within address requirements can end with. */
    return code == ERROR_NOT_ENOUGH_MEMORY || code == ERROR_OUTOFMEMORY ||
           code == ERROR_COMMITMENT_LIMIT || code == ERROR_COMMITMENT_MINIMUM ||
           code == ERROR_NO_SYSTEM_RESOURCES || code == ERROR_WORKING_SET_QUOTA ||
           code == ERROR_PAGEFILE_QUOTA || code == ERROR_NOT_ENOUGH_QUOTA ||
           code == ERROR_INVALID_ADDRESS;
}

int ab_out_of_memory_code(void)
{
    return ERROR_NOT_ENOUGH_MEMORY;
}

int ab_invalid_code(void)
{
    return ERROR_INVALID_PARAMETER;
}

void ab_pages_init(ab_pages *pages)
{
    SYSTEM_INFO system;
    HMODULE library = GetModuleHandleW(L"kernelbase.dll");

    GetSystemInfo(&system);
    if (library != NULL && virtual_alloc2 == NULL) {
        virtual_alloc2 =
            (virtual_alloc2_fn *)(void (*)(void))GetProcAddress(library, "VirtualAlloc2");
    }
    *pages = (ab_pages){0};
    pages->info.page_bytes = system.dwPageSize;
    pages->info.granularity_bytes = system.dwAllocationGranularity;
    pages->info.huge_bytes = GetLargePageMinimum();
    pages->info.can = AB_PAGES_CAN_PURGE;
    if (virtual_alloc2 != NULL || sizeof(void *) == 4) {
        pages->info.can |= AB_PAGES_CAN_BOUND | AB_PAGES_CAN_BOUND_SPAN;
    }
}
