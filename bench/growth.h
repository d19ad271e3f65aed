/* SPDX-License-Identifier: MIT
 *
 * The ways to grow a region that never loses its contents, in small steps: which pages a step
 * submits, and through which call. A strategy is a const table, and growth_resize a template over
 * it, so that a loop over steps holds no indirect call. Invariant: [0, bytes) is readable and
 * writable and keeps what was written; a step that fails changes nothing. A growth owns its memory
 * from growth_begin to growth_end.
 */
#ifndef AB_BENCH_GROWTH_H
#define AB_BENCH_GROWTH_H

#include "allocbench/compiler.h"
#include "allocbench/pages.h"
#include "os/raw_nt.h"
#include "os/raw_pages.h"

#include <errno.h>
#include <stdlib.h>

typedef struct growth {
    ab_pages *pages;
    ab_region region; /* of strategies over the page layer */
    void *base;
    size_t total_bytes; /* it will not grow beyond; a page multiple */
    size_t page_mask;
    size_t bytes;         /* grown to */
    size_t ready_bytes;   /* [0, ready) is accessible; >= bytes */
    uint64_t calls;       /* that made memory accessible */
    uint64_t pages_named; /* in those calls */
} growth;

typedef enum growth_reach {
    GROWTH_DELTA,   /* a step submits the pages that it adds */
    GROWTH_WHOLE,   /* ... all pages from the start, whether it adds any or not */
    GROWTH_DOUBLE,  /* ... as many pages as there are already */
    GROWTH_NOTHING, /* begin has made everything accessible */
    GROWTH_MOVES    /* resize is the strategy's own and may move the contents */
} growth_reach;

typedef struct growth_strategy {
    const char *name, *summary;
    growth_reach reach;
    bool is_layer;    /* over the page layer, which then counts */
    bool walks_pages; /* every submitted page costs time, even one that is there */
    bool is_heap;     /* its memory is the C library's: no pages of its own */
    int (*begin)(growth *g);
    int (*commit)(growth *g, size_t offset, size_t bytes);
    int (*decommit)(growth *g, size_t offset, size_t bytes);
    int (*resize)(growth *g, size_t bytes); /* GROWTH_MOVES */
    void (*end)(growth *g);
    const char *(*lack)(void); /* why it cannot be had on this system; NULL: it can */
} growth_strategy;

/* --- calls --- */

static AB_ALWAYS_INLINE void growth_count(growth *g, size_t bytes)
{
    g->calls++;
    g->pages_named += bytes / (g->page_mask + 1);
}

static inline int growth_layer_reserve(growth *g)
{
    int code = ab_pages_reserve(g->pages, g->total_bytes, &g->region);
    g->base = g->region.base;
    return code;
}

static inline int growth_layer_map(growth *g)
{
    int code = ab_pages_map(g->pages, g->total_bytes, &g->region);
    g->base = g->region.base;
    if (code == 0) {
        g->ready_bytes = g->total_bytes;
        growth_count(g, g->total_bytes);
    }
    return code;
}

static AB_ALWAYS_INLINE int growth_layer_commit(growth *g, size_t offset, size_t bytes)
{
    growth_count(g, bytes);
    return ab_pages_commit(g->pages, &g->region, offset, bytes);
}

/* Faults every page in, which is what shows the walk over those that are there in the time. */
static AB_ALWAYS_INLINE int growth_layer_populate(growth *g, size_t offset, size_t bytes)
{
    size_t end = offset + bytes;

    if (end > g->ready_bytes) {
        int code = growth_layer_commit(g, g->ready_bytes, end - g->ready_bytes);
        if (code != 0) {
            return code;
        }
        g->ready_bytes = end;
    }
    growth_count(g, bytes);
    return ab_pages_populate(g->pages, &g->region, offset, bytes);
}

static inline int growth_layer_decommit(growth *g, size_t offset, size_t bytes)
{
    return ab_pages_decommit(g->pages, &g->region, offset, bytes);
}

static inline void growth_layer_end(growth *g)
{
    ab_pages_release(g->pages, &g->region);
}

static inline int growth_raw_reserve(growth *g)
{
    return ab_raw_reserve(g->total_bytes, &g->base);
}

static AB_ALWAYS_INLINE int growth_raw_commit(growth *g, size_t offset, size_t bytes)
{
    growth_count(g, bytes);
    return ab_raw_commit((char *)g->base + offset, bytes);
}

/* Windows decommits in one call; elsewhere the storage goes, then the access. */
static inline int growth_raw_decommit(growth *g, size_t offset, size_t bytes)
{
    int code = ab_raw_decommit((char *)g->base + offset, bytes);

    if (ab_raw_is_absent(code)) {
        code = ab_raw_dontneed((char *)g->base + offset, bytes);
        return code != 0 ? code : ab_raw_protect_none((char *)g->base + offset, bytes);
    }
    return code;
}

static inline void growth_raw_end(growth *g)
{
    ab_raw_release(g->base, g->total_bytes);
}

static AB_ALWAYS_INLINE int growth_nt_commit(growth *g, size_t offset, size_t bytes)
{
    growth_count(g, bytes);
    return ab_raw_nt_commit((char *)g->base + offset, bytes);
}

static inline const char *growth_nt_lack(void)
{
    return ab_raw_nt_find() != 0 ? "NtAllocateVirtualMemory is a call of Windows" : NULL;
}

/* --- contents that move --- */

static inline int growth_nothing(growth *g)
{
    (void)g;
    return 0;
}

/* The pages counted are those that a call adds: it names the old size too. */
static AB_ALWAYS_INLINE int growth_remap_resize(growth *g, size_t bytes)
{
    size_t end = (bytes + g->page_mask) & ~g->page_mask;
    int code;

    if (end == g->ready_bytes) {
        return 0;
    }
    growth_count(g, end > g->ready_bytes ? end - g->ready_bytes : 0);
    code =
        g->base == NULL ? ab_raw_map(end, &g->base) : ab_raw_remap(&g->base, g->ready_bytes, end);
    if (code == 0) {
        g->ready_bytes = end;
    }
    return code;
}

static inline void growth_remap_end(growth *g)
{
    if (g->base != NULL) {
        ab_raw_release(g->base, g->ready_bytes);
    }
}

static inline const char *growth_remap_lack(void)
{
    void *base = NULL;

    return ab_raw_is_absent(ab_raw_remap(&base, 0, 0)) ? "mremap is a call of Linux" : NULL;
}

static AB_ALWAYS_INLINE int growth_heap_resize(growth *g, size_t bytes)
{
    void *moved = realloc(g->base, bytes);

    g->calls++;
    if (moved == NULL) {
        return ENOMEM; /* of C, on every system */
    }
    g->base = moved;
    g->ready_bytes = bytes;
    return 0;
}

static inline void growth_heap_end(growth *g)
{
    free(g->base);
}

static inline const char *growth_lacks_nothing(void)
{
    return NULL;
}

/* --- the strategies: GROWTH_STRATEGY(id, name, summary, members...) --- */

#define GROWTH_LAYER                                                                               \
    .is_layer = true, .decommit = growth_layer_decommit, .end = growth_layer_end,                  \
    .lack = growth_lacks_nothing
#define GROWTH_STRATEGIES                                                                          \
    GROWTH_STRATEGY(os_delta, "os-delta", "bare OS calls: commit what a step adds",                \
                    .reach = GROWTH_DELTA, .begin = growth_raw_reserve,                            \
                    .commit = growth_raw_commit, .decommit = growth_raw_decommit,                  \
                    .end = growth_raw_end, .lack = growth_lacks_nothing)                           \
    GROWTH_STRATEGY(delta, "delta", "commit what a step adds", .reach = GROWTH_DELTA,              \
                    .begin = growth_layer_reserve, .commit = growth_layer_commit, GROWTH_LAYER)    \
    GROWTH_STRATEGY(whole, "whole", "commit everything from the start at every step",              \
                    .reach = GROWTH_WHOLE, .begin = growth_layer_reserve,                          \
                    .commit = growth_layer_commit, GROWTH_LAYER)                                   \
    GROWTH_STRATEGY(doubling, "double", "commit twice as much when it does not suffice",           \
                    .reach = GROWTH_DOUBLE, .begin = growth_layer_reserve,                         \
                    .commit = growth_layer_commit, GROWTH_LAYER)                                   \
    GROWTH_STRATEGY(upfront, "upfront", "commit all of it before the first step",                  \
                    .reach = GROWTH_NOTHING, .begin = growth_layer_map, GROWTH_LAYER)              \
    GROWTH_STRATEGY(populate_whole, "populate-whole",                                              \
                    "fault everything in from the start at every step", .reach = GROWTH_WHOLE,     \
                    .walks_pages = true, .begin = growth_layer_reserve,                            \
                    .commit = growth_layer_populate, GROWTH_LAYER)                                 \
    GROWTH_STRATEGY(heap, "realloc", "realloc of the C library", .reach = GROWTH_MOVES,            \
                    .is_heap = true, .begin = growth_nothing, .resize = growth_heap_resize,        \
                    .end = growth_heap_end, .lack = growth_lacks_nothing)                          \
    GROWTH_STRATEGY(remap, "remap", "mremap of a mapping, which may move", .reach = GROWTH_MOVES,  \
                    .begin = growth_nothing, .resize = growth_remap_resize,                        \
                    .end = growth_remap_end, .lack = growth_remap_lack)                            \
    GROWTH_STRATEGY(nt_delta, "nt-delta", "as delta, by NtAllocateVirtualMemory",                  \
                    .reach = GROWTH_DELTA, .begin = growth_raw_reserve,                            \
                    .commit = growth_nt_commit, .decommit = growth_raw_decommit,                   \
                    .end = growth_raw_end, .lack = growth_nt_lack)                                 \
    GROWTH_STRATEGY(nt_whole, "nt-whole", "as whole, by NtAllocateVirtualMemory",                  \
                    .reach = GROWTH_WHOLE, .begin = growth_raw_reserve,                            \
                    .commit = growth_nt_commit, .decommit = growth_raw_decommit,                   \
                    .end = growth_raw_end, .lack = growth_nt_lack)

#define GROWTH_STRATEGY(id, name_, summary_, ...)                                                  \
    static const growth_strategy growth_##id = {.name = name_, .summary = summary_, __VA_ARGS__};
GROWTH_STRATEGIES
#undef GROWTH_STRATEGY

/* --- the template --- */

static AB_ALWAYS_INLINE int growth_begin(const growth_strategy *const s, ab_pages *pages,
                                         size_t total_bytes, growth *g)
{
    size_t mask = pages->info.page_bytes - 1;

    *g = (growth){.pages = pages, .page_mask = mask};
    g->total_bytes = (total_bytes + mask) & ~mask;
    return s->begin(g);
}

static AB_ALWAYS_INLINE int growth_submit(const growth_strategy *const s, growth *g, size_t begin,
                                          size_t end)
{
    int code = s->commit(g, begin, end - begin);

    if (AB_LIKELY(code == 0)) {
        g->ready_bytes = end;
    }
    return code;
}

/* Grows to `bytes`, above what it has. */
static AB_ALWAYS_INLINE int growth_grow(const growth_strategy *const s, growth *g, size_t bytes)
{
    size_t end = (bytes + g->page_mask) & ~g->page_mask;
    size_t doubled = 2 * g->ready_bytes;
    int code = 0;

    switch (s->reach) {
    case GROWTH_NOTHING:
        break;
    case GROWTH_DELTA:
        code = end > g->ready_bytes ? growth_submit(s, g, g->ready_bytes, end) : 0;
        break;
    case GROWTH_DOUBLE:
        if (end > g->ready_bytes) {
            doubled = doubled < g->total_bytes ? doubled : g->total_bytes;
            code = growth_submit(s, g, g->ready_bytes, end > doubled ? end : doubled);
        }
        break;
    case GROWTH_WHOLE:
        code = growth_submit(s, g, 0, end);
        break;
    case GROWTH_MOVES:
        code = s->resize(g, bytes);
        break;
    }
    if (AB_LIKELY(code == 0)) {
        g->bytes = bytes;
    }
    return code;
}

/* Shrinks to `bytes`, below what it has and above 0. */
static inline int growth_shrink(const growth_strategy *s, growth *g, size_t bytes)
{
    size_t end = (bytes + g->page_mask) & ~g->page_mask;
    int code = 0;

    if (s->reach == GROWTH_MOVES) {
        code = s->resize(g, bytes);
    } else if (s->reach != GROWTH_NOTHING && end < g->ready_bytes) {
        code = s->decommit(g, end, g->ready_bytes - end);
        g->ready_bytes = code == 0 ? end : g->ready_bytes;
    }
    g->bytes = code == 0 ? bytes : g->bytes;
    return code;
}

/* After growth_begin alone that succeeded. */
static AB_ALWAYS_INLINE void growth_end(const growth_strategy *const s, growth *g)
{
    s->end(g);
    g->base = NULL;
}

#endif
