/* SPDX-License-Identifier: MIT
 *
 * An arena: objects are bumped out of one reservation whose committed prefix grows in steps; they
 * go all at once (reset) or back to a mark (rewind), never one by one. Invariant: base <= top <=
 * limit <= end of the reservation, and what lies below limit is committed. The arena owns the
 * reservation until close; the struct is the caller's. Marks are as in the GNU obstack.
 */
#ifndef ALLOCBENCH_ARENA_H
#define ALLOCBENCH_ARENA_H

#include "allocbench/compiler.h"
#include "allocbench/pages.h"
#include "allocbench/poison.h"

#include <stddef.h>

#define AB_ARENA_ALIGN _Alignof(max_align_t)

/* Read-only for users. */
typedef struct ab_arena {
    char *top;   /* the next object */
    char *limit; /* end of what is committed */
    char *base;
    ab_pages *pages;
    ab_region region;
    size_t peak_bytes; /* most bytes in use before a reset or a rewind */
} ab_arena;

/* An empty arena for reserve_bytes (rounded up to pages) of objects, each rounded up to
 * AB_ARENA_ALIGN, on pages, which must outlive it. Reserves address space, commits nothing. 0 or
 * the page layer's code: the one for invalid sizes when reserve_bytes is 0 or too large. */
int ab_arena_init(ab_arena *arena, ab_pages *pages, size_t reserve_bytes);

/* Gives all memory back; every object becomes invalid. 0 or the page layer's code: the arena is
 * then as it was, and close may be called again. */
int ab_arena_close(ab_arena *arena);

/* Drops all objects, keeps the pages for the next ones. */
void ab_arena_reset(ab_arena *arena);

/* Drops all objects and gives the storage back; the reservation stays. 0 or the page layer's code:
 * the objects are gone all the same, the pages are kept. */
int ab_arena_reset_decommit(ab_arena *arena);

/* Drops what was allocated since ab_arena_mark gave that mark; older marks stay valid. 0, or the
 * page layer's code for invalid sizes when nothing so large is in use: nothing has happened then.
 */
int ab_arena_rewind(ab_arena *arena, size_t mark_bytes);

/* The way out of the hot path: commits more and bumps. NULL as in ab_arena_alloc. */
AB_COLD void *ab_arena_extend(ab_arena *arena, size_t bytes);

/* NULL when sound, else what is broken. Takes constant time. */
const char *ab_arena_check(const ab_arena *arena);

/* Bytes in use, to rewind to. */
static AB_ALWAYS_INLINE size_t ab_arena_mark(const ab_arena *arena)
{
    return (size_t)(arena->top - arena->base);
}

/* An object of so many bytes with unspecified contents; NULL when the reservation or the memory is
 * used up, and for 0 bytes. */
static AB_ALWAYS_INLINE void *ab_arena_alloc(ab_arena *arena, size_t bytes)
{
    char *object = arena->top;
    size_t rounded = (bytes + (AB_ARENA_ALIGN - 1)) & ~(size_t)(AB_ARENA_ALIGN - 1);

    /* One test for three cases: 0 bytes and sizes that wrapped around have become 0, less 1 makes
     * them the largest. */
    if (AB_UNLIKELY(rounded - 1 >= (size_t)(arena->limit - object))) {
        return ab_arena_extend(arena, bytes);
    }
    arena->top = object + rounded;
    AB_UNPOISON(object, bytes);
    return object;
}

#endif
