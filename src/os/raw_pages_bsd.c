/* SPDX-License-Identifier: MIT
 *
 * Bare page calls that differ from Linux on the other POSIX systems: see raw_pages.h. No state.
 */
#include "raw_pages.h"

#include <errno.h>
#include <sys/mman.h>

int ab_raw_free_lazy(void *base, size_t bytes)
{
    return madvise(base, bytes, MADV_FREE) != 0 ? errno : 0;
}

int ab_raw_populate(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ENOSYS;
}

int ab_raw_advise_large(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ENOSYS;
}

int ab_raw_remap(void **base, size_t old_bytes, size_t new_bytes)
{
    (void)base, (void)old_bytes, (void)new_bytes;
    return ENOSYS;
}
