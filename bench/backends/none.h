/* SPDX-License-Identifier: MIT
 *
 * Backend `none`: hands out one fixed block, again and again. It prices the harness and is shown as
 * a row of its own, never subtracted from others.
 */
#ifndef AB_BACKENDS_NONE_H
#define AB_BACKENDS_NONE_H

#include "backends/place.h"

#include "allocbench/backend.h"

typedef struct none_heap {
    ab_place place;
    ab_region block; /* as large as the largest object, so that touching it is harmless */
} none_heap;

static int none_backend_open(const ab_backend_config *config, ab_heap **out)
{
    none_heap *heap;
    size_t bytes;

    *out = NULL;
    int code = ab_place_make(config->pages, sizeof *heap, (void **)&heap);
    if (code != 0) {
        return code;
    }
    if (!ab_place_round(config->pages, config->object_bytes, &bytes)) {
        bytes = 0; /* the page layer says what is wrong with that */
    }
    code = ab_pages_map(config->pages, bytes, &heap->block);
    if (code != 0) {
        ab_place_free(&heap->place);
        return code;
    }
    *out = (ab_heap *)heap;
    return 0;
}

static AB_ALWAYS_INLINE void *none_backend_alloc(ab_heap *heap, size_t bytes)
{
    (void)bytes;
    return ((none_heap *)heap)->block.base;
}

static AB_ALWAYS_INLINE void none_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap;
    (void)bytes;
    AB_KEEP(p);
}

static AB_ALWAYS_INLINE void none_backend_reset(ab_heap *heap)
{
    AB_KEEP(heap);
}

static void none_backend_close(ab_heap *heap)
{
    none_heap *own = (none_heap *)heap;

    ab_pages_release(own->place.pages, &own->block);
    ab_place_free(&own->place);
}

static const ab_backend none_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_FREES_ONE | AB_BACKEND_RESETS | AB_BACKEND_ANY_SIZE | AB_BACKEND_NO_MEMORY |
           AB_BACKEND_THREAD_SAFE,
    .name = "none",
    .summary = "hands out one fixed block: the price of the harness",
    .max_object_bytes = SIZE_MAX,
    .typical_ns = 2,
    .alignment = 1,
    .open = none_backend_open,
    .alloc = none_backend_alloc,
    .free = none_backend_free,
    .reset = none_backend_reset,
    .close = none_backend_close,
};

#endif
