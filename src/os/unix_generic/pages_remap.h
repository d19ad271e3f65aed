/* SPDX-License-Identifier: MIT
 *
 * What pages_posix.c does where madvise gives nothing back at once, beyond Linux. Included by the
 * systems' pages_unix.h alone.
 */
#ifndef AB_OS_PAGES_REMAP_H
#define AB_OS_PAGES_REMAP_H

#include "allocbench/pages.h"

#include "map_unix.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

/* madvise frees lazily, and contents may come back: a fresh mapping in place is the way that surely
 * gives the storage back and reads zero afterwards. */
static int unix_decommit(ab_page_counts *counts, void *base, size_t bytes)
{
    (void)counts;
    void *fresh =
        mmap(base, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | UNIX_MAP_NORESERVE,
             UNIX_MAP_FD, 0);
    return fresh == MAP_FAILED ? errno : 0;
}

static int unix_purge(ab_page_counts *counts, void *base, size_t bytes)
{
    (void)counts;
    return madvise(base, bytes, MADV_FREE) != 0 ? errno : 0;
}

static int unix_populate(ab_page_counts *counts, void *base, size_t bytes, size_t page_bytes)
{
    (void)counts;
    for (size_t offset = 0; offset < bytes; offset += page_bytes) {
        volatile char *byte = (volatile char *)base + offset;
        *byte = *byte;
    }
    return 0;
}

static int unix_advise_huge(void *base, size_t bytes)
{
    (void)base;
    (void)bytes;
    return ENOTSUP;
}

#endif
