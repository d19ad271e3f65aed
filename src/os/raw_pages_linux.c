/* SPDX-License-Identifier: MIT
 *
 * Bare page calls that Linux has of its own: see raw_pages.h. A kernel too old for an advice
 * answers EINVAL, as it does to wrong arguments; these are right. No state.
 */
#include "raw_pages.h"

#include <errno.h>
#include <sys/mman.h>

/* Known to the kernel since 5.14, to the C library's headers later. */
#define LINUX_MADV_POPULATE_WRITE 23

static int advise(void *base, size_t bytes, int advice)
{
    if (madvise(base, bytes, advice) == 0) {
        return 0;
    }
    return errno == EINVAL ? ENOTSUP : errno;
}

int ab_raw_free_lazy(void *base, size_t bytes)
{
    return advise(base, bytes, MADV_FREE);
}

int ab_raw_populate(void *base, size_t bytes)
{
    return advise(base, bytes, LINUX_MADV_POPULATE_WRITE);
}

int ab_raw_advise_large(void *base, size_t bytes)
{
    return advise(base, bytes, MADV_HUGEPAGE);
}

int ab_raw_remap(void **base, size_t old_bytes, size_t new_bytes)
{
    void *moved = mremap(*base, old_bytes, new_bytes, MREMAP_MAYMOVE);

    if (moved == MAP_FAILED) {
        return errno;
    }
    *base = moved;
    return 0;
}
