/* SPDX-License-Identifier: MIT
 *
 * What autofree, scope and scope-shared share: one region, the extents that its blocks come from
 * (kept until close, so that no block costs a mapping), and a block pool between the two, which
 * autofree leaves unused. What differs is where blocks come from and what the end of a scope does.
 */
#ifndef AB_BACKENDS_REGION_HEAP_H
#define AB_BACKENDS_REGION_HEAP_H

#include "backends/place.h"

#include "allocbench/backend.h"
#include "allocbench/region.h"

typedef struct region_heap {
    ab_place place;
    ab_extents extents;
    ab_block_pool pool;
    ab_scope scope;
} region_heap;

static inline int region_heap_open(const ab_backend_config *config, bool has_pool, ab_heap **out)
{
    region_heap *heap;
    int code = ab_place_make(config->pages, sizeof *heap, (void **)&heap);

    *out = NULL;
    if (code != 0) {
        return code;
    }
    code = ab_extents_init(&heap->extents, config->pages, config->block_bytes, config->huge);
    if (code != 0) {
        ab_place_free(&heap->place);
        return code;
    }
    ab_block_pool_init(&heap->pool, &heap->extents, SIZE_MAX);
    ab_scope_init(&heap->scope, has_pool ? &ab_block_pool_source : &ab_extents_source,
                  has_pool ? (void *)&heap->pool : (void *)&heap->extents,
                  heap->extents.block_bytes);
    *out = (ab_heap *)heap;
    return 0;
}

static inline int region_heap_open_with_pool(const ab_backend_config *config, ab_heap **out)
{
    return region_heap_open(config, true, out);
}

static AB_ALWAYS_INLINE void *region_heap_alloc(ab_heap *heap, size_t bytes)
{
    return ab_scope_alloc(&((region_heap *)heap)->scope, bytes);
}

static AB_ALWAYS_INLINE void region_heap_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap, (void)p, (void)bytes;
}

/* The end of the scope: its blocks go back to where they came from. */
static inline void region_heap_reset(ab_heap *heap)
{
    ab_scope_end(&((region_heap *)heap)->scope);
}

static inline void region_heap_close(ab_heap *heap)
{
    region_heap *self = (region_heap *)heap;

    ab_scope_end(&self->scope);
    ab_block_pool_clear(&self->pool);
    ab_extents_close(&self->extents);
    ab_place_free(&self->place);
}

static inline void region_heap_stats(const ab_heap *heap, ab_backend_stats *out)
{
    const ab_extents *extents = &((const region_heap *)heap)->extents;

    ab_backend_stat(out, "blocks_peak", extents->peak_live);
    ab_backend_stat(out, "extents", extents->extent_count);
}

static inline const char *region_heap_check(const ab_heap *heap)
{
    const region_heap *self = (const region_heap *)heap;
    const char *broken = ab_scope_check(&self->scope);

    return broken != NULL ? broken : ab_block_pool_check(&self->pool);
}

/* The members of the three tables that are alike. */
#define REGION_HEAP_TABLE                                                                          \
    .abi = AB_BACKEND_ABI,                                                                         \
    .can = AB_BACKEND_RESETS | AB_BACKEND_ANY_SIZE | AB_BACKEND_HONOURS_HUGE,                      \
    .max_object_bytes = SIZE_MAX, .typical_ns = 2, .alignment = AB_BLOCK_ALIGN,                    \
    .alloc = region_heap_alloc, .free = region_heap_free, .close = region_heap_close,              \
    .stats = region_heap_stats, .check = region_heap_check

#endif
