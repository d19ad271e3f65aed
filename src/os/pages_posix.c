/* SPDX-License-Identifier: MIT
 *
 * The page layer on mmap. Reservations are PROT_NONE and not accounted (NORESERVE), commit is a
 * change of protection, decommit gives the storage back and forbids access. What differs between
 * the POSIX systems is in unix_<platform>/pages_unix.h, one of which CMake puts on the include
 * path. Memory is the caller's; this file keeps no state.
 */
#include "allocbench/pages.h"

#include "pages_count.h"
#include "pages_unix.h"
#include "sanitizer.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static void *at(const ab_region *region, size_t offset)
{
    return (char *)region->base + offset;
}

static int map(ab_pages *pages, size_t bytes, int protection, int flags, ab_region *out)
{
    *out = (ab_region){0};
    if (!ab_pages_is_size(pages, bytes)) {
        return EINVAL;
    }
    if (ab_pages_next_call_fails(pages)) {
        return ENOMEM;
    }
    void *base = mmap(NULL, bytes, protection, flags, UNIX_MAP_FD, 0);
    if (base == MAP_FAILED) {
        /* The arguments are right, so this is how valgrind says that no free range is that large.
         */
        return errno == EINVAL ? ENOMEM : errno;
    }
    out->base = base;
    out->bytes = bytes;
    ab_pages_count_reserve(pages, bytes);
    return 0;
}

int ab_pages_reserve(ab_pages *pages, size_t bytes, ab_region *out)
{
    return map(pages, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | UNIX_MAP_NORESERVE, out);
}

int ab_pages_map(ab_pages *pages, size_t bytes, ab_region *out)
{
    int code = map(pages, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, out);
    if (code == 0) {
        ab_pages_count_commit(pages, out, 0, bytes);
    }
    return code;
}

int ab_pages_commit(ab_pages *pages, ab_region *region, size_t offset, size_t bytes)
{
    if (!ab_pages_is_range(pages, region, offset, bytes)) {
        return EINVAL;
    }
    if (ab_pages_next_call_fails(pages)) {
        return ENOMEM;
    }
    if (mprotect(at(region, offset), bytes, PROT_READ | PROT_WRITE) != 0) {
        return errno;
    }
    ab_pages_count_commit(pages, region, offset, bytes);
    return 0;
}

int ab_pages_decommit(ab_pages *pages, ab_region *region, size_t offset, size_t bytes)
{
    if (!ab_pages_is_range(pages, region, offset, bytes)) {
        return EINVAL;
    }
    if (ab_pages_next_call_fails(pages)) {
        return ENOMEM;
    }
    int code = unix_decommit(&pages->counts, at(region, offset), bytes);
    if (code == 0) {
        ab_pages_count_decommit(pages, region, offset, bytes);
    }
    return code;
}

int ab_pages_purge(ab_pages *pages, ab_region *region, size_t offset, size_t bytes)
{
    if (!ab_pages_is_range(pages, region, offset, bytes)) {
        return EINVAL;
    }
    if (ab_pages_next_call_fails(pages)) {
        return ENOMEM;
    }
    return unix_purge(&pages->counts, at(region, offset), bytes);
}

int ab_pages_populate(ab_pages *pages, ab_region *region, size_t offset, size_t bytes)
{
    if (!ab_pages_is_range(pages, region, offset, bytes)) {
        return EINVAL;
    }
    if (ab_pages_next_call_fails(pages)) {
        return ENOMEM;
    }
    int code = unix_populate(&pages->counts, at(region, offset), bytes, pages->info.page_bytes);
    if (code == 0) {
        pages->counts.pages_submitted += bytes / pages->info.page_bytes;
    }
    return code;
}

int ab_pages_advise_huge(ab_pages *pages, ab_region *region, size_t offset, size_t bytes)
{
    if (!ab_pages_is_range(pages, region, offset, bytes)) {
        return EINVAL;
    }
    if (ab_pages_next_call_fails(pages)) {
        return ENOMEM;
    }
    return unix_advise_huge(at(region, offset), bytes);
}

int ab_pages_release(ab_pages *pages, ab_region *region)
{
    if (region->base == NULL || region->bytes == 0) {
        return EINVAL;
    }
    if (ab_pages_next_call_fails(pages)) {
        return ENOMEM;
    }
    if (munmap(region->base, region->bytes) != 0) {
        return errno;
    }
    ab_pages_count_release(pages, region);
    return 0;
}

bool ab_is_out_of_memory(int code)
{
    return code == ENOMEM || code == EAGAIN;
}

int ab_out_of_memory_code(void)
{
    return ENOMEM;
}

int ab_invalid_code(void)
{
    return EINVAL;
}

void ab_pages_init(ab_pages *pages)
{
    long page = sysconf(_SC_PAGESIZE);
    *pages = (ab_pages){0};
    pages->info.page_bytes = page > 0 ? (size_t)page : 65536;
    pages->info.granularity_bytes = pages->info.page_bytes;
    unix_page_info(&pages->info);
    if (AB_HAS_SHADOW) {
        pages->info.can &= ~(uint32_t)(AB_PAGES_CAN_BOUND | AB_PAGES_CAN_BOUND_SPAN);
    }
}
