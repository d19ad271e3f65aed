/* SPDX-License-Identifier: MIT
 *
 * Bare calls of the process heap of Windows, for benchmarks that measure it without a layer
 * between. AB_RAW_HAS_PROCESS_HEAP is 0 elsewhere; there the calls exist and fail, so that nothing
 * that uses them needs to ask for the platform. Blocks belong to the caller.
 */
#ifndef AB_OS_RAW_HEAP_H
#define AB_OS_RAW_HEAP_H

#include "allocbench/compiler.h"

#include <stddef.h>

#if defined(_WIN32)

#include <windows.h>

#define AB_RAW_HAS_PROCESS_HEAP 1

/* Look it up once, outside the timed loop. */
static AB_ALWAYS_INLINE void *ab_raw_heap_handle(void)
{
    return GetProcessHeap();
}

static AB_ALWAYS_INLINE void *ab_raw_heap_alloc(void *heap, size_t bytes)
{
    return HeapAlloc(heap, 0, bytes);
}

static AB_ALWAYS_INLINE void ab_raw_heap_free(void *heap, void *block)
{
    (void)HeapFree(heap, 0, block);
}

#else

#define AB_RAW_HAS_PROCESS_HEAP 0

static AB_ALWAYS_INLINE void *ab_raw_heap_handle(void)
{
    return NULL;
}

static AB_ALWAYS_INLINE void *ab_raw_heap_alloc(void *heap, size_t bytes)
{
    (void)heap;
    (void)bytes;
    return NULL;
}

static AB_ALWAYS_INLINE void ab_raw_heap_free(void *heap, void *block)
{
    (void)heap;
    (void)block;
}

#endif

#endif
