/* SPDX-License-Identifier: MIT
 *
 * Backend `scope`: a region over a block pool of its own. Reset is the end of the scope together
 * with its pool, whose blocks go back to the extents; the extents are the heap's and are kept until
 * close, so that no block costs a mapping.
 */
#ifndef AB_BACKEND_SCOPE_H
#define AB_BACKEND_SCOPE_H

#include "backends/place.h"

#include "allocbench/backend.h"
#include "allocbench/region.h"

typedef struct scope_heap {
    ab_place place;
    ab_extents extents;
    ab_block_pool pool;
    ab_scope scope;
} scope_heap;

static int scope_backend_open(const ab_backend_config *config, ab_heap **out)
{
    scope_heap *heap;
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
    ab_scope_init(&heap->scope, &ab_block_pool_source, &heap->pool, heap->extents.block_bytes);
    *out = (ab_heap *)heap;
    return 0;
}

static AB_ALWAYS_INLINE void *scope_backend_alloc(ab_heap *heap, size_t bytes)
{
    return ab_scope_alloc(&((scope_heap *)heap)->scope, bytes);
}

static AB_ALWAYS_INLINE void scope_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap, (void)p, (void)bytes;
}

static void scope_backend_reset(ab_heap *heap)
{
    ab_scope_end(&((scope_heap *)heap)->scope);
    ab_block_pool_clear(&((scope_heap *)heap)->pool);
}

static void scope_backend_close(ab_heap *heap)
{
    scope_heap *self = (scope_heap *)heap;

    ab_scope_end(&self->scope);
    ab_block_pool_clear(&self->pool);
    ab_extents_close(&self->extents);
    ab_place_free(&self->place);
}

static void scope_backend_stats(const ab_heap *heap, ab_backend_stats *out)
{
    const ab_extents *extents = &((const scope_heap *)heap)->extents;

    ab_backend_stat(out, "blocks_peak", extents->peak_live);
    ab_backend_stat(out, "extents", extents->extent_count);
}

static const char *scope_backend_check(const ab_heap *heap)
{
    const scope_heap *self = (const scope_heap *)heap;
    const char *broken = ab_scope_check(&self->scope);

    return broken != NULL ? broken : ab_block_pool_check(&self->pool);
}

static const ab_backend scope_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_RESETS | AB_BACKEND_ANY_SIZE | AB_BACKEND_HONOURS_HUGE,
    .name = "scope",
    .summary = "region over a block pool of its own, dropped as a whole",
    .max_object_bytes = SIZE_MAX,
    .typical_ns = 2,
    .alignment = AB_BLOCK_ALIGN,
    .open = scope_backend_open,
    .alloc = scope_backend_alloc,
    .free = scope_backend_free,
    .reset = scope_backend_reset,
    .close = scope_backend_close,
    .stats = scope_backend_stats,
    .check = scope_backend_check,
};

#endif
