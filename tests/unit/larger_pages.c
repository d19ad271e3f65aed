/* SPDX-License-Identifier: MIT
 *
 * A page layer whose pages are LARGER_PAGE_BYTES, so that tests of what stands on it run as on a
 * machine with such pages. The linker puts these functions before the real ones (--wrap), which do
 * the work: multiples of the larger page are multiples of the real one. What reserve and map return
 * is aligned to the larger page.
 */
#include "allocbench/pages.h"

#include <errno.h>
#include <sys/mman.h>

void __real_ab_pages_init(ab_pages *pages);
void __wrap_ab_pages_init(ab_pages *pages);
int __real_ab_pages_reserve(ab_pages *pages, size_t bytes, ab_region *out);
int __wrap_ab_pages_reserve(ab_pages *pages, size_t bytes, ab_region *out);
int __real_ab_pages_map(ab_pages *pages, size_t bytes, ab_region *out);
int __wrap_ab_pages_map(ab_pages *pages, size_t bytes, ab_region *out);

/* Puts a fresh mapping in the place of one that is not aligned. */
static int align(ab_region *region, int protection)
{
    uintptr_t larger = LARGER_PAGE_BYTES;

    if ((uintptr_t)region->base % larger == 0) {
        return 0;
    }
    char *wide = mmap(NULL, region->bytes + larger, protection,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (wide == MAP_FAILED) {
        return errno;
    }
    size_t head = (larger - (uintptr_t)wide % larger) % larger;
    if (head > 0) {
        munmap(wide, head);
    }
    munmap(wide + head + region->bytes, larger - head);
    munmap(region->base, region->bytes);
    region->base = wide + head;
    return 0;
}

void __wrap_ab_pages_init(ab_pages *pages)
{
    __real_ab_pages_init(pages);
    pages->info.page_bytes = LARGER_PAGE_BYTES;
    pages->info.granularity_bytes = LARGER_PAGE_BYTES;
}

int __wrap_ab_pages_reserve(ab_pages *pages, size_t bytes, ab_region *out)
{
    int code = __real_ab_pages_reserve(pages, bytes, out);
    return code != 0 ? code : align(out, PROT_NONE);
}

int __wrap_ab_pages_map(ab_pages *pages, size_t bytes, ab_region *out)
{
    int code = __real_ab_pages_map(pages, bytes, out);
    return code != 0 ? code : align(out, PROT_READ | PROT_WRITE);
}
