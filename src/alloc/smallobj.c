/* SPDX-License-Identifier: MIT
 *
 * The small-object allocator's searches and its growth. Chunk records of a size lie in a table that
 * grows inside one reservation, so they never move; chunks are cut from extents of the page layer,
 * and a chunk that is given up goes to a free list of its size. Extents and tables go back at
 * close.
 */
#include "allocbench/smallobj.h"

#include <string.h>

enum { EXTENT_FIRST_BYTES = 64 * 1024, EXTENT_MOST_BYTES = 1024 * 1024 };

/* Address space of a chunk table: 64 GiB of chunks per size with 64-bit pointers, else 1 GiB. */
static const size_t table_most_bytes =
    (UINTPTR_MAX > UINT32_MAX ? (size_t)16384 : 256) * 1024 * sizeof(ab_smallobj_chunk);

/* Begins every extent and takes its first slot. */
typedef struct extent {
    struct extent *next;
    ab_region region;
} extent;
_Static_assert(sizeof(extent) <= AB_SMALLOBJ_SLOT_BYTES, "the header must fit its slot");
_Static_assert(AB_SMALLOBJ_CHUNK_BYTES / AB_SMALLOBJ_MAX_BYTES >= AB_SMALLOBJ_LEAST_BLOCKS,
               "a chunk must hold the least number of blocks of the largest size");

void ab_smallobj_init(ab_smallobj *so, ab_pages *pages)
{
    size_t page = pages->info.page_bytes;

    memset(so, 0, sizeof *so);
    so->pages = pages;
    so->next_extent_bytes = (EXTENT_FIRST_BYTES + page - 1) / page * page;
    for (uint32_t i = 0; i < AB_SMALLOBJ_SIZES; i++) {
        ab_smallobj_fixed *fixed = &so->fixed[i];
        fixed->block_bytes = (i + 1) * AB_SMALLOBJ_STEP_BYTES;
        fixed->blocks = AB_SMALLOBJ_CHUNK_BYTES / fixed->block_bytes;
        if (fixed->blocks > AB_SMALLOBJ_MOST_BLOCKS) {
            fixed->blocks = AB_SMALLOBJ_MOST_BLOCKS;
        }
    }
}

int ab_smallobj_close(ab_smallobj *so)
{
    extent *kept = NULL;
    int first_error = 0;

    for (extent *next, *e = so->extents; e != NULL; e = next) {
        ab_region region = e->region;
        next = e->next;
        AB_UNPOISON(region.base, region.bytes);
        int code = ab_pages_release(so->pages, &region);
        if (code != 0) {
            first_error = first_error != 0 ? first_error : code;
            e->next = kept;
            kept = e;
        }
    }
    for (size_t i = 0; i < AB_SMALLOBJ_SIZES; i++) {
        ab_region table = so->fixed[i].table;
        int code = table.base == NULL ? 0 : ab_pages_release(so->pages, &table);
        first_error = first_error != 0 ? first_error : code;
        so->fixed[i].table = table;
    }
    if (first_error == 0) {
        ab_smallobj_init(so, so->pages);
    }
    so->extents = kept;
    return first_error;
}

static size_t slots_of(const ab_smallobj_fixed *fixed)
{
    return ((size_t)fixed->block_bytes * fixed->blocks + AB_SMALLOBJ_SLOT_BYTES - 1) /
           AB_SMALLOBJ_SLOT_BYTES;
}

static int grow_extents(ab_smallobj *so)
{
    ab_region region;
    size_t bytes = so->next_extent_bytes;
    int code = ab_pages_map(so->pages, bytes, &region);

    if (code != 0) {
        return code;
    }
    extent *e = region.base;
    e->next = so->extents;
    e->region = region;
    so->extents = e;
    so->extent_bytes += bytes;
    so->fresh = (char *)region.base + AB_SMALLOBJ_SLOT_BYTES;
    so->fresh_end = (char *)region.base + bytes;
    if (bytes < EXTENT_MOST_BYTES) {
        so->next_extent_bytes = bytes * 2;
    }
    return 0;
}

static unsigned char *take_slots(ab_smallobj *so, size_t slots)
{
    size_t bytes = slots * AB_SMALLOBJ_SLOT_BYTES;
    void *data = so->free_slots[slots - 1];

    if (data != NULL) {
        AB_UNPOISON(data, bytes);
        memcpy(&so->free_slots[slots - 1], data, sizeof(void *));
        return data;
    }
    if ((size_t)(so->fresh_end - so->fresh) < bytes && grow_extents(so) != 0) {
        return NULL;
    }
    data = so->fresh;
    so->fresh += bytes;
    return data;
}

static void give_slots(ab_smallobj *so, unsigned char *data, size_t slots)
{
    AB_UNPOISON(data, slots * AB_SMALLOBJ_SLOT_BYTES);
    memcpy(data, &so->free_slots[slots - 1], sizeof(void *));
    so->free_slots[slots - 1] = data;
    AB_POISON(data, slots * AB_SMALLOBJ_SLOT_BYTES);
}

/* Room in the table for one more record. */
static int grow_table(ab_smallobj *so, ab_smallobj_fixed *fixed)
{
    size_t page = so->pages->info.page_bytes;
    int code = 0;

    if (fixed->chunk_count < fixed->chunk_capacity) {
        return 0;
    }
    if (fixed->table.base == NULL) {
        size_t bytes = (table_most_bytes + page - 1) / page * page;
        while ((code = ab_pages_reserve(so->pages, bytes, &fixed->table)) != 0 && bytes > page) {
            bytes = (bytes / 2 + page - 1) / page * page;
        }
        if (code != 0) {
            return code;
        }
        fixed->chunks = fixed->table.base;
    }
    code = ab_pages_commit(so->pages, &fixed->table, fixed->table.prefix_bytes, page);
    if (code == 0) {
        fixed->chunk_capacity = fixed->table.prefix_bytes / sizeof(ab_smallobj_chunk);
    }
    return code;
}

static ab_smallobj_chunk *add_chunk(ab_smallobj *so, ab_smallobj_fixed *fixed)
{
    if (grow_table(so, fixed) != 0) {
        return NULL;
    }
    unsigned char *data = take_slots(so, slots_of(fixed));
    if (data == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < fixed->blocks; i++) {
        data[(size_t)i * fixed->block_bytes] = (unsigned char)(i + 1);
    }
    AB_POISON(data, (size_t)fixed->block_bytes * fixed->blocks);
    ab_smallobj_chunk *chunk = &fixed->chunks[fixed->chunk_count++];
    *chunk = (ab_smallobj_chunk){.data = data, .available = (unsigned char)fixed->blocks};
    return chunk;
}

/* The published order: the empty chunk, else the first with space, else a new one. */
void *ab_smallobj_alloc_slow(ab_smallobj *so, ab_smallobj_fixed *fixed)
{
    ab_smallobj_chunk *chunk = fixed->empty_chunk;

    if (chunk == NULL) {
        size_t i = 0;
        while (i < fixed->chunk_count && fixed->chunks[i].available == 0) {
            i++;
        }
        chunk = i < fixed->chunk_count ? &fixed->chunks[i] : add_chunk(so, fixed);
        if (chunk == NULL) {
            return NULL;
        }
    }
    fixed->empty_chunk = NULL;
    fixed->alloc_chunk = chunk;
    if (fixed->dealloc_chunk == NULL) {
        fixed->dealloc_chunk = chunk;
    }
    return ab_smallobj_take(fixed, chunk);
}

/* Down and up in turns from the chunk of the last free: quick for frees in order, either way. */
ab_smallobj_chunk *ab_smallobj_owner(const ab_smallobj_fixed *fixed, const void *p)
{
    if (fixed->chunk_count == 0) {
        return NULL;
    }
    ab_smallobj_chunk *begin = fixed->chunks;
    ab_smallobj_chunk *end = begin + fixed->chunk_count;
    ab_smallobj_chunk *down = fixed->dealloc_chunk != NULL ? fixed->dealloc_chunk : begin;
    ab_smallobj_chunk *up = down + 1;

    for (bool more_down = true; more_down || up != end;) {
        if (more_down) {
            if (ab_smallobj_owns(fixed, down, p)) {
                return down;
            }
            more_down = down != begin;
            down -= more_down;
        }
        if (up != end) {
            if (ab_smallobj_owns(fixed, up, p)) {
                return up;
            }
            up++;
        }
    }
    return NULL;
}

/* The chunk of the last free has no used block left. Keeps one such chunk; of two, the last record
 * of the table goes, after the older empty chunk has taken its place. */
void ab_smallobj_emptied(ab_smallobj *so, ab_smallobj_fixed *fixed)
{
    ab_smallobj_chunk *last = &fixed->chunks[fixed->chunk_count - 1];
    ab_smallobj_chunk *emptied = fixed->dealloc_chunk;
    ab_smallobj_chunk *old = fixed->empty_chunk;

    if (old == NULL || old == emptied) {
        fixed->empty_chunk = emptied;
        return;
    }
    if (emptied == last) {
        emptied = old;
    } else if (old != last) {
        ab_smallobj_chunk moved = *old;
        *old = *last;
        *last = moved;
    }
    give_slots(so, last->data, slots_of(fixed));
    fixed->chunk_count--;
    if (fixed->alloc_chunk == last || fixed->alloc_chunk->available == 0) {
        fixed->alloc_chunk = emptied;
    }
    fixed->dealloc_chunk = emptied;
    fixed->empty_chunk = emptied;
}
