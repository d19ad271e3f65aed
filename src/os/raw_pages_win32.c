/* SPDX-License-Identifier: MIT
 *
 * Bare page calls of Windows, and those that it does not have: see raw_pages.h. No state.
 */
#include "raw_pages.h"

#include <windows.h>

static int last_error(void)
{
    int code = (int)GetLastError();
    return code != 0 ? code : ERROR_GEN_FAILURE;
}

static int allocate(size_t bytes, DWORD type, DWORD protection, void **out)
{
    *out = VirtualAlloc(NULL, bytes, type, protection);
    return *out != NULL ? 0 : last_error();
}

int ab_raw_reserve(size_t bytes, void **out)
{
    return allocate(bytes, MEM_RESERVE, PAGE_NOACCESS, out);
}

int ab_raw_map(size_t bytes, void **out)
{
    return allocate(bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE, out);
}

int ab_raw_map_aligned(size_t bytes, size_t alignment, void **out)
{
    (void)bytes, (void)alignment;
    *out = NULL;
    return ERROR_CALL_NOT_IMPLEMENTED;
}

int ab_raw_commit(void *base, size_t bytes)
{
    return VirtualAlloc(base, bytes, MEM_COMMIT, PAGE_READWRITE) != NULL ? 0 : last_error();
}

int ab_raw_protect_none(void *base, size_t bytes)
{
    DWORD before;
    return VirtualProtect(base, bytes, PAGE_NOACCESS, &before) ? 0 : last_error();
}

int ab_raw_release(void *base, size_t bytes)
{
    (void)bytes; /* must be 0: whole reservations only */
    return VirtualFree(base, 0, MEM_RELEASE) ? 0 : last_error();
}

int ab_raw_decommit(void *base, size_t bytes)
{
    return VirtualFree(base, bytes, MEM_DECOMMIT) ? 0 : last_error();
}

int ab_raw_reset(void *base, size_t bytes)
{
    /* The protection is ignored but has to be valid. */
    return VirtualAlloc(base, bytes, MEM_RESET, PAGE_READWRITE) != NULL ? 0 : last_error();
}

int ab_raw_reset_undo(void *base, size_t bytes)
{
    return VirtualAlloc(base, bytes, MEM_RESET_UNDO, PAGE_READWRITE) != NULL ? 0 : last_error();
}

int ab_raw_dontneed(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ERROR_CALL_NOT_IMPLEMENTED;
}

int ab_raw_free_lazy(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ERROR_CALL_NOT_IMPLEMENTED;
}

int ab_raw_remap_none(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ERROR_CALL_NOT_IMPLEMENTED;
}

int ab_raw_populate(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ERROR_CALL_NOT_IMPLEMENTED;
}

int ab_raw_advise_large(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ERROR_CALL_NOT_IMPLEMENTED;
}

int ab_raw_remap(void **base, size_t old_bytes, size_t new_bytes)
{
    (void)base, (void)old_bytes, (void)new_bytes;
    return ERROR_CALL_NOT_IMPLEMENTED;
}

bool ab_raw_is_absent(int code)
{
    return code == ERROR_CALL_NOT_IMPLEMENTED || code == ERROR_NOT_SUPPORTED;
}

double ab_raw_recommit_page_ns(void)
{
    return 11;
}
