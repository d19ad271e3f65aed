/* SPDX-License-Identifier: MIT
 *
 * Extents: where blocks come from. An extent is one mapping: its header, then blocks without
 * gaps up to `used`. First touches come in bulk where the OS can populate a range in one call, a
 * step ahead of the carving, since a fault per page costs several times as much.
 */
#include "allocbench/block_pool.h"
#include "allocbench/poison.h"

#include <stdint.h>

enum {
    EXTENT_BYTES_MIN = 64 << 10,
    EXTENT_BYTES_MAX = 8 << 20,
    POPULATE_BYTES = 256 << 10 /* at most this much is touched in vain */
};

struct ab_extent {
    ab_region region;
    ab_extent *next;
    size_t used;      /* header and carved blocks */
    size_t populated; /* [0, populated) has been touched or is not worth it */
};

#define EXTENT_HEADER_BYTES AB_BLOCK_ROUND_UP(sizeof(ab_extent))

/* 0 when the sum does not fit. */
static size_t round_up(size_t bytes, size_t unit)
{
    return bytes > SIZE_MAX - (unit - 1) ? 0 : (bytes + unit - 1) / unit * unit;
}

static unsigned bin_of(size_t bytes)
{
    unsigned bin = 0;
    while (bytes >>= 1) {
        bin++;
    }
    return bin;
}

static ab_extent *extent_map(ab_extents *extents, size_t bytes)
{
    ab_region region;

    if (bytes == 0 || ab_pages_map(extents->pages, bytes, &region) != 0) {
        return NULL;
    }
    if (extents->huge) {
        (void)ab_pages_advise_huge(extents->pages, &region, 0, region.bytes); /* a hint */
    }
    ab_extent *extent = region.base;
    *extent = (ab_extent){.region = region, .used = EXTENT_HEADER_BYTES};
    AB_POISON((char *)region.base + EXTENT_HEADER_BYTES, region.bytes - EXTENT_HEADER_BYTES);
    return extent;
}

/* An extent with room for a block of `bytes`: the doubled size, or just enough when that is not to
 * be had. */
static ab_extent *extent_add(ab_extents *extents, size_t bytes)
{
    const ab_page_info *info = &extents->pages->info;
    size_t unit = extents->huge && info->huge_bytes != 0 ? info->huge_bytes : info->page_bytes;
    size_t least = bytes > SIZE_MAX - EXTENT_HEADER_BYTES ? 0 : bytes + EXTENT_HEADER_BYTES;
    size_t wanted = extents->next_bytes > least ? extents->next_bytes : least;

    if (least == 0) {
        return NULL;
    }
    ab_extent *extent = extent_map(extents, round_up(wanted, unit));
    if (extent == NULL) {
        extent = extent_map(extents, round_up(least, info->page_bytes));
    }
    if (extent == NULL) {
        return NULL;
    }
    if (extents->last == NULL) {
        extents->first = extents->current = extent;
    } else {
        extents->last->next = extent;
    }
    extents->last = extent;
    extents->extent_count++;
    if (extents->next_bytes < EXTENT_BYTES_MAX) {
        extents->next_bytes *= 2;
    }
    return extent;
}

/* Keeps the touched part ahead of the carving. A failure only means a fault per page. */
static void extent_populate(ab_extents *extents, ab_extent *extent, size_t end, bool is_large)
{
    size_t from = extent->populated;
    size_t to = round_up(end, extents->pages->info.page_bytes);

    if (end <= from) {
        return;
    }
    if (!is_large && (extents->pages->info.can & AB_PAGES_CAN_POPULATE) != 0) {
        if (to - from < POPULATE_BYTES) {
            size_t rest = extent->region.bytes - from;
            to = from + (rest < POPULATE_BYTES ? rest : POPULATE_BYTES);
        }
        (void)ab_pages_populate(extents->pages, &extent->region, from, to - from);
    }
    extent->populated = to;
}

/* Ordinary blocks never look back; larger ones leave the place of the ordinary ones alone. */
static ab_block *carve(ab_extents *extents, size_t bytes)
{
    bool is_large = bytes > extents->block_bytes;
    ab_extent *extent = extents->current;

    while (extent != NULL && extent->region.bytes - extent->used < bytes) {
        extent = extent->next;
    }
    if (extent == NULL && (extent = extent_add(extents, bytes)) == NULL) {
        return NULL;
    }
    if (!is_large) {
        extents->current = extent;
    }
    extent_populate(extents, extent, extent->used + bytes, is_large);
    ab_block *block = (ab_block *)(void *)((char *)extent->region.base + extent->used);
    extent->used += bytes;
    AB_UNPOISON(block, AB_BLOCK_HEADER_BYTES);
    block->bytes = bytes;
    return block;
}

/* A larger block that came back: of the same order when it happens to fit, else of the next. */
static ab_block *take_large(ab_extents *extents, size_t bytes)
{
    unsigned bin = bin_of(bytes);
    ab_block **list = &extents->large[bin];

    if ((*list == NULL || (*list)->bytes < bytes) && bin + 1 < AB_BLOCK_BINS) {
        list = &extents->large[bin + 1];
    }
    ab_block *block = *list;
    if (block == NULL || block->bytes < bytes) {
        return NULL;
    }
    *list = block->previous;
    return block;
}

static void rewind_all(ab_extents *extents)
{
    for (ab_extent *extent = extents->first; extent != NULL; extent = extent->next) {
        AB_POISON((char *)extent->region.base + EXTENT_HEADER_BYTES,
                  extent->used - EXTENT_HEADER_BYTES);
        extent->used = EXTENT_HEADER_BYTES;
    }
    extents->current = extents->first;
    extents->spare = NULL;
    for (size_t bin = 0; bin < AB_BLOCK_BINS; bin++) {
        extents->large[bin] = NULL;
    }
}

int ab_extents_init(ab_extents *extents, ab_pages *pages, size_t block_bytes, bool huge)
{
    *extents = (ab_extents){.pages = pages, .next_bytes = EXTENT_BYTES_MIN, .huge = huge};
    if (block_bytes == 0) {
        block_bytes = AB_BLOCK_BYTES_DEFAULT;
    }
    if (block_bytes < AB_BLOCK_BYTES_MIN || block_bytes > AB_BLOCK_BYTES_MAX) {
        return ab_invalid_code();
    }
    extents->block_bytes = AB_BLOCK_ROUND_UP(block_bytes);
    return 0;
}

void ab_extents_close(ab_extents *extents)
{
    ab_extent *extent = extents->first;

    while (extent != NULL) {
        ab_region region = extent->region;
        extent = extent->next;
        AB_UNPOISON(region.base, region.bytes);
        (void)ab_pages_release(extents->pages, &region);
    }
    *extents = (ab_extents){.pages = extents->pages};
}

ab_block *ab_extents_take(ab_extents *extents, size_t bytes)
{
    ab_block *block = NULL;

    if (bytes <= extents->block_bytes) {
        bytes = extents->block_bytes;
        block = extents->spare;
        if (block != NULL) {
            extents->spare = block->previous;
        }
    } else if ((bytes = round_up(bytes, AB_BLOCK_ALIGN)) == 0) {
        return NULL;
    } else {
        block = take_large(extents, bytes);
    }
    if (block == NULL && (block = carve(extents, bytes)) == NULL) {
        return NULL;
    }
    block->previous = NULL;
    extents->live++;
    if (extents->live > extents->peak_live) {
        extents->peak_live = extents->live;
    }
    return block;
}

void ab_extents_give(ab_extents *extents, ab_block *newest, size_t count)
{
    extents->live -= count;
    if (extents->live == 0) {
        rewind_all(extents);
        return;
    }
    for (; count > 0; count--) {
        ab_block *block = newest;
        newest = block->previous;
        ab_block **list = block->bytes > extents->block_bytes
                              ? &extents->large[bin_of(block->bytes)]
                              : &extents->spare;
        AB_POISON((char *)block + AB_BLOCK_HEADER_BYTES, block->bytes - AB_BLOCK_HEADER_BYTES);
        block->previous = *list;
        *list = block;
    }
}

bool ab_extents_owns(const ab_extents *extents, const ab_block *block)
{
    for (const ab_extent *extent = extents->first; extent != NULL; extent = extent->next) {
        size_t offset = (size_t)((uintptr_t)block - (uintptr_t)extent->region.base);
        if (offset < extent->used) {
            return offset >= EXTENT_HEADER_BYTES && block->bytes <= extent->used - offset;
        }
    }
    return false;
}

/* The blocks of a list lie in the extents, and have the order of size that the list says. */
static const char *check_list(const ab_extents *extents, const ab_block *block, bool is_large,
                              unsigned bin, size_t most)
{
    for (; block != NULL; block = block->previous) {
        if (!ab_extents_owns(extents, block)) {
            return "a listed block lies outside the extents";
        }
        if (is_large ? bin_of(block->bytes) != bin : block->bytes != extents->block_bytes) {
            return "a listed block has the wrong size";
        }
        if (most-- == 0) {
            return "a list of blocks does not end";
        }
    }
    return NULL;
}

const char *ab_extents_check(const ab_extents *extents)
{
    const char *broken = NULL;
    size_t count = 0, carved_bytes = 0;

    for (const ab_extent *extent = extents->first; extent != NULL; extent = extent->next, count++) {
        if (count >= extents->extent_count || extent->used < EXTENT_HEADER_BYTES ||
            extent->used > extent->region.bytes || extent->used % AB_BLOCK_ALIGN != 0) {
            return "an extent is carved beyond its end";
        }
        carved_bytes += extent->used - EXTENT_HEADER_BYTES;
    }
    if (count != extents->extent_count) {
        return "the list of extents has another length";
    }
    if (extents->live == 0 && carved_bytes != 0) {
        return "extents without blocks out are not rewound";
    }
    if (extents->block_bytes == 0) { /* closed */
        return NULL;
    }
    size_t most = carved_bytes / extents->block_bytes;
    broken = check_list(extents, extents->spare, false, 0, most);
    for (unsigned bin = 0; bin < AB_BLOCK_BINS && broken == NULL; bin++) {
        broken = check_list(extents, extents->large[bin], true, bin, most);
    }
    return broken;
}

static ab_block *extents_take(void *self, size_t bytes)
{
    return ab_extents_take(self, bytes);
}

static void extents_give(void *self, ab_block *newest, size_t count)
{
    ab_extents_give(self, newest, count);
}

const ab_block_source ab_extents_source = {.take = extents_take, .give = extents_give};
