/* SPDX-License-Identifier: MIT
 *
 * Backend `pages-map`: every object is a mapping of its own, reserved and committed in one OS call.
 */
#ifndef AB_BACKENDS_PAGES_MAP_H
#define AB_BACKENDS_PAGES_MAP_H

#include "backends/pages_heap.h"

static AB_ALWAYS_INLINE void *pages_map_backend_alloc(ab_heap *opaque, size_t bytes)
{
    pages_heap *heap = (pages_heap *)opaque;
    ab_region region;

    if (ab_pages_map(heap->place.pages, pages_heap_round(heap, bytes), &region) != 0) {
        return NULL;
    }
    return pages_heap_ready(heap, &region);
}

static const ab_backend pages_map_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_FREES_ONE | AB_BACKEND_ANY_SIZE | AB_BACKEND_HONOURS_HUGE |
           AB_BACKEND_MAPS_OBJECTS,
    .name = "pages-map",
    .summary = "every object is its own mapping: reserve and commit in one call",
    .max_object_bytes = SIZE_MAX,
    .typical_ns = 5000,
    .alignment = 4096,
    .open = pages_heap_open,
    .alloc = pages_map_backend_alloc,
    .free = pages_heap_free,
    .reset = pages_heap_reset,
    .close = pages_heap_close,
};

#endif
