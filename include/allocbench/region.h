/* SPDX-License-Identifier: MIT
 *
 * A region: objects are bumped off blocks and die together at its end, after the cleanup functions
 * that were registered with them, the last one first. One implementation serves `autofree` (blocks
 * straight from extents), `scope` (a block pool of its own) and `scope-shared` (a pool that
 * outlives it): they differ in the source of blocks alone. Memory belongs to the source.
 *
 * After winx AutoFreeAlloc and ScopeAlloc (xushiwei, 2008): chained blocks, bumped downward. They
 * do not align; here every object is aligned for max_align_t.
 */
#ifndef ALLOCBENCH_REGION_H
#define ALLOCBENCH_REGION_H

#include "allocbench/block_pool.h"
#include "allocbench/compiler.h"
#include "allocbench/poison.h"

/* Stands before an object that has a cleanup function. */
typedef struct ab_cleanup ab_cleanup;
struct ab_cleanup {
    ab_cleanup *older;
    void (*run)(void *object);
};
#define AB_CLEANUP_BYTES AB_BLOCK_ROUND_UP(sizeof(ab_cleanup))

typedef struct ab_scope {
    char *begin;      /* [begin, end) is free room of the newest block */
    char *end;        /* the next object ends here */
    ab_block *newest; /* the active one; the others follow by previous */
    size_t block_count;
    ab_cleanup *cleanups; /* the last registered one first */
    const ab_block_source *source;
    void *source_self;
    size_t block_bytes;
} ab_scope;

/* An empty scope; takes no memory. block_bytes is the source's (ab_extents.block_bytes); the source
 * outlives the scope. */
void ab_scope_init(ab_scope *scope, const ab_block_source *source, void *source_self,
                   size_t block_bytes);
/* Runs the cleanups (which must not use the scope), gives all blocks back and leaves the scope
 * empty, ready for use. */
void ab_scope_end(ab_scope *scope);
/* As ab_scope_alloc, and run(object) is called at the end of the scope. */
void *ab_scope_alloc_cleanup(ab_scope *scope, size_t bytes, void (*run)(void *object));
/* Walks the invariants: NULL when sound, else what is broken. */
const char *ab_scope_check(const ab_scope *scope);

AB_COLD void *ab_scope_alloc_slow(ab_scope *scope, size_t bytes);

/* An object of any size, 0 included, valid until the end of the scope; its contents are
 * undetermined. NULL when memory has run out; the scope stays usable. */
static AB_ALWAYS_INLINE void *ab_scope_alloc(ab_scope *scope, size_t bytes)
{
    size_t need = AB_BLOCK_ROUND_UP(bytes);

    /* need is 0 for no bytes and where the rounding wraps; less 1 it is above any room. */
    if (AB_UNLIKELY(need - 1 >= (size_t)(scope->end - scope->begin))) {
        return ab_scope_alloc_slow(scope, bytes);
    }
    char *object = scope->end - need;
    scope->end = object;
    AB_UNPOISON(object, bytes);
    return object;
}

#endif
