/* SPDX-License-Identifier: MIT
 *
 * The pool's growth and its invariant checker. A block begins with its header, the chunks follow in
 * runs of a page or two. Fresh chunks are threaded a run at a time, and pages are faulted in by
 * stretches ahead of them, since one call for many pages costs a fraction of a fault per page. A
 * cache line of padding between runs gives each run a cache colour of its own (J. Bonwick's slab
 * allocator): the first lines of chunks of 1024 bytes would otherwise share a sixteenth of the
 * cache. Only the newest block has fresh chunks: a new one is taken when they are used up.
 */
#include "allocbench/pool.h"

#include <stdint.h>

/* Where the first chunk of a block stands: past the header, on a cache line. */
enum { FIRST_CHUNK = 64 };
enum {
    FIRST_BLOCK_CHUNKS = 32,         /* the first block has room for these ... */
    FIRST_BLOCK_BYTES = 64 * 1024,   /* ... and at least this size */
    RUN_BYTES = 8192,                /* chunks threaded at a time: these bytes ... */
    RUN_CHUNKS = 8,                  /* ... or this many, whichever is more */
    COLOUR_BYTES = 64,               /* padding after a run ... */
    COLOUR_MULTIPLE_BYTES = 128,     /* ... of chunks whose size is a multiple of this */
    STRETCH_LEAST_BYTES = 64 * 1024, /* faulted in at a time: a quarter of the pool, within these */
    STRETCH_MOST_BYTES = 1024 * 1024
};

struct ab_pool_block {
    ab_pool_block *next;
    ab_region region;
    char *begin; /* first chunk */
    char *end;   /* end of the block */
};
_Static_assert(sizeof(ab_pool_block) <= FIRST_CHUNK, "the header must fit before the first chunk");
_Static_assert(FIRST_CHUNK % _Alignof(max_align_t) == 0, "the first chunk must be aligned");

static size_t unit_bytes(const ab_pool *pool)
{
    return pool->is_huge ? pool->pages->info.huge_bytes : pool->pages->info.page_bytes;
}

/* SIZE_MAX when that is out of range. */
static size_t round_up(size_t bytes, size_t unit)
{
    size_t rest = bytes % unit;
    size_t missing = rest == 0 ? 0 : unit - rest;
    return bytes > SIZE_MAX - missing ? SIZE_MAX : bytes + missing;
}

/* Size of a block with room for so many chunks; SIZE_MAX when out of range. */
static size_t bytes_for(const ab_pool *pool, size_t chunks)
{
    if (chunks > (SIZE_MAX - FIRST_CHUNK) / pool->chunk_bytes) {
        return SIZE_MAX;
    }
    return round_up(chunks * pool->chunk_bytes + FIRST_CHUNK, unit_bytes(pool));
}

int ab_pool_init(ab_pool *pool, ab_pages *pages, size_t object_bytes, unsigned options)
{
    bool can_huge = (pages->info.can & AB_PAGES_CAN_HUGE) != 0 && pages->info.huge_bytes != 0;

    *pool = (ab_pool){.pages = pages, .is_huge = can_huge && (options & AB_POOL_HUGE) != 0};
    if (object_bytes == 0 || object_bytes > SIZE_MAX - sizeof(void *)) {
        return ab_invalid_code();
    }
    pool->chunk_bytes = round_up(object_bytes, sizeof(void *));
    pool->least_bytes = bytes_for(pool, 1);
    pool->run_chunks = RUN_BYTES / pool->chunk_bytes;
    if (pool->run_chunks < RUN_CHUNKS) {
        pool->run_chunks = pool->chunk_bytes <= SIZE_MAX / 2 / RUN_CHUNKS ? RUN_CHUNKS : 1;
    }
    pool->run_bytes = pool->run_chunks * pool->chunk_bytes;
    if (pool->chunk_bytes % COLOUR_MULTIPLE_BYTES == 0) {
        pool->run_bytes += COLOUR_BYTES;
    }
    if (pool->least_bytes > SIZE_MAX / 2) {
        return ab_invalid_code();
    }
    size_t first = bytes_for(pool, FIRST_BLOCK_CHUNKS);
    size_t least = round_up(FIRST_BLOCK_BYTES, unit_bytes(pool));
    if (first > SIZE_MAX / 2) {
        first = pool->least_bytes;
    }
    pool->next_bytes = first > least ? first : least;
    return 0;
}

int ab_pool_close(ab_pool *pool)
{
    ab_pool_block *kept = NULL;
    int first_error = 0;

    for (ab_pool_block *block = pool->blocks, *next; block != NULL; block = next) {
        ab_region region = block->region;
        size_t bytes = (size_t)(block->end - block->begin);
        next = block->next;
        AB_UNPOISON(block->begin, bytes);
        int code = ab_pages_release(pool->pages, &region);
        if (code != 0) {
            first_error = first_error != 0 ? first_error : code;
            block->next = kept;
            kept = block;
            continue;
        }
        pool->block_count--;
        pool->block_bytes -= bytes + FIRST_CHUNK;
    }
    pool->blocks = kept;
    pool->free = NULL;
    pool->threaded_chunks = 0;
    pool->fresh = pool->fresh_end = pool->resident = NULL;
    return first_error;
}

/* A block on large pages: more address space than needed, of which the aligned part is used. */
static int take_huge(ab_pool *pool, size_t bytes, ab_region *region, size_t *out_offset)
{
    size_t huge = pool->pages->info.huge_bytes;
    if (bytes > SIZE_MAX - huge) {
        return ab_invalid_code();
    }
    int code = ab_pages_reserve(pool->pages, bytes + huge, region);
    if (code != 0) {
        return code;
    }
    size_t offset = (huge - (uintptr_t)region->base % huge) % huge;
    code = ab_pages_commit(pool->pages, region, offset, bytes);
    if (code != 0) {
        ab_pages_release(pool->pages, region);
        return code;
    }
    /* A hint: without large pages the block serves as well, only slower. */
    (void)ab_pages_advise_huge(pool->pages, region, offset, bytes);
    *out_offset = offset;
    return 0;
}

static int take_block(ab_pool *pool, size_t bytes)
{
    ab_region region;
    size_t offset = 0;
    int code = pool->is_huge ? take_huge(pool, bytes, &region, &offset)
                             : ab_pages_map(pool->pages, bytes, &region);
    if (code != 0) {
        return code;
    }
    /* Filled where the code is 0. */
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    char *base = (char *)region.base + offset;
    ab_pool_block *block = (ab_pool_block *)(void *)base;
    block->region = region;
    block->begin = base + FIRST_CHUNK;
    block->end = base + bytes;
    block->next = pool->blocks;
    pool->blocks = block;
    pool->block_count++;
    pool->block_bytes += bytes;
    pool->fresh = block->begin;
    pool->fresh_end = block->end;
    pool->resident = base;
    return 0;
}

/* A block of the size that is due, or of the next smaller one that can be had. */
static int grow(ab_pool *pool)
{
    size_t bytes = pool->next_bytes;
    int code;

    while ((code = take_block(pool, bytes)) != 0 && bytes > pool->least_bytes) {
        bytes = round_up(bytes / 2, unit_bytes(pool));
        if (bytes < pool->least_bytes) {
            bytes = pool->least_bytes;
        }
    }
    pool->next_bytes = code == 0 && bytes <= SIZE_MAX / 4 ? bytes * 2 : bytes;
    return code;
}

/* Faults in what the run up to end needs, and the stretch behind it. */
static void fault_in(ab_pool *pool, const char *end)
{
    ab_pool_block *block = pool->blocks;
    size_t page = pool->pages->info.page_bytes;
    size_t left = (size_t)(block->end - pool->resident);
    size_t stretch = (pool->block_bytes - left) / 4;
    size_t needed = (size_t)(end - pool->resident);

    stretch = stretch < STRETCH_LEAST_BYTES ? STRETCH_LEAST_BYTES : stretch;
    stretch = stretch > STRETCH_MOST_BYTES ? STRETCH_MOST_BYTES : stretch;
    stretch = round_up(stretch < needed ? needed : stretch, page);
    stretch = stretch < left ? stretch : left;
    /* A hint too: pages that are not faulted in now are when they are touched. */
    (void)ab_pages_populate(pool->pages, &block->region,
                            (size_t)(pool->resident - (char *)block->region.base), stretch);
    pool->resident += stretch;
}

void *ab_pool_refill(ab_pool *pool)
{
    size_t step = pool->chunk_bytes;

    if ((size_t)(pool->fresh_end - pool->fresh) < step && grow(pool) != 0) {
        return NULL;
    }
    char *first = pool->fresh;
    size_t left = (size_t)(pool->fresh_end - first);
    size_t chunks = left / step < pool->run_chunks ? left / step : pool->run_chunks;
    char *last = first + (chunks - 1) * step;
    if (last + sizeof(void *) > pool->resident && !pool->is_huge &&
        (pool->pages->info.can & AB_PAGES_CAN_POPULATE) != 0) {
        fault_in(pool, last + sizeof(void *));
    }
    for (char *chunk = first; chunk < last; chunk += step) {
        void *next = chunk + step;
        memcpy(chunk, &next, sizeof next);
    }
    memset(last, 0, sizeof(void *));
    AB_POISON(first, chunks * step);
    pool->fresh += left < pool->run_bytes ? left : pool->run_bytes;
    pool->threaded_chunks += chunks;
    pool->free = first;
    return ab_pool_alloc(pool);
}

static const ab_pool_block *block_of(const ab_pool *pool, const void *p)
{
    const ab_pool_block *block = pool->blocks;
    while (block != NULL &&
           ((uintptr_t)p < (uintptr_t)block->begin || (uintptr_t)p >= (uintptr_t)block->end)) {
        block = block->next;
    }
    return block;
}

/* The next free chunk, read past the poisoning. */
static void *link_of(void *chunk)
{
    void *next;
    AB_UNPOISON(chunk, sizeof next);
    memcpy(&next, chunk, sizeof next);
    AB_POISON(chunk, sizeof next);
    return next;
}

static const char *check_chunk(const ab_pool *pool, const char *chunk)
{
    const ab_pool_block *block = block_of(pool, chunk);

    if (block == NULL) {
        return "pool: a free chunk lies outside all blocks (foreign pointer freed?)";
    }
    size_t offset = (size_t)(chunk - block->begin) % pool->run_bytes;
    if (offset % pool->chunk_bytes != 0 || offset / pool->chunk_bytes >= pool->run_chunks ||
        (size_t)(block->end - chunk) < pool->chunk_bytes) {
        return "pool: a free chunk is not on a chunk boundary (foreign pointer freed?)";
    }
    if (block == pool->blocks && chunk >= pool->fresh) {
        return "pool: a free chunk was never handed out";
    }
    return NULL;
}

const char *ab_pool_check(const ab_pool *pool)
{
    size_t blocks = 0;
    size_t chunks = 0;

    for (const ab_pool_block *block = pool->blocks; block != NULL; block = block->next) {
        if (++blocks > pool->block_count) {
            return "pool: more blocks in the list than were taken";
        }
    }
    if (blocks != pool->block_count) {
        return "pool: a block is missing from the list";
    }
    for (void *chunk = pool->free; chunk != NULL; chunk = link_of(chunk)) {
        const char *broken = check_chunk(pool, chunk);
        if (broken != NULL) {
            return broken;
        }
        if (++chunks > pool->threaded_chunks) {
            return "pool: the free list has a cycle (double free?)";
        }
    }
    return NULL;
}
