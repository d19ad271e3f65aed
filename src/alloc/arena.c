/* SPDX-License-Identifier: MIT
 *
 * The arena's growth, its ways back and its invariant checker. The committed prefix grows by a
 * quarter of what is in use, within limits, and is faulted in by the same step, since one call for
 * many pages costs a fraction of a fault per page. The page layer owns nothing here: the
 * reservation is the arena's until close.
 */
#include "allocbench/arena.h"

#include <stdint.h>

enum { STEP_LEAST_BYTES = 64 * 1024, STEP_MOST_BYTES = 1024 * 1024 };

int ab_arena_init(ab_arena *arena, ab_pages *pages, size_t reserve_bytes)
{
    size_t page = pages->info.page_bytes;

    *arena = (ab_arena){.pages = pages};
    if (reserve_bytes == 0 || reserve_bytes > SIZE_MAX - (page - 1)) {
        return ab_invalid_code();
    }
    int code = ab_pages_reserve(pages, (reserve_bytes + page - 1) / page * page, &arena->region);
    if (code == 0) {
        arena->base = arena->top = arena->limit = arena->region.base;
    }
    return code;
}

int ab_arena_close(ab_arena *arena)
{
    if (arena->base == NULL) {
        return 0;
    }
    AB_UNPOISON(arena->base, (size_t)(arena->limit - arena->base));
    int code = ab_pages_release(arena->pages, &arena->region);
    if (code == 0) {
        *arena = (ab_arena){.pages = arena->pages};
    }
    return code;
}

static void drop_to(ab_arena *arena, char *top)
{
    size_t used = ab_arena_mark(arena);

    arena->peak_bytes = used > arena->peak_bytes ? used : arena->peak_bytes;
    AB_POISON(top, (size_t)(arena->top - top));
    arena->top = top;
}

void ab_arena_reset(ab_arena *arena)
{
    drop_to(arena, arena->base);
}

int ab_arena_reset_decommit(ab_arena *arena)
{
    size_t committed = (size_t)(arena->limit - arena->base);

    drop_to(arena, arena->base);
    if (committed == 0) {
        return 0;
    }
    int code = ab_pages_decommit(arena->pages, &arena->region, 0, committed);
    if (code == 0) {
        AB_UNPOISON(arena->base, committed);
        arena->limit = arena->base;
    }
    return code;
}

int ab_arena_rewind(ab_arena *arena, size_t mark_bytes)
{
    if (mark_bytes > ab_arena_mark(arena) || mark_bytes % AB_ARENA_ALIGN != 0) {
        return ab_invalid_code();
    }
    drop_to(arena, arena->base + mark_bytes);
    return 0;
}

/* Commits what is missing for the object, and the step beyond it when there is room for that. */
static int commit_more(ab_arena *arena, size_t missing)
{
    size_t page = arena->pages->info.page_bytes;
    size_t committed = (size_t)(arena->limit - arena->base);
    size_t left = arena->region.bytes - committed;
    size_t step = ab_arena_mark(arena) / 4;

    missing = (missing + page - 1) / page * page;
    step = step < STEP_LEAST_BYTES ? STEP_LEAST_BYTES : step;
    step = step > STEP_MOST_BYTES ? STEP_MOST_BYTES : step;
    step = (step + page - 1) / page * page;
    step = step < missing ? missing : step;
    step = step > left ? left : step;

    int code = ab_pages_commit(arena->pages, &arena->region, committed, step);
    if (code != 0 && step > missing) {
        step = missing;
        code = ab_pages_commit(arena->pages, &arena->region, committed, step);
    }
    if (code != 0) {
        return code;
    }
    if ((arena->pages->info.can & AB_PAGES_CAN_POPULATE) != 0) {
        /* A hint: pages that are not faulted in now are when they are touched. */
        (void)ab_pages_populate(arena->pages, &arena->region, committed, step);
    }
    AB_POISON(arena->limit, step);
    arena->limit += step;
    return 0;
}

void *ab_arena_extend(ab_arena *arena, size_t bytes)
{
    size_t room = (size_t)(arena->limit - arena->top);
    size_t left = arena->region.bytes - ab_arena_mark(arena);

    if (bytes == 0 || bytes > left) {
        return NULL;
    }
    /* left is a multiple of the alignment, so that rounding cannot exceed it. */
    size_t rounded = (bytes + AB_ARENA_ALIGN - 1) / AB_ARENA_ALIGN * AB_ARENA_ALIGN;
    if (rounded > room && commit_more(arena, rounded - room) != 0) {
        return NULL;
    }
    return ab_arena_alloc(arena, bytes);
}

const char *ab_arena_check(const ab_arena *arena)
{
    if (arena->base == NULL) {
        return arena->top == NULL && arena->limit == NULL ? NULL
                                                          : "arena: in use without a reservation";
    }
    size_t used = (size_t)(arena->top - arena->base);
    size_t committed = (size_t)(arena->limit - arena->base);
    if (arena->base != (char *)arena->region.base) {
        return "arena: does not begin where its reservation does";
    }
    if (committed > arena->region.bytes || committed % arena->pages->info.page_bytes != 0) {
        return "arena: the limit is no page of the reservation";
    }
    if (committed > arena->region.prefix_bytes) {
        return "arena: not committed up to its limit";
    }
    if (used > committed) {
        return "arena: objects beyond the limit";
    }
    if (used % AB_ARENA_ALIGN != 0) {
        return "arena: the next object would not be aligned";
    }
    return NULL;
}
