/* SPDX-License-Identifier: MIT
 *
 * Backend `winheap`: HeapAlloc on the process heap of Windows, without the C library in between. A
 * heap cannot be opened elsewhere. There is one per process, so nothing is closed.
 */
#ifndef AB_BACKENDS_WINHEAP_H
#define AB_BACKENDS_WINHEAP_H

#include "os/raw_heap.h"

#include "allocbench/backend.h"

static int winheap_backend_open(const ab_backend_config *config, ab_heap **out)
{
    const int missing = 1; /* any code: the plan refuses an absent backend before this */

    (void)config;
    *out = ab_raw_heap_handle();
    return *out == NULL ? missing : 0;
}

static AB_ALWAYS_INLINE void *winheap_backend_alloc(ab_heap *heap, size_t bytes)
{
    return ab_raw_heap_alloc(heap, bytes);
}

static AB_ALWAYS_INLINE void winheap_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)bytes;
    ab_raw_heap_free(heap, p);
}

static void winheap_backend_reset(ab_heap *heap)
{
    (void)heap;
}

static void winheap_backend_close(ab_heap *heap)
{
    (void)heap;
}

static const ab_backend winheap_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_FREES_ONE | AB_BACKEND_ANY_SIZE | AB_BACKEND_THREAD_SAFE |
           AB_BACKEND_SHARED_HEAP | (AB_RAW_HAS_PROCESS_HEAP ? 0 : AB_BACKEND_ABSENT),
    .name = "winheap",
    .summary = "HeapAlloc on the process heap of Windows",
    .max_object_bytes = SIZE_MAX,
    .typical_ns = 60,
    .alignment = 2 * sizeof(void *),
    .open = winheap_backend_open,
    .alloc = winheap_backend_alloc,
    .free = winheap_backend_free,
    .reset = winheap_backend_reset,
    .close = winheap_backend_close,
};

#endif
