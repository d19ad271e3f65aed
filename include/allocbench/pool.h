/* SPDX-License-Identifier: MIT
 *
 * A segregated fixed-size pool: every chunk has the same size, free chunks form a LIFO list
 * threaded through their first bytes. After the simple segregated storage of S. Cleary
 * (boost::pool): blocks of doubling size, no order kept. Different in the growth: a block is
 * threaded a run at a time, so that growing touches nothing that is not about to be handed out.
 * Invariant: the list holds chunks of the pool's blocks, each once. The pool owns its blocks until
 * close; the struct is the caller's.
 */
#ifndef ALLOCBENCH_POOL_H
#define ALLOCBENCH_POOL_H

#include "allocbench/compiler.h"
#include "allocbench/pages.h"
#include "allocbench/poison.h"

#include <stddef.h>
#include <string.h>

/* Asks for large pages; has an effect where the page layer says AB_PAGES_CAN_HUGE. */
enum { AB_POOL_HUGE = 1u << 0 };

typedef struct ab_pool_block ab_pool_block; /* begins every block */

/* Read-only for users. */
typedef struct ab_pool {
    void *free;         /* first free chunk; each holds the address of the next */
    size_t chunk_bytes; /* distance of chunks: a multiple of the size of a pointer */
    char *fresh;        /* chunks of the newest block from here on were never handed out */
    char *fresh_end;    /* end of the newest block */
    char *resident;     /* the newest block has been faulted in up to here */
    ab_pages *pages;
    ab_pool_block *blocks; /* newest first */
    size_t next_bytes;     /* size of the next block */
    size_t least_bytes;    /* smallest block that is asked for when memory is short */
    size_t block_count;
    size_t block_bytes;     /* sum over all blocks */
    size_t run_chunks;      /* chunks that are threaded at a time */
    size_t run_bytes;       /* from one run to the next: the chunks and a cache line at most */
    size_t threaded_chunks; /* chunks that have been in the free list so far */
    bool is_huge;           /* blocks are aligned for large pages, and those are asked for */
} ab_pool;

/* An empty pool of chunks of at least object_bytes, on pages, which must outlive it. Chunks are
 * aligned to the largest power of two that divides chunk_bytes, at most max_align_t's alignment.
 * options: AB_POOL_*. Takes no memory yet. 0, or the page layer's code for invalid sizes when
 * object_bytes is 0 or too large to be rounded. */
int ab_pool_init(ab_pool *pool, ab_pages *pages, size_t object_bytes, unsigned options);

/* Gives all memory back; every chunk becomes invalid. 0, or the first error of the page layer: what
 * could not be released then stays in the pool, and close may be called again. */
int ab_pool_close(ab_pool *pool);

/* The way out of the hot path: threads a run of fresh chunks, growing if need be, and pops one.
 * NULL when memory has run out; the pool stays usable. */
AB_COLD void *ab_pool_refill(ab_pool *pool);

/* NULL when sound, else what is broken: a double free, a foreign pointer, a torn list. Takes time
 * proportional to the free chunks. */
const char *ab_pool_check(const ab_pool *pool);

/* A chunk with unspecified contents; NULL when memory has run out. */
static AB_ALWAYS_INLINE void *ab_pool_alloc(ab_pool *pool)
{
    void *chunk = pool->free;
    if (AB_UNLIKELY(chunk == NULL)) {
        return ab_pool_refill(pool);
    }
    void *next;
    AB_UNPOISON(chunk, pool->chunk_bytes);
    memcpy(&next, chunk, sizeof next);
    pool->free = next;
    return chunk;
}

/* chunk is one that alloc of this pool gave and that is in use. */
static AB_ALWAYS_INLINE void ab_pool_free(ab_pool *pool, void *chunk)
{
    /* By way of a variable: the compiler then sees that it is what the free before it stored. */
    void *next = pool->free;
    memcpy(chunk, &next, sizeof next);
    pool->free = chunk;
    AB_POISON(chunk, pool->chunk_bytes);
}

#endif
