/* SPDX-License-Identifier: MIT
 *
 * A small-object allocator after A. Alexandrescu's (Modern C++ Design, Loki; its revision by
 * R. Sposato): one allocator per size in steps of 4 bytes; chunks of at most 255 blocks whose free
 * list is made of byte indices; the chunk of a freed block is found by searching up and down from
 * the last one. That search is the algorithm's price and is kept as published. Invariant: a chunk's
 * list holds exactly its available blocks; at most one chunk per size is empty. Memory belongs to
 * the allocator until close; the struct is the caller's.
 */
#ifndef ALLOCBENCH_SMALLOBJ_H
#define ALLOCBENCH_SMALLOBJ_H

#include "allocbench/compiler.h"
#include "allocbench/pages.h"
#include "allocbench/poison.h"

#include <stddef.h>
#include <stdint.h>

enum {
    AB_SMALLOBJ_STEP_BYTES = 4,
    AB_SMALLOBJ_MAX_BYTES = 256,
    AB_SMALLOBJ_SIZES = AB_SMALLOBJ_MAX_BYTES / AB_SMALLOBJ_STEP_BYTES,
    AB_SMALLOBJ_CHUNK_BYTES = 4096,
    AB_SMALLOBJ_MOST_BLOCKS = 255, /* of a chunk, whose free list holds byte indices */
    AB_SMALLOBJ_LEAST_BLOCKS = 8,
    AB_SMALLOBJ_SLOT_BYTES = 1024, /* chunks take up multiples of this */
    AB_SMALLOBJ_SLOT_KINDS = AB_SMALLOBJ_CHUNK_BYTES / AB_SMALLOBJ_SLOT_BYTES
};

/* The first byte of a free block is the index of the next free one. */
typedef struct ab_smallobj_chunk {
    unsigned char *data;
    unsigned char first;     /* index of the first free block */
    unsigned char available; /* number of free blocks */
} ab_smallobj_chunk;

/* The allocator of one size. */
typedef struct ab_smallobj_fixed {
    ab_smallobj_chunk *alloc_chunk;   /* where the last block came from, or NULL */
    ab_smallobj_chunk *dealloc_chunk; /* where the last block went, or NULL */
    ab_smallobj_chunk *empty_chunk;   /* the only one without used blocks, or NULL */
    uint32_t block_bytes;
    uint32_t blocks; /* blocks of a chunk */
    ab_smallobj_chunk *chunks;
    size_t chunk_count;
    size_t chunk_capacity; /* what the committed part of the table holds */
    size_t bad_frees;      /* pointers that no chunk owns; debug builds: double frees too */
    ab_region table;       /* the chunks' reservation */
} ab_smallobj_fixed;

/* Read-only for users. */
typedef struct ab_smallobj {
    ab_pages *pages;
    void *extents;   /* list of all extents, newest first */
    char *fresh;     /* unused rest of the newest extent */
    char *fresh_end; /* ... and its end */
    size_t next_extent_bytes;
    size_t extent_bytes;                      /* sum over all extents */
    void *free_slots[AB_SMALLOBJ_SLOT_KINDS]; /* returned chunks, by their size in slots less 1 */
    ab_smallobj_fixed fixed[AB_SMALLOBJ_SIZES];
} ab_smallobj;

/* An empty allocator on pages, which must outlive it. Takes no memory yet. */
void ab_smallobj_init(ab_smallobj *so, ab_pages *pages);

/* Gives all memory back; every object becomes invalid. 0, or the first error of the page layer:
 * what could not be released then stays, and close may be called again. */
int ab_smallobj_close(ab_smallobj *so);

/* NULL when sound, else what is broken: a double free, a foreign pointer, a torn list. Takes time
 * proportional to all blocks. */
const char *ab_smallobj_check(const ab_smallobj *so);

/* The ways out of the hot path: find a chunk with space and take a block, or NULL; find the chunk
 * that owns p, or NULL; deal with a chunk whose last block has been freed. */
AB_NOINLINE void *ab_smallobj_alloc_slow(ab_smallobj *so, ab_smallobj_fixed *fixed);
AB_NOINLINE ab_smallobj_chunk *ab_smallobj_owner(const ab_smallobj_fixed *fixed, const void *p);
AB_NOINLINE void ab_smallobj_emptied(ab_smallobj *so, ab_smallobj_fixed *fixed);
/* Debug builds: whether p, in chunk, is on a block boundary and in use. */
bool ab_smallobj_is_used(const ab_smallobj_fixed *fixed, const ab_smallobj_chunk *chunk,
                         const void *p);

static AB_ALWAYS_INLINE bool ab_smallobj_owns(const ab_smallobj_fixed *fixed,
                                              const ab_smallobj_chunk *chunk, const void *p)
{
    return (uintptr_t)p - (uintptr_t)chunk->data < (uintptr_t)fixed->block_bytes * fixed->blocks;
}

/* Takes the first free block of a chunk that has one. */
static AB_ALWAYS_INLINE void *ab_smallobj_take(ab_smallobj_fixed *fixed, ab_smallobj_chunk *chunk)
{
    unsigned char *block = chunk->data + (size_t)chunk->first * fixed->block_bytes;

    AB_UNPOISON(block, fixed->block_bytes);
    chunk->first = *block;
    chunk->available--;
    return block;
}

/* An object of 1 to AB_SMALLOBJ_MAX_BYTES bytes with unspecified contents, aligned to the largest
 * power of two that divides its size; NULL for other sizes and when memory has run out. */
static AB_ALWAYS_INLINE void *ab_smallobj_alloc(ab_smallobj *so, size_t bytes)
{
    size_t index = (bytes - 1) / AB_SMALLOBJ_STEP_BYTES;
    if (AB_UNLIKELY(index >= AB_SMALLOBJ_SIZES)) {
        return NULL;
    }
    ab_smallobj_fixed *fixed = &so->fixed[index];
    ab_smallobj_chunk *chunk = fixed->alloc_chunk;
    if (AB_UNLIKELY(chunk == NULL || chunk->available == 0)) {
        return ab_smallobj_alloc_slow(so, fixed);
    }
    if (chunk == fixed->empty_chunk) {
        fixed->empty_chunk = NULL;
    }
    return ab_smallobj_take(fixed, chunk);
}

/* p and bytes as they were given and got. A pointer that no chunk owns is counted and ignored. */
static AB_ALWAYS_INLINE void ab_smallobj_free(ab_smallobj *so, void *p, size_t bytes)
{
    size_t index = (bytes - 1) / AB_SMALLOBJ_STEP_BYTES;
    if (AB_UNLIKELY(index >= AB_SMALLOBJ_SIZES)) {
        return;
    }
    ab_smallobj_fixed *fixed = &so->fixed[index];
    ab_smallobj_chunk *chunk = fixed->dealloc_chunk;
    if (chunk == NULL || !ab_smallobj_owns(fixed, chunk, p)) {
        chunk = ab_smallobj_owner(fixed, p);
        if (AB_UNLIKELY(chunk == NULL)) {
            fixed->bad_frees++;
            return;
        }
        fixed->dealloc_chunk = chunk;
    }
#ifndef NDEBUG
    if (!ab_smallobj_is_used(fixed, chunk, p)) {
        fixed->bad_frees++;
        return;
    }
#endif
    *(unsigned char *)p = chunk->first;
    chunk->first =
        (unsigned char)((uint32_t)((uintptr_t)p - (uintptr_t)chunk->data) / fixed->block_bytes);
    chunk->available++;
    AB_POISON(p, fixed->block_bytes);
    if (AB_UNLIKELY(chunk->available == fixed->blocks)) {
        ab_smallobj_emptied(so, fixed);
    }
}

#endif
