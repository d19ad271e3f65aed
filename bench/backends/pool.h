/* SPDX-License-Identifier: MIT
 *
 * Backend `pool`: the segregated fixed-size pool over the page layer. The heap lives in pages of
 * its own. Static throughout: every scenario file that includes it gets its own inlined copy.
 */
#ifndef AB_BACKENDS_POOL_H
#define AB_BACKENDS_POOL_H

#include "backends/place.h"

#include "allocbench/backend.h"
#include "allocbench/pool.h"

typedef struct pool_heap {
    ab_place place;
    ab_pool pool;
} pool_heap;

static int pool_backend_open(const ab_backend_config *config, ab_heap **out)
{
    pool_heap *heap;
    int code = ab_place_make(config->pages, sizeof *heap, (void **)&heap);

    *out = NULL;
    if (code != 0) {
        return code;
    }
    code = ab_pool_init(&heap->pool, config->pages, config->object_bytes,
                        config->huge ? AB_POOL_HUGE : 0);
    if (code != 0) {
        ab_place_free(&heap->place);
        return code;
    }
    *out = (ab_heap *)heap;
    return 0;
}

static void pool_backend_close(ab_heap *heap)
{
    pool_heap *own = (pool_heap *)heap;

    ab_pool_close(&own->pool);
    ab_place_free(&own->place);
}

static AB_ALWAYS_INLINE void *pool_backend_alloc(ab_heap *heap, size_t bytes)
{
    (void)bytes;
    return ab_pool_alloc(&((pool_heap *)heap)->pool);
}

static AB_ALWAYS_INLINE void pool_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)bytes;
    ab_pool_free(&((pool_heap *)heap)->pool, p);
}

static AB_ALWAYS_INLINE void pool_backend_reset(ab_heap *heap)
{
    (void)heap;
}

static void pool_backend_stats(const ab_heap *heap, ab_backend_stats *out)
{
    const ab_pool *pool = &((const pool_heap *)heap)->pool;

    ab_backend_stat(out, "chunk_bytes", pool->chunk_bytes);
    ab_backend_stat(out, "blocks", pool->block_count);
    ab_backend_stat(out, "block_bytes", pool->block_bytes);
}

static const char *pool_backend_check(const ab_heap *heap)
{
    return ab_pool_check(&((const pool_heap *)heap)->pool);
}

static const ab_backend pool_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_FREES_ONE | AB_BACKEND_HONOURS_HUGE,
    .name = "pool",
    .summary = "fixed-size pool: LIFO list through the free chunks, blocks of doubling size",
    .max_object_bytes = SIZE_MAX,
    .alignment = _Alignof(max_align_t),
    .open = pool_backend_open,
    .alloc = pool_backend_alloc,
    .free = pool_backend_free,
    .reset = pool_backend_reset,
    .close = pool_backend_close,
    .stats = pool_backend_stats,
    .check = pool_backend_check,
};

#endif
