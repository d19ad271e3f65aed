/* SPDX-License-Identifier: MIT
 *
 * What pages_posix.c needs to know of Linux. Included there alone.
 */
#ifndef AB_OS_PAGES_UNIX_H
#define AB_OS_PAGES_UNIX_H

#include "allocbench/pages.h"

#include "map_unix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Known to the kernel since 5.14, to the C library's headers later. */
#define LINUX_MADV_POPULATE_WRITE 23

/* Frees the pages at once, so that they are zero when they come back, then forbids access. */
static int unix_decommit(ab_page_counts *counts, void *base, size_t bytes)
{
    if (madvise(base, bytes, MADV_DONTNEED) != 0) {
        return errno;
    }
    counts->os_calls++;
    return mprotect(base, bytes, PROT_NONE) != 0 ? errno : 0;
}

/* Kernels and file systems that do not know MADV_FREE get the eager variant. */
static int unix_purge(ab_page_counts *counts, void *base, size_t bytes)
{
    if (madvise(base, bytes, MADV_FREE) == 0) {
        return 0;
    }
    if (errno != EINVAL) {
        return errno;
    }
    counts->os_calls++;
    return madvise(base, bytes, MADV_DONTNEED) != 0 ? errno : 0;
}

static int unix_populate(ab_page_counts *counts, void *base, size_t bytes, size_t page_bytes)
{
    (void)counts;
    if (madvise(base, bytes, LINUX_MADV_POPULATE_WRITE) == 0) {
        return 0;
    }
    if (errno != EINVAL) {
        return errno;
    }
    for (size_t offset = 0; offset < bytes; offset += page_bytes) {
        volatile char *byte = (volatile char *)base + offset;
        *byte = *byte;
    }
    return 0;
}

static int unix_advise_huge(void *base, size_t bytes)
{
    return madvise(base, bytes, MADV_HUGEPAGE) != 0 ? errno : 0;
}

/* Size of a transparent large page; 0 where the kernel has none or never grants one. */
static size_t linux_huge_bytes(void)
{
    char text[64] = {0};
    int file = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    for (ssize_t i = 0; i + 1 < got; i++) {
        if (text[i] == '[' && text[i + 1] == 'n') { /* [never] */
            return 0;
        }
    }
    file = open("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", O_RDONLY | O_CLOEXEC);
    got = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    if (got <= 0) {
        return 0;
    }
    text[got] = '\0';
    return (size_t)strtoull(text, NULL, 10);
}

static void unix_page_info(ab_page_info *info)
{
    void *probe =
        mmap(NULL, info->page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    info->can = AB_PAGES_CAN_BOUND | AB_PAGES_CAN_BOUND_SPAN;
    info->huge_bytes = linux_huge_bytes();
    if (info->huge_bytes != 0) {
        info->can |= AB_PAGES_CAN_HUGE;
    }
    if (probe != MAP_FAILED) {
        if (madvise(probe, info->page_bytes, LINUX_MADV_POPULATE_WRITE) == 0) {
            info->can |= AB_PAGES_CAN_POPULATE;
        }
        if (madvise(probe, info->page_bytes, MADV_FREE) == 0) {
            info->can |= AB_PAGES_CAN_PURGE;
        }
        munmap(probe, info->page_bytes);
    }
}

#endif
