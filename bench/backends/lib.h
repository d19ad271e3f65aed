/* SPDX-License-Identifier: MIT
 *
 * Backend `lib`: malloc and free that a shared library exports, opened by the worker. The heap is
 * the pair of their addresses, so that a call costs exactly one indirect call, the one exception to
 * the rule that kernels hold none.
 */
#ifndef AB_BACKENDS_LIB_H
#define AB_BACKENDS_LIB_H

#include "allocbench/backend.h"

#include <errno.h>

static int lib_backend_open(const ab_backend_config *config, ab_heap **out)
{
    *out = (ab_heap *)(uintptr_t)config->calls;
    return config->calls != NULL ? 0 : EINVAL;
}

static AB_ALWAYS_INLINE void *lib_backend_alloc(ab_heap *heap, size_t bytes)
{
    return ((const ab_lib_calls *)heap)->malloc(bytes);
}

static AB_ALWAYS_INLINE void lib_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)bytes;
    ((const ab_lib_calls *)heap)->free(p);
}

static void lib_backend_reset(ab_heap *heap)
{
    (void)heap;
}

static void lib_backend_close(ab_heap *heap)
{
    (void)heap;
}

static const ab_backend lib_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_FREES_ONE | AB_BACKEND_ANY_SIZE | AB_BACKEND_THREAD_SAFE |
           AB_BACKEND_SHARED_HEAP | AB_BACKEND_MALLOC_ALIGNS,
    .name = "lib",
    .summary = "a shared library: lib:PATH (a plug-in, or malloc and free), lib:PREFIX@PATH",
    .max_object_bytes = SIZE_MAX,
    .typical_ns = 15,
    .typical_bytes_per_ns = 1400000,
    .alignment = 2 * sizeof(void *),
    .open = lib_backend_open,
    .alloc = lib_backend_alloc,
    .free = lib_backend_free,
    .reset = lib_backend_reset,
    .close = lib_backend_close,
};

#endif
