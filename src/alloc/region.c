/* SPDX-License-Identifier: MIT
 *
 * Slow path, end and invariants of a region. Invariant: the active block is the newest of the
 * chain, [begin, end) is its free room, and all objects of it lie between end and the block's end.
 * A block made for one object has no room and never becomes active while another block is.
 */
#include "allocbench/region.h"

#include <stdint.h>

static char *payload(ab_block *block)
{
    return (char *)block + AB_BLOCK_HEADER_BYTES;
}

/* No block and no room, at an address that pointer arithmetic may use. */
static void set_empty(ab_scope *scope)
{
    scope->begin = scope->end = (char *)scope;
    scope->newest = NULL;
    scope->block_count = 0;
    scope->cleanups = NULL;
}

void ab_scope_init(ab_scope *scope, const ab_block_source *source, void *source_self,
                   size_t block_bytes)
{
    *scope = (ab_scope){.source = source, .source_self = source_self, .block_bytes = block_bytes};
    set_empty(scope);
}

void ab_scope_end(ab_scope *scope)
{
    for (ab_cleanup *cleanup = scope->cleanups; cleanup != NULL; cleanup = cleanup->older) {
        cleanup->run((char *)cleanup + AB_CLEANUP_BYTES);
    }
    if (scope->newest != NULL) {
        scope->source->give(scope->source_self, scope->newest, scope->block_count);
    }
    set_empty(scope);
}

/* A block for one object, behind the active one, whose room stays in use. */
static void *alloc_own_block(ab_scope *scope, size_t need)
{
    ab_block *block = scope->source->take(scope->source_self, need + AB_BLOCK_HEADER_BYTES);

    if (block == NULL) {
        return NULL;
    }
    if (scope->newest != NULL) {
        block->previous = scope->newest->previous;
        scope->newest->previous = block;
    } else {
        block->previous = NULL;
        scope->newest = block;
        scope->begin = scope->end = payload(block);
    }
    scope->block_count++;
    return payload(block);
}

void *ab_scope_alloc_slow(ab_scope *scope, size_t bytes)
{
    char *object;

    if (bytes > SIZE_MAX - AB_BLOCK_HEADER_BYTES - AB_BLOCK_ALIGN) {
        return NULL;
    }
    size_t need = bytes == 0 ? AB_BLOCK_ALIGN : AB_BLOCK_ROUND_UP(bytes);
    if (need <= (size_t)(scope->end - scope->begin)) { /* no bytes were asked for */
        object = scope->end -= need;
    } else if (need >= scope->block_bytes - AB_BLOCK_HEADER_BYTES) {
        object = alloc_own_block(scope, need);
        if (object == NULL) {
            return NULL;
        }
    } else {
        ab_block *block = scope->source->take(scope->source_self, scope->block_bytes);
        if (block == NULL) {
            return NULL;
        }
        block->previous = scope->newest;
        scope->newest = block;
        scope->block_count++;
        scope->begin = payload(block);
        object = scope->end = (char *)block + block->bytes - need;
    }
    AB_UNPOISON(object, bytes);
    return object;
}

void *ab_scope_alloc_cleanup(ab_scope *scope, size_t bytes, void (*run)(void *object))
{
    if (bytes > SIZE_MAX - AB_CLEANUP_BYTES) {
        return NULL;
    }
    ab_cleanup *cleanup = ab_scope_alloc(scope, bytes + AB_CLEANUP_BYTES);
    if (cleanup == NULL) {
        return NULL;
    }
    cleanup->older = scope->cleanups;
    cleanup->run = run;
    scope->cleanups = cleanup;
    return (char *)cleanup + AB_CLEANUP_BYTES;
}

static bool holds(const ab_block *block, const void *p)
{
    return (uintptr_t)p - (uintptr_t)block < block->bytes;
}

static const char *check_cleanups(const ab_scope *scope)
{
    for (const ab_cleanup *cleanup = scope->cleanups; cleanup != NULL; cleanup = cleanup->older) {
        const ab_block *block = scope->newest;
        if ((uintptr_t)cleanup % AB_BLOCK_ALIGN != 0) {
            return "a cleanup record is misaligned";
        }
        while (block != NULL && !holds(block, cleanup)) {
            block = block->previous;
        }
        if (block == NULL) {
            return "a cleanup record lies outside the blocks";
        }
    }
    return NULL;
}

const char *ab_scope_check(const ab_scope *scope)
{
    const ab_block *block = scope->newest;
    size_t count = 0;

    if (block == NULL) {
        return scope->begin != scope->end || scope->block_count != 0 || scope->cleanups != NULL
                   ? "a scope without blocks is not empty"
                   : NULL;
    }
    if (scope->begin != (const char *)block + AB_BLOCK_HEADER_BYTES || scope->end < scope->begin ||
        scope->end > (const char *)block + block->bytes) {
        return "the room is not the active block's";
    }
    if ((uintptr_t)scope->end % AB_BLOCK_ALIGN != 0) {
        return "the next object would be misaligned";
    }
    for (; block != NULL && count <= scope->block_count; block = block->previous, count++) {
        if ((uintptr_t)block % AB_BLOCK_ALIGN != 0 || block->bytes % AB_BLOCK_ALIGN != 0) {
            return "a block is misaligned";
        }
        if (block->bytes < scope->block_bytes) {
            return "a block is too small";
        }
    }
    if (count != scope->block_count) {
        return "the chain of blocks has another length";
    }
    return check_cleanups(scope);
}
