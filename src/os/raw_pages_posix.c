/* SPDX-License-Identifier: MIT
 *
 * Bare page calls that every POSIX system has, and those that only Windows has: see raw_pages.h. No
 * state.
 */
#include "raw_pages.h"

#include "map_unix.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

static int map(size_t bytes, int protection, int flags, void **out)
{
    void *base = mmap(NULL, bytes, protection, flags | MAP_PRIVATE | MAP_ANONYMOUS, UNIX_MAP_FD, 0);

    *out = base != MAP_FAILED ? base : NULL;
    return base != MAP_FAILED ? 0 : errno;
}

int ab_raw_reserve(size_t bytes, void **out)
{
    return map(bytes, PROT_NONE, UNIX_MAP_NORESERVE, out);
}

int ab_raw_map(size_t bytes, void **out)
{
    return map(bytes, PROT_READ | PROT_WRITE, 0, out);
}

int ab_raw_map_aligned(size_t bytes, size_t alignment, void **out)
{
    char *base;

    if (bytes > SIZE_MAX - alignment) {
        return ENOMEM;
    }
    int code = ab_raw_map(bytes + alignment, out);
    if (code != 0) {
        return code;
    }
    base = *out;
    size_t head = (alignment - (uintptr_t)base % alignment) % alignment;
    size_t tail = alignment - head;
    *out = base + head;
    if (head > 0 && munmap(base, head) != 0) {
        return errno;
    }
    return tail > 0 && munmap(base + head + bytes, tail) != 0 ? errno : 0;
}

int ab_raw_commit(void *base, size_t bytes)
{
    return mprotect(base, bytes, PROT_READ | PROT_WRITE) != 0 ? errno : 0;
}

int ab_raw_protect_none(void *base, size_t bytes)
{
    return mprotect(base, bytes, PROT_NONE) != 0 ? errno : 0;
}

int ab_raw_release(void *base, size_t bytes)
{
    return munmap(base, bytes) != 0 ? errno : 0;
}

int ab_raw_dontneed(void *base, size_t bytes)
{
    return madvise(base, bytes, MADV_DONTNEED) != 0 ? errno : 0;
}

int ab_raw_remap_none(void *base, size_t bytes)
{
    const int flags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | UNIX_MAP_NORESERVE;

    return mmap(base, bytes, PROT_NONE, flags, UNIX_MAP_FD, 0) == MAP_FAILED ? errno : 0;
}

int ab_raw_decommit(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ENOSYS;
}

int ab_raw_reset(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ENOSYS;
}

int ab_raw_reset_undo(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ENOSYS;
}

bool ab_raw_is_absent(int code)
{
    return code == ENOSYS || code == ENOTSUP;
}

double ab_raw_recommit_page_ns(void)
{
    return 0;
}
