/* SPDX-License-Identifier: MIT
 *
 * Backend `scope-shared`: a region over a block pool that outlives it. Everything is as in `scope`,
 * except that the end of the scope leaves the blocks in the pool, where the next scope finds them,
 * the last one on top.
 */
#ifndef AB_BACKEND_SCOPE_SHARED_H
#define AB_BACKEND_SCOPE_SHARED_H

#include "backends/scope.h"

static AB_ALWAYS_INLINE void *scope_shared_backend_alloc(ab_heap *heap, size_t bytes)
{
    return ab_scope_alloc(&((scope_heap *)heap)->scope, bytes);
}

static AB_ALWAYS_INLINE void scope_shared_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap, (void)p, (void)bytes;
}

static void scope_shared_backend_reset(ab_heap *heap)
{
    ab_scope_end(&((scope_heap *)heap)->scope);
}

static const ab_backend scope_shared_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_RESETS | AB_BACKEND_ANY_SIZE | AB_BACKEND_HONOURS_HUGE,
    .name = "scope-shared",
    .summary = "region over a block pool that outlives it",
    .max_object_bytes = SIZE_MAX,
    .typical_ns = 2,
    .alignment = AB_BLOCK_ALIGN,
    .open = scope_backend_open,
    .alloc = scope_shared_backend_alloc,
    .free = scope_shared_backend_free,
    .reset = scope_shared_backend_reset,
    .close = scope_backend_close,
    .stats = scope_backend_stats,
    .check = scope_backend_check,
};

#endif
