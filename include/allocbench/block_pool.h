/* SPDX-License-Identifier: MIT
 *
 * Where regions get their blocks. Extents are mappings of the page layer that grow by doubling, are
 * carved into blocks and are kept until close, so that no block costs an OS call of its own. A
 * block pool keeps the blocks that come back on a LIFO list with a limit, over extents that outlive
 * it. Invariant: extents with no block out are rewound and start again at the first extent. Memory
 * is the extents'; the structs belong to the caller and are used by one thread at a time.
 *
 * After winx BlockPool (xushiwei, 2008); there blocks come one by one from the C library's heap.
 */
#ifndef ALLOCBENCH_BLOCK_POOL_H
#define ALLOCBENCH_BLOCK_POOL_H

#include "allocbench/pages.h"

#include <limits.h>

/* Every block begins at this alignment, and so does every object of a region. */
#define AB_BLOCK_ALIGN _Alignof(max_align_t)
#define AB_BLOCK_ROUND_UP(bytes) (((bytes) + (AB_BLOCK_ALIGN - 1)) & ~(size_t)(AB_BLOCK_ALIGN - 1))

enum {
    AB_BLOCK_BYTES_DEFAULT = 16352, /* 16 KiB less what a heap adds to a request */
    AB_BLOCK_BYTES_MIN = 256,       /* below it the header would be most of the block */
    AB_BLOCK_BYTES_MAX = 1 << 30
};

/* Stands at the start of each block; its payload follows after AB_BLOCK_HEADER_BYTES. The size
 * stands in what alignment leaves unused behind the pointer. */
typedef struct ab_block ab_block;
struct ab_block {
    ab_block *previous; /* the block taken before, or the next one on a list */
    size_t bytes;       /* of the whole block, header included */
};
#define AB_BLOCK_HEADER_BYTES AB_BLOCK_ROUND_UP(sizeof(ab_block))

/* What a region knows of its origin of blocks. */
typedef struct ab_block_source {
    /* A block of at least `bytes`, header included; block->bytes is set. NULL: memory ran out. */
    ab_block *(*take)(void *self, size_t bytes);
    /* Takes back `count` blocks, chained by previous, the newest first. */
    void (*give)(void *self, ab_block *newest, size_t count);
} ab_block_source;

typedef struct ab_extent ab_extent;
enum { AB_BLOCK_BINS = sizeof(size_t) * CHAR_BIT };

typedef struct ab_extents {
    ab_pages *pages;
    size_t block_bytes; /* of an ordinary block */
    size_t next_bytes;  /* size of the next extent */
    ab_extent *first, *last;
    ab_extent *current;             /* ordinary blocks are carved from here on */
    ab_block *spare;                /* ordinary blocks that came back while others are out */
    ab_block *large[AB_BLOCK_BINS]; /* the same for larger ones, by the logarithm of their size */
    size_t live, peak_live;         /* blocks out */
    size_t extent_count;
    bool huge;
} ab_extents;

/* block_bytes is a request in [AB_BLOCK_BYTES_MIN, AB_BLOCK_BYTES_MAX], 0 for the default, and is
 * rounded up to the alignment. Takes no memory. 0 or an OS error code. */
int ab_extents_init(ab_extents *extents, ab_pages *pages, size_t block_bytes, bool huge);
/* Releases all memory, blocks that are out included. */
void ab_extents_close(ab_extents *extents);
/* A block with room for so many bytes behind its header, the caller's until it gives it back; NULL
 * when memory has run out. */
ab_block *ab_extents_take(ab_extents *extents, size_t bytes);
/* Takes a list of `count` blocks back. */
void ab_extents_give(ab_extents *extents, ab_block *newest, size_t count);
/* Whether the whole block lies in what has been carved. */
bool ab_extents_owns(const ab_extents *extents, const ab_block *block);
/* Walks the invariants: NULL when sound, else what is broken. */
const char *ab_extents_check(const ab_extents *extents);
/* self is the ab_extents. */
extern const ab_block_source ab_extents_source;

typedef struct ab_block_pool {
    ab_extents *extents;
    ab_block *kept; /* ordinary blocks, the last one given on top */
    size_t kept_count, limit_count;
    size_t out; /* blocks taken and not given back */
} ab_block_pool;

/* Keeps at most limit_count blocks (SIZE_MAX: all of them); what exceeds it, and blocks larger than
 * ordinary ones, go back to the extents. Takes no memory and cannot fail. */
void ab_block_pool_init(ab_block_pool *pool, ab_extents *extents, size_t limit_count);
/* As ab_extents_take and ab_extents_give. */
ab_block *ab_block_pool_take(ab_block_pool *pool, size_t bytes);
void ab_block_pool_give(ab_block_pool *pool, ab_block *newest, size_t count);
/* Gives the kept blocks back to the extents: with no block out the pool is as after init. */
void ab_block_pool_clear(ab_block_pool *pool);
const char *ab_block_pool_check(const ab_block_pool *pool);
/* self is the ab_block_pool. */
extern const ab_block_source ab_block_pool_source;

#endif
