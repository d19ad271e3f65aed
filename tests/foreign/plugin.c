/* SPDX-License-Identifier: MIT
 *
 * Plug-ins whose table is what PLUGIN_TABLE says: CMake makes one library of each.
 */
#include "allocbench/backend.h"

enum { ROOM = 1 << 26, ALIGNMENT = 16 };

static _Alignas(64) unsigned char room[ROOM];
static size_t used;

static int open_heap(const ab_backend_config *config, ab_heap **out)
{
    (void)config;
    used = 0;
    *out = (ab_heap *)(void *)room;
    return 0;
}

static void *bump(ab_heap *heap, size_t bytes)
{
    size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

    (void)heap;
    if (whole > ROOM - used) {
        return NULL;
    }
    used += whole;
    return room + used - whole;
}

static void free_nothing(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap, (void)p, (void)bytes;
}

static void reset(ab_heap *heap)
{
    (void)heap;
    used = 0;
}

static void close_heap(ab_heap *heap)
{
    (void)heap;
}

static void too_many_figures(const ab_heap *heap, ab_backend_stats *out)
{
    (void)heap;
    out->count = 1000;
}

static void odd_figure(const ab_heap *heap, ab_backend_stats *out)
{
    (void)heap;
    ab_backend_stat(out, "a figure; of two=halves", 1);
}

/* Each library names one of them at most. */
void (*const unused[])(const ab_heap *, ab_backend_stats *) = {too_many_figures, odd_figure};

#define SOUND                                                                                      \
    .abi = AB_BACKEND_ABI, .can = AB_BACKEND_RESETS | AB_BACKEND_ANY_SIZE, .name = "region",       \
    .summary = "a block that is dropped as a whole", .max_object_bytes = 4096,                     \
    .alignment = ALIGNMENT, .open = open_heap, .alloc = bump, .free = free_nothing,                \
    .reset = reset, .close = close_heap

/* Later initialisers of a field replace those of SOUND. */
#pragma GCC diagnostic ignored "-Woverride-init"
static const ab_backend backend = {SOUND, PLUGIN_TABLE};

AB_EXPORT const ab_backend *allocbench_backend(void)
{
    return &backend;
}
