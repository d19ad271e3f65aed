/* SPDX-License-Identifier: MIT
 *
 * What pages-map and pages-commit share: every object is a region of the page layer, found again by
 * its address and size. The heap holds no table.
 */
#ifndef AB_BACKENDS_PAGES_HEAP_H
#define AB_BACKENDS_PAGES_HEAP_H

#include "backends/place.h"

#include "allocbench/backend.h"

typedef struct pages_heap {
    ab_place place;
    size_t page_mask;
    bool decommits;
    bool is_huge;
} pages_heap;

static inline int pages_heap_open(const ab_backend_config *config, ab_heap **out)
{
    pages_heap *heap;
    int code = ab_place_make(config->pages, sizeof *heap, (void **)&heap);

    if (code == 0) {
        heap->page_mask = config->pages->info.page_bytes - 1;
        heap->decommits = config->decommit_on_free;
        heap->is_huge = config->huge && (config->pages->info.can & AB_PAGES_CAN_HUGE) != 0;
    }
    *out = (ab_heap *)heap;
    return code;
}

static AB_ALWAYS_INLINE size_t pages_heap_round(const pages_heap *heap, size_t bytes)
{
    return (bytes + heap->page_mask) &
           ~heap->page_mask; /* 0 on overflow: the page layer refuses it */
}

static AB_ALWAYS_INLINE void *pages_heap_ready(const pages_heap *heap, ab_region *region)
{
    if (AB_UNLIKELY(heap->is_huge)) {
        ab_pages_advise_huge(heap->place.pages, region, 0, region->bytes); /* a hint */
    }
    return region->base;
}

static AB_ALWAYS_INLINE void pages_heap_free(ab_heap *opaque, void *p, size_t bytes)
{
    pages_heap *heap = (pages_heap *)opaque;
    size_t whole = pages_heap_round(heap, bytes);
    ab_region region = {p, whole, whole, whole};

    if (heap->decommits) {
        ab_pages_decommit(heap->place.pages, &region, 0, whole);
    }
    ab_pages_release(heap->place.pages, &region);
}

static inline void pages_heap_reset(ab_heap *heap)
{
    (void)heap;
}

static inline void pages_heap_close(ab_heap *heap)
{
    ab_place_free(&((pages_heap *)heap)->place);
}

#endif
