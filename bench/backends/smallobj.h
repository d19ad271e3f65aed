/* SPDX-License-Identifier: MIT
 *
 * Backend `smallobj`: the size-segregated small-object allocator. The heap lives in pages of its
 * own. Static throughout: every scenario file that includes it gets its own inlined copy.
 */
#ifndef AB_BACKENDS_SMALLOBJ_H
#define AB_BACKENDS_SMALLOBJ_H

#include "backends/place.h"

#include "allocbench/backend.h"
#include "allocbench/smallobj.h"

typedef struct smallobj_heap {
    ab_place place;
    ab_smallobj so;
} smallobj_heap;

static int smallobj_backend_open(const ab_backend_config *config, ab_heap **out)
{
    smallobj_heap *heap;
    int code = ab_place_make(config->pages, sizeof *heap, (void **)&heap);

    *out = NULL;
    if (code != 0) {
        return code;
    }
    ab_smallobj_init(&heap->so, config->pages);
    *out = (ab_heap *)heap;
    return 0;
}

static void smallobj_backend_close(ab_heap *heap)
{
    smallobj_heap *own = (smallobj_heap *)heap;

    ab_smallobj_close(&own->so);
    ab_place_free(&own->place);
}

static AB_ALWAYS_INLINE void *smallobj_backend_alloc(ab_heap *heap, size_t bytes)
{
    return ab_smallobj_alloc(&((smallobj_heap *)heap)->so, bytes);
}

static AB_ALWAYS_INLINE void smallobj_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    ab_smallobj_free(&((smallobj_heap *)heap)->so, p, bytes);
}

static AB_ALWAYS_INLINE void smallobj_backend_reset(ab_heap *heap)
{
    (void)heap;
}

static void smallobj_backend_stats(const ab_heap *heap, ab_backend_stats *out)
{
    const ab_smallobj *so = &((const smallobj_heap *)heap)->so;
    uint64_t chunks = 0;

    for (size_t i = 0; i < AB_SMALLOBJ_SIZES; i++) {
        chunks += so->fixed[i].chunk_count;
    }
    ab_backend_stat(out, "chunks", chunks);
    ab_backend_stat(out, "extent_bytes", so->extent_bytes);
}

static const char *smallobj_backend_check(const ab_heap *heap)
{
    return ab_smallobj_check(&((const smallobj_heap *)heap)->so);
}

static const ab_backend smallobj_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_FREES_ONE | AB_BACKEND_ANY_SIZE,
    .name = "smallobj",
    .summary = "small-object allocator by size, byte-index chunks, objects up to 256 bytes",
    .max_object_bytes = AB_SMALLOBJ_MAX_BYTES,
    .typical_bytes_per_ns = AB_SMALLOBJ_CHUNK_BYTES,
    .alignment = _Alignof(max_align_t),
    .open = smallobj_backend_open,
    .alloc = smallobj_backend_alloc,
    .free = smallobj_backend_free,
    .reset = smallobj_backend_reset,
    .close = smallobj_backend_close,
    .stats = smallobj_backend_stats,
    .check = smallobj_backend_check,
};

#endif
