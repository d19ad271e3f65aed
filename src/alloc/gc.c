/* SPDX-License-Identifier: MIT
 *
 * The collector's allocation outside the hot path: quanta, large objects, opening and closing, and
 * the check of the invariants. What lies in [top, limit) is zero; what lies beyond limit is
 * whatever earlier objects left there.
 */
#include "gc_internal.h"

#include <string.h>

enum {
    OLD_BYTES_MIN = 1 << 20,
    OLD_GROWTH_BYTES_MIN = 256 << 10,
    LARGE_GROWTH_BYTES_MIN = 3 << 20,
    LARGE_ALIGN = 16
};
/* To begin with: 64 GiB, or 512 MiB of a 32-bit address space. A larger one comes when needed. */
#define OLD_BYTES_MAX (SIZE_MAX >> (SIZE_MAX > UINT32_MAX ? 28 : 3))
#define LARGE_OFFSET                                                                               \
    ((sizeof(ab_gc_large) + sizeof(ab_gc_header) + LARGE_ALIGN - 1) & ~(size_t)(LARGE_ALIGN - 1))

int ab_gc_init(ab_gc *gc, ab_pages *pages, void **slots, size_t slot_count, size_t nursery_bytes,
               size_t old_bytes)
{
    size_t page_bytes = pages->info.page_bytes;

    *gc = (ab_gc){.pages = pages, .slots = slots, .slot_count = slot_count};
    gc->old_budget = (ab_gc_budget){OLD_GROWTH_BYTES_MIN, OLD_GROWTH_BYTES_MIN};
    gc->large_budget = (ab_gc_budget){LARGE_GROWTH_BYTES_MIN, LARGE_GROWTH_BYTES_MIN};
    if (nursery_bytes == 0) {
        nursery_bytes = AB_GC_NURSERY_BYTES_DEFAULT;
    }
    if (nursery_bytes < AB_GC_NURSERY_BYTES_MIN || nursery_bytes > AB_GC_NURSERY_BYTES_MAX ||
        slot_count >= UINT32_MAX || (slots == NULL && slot_count != 0)) {
        return ab_invalid_code();
    }
    int code = ab_pages_map(pages, gc_round_up(nursery_bytes, page_bytes), &gc->nursery);
    if (code != 0) {
        return code;
    }
    old_bytes = old_bytes < OLD_BYTES_MIN ? OLD_BYTES_MIN : old_bytes;
    old_bytes = old_bytes > OLD_BYTES_MAX ? OLD_BYTES_MAX : old_bytes;
    do {
        code = ab_pages_reserve(pages, gc_round_up(old_bytes, page_bytes), &gc->old);
        old_bytes /= 2;
    } while (code != 0 && old_bytes >= OLD_BYTES_MIN);
    if (code != 0) {
        (void)ab_pages_release(pages, &gc->nursery);
        return code;
    }
    gc->top = gc->limit = gc->nursery.base;
    gc->nursery_end = gc->top + gc->nursery.bytes;
    AB_POISON(gc->nursery.base, gc->nursery.bytes);
    return 0;
}

void ab_gc_close(ab_gc *gc)
{
    ab_gc_large *large = gc->large;

    while (large != NULL) {
        ab_region region = large->region;
        large = large->next;
        (void)ab_pages_release(gc->pages, &region);
    }
    AB_UNPOISON(gc->nursery.base, gc->nursery.bytes);
    AB_UNPOISON(gc->old.base, gc->old.prefix_bytes);
    (void)ab_pages_release(gc->pages, &gc->nursery);
    (void)ab_pages_release(gc->pages, &gc->old);
    *gc = (ab_gc){.pages = gc->pages};
}

/* Zeroes the next quantum, or as much as the object and the nursery call for. False: no room. */
static bool refill(ab_gc *gc, size_t total)
{
    size_t have = (size_t)(gc->limit - gc->top), room = (size_t)(gc->nursery_end - gc->limit);

    if (total <= have) {
        return true;
    }
    if (total - have > room) {
        return false;
    }
    size_t quantum = total - have > AB_GC_QUANTUM_BYTES ? total - have : AB_GC_QUANTUM_BYTES;
    quantum = quantum < room ? quantum : room;
    AB_UNPOISON(gc->limit, quantum);
    memset(gc->limit, 0, quantum);
    gc->bytes_zeroed += quantum;
    gc->limit += quantum;
    return true;
}

static void *alloc_large(ab_gc *gc, size_t payload_bytes)
{
    size_t bytes = gc_round_up(LARGE_OFFSET + payload_bytes, gc->pages->info.page_bytes);
    bool has_collected = gc->large_bytes > gc->large_budget.limit_bytes;
    ab_region region;

    if (has_collected) {
        (void)ab_gc_collect(gc, true);
    }
    if (ab_pages_map(gc->pages, bytes, &region) != 0) {
        if (has_collected) {
            return NULL;
        }
        (void)ab_gc_collect(gc, true);
        if (ab_pages_map(gc->pages, bytes, &region) != 0) {
            return NULL;
        }
    }
    ab_gc_large *large = region.base;
    char *payload = (char *)region.base + LARGE_OFFSET;
    *large = (ab_gc_large){.region = region, .next = gc->large, .header = gc_header_of(payload)};
    *large->header = (ab_gc_header){0, AB_GC_KIND, (uint32_t)payload_bytes};
    gc->large = large;
    gc->large_bytes += gc_total_bytes(large->header);
    return payload;
}

void *ab_gc_alloc_slow(ab_gc *gc, size_t bytes)
{
    if (bytes > AB_GC_OBJECT_BYTES_MAX) {
        return NULL;
    }
    size_t payload_bytes = (bytes + (AB_GC_ALIGN - 1)) & ~(size_t)(AB_GC_ALIGN - 1);
    size_t total = sizeof(ab_gc_header) + payload_bytes;
    if (gc->stress) {
        (void)ab_gc_collect(gc, gc->gcs % 8 == 7);
    }
    if (total >= AB_GC_LARGE_BYTES) {
        return alloc_large(gc, payload_bytes);
    }
    if (!refill(gc, total) && (ab_gc_collect(gc, false) != 0 || !refill(gc, total))) {
        return NULL;
    }
    void *object = ab_gc_alloc(gc, bytes);
    if (gc->stress) {
        gc->limit = gc->top; /* so that the next allocation comes here again */
    }
    return object;
}

/* Walks [at, end), which must consist of whole objects; takes the marks off and counts them. */
static const char *check_objects(char *at, const char *end, size_t *marked)
{
    while (at < end) {
        ab_gc_header *header = (ab_gc_header *)(void *)at;
        if ((size_t)(end - at) < sizeof *header || header->kind != AB_GC_KIND ||
            header->payload_bytes % AB_GC_ALIGN != 0 ||
            gc_total_bytes(header) > (size_t)(end - at)) {
            return "a space does not consist of whole objects";
        }
        *marked += header->mark != 0;
        header->mark = 0;
        at += gc_total_bytes(header);
    }
    return NULL;
}

/* Marks what the slots name; an object in two slots is found out by its mark. */
static const char *check_slots(ab_gc *gc, size_t *marked)
{
    for (size_t i = 0; i < gc->slot_count; i++) {
        if (gc->slots[i] == NULL) {
            continue;
        }
        ab_gc_header *header = gc_header_of(gc->slots[i]);
        if (header->kind != AB_GC_KIND) {
            return "a slot names no object";
        }
        if (header->mark != 0) {
            return "two slots name the same object, or a mark was left";
        }
        header->mark = (uint32_t)i + 1;
        ++*marked;
    }
    return NULL;
}

static const char *check_large(ab_gc *gc, size_t *marked)
{
    size_t bytes = 0;

    for (ab_gc_large *large = gc->large; large != NULL; large = large->next) {
        size_t total = gc_total_bytes(large->header);
        if (total < AB_GC_LARGE_BYTES || total > large->region.bytes) {
            return "a large object has a wrong size";
        }
        bytes += total;
        *marked += large->header->mark != 0;
        large->header->mark = 0;
    }
    /* Fewer than the list holds, after the OS has refused to take one back. */
    return gc->large_bytes > bytes ? "the large objects are more bytes than are listed" : NULL;
}

const char *ab_gc_check(ab_gc *gc)
{
    size_t named = 0, found = 0;
    const char *broken = check_slots(gc, &named);
    char *nursery = gc->nursery.base, *old = gc->old.base;

    if (gc->top < nursery || gc->top > gc->limit || gc->limit > gc->nursery_end) {
        return "the nursery's marks are out of order";
    }
    if (gc->old_used_bytes > gc->old.prefix_bytes) {
        return "the old space is fuller than its storage";
    }
    for (const char *byte = gc->top; broken == NULL && byte < gc->limit; byte++) {
        broken = *byte != 0 ? "the room of the nursery is not zero" : NULL;
    }
    if (broken == NULL) {
        broken = check_objects(nursery, gc->top, &found);
    }
    if (broken == NULL) {
        broken = check_objects(old, old + gc->old_used_bytes, &found);
    }
    if (broken == NULL) {
        broken = check_large(gc, &found);
    }
    if (broken == NULL && named != found) {
        broken = "a slot names something inside an object, or one that is gone";
    }
    for (size_t i = 0; broken != NULL && i < gc->slot_count; i++) { /* leave no marks behind */
        if (gc->slots[i] != NULL && gc_header_of(gc->slots[i])->kind == AB_GC_KIND) {
            gc_header_of(gc->slots[i])->mark = 0;
        }
    }
    return broken;
}
