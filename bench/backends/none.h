/* SPDX-License-Identifier: MIT
 *
 * Backend `none`: hands out one fixed block, again and again. It prices the harness and is shown as
 * a row of its own, never subtracted from others.
 */
#ifndef AB_BACKENDS_NONE_H
#define AB_BACKENDS_NONE_H

#include "backends/place.h"

#include "allocbench/backend.h"

/* The heap's handle is the block itself, as large as the largest object, so that touching it is
 * harmless and handing it out takes no load. What close needs lies in the page before it. */
static ab_place *none_place(ab_heap *heap)
{
    return (ab_place *)(void *)((char *)heap - sizeof(ab_place));
}

static int none_backend_open(const ab_backend_config *config, ab_heap **out)
{
    size_t page = config->pages->info.page_bytes, bytes;
    ab_region region = {0};
    int code;

    *out = NULL;
    if (!ab_place_round(config->pages, config->object_bytes, &bytes) || bytes > SIZE_MAX - page) {
        return ab_pages_map(config->pages, 0, &region); /* the page layer's code for a bad size */
    }
    code = ab_pages_map(config->pages, page + bytes, &region);
    if (code == 0) {
        *out = (ab_heap *)(void *)((char *)region.base + page);
        *none_place(*out) = (ab_place){config->pages, region};
    }
    return code;
}

static AB_ALWAYS_INLINE void *none_backend_alloc(ab_heap *heap, size_t bytes)
{
    (void)bytes;
    return heap;
}

static AB_ALWAYS_INLINE void none_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap, (void)p, (void)bytes;
}

static AB_ALWAYS_INLINE void none_backend_reset(ab_heap *heap)
{
    AB_KEEP(heap);
}

static void none_backend_close(ab_heap *heap)
{
    ab_place_free(none_place(heap));
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
