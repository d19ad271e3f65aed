/* SPDX-License-Identifier: MIT
 *
 * Backend `arena`: bump over one reservation, dropped all at once. The heap lives in pages of its
 * own. Static throughout: every scenario file that includes it gets its own inlined copy.
 */
#ifndef AB_BACKENDS_ARENA_H
#define AB_BACKENDS_ARENA_H

#include "allocbench/arena.h"
#include "backends/place.h"

#include "allocbench/backend.h"

typedef struct arena_heap {
    ab_place place;
    ab_arena arena;
} arena_heap;

/* Address space for all live objects, a page at least; 0 when out of range. */
static size_t arena_backend_reserve_bytes(const ab_backend_config *config)
{
    size_t page = config->pages->info.page_bytes;

    if (config->object_bytes > SIZE_MAX - AB_ARENA_ALIGN) {
        return 0;
    }
    size_t rounded = (config->object_bytes + AB_ARENA_ALIGN - 1) & ~(AB_ARENA_ALIGN - 1);
    if (rounded == 0 || config->live_objects > (SIZE_MAX - page) / rounded) {
        return 0;
    }
    return (size_t)config->live_objects * rounded + page;
}

static int arena_backend_open(const ab_backend_config *config, ab_heap **out)
{
    arena_heap *heap;
    int code = ab_place_make(config->pages, sizeof *heap, (void **)&heap);

    *out = NULL;
    if (code != 0) {
        return code;
    }
    code = ab_arena_init(&heap->arena, config->pages, arena_backend_reserve_bytes(config));
    if (code != 0) {
        ab_place_free(&heap->place);
        return code;
    }
    *out = (ab_heap *)heap;
    return 0;
}

static void arena_backend_close(ab_heap *heap)
{
    arena_heap *own = (arena_heap *)heap;

    ab_arena_close(&own->arena);
    ab_place_free(&own->place);
}

static AB_ALWAYS_INLINE void *arena_backend_alloc(ab_heap *heap, size_t bytes)
{
    return ab_arena_alloc(&((arena_heap *)heap)->arena, bytes);
}

static AB_ALWAYS_INLINE void arena_backend_free(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap;
    (void)p;
    (void)bytes;
}

static AB_ALWAYS_INLINE void arena_backend_reset(ab_heap *heap)
{
    ab_arena_reset(&((arena_heap *)heap)->arena);
}

static void arena_backend_stats(const ab_heap *heap, ab_backend_stats *out)
{
    const ab_arena *arena = &((const arena_heap *)heap)->arena;
    size_t used = ab_arena_mark(arena);

    ab_backend_stat(out, "arena_bytes", arena->region.bytes);
    ab_backend_stat(out, "peak_bytes", used > arena->peak_bytes ? used : arena->peak_bytes);
}

static const char *arena_backend_check(const ab_heap *heap)
{
    return ab_arena_check(&((const arena_heap *)heap)->arena);
}

static const ab_backend arena_backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_RESETS | AB_BACKEND_ANY_SIZE,
    .name = "arena",
    .summary = "bump over one reservation, committed on demand, dropped all at once",
    .max_object_bytes = SIZE_MAX,
    .alignment = AB_ARENA_ALIGN,
    .open = arena_backend_open,
    .alloc = arena_backend_alloc,
    .free = arena_backend_free,
    .reset = arena_backend_reset,
    .close = arena_backend_close,
    .stats = arena_backend_stats,
    .check = arena_backend_check,
};

#endif
