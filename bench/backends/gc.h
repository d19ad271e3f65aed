/* SPDX-License-Identifier: MIT
 *
 * Backend `gc`: a generational copying collector whose roots are the scenario's slots, for the
 * managed rows of `churn`. free does nothing: overwriting the slot is the free. Objects have the
 * 12-byte header of a 32-bit int[n], and their payload is aligned to 4.
 */
#ifndef AB_BACKEND_GC_H
#define AB_BACKEND_GC_H

#include "backends/place.h"

#include "allocbench/backend.h"
#include "allocbench/gc.h"

typedef struct gc_heap {
    ab_place place;
    ab_gc gc;
} gc_heap;

/* Address space for twice the live objects, more than any budget; at most a quarter of all. */
static size_t gc_backend_old_bytes(const ab_backend_config *config)
{
    const size_t slack = 4u << 20, most = SIZE_MAX / 4;

    if (config->object_bytes >= AB_GC_LARGE_BYTES) {
        return slack;
    }
    uint64_t object_bytes = (config->object_bytes + sizeof(ab_gc_header) + AB_GC_ALIGN) * 2;
    return config->live_objects > (most - slack) / object_bytes
               ? most
               : (size_t)(config->live_objects * object_bytes) + slack;
}

static int gc_backend_open(const ab_backend_config *config, ab_heap **out)
{
    gc_heap *heap;
    int code = ab_place_make(config->pages, sizeof *heap, (void **)&heap);

    *out = NULL;
    if (code != 0) {
        return code;
    }
    code = ab_gc_init(&heap->gc, config->pages, config->slots, config->slot_count,
                      config->nursery_bytes, gc_backend_old_bytes(config));
    if (code != 0) {
        ab_place_free(&heap->place);
        return code;
    }
    *out = (ab_heap *)heap;
    return 0;
}

static AB_ALWAYS_INLINE void *gc_backend_alloc(ab_heap *heap, size_t bytes)
{
    return ab_gc_alloc(&((gc_heap *)heap)->gc, bytes);
}

static AB_ALWAYS_INLINE void gc_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap, (void)p, (void)bytes;
}

static void gc_backend_reset(ab_heap *heap)
{
    (void)heap;
}

static void gc_backend_close(ab_heap *heap)
{
    gc_heap *self = (gc_heap *)heap;

    ab_gc_close(&self->gc);
    ab_place_free(&self->place);
}

static void gc_backend_stats(const ab_heap *heap, ab_backend_stats *out)
{
    const ab_gc *gc = &((const gc_heap *)heap)->gc;

    ab_backend_stat(out, "gcs", gc->gcs);
    ab_backend_stat(out, "gcs_full", gc->gcs_full);
    ab_backend_stat(out, "bytes_zeroed", gc->bytes_zeroed);
    ab_backend_stat(out, "bytes_copied", gc->bytes_copied);
}

/* The walk uses the objects' marks and leaves them as they were. */
static const char *gc_backend_check(const ab_heap *heap)
{
    gc_heap *self = (gc_heap *)(uintptr_t)heap;

    return ab_gc_check(&self->gc);
}

static const ab_backend gc_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_COLLECTS | AB_BACKEND_ANY_SIZE,
    .name = "gc",
    .summary = "generational copying collector, in the manner of .NET",
    .max_object_bytes = AB_GC_OBJECT_BYTES_MAX,
    .typical_ns = 10,
    .typical_bytes_per_ns = 140000,
    .alignment = AB_GC_ALIGN,
    .open = gc_backend_open,
    .alloc = gc_backend_alloc,
    .free = gc_backend_free,
    .reset = gc_backend_reset,
    .close = gc_backend_close,
    .stats = gc_backend_stats,
    .check = gc_backend_check,
};

#endif
