/* SPDX-License-Identifier: MIT
 *
 * Backend `malloc`: the C library's heap, or whatever was preloaded in its place. There is one heap
 * per process, so nothing is opened and nothing closed.
 */
#ifndef AB_BACKENDS_MALLOC_H
#define AB_BACKENDS_MALLOC_H

#include "allocbench/backend.h"

#include <stdlib.h>

static int malloc_backend_open(const ab_backend_config *config, ab_heap **out)
{
    *out = (ab_heap *)config->pages; /* any pointer but NULL: it is not used */
    return 0;
}

static AB_ALWAYS_INLINE void *malloc_backend_alloc(ab_heap *heap, size_t bytes)
{
    (void)heap;
    return malloc(bytes);
}

static AB_ALWAYS_INLINE void malloc_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap;
    (void)bytes;
    free(p);
}

static void malloc_backend_reset(ab_heap *heap)
{
    (void)heap;
}

static void malloc_backend_close(ab_heap *heap)
{
    (void)heap;
}

static const ab_backend malloc_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_FREES_ONE | AB_BACKEND_ANY_SIZE | AB_BACKEND_THREAD_SAFE |
           AB_BACKEND_SHARED_HEAP | AB_BACKEND_MALLOC_ALIGNS,
    .name = "malloc",
    .summary = "the C library's heap",
    .max_object_bytes = SIZE_MAX,
    .typical_ns = 15,
    .typical_bytes_per_ns = 1400000,
    .alignment = 2 * sizeof(void *),
    .open = malloc_backend_open,
    .alloc = malloc_backend_alloc,
    .free = malloc_backend_free,
    .reset = malloc_backend_reset,
    .close = malloc_backend_close,
};

#endif
