/* SPDX-License-Identifier: MIT
 *
 * Backend `autofree`: a region that takes its blocks straight from extents of the page layer and
 * gives all of them back at reset. The extents are kept until close.
 */
#ifndef AB_BACKEND_AUTOFREE_H
#define AB_BACKEND_AUTOFREE_H

#include "backends/place.h"

#include "allocbench/backend.h"
#include "allocbench/region.h"

typedef struct autofree_heap {
    ab_place place;
    ab_extents extents;
    ab_scope scope;
} autofree_heap;

static int autofree_backend_open(const ab_backend_config *config, ab_heap **out)
{
    autofree_heap *heap;
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
    ab_scope_init(&heap->scope, &ab_extents_source, &heap->extents, heap->extents.block_bytes);
    *out = (ab_heap *)heap;
    return 0;
}

static AB_ALWAYS_INLINE void *autofree_backend_alloc(ab_heap *heap, size_t bytes)
{
    return ab_scope_alloc(&((autofree_heap *)heap)->scope, bytes);
}

static AB_ALWAYS_INLINE void autofree_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap, (void)p, (void)bytes;
}

static void autofree_backend_reset(ab_heap *heap)
{
    ab_scope_end(&((autofree_heap *)heap)->scope);
}

static void autofree_backend_close(ab_heap *heap)
{
    autofree_heap *self = (autofree_heap *)heap;

    ab_scope_end(&self->scope);
    ab_extents_close(&self->extents);
    ab_place_free(&self->place);
}

static void autofree_backend_stats(const ab_heap *heap, ab_backend_stats *out)
{
    const ab_extents *extents = &((const autofree_heap *)heap)->extents;

    ab_backend_stat(out, "blocks_peak", extents->peak_live);
    ab_backend_stat(out, "extents", extents->extent_count);
}

static const char *autofree_backend_check(const ab_heap *heap)
{
    const autofree_heap *self = (const autofree_heap *)heap;
    const char *broken = ab_scope_check(&self->scope);

    return broken != NULL ? broken : ab_extents_check(&self->extents);
}

static const ab_backend autofree_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_RESETS | AB_BACKEND_ANY_SIZE | AB_BACKEND_HONOURS_HUGE,
    .name = "autofree",
    .summary = "region with blocks straight from the page layer, freed as a whole",
    .max_object_bytes = SIZE_MAX,
    .typical_ns = 2,
    .alignment = AB_BLOCK_ALIGN,
    .open = autofree_backend_open,
    .alloc = autofree_backend_alloc,
    .free = autofree_backend_free,
    .reset = autofree_backend_reset,
    .close = autofree_backend_close,
    .stats = autofree_backend_stats,
    .check = autofree_backend_check,
};

#endif
