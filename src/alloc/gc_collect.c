/* SPDX-License-Identifier: MIT
 *
 * Collections. A full one first marks what the slots reach, slides the old space together and
 * releases unreached large objects; every collection then promotes the young survivors. Memory for
 * the survivors is made sure of before the first one moves, so that a failure loses nothing.
 */
#include "gc_internal.h"

#include <string.h>

enum { COMMIT_BYTES = 1 << 20 };

/* Each reached header outside the nursery gets the number of its slot. */
static void mark(ab_gc *gc)
{
    for (size_t i = 0; i < gc->slot_count; i++) {
        if (gc->slots[i] != NULL) {
            ab_gc_header *header = gc_header_of(gc->slots[i]);
            if (!gc_is_young(gc, header)) {
                header->mark = (uint32_t)i + 1;
            }
        }
    }
}

/* Moves the marked objects of the old space down over the others, keeping their order; neighbours
 * move together. */
static void slide(ab_gc *gc)
{
    char *to = gc->old.base;
    char *at = to;
    char *const end = at + gc->old_used_bytes;

    while (at < end) {
        ab_gc_header *header = (ab_gc_header *)(void *)at;
        if (header->mark == 0) {
            at += gc_total_bytes(header);
            continue;
        }
        char *const run = at;
        do {
            gc->slots[header->mark - 1] = to + (at - run) + sizeof *header;
            header->mark = 0;
            at += gc_total_bytes(header);
            header = (ab_gc_header *)(void *)at;
        } while (at < end && header->mark != 0);
        size_t bytes = (size_t)(at - run);
        if (to != run) {
            memmove(to, run, bytes);
            gc->bytes_copied += bytes;
        }
        to += bytes;
    }
    gc->old_used_bytes = (size_t)(to - (char *)gc->old.base);
    AB_POISON(to, (size_t)(end - to));
}

/* Releases what is not marked. What the OS refuses to take back is tried again the next time. */
static void sweep_large(ab_gc *gc)
{
    ab_gc_large **link = &gc->large;

    gc->large_bytes = 0;
    while (*link != NULL) {
        ab_gc_large *large = *link;
        if (large->header->mark != 0) {
            large->header->mark = 0;
            gc->large_bytes += gc_total_bytes(large->header);
            link = &large->next;
            continue;
        }
        ab_gc_large *next = large->next;
        ab_region region = large->region;
        if (ab_pages_release(gc->pages, &region) == 0) {
            *link = next;
        } else {
            link = &large->next;
        }
    }
}

/* The next full collection comes at f times the survivors: f = L(1 - s) / (1 - Ls) with the share s
 * that survived, M where that would be more; L = 1.2 and M = 1.8 are the published figures of the
 * oldest generation. In integers: L = 12/10, and M is reached at s = 5/8. */
static void set_budget(ab_gc_budget *budget, size_t before_bytes, size_t survived_bytes)
{
    uint64_t before = before_bytes, survived = survived_bytes, factor = 1800; /* thousandths */

    if (survived < before / 8 * 5) {
        factor = (before - survived) * 1200 / (before - survived * 12 / 10);
    }
    uint64_t limit = survived / 1000 * factor + survived % 1000 * factor / 1000;
    uint64_t least = survived + budget->growth_bytes_min;
    limit = limit > least ? limit : least;
    budget->limit_bytes = limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
}

static void collect_old(ab_gc *gc)
{
    size_t old_bytes = gc->old_used_bytes, large_bytes = gc->large_bytes;

    mark(gc);
    slide(gc);
    sweep_large(gc);
    set_budget(&gc->old_budget, old_bytes, gc->old_used_bytes);
    set_budget(&gc->large_budget, large_bytes, gc->large_bytes);
    gc->gcs_full++;
}

/* Storage for `bytes` more in the old space; out of memory where its reservation is too small. */
static int grow_old(ab_gc *gc, size_t bytes)
{
    ab_region *old = &gc->old;

    if (bytes > old->bytes - gc->old_used_bytes) {
        return ab_out_of_memory_code();
    }
    size_t need = gc->old_used_bytes + bytes, have = old->prefix_bytes;
    if (need <= have) {
        return 0;
    }
    size_t step = gc_round_up(need - have, COMMIT_BYTES);
    if (step == 0 || step > old->bytes - have) {
        step = old->bytes - have;
    }
    int code = ab_pages_commit(gc->pages, old, have, step);
    if (code == 0) {
        AB_POISON((char *)old->base + have, step);
    }
    return code;
}

/* Moves the (compacted) old space into a larger reservation with storage for `bytes` more. */
static int replace_old(ab_gc *gc, size_t bytes)
{
    size_t page_bytes = gc->pages->info.page_bytes;
    char *const from = gc->old.base;
    ab_region larger;

    if (bytes > SIZE_MAX - gc->old_used_bytes) {
        return ab_out_of_memory_code();
    }
    size_t need = gc_round_up(gc->old_used_bytes + bytes, page_bytes);
    if (need == 0) {
        return ab_out_of_memory_code();
    }
    int code = ab_out_of_memory_code();
    if (need <= SIZE_MAX / 2) {
        code = ab_pages_reserve(gc->pages, need * 2, &larger);
    }
    if (code != 0 && (code = ab_pages_reserve(gc->pages, need, &larger)) != 0) {
        return code;
    }
    code = ab_pages_commit(gc->pages, &larger, 0, need);
    if (code != 0) {
        (void)ab_pages_release(gc->pages, &larger);
        return code;
    }
    char *const to = larger.base;
    memcpy(to, from, gc->old_used_bytes);
    AB_POISON(to + gc->old_used_bytes, need - gc->old_used_bytes);
    gc->bytes_copied += gc->old_used_bytes;
    for (size_t i = 0; i < gc->slot_count; i++) {
        char *payload = gc->slots[i];
        if (payload != NULL && gc_is_within(gc_header_of(payload), from, gc->old_used_bytes)) {
            gc->slots[i] = to + (payload - from);
        }
    }
    AB_UNPOISON(from, gc->old.prefix_bytes);
    (void)ab_pages_release(gc->pages, &gc->old); /* at worst address space is lost */
    gc->old = larger;
    return 0;
}

static size_t young_survivor_bytes(const ab_gc *gc)
{
    size_t bytes = 0;

    for (size_t i = 0; i < gc->slot_count; i++) {
        if (gc->slots[i] != NULL && gc_is_young(gc, gc_header_of(gc->slots[i]))) {
            bytes += gc_total_bytes(gc_header_of(gc->slots[i]));
        }
    }
    return bytes;
}

/* Copies what the slots reach in the nursery to the end of the old space; empties the nursery. */
static void promote(ab_gc *gc)
{
    char *const start = (char *)gc->old.base + gc->old_used_bytes;
    char *to = start;

    AB_UNPOISON(to, gc->old.prefix_bytes - gc->old_used_bytes);
    for (size_t i = 0; i < gc->slot_count; i++) {
        if (gc->slots[i] == NULL) {
            continue;
        }
        const ab_gc_header *header = gc_header_of(gc->slots[i]);
        if (gc_is_young(gc, header)) {
            size_t bytes = gc_total_bytes(header);
            memcpy(to, header, bytes);
            gc->slots[i] = to + sizeof *header;
            to += bytes;
        }
    }
    gc->old_used_bytes += (size_t)(to - start);
    gc->bytes_copied += (size_t)(to - start);
    gc->top = gc->limit = gc->nursery.base;
    AB_POISON(to, gc->old.prefix_bytes - gc->old_used_bytes);
    AB_POISON(gc->nursery.base, gc->nursery.bytes);
}

int ab_gc_collect(ab_gc *gc, bool is_full)
{
    size_t young_bytes = gc_young_bytes(gc);

    is_full = is_full || gc->old_used_bytes > gc->old_budget.limit_bytes ||
              gc->large_bytes > gc->large_budget.limit_bytes;
    gc->gcs++;
    if (is_full) {
        collect_old(gc);
    }
    int code = grow_old(gc, young_bytes);
    if (code != 0 && !is_full) {
        collect_old(gc);
        code = grow_old(gc, young_bytes);
    }
    if (code != 0) {
        code = replace_old(gc, young_bytes);
    }
    if (code != 0 && young_survivor_bytes(gc) > gc->old.prefix_bytes - gc->old_used_bytes) {
        return code;
    }
    promote(gc);
    return 0;
}
