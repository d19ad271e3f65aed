/* SPDX-License-Identifier: MIT
 *
 * What a scenario does to memory it has just got, as its --touch says. Shared by the scenarios that
 * deal in pages. No state.
 */
#ifndef AB_BENCH_TOUCH_H
#define AB_BENCH_TOUCH_H

#include "allocbench/compiler.h"
#include "allocbench/pages.h"

#include <string.h>

/* The order of AB_TOUCH_CHOICES. */
typedef enum ab_touch {
    AB_TOUCH_NONE,
    AB_TOUCH_FIRST,   /* write the first byte */
    AB_TOUCH_READ,    /* read a byte of every page */
    AB_TOUCH_WRITE,   /* write a byte of every page */
    AB_TOUCH_ALL,     /* write every byte */
    AB_TOUCH_POPULATE /* let the OS fault every page in */
} ab_touch;
#define AB_TOUCH_CHOICES "none|first|read|write|all|populate"

/* Pages of a block of so many bytes that the touch makes resident. */
static inline uint64_t ab_touch_pages(ab_touch touch, uint64_t bytes, size_t page_bytes)
{
    uint64_t pages = (bytes + page_bytes - 1) / page_bytes;

    switch (touch) {
    case AB_TOUCH_NONE:
    case AB_TOUCH_READ: /* the shared page of zeros */
        return 0;
    case AB_TOUCH_FIRST:
        return 1;
    case AB_TOUCH_WRITE:
    case AB_TOUCH_ALL:
    case AB_TOUCH_POPULATE:
        break;
    }
    return pages;
}

/* The whole pages inside the block; none: of 0 bytes. */
static inline ab_region ab_touch_whole_pages(const ab_pages *pages, void *block, size_t bytes)
{
    size_t page = pages->info.page_bytes;
    size_t skip = (page - (uintptr_t)block % page) % page;
    size_t whole = bytes >= skip + page ? (bytes - skip) / page * page : 0;

    return (ab_region){(char *)block + skip, whole, whole, whole};
}

static inline void ab_touch_populate(ab_pages *pages, void *block, size_t bytes)
{
    ab_region region = ab_touch_whole_pages(pages, block, bytes);

    if (region.bytes > 0) {
        ab_pages_populate(pages, &region, 0, region.bytes);
    }
}

/* Asks for large pages; a hint. */
static inline void ab_touch_huge(ab_pages *pages, void *block, size_t bytes)
{
    ab_region region = ab_touch_whole_pages(pages, block, bytes);

    if (region.bytes > 0) {
        ab_pages_advise_huge(pages, &region, 0, region.bytes);
    }
}

AB_NOINLINE static void ab_touch_block_now(ab_touch touch, ab_pages *pages, void *block,
                                           size_t bytes)
{
    volatile char *at = block;
    size_t page = pages->info.page_bytes;

    switch (touch) {
    case AB_TOUCH_NONE:
        break;
    case AB_TOUCH_FIRST:
        at[0] = 1;
        break;
    case AB_TOUCH_READ:
        for (size_t i = 0; i < bytes; i += page) {
            (void)at[i];
        }
        break;
    case AB_TOUCH_WRITE:
        for (size_t i = 0; i < bytes; i += page) {
            at[i] = 1;
        }
        break;
    case AB_TOUCH_ALL:
        memset(block, 1, bytes);
        AB_KEEP(block);
        break;
    case AB_TOUCH_POPULATE:
        ab_touch_populate(pages, block, bytes);
        break;
    }
}

static AB_ALWAYS_INLINE void ab_touch_block(ab_touch touch, ab_pages *pages, void *block,
                                            size_t bytes)
{
    if (touch != AB_TOUCH_NONE) {
        ab_touch_block_now(touch, pages, block, bytes);
    }
}

#endif
