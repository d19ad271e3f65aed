/* SPDX-License-Identifier: MIT
 *
 * The contents check of scenario.h. Patterns at both ends tell when something else was written
 * there; that objects lie apart is seen by sorting the live ones by address, which is done every
 * few thousand steps and at the end.
 */
#include "scenario.h"

#include <inttypes.h>

struct ab_contents_note {
    uint64_t step;
    size_t bytes;
};

/* Allocations between two looks for overlaps. */
enum { LOOK_EVERY = 16384 };

enum { END_BYTES = 64 };

static unsigned char pattern_byte(uint64_t tag, size_t i)
{
    return (unsigned char)(((tag + 1) * UINT64_C(0x9e3779b97f4a7c15) >> (i % 8 * 8)) + i);
}

/* The next index that carries the pattern: both ends, not the middle. */
static size_t next_index(size_t i, size_t bytes)
{
    return i + 1 == END_BYTES && bytes > 2 * END_BYTES ? bytes - END_BYTES : i + 1;
}

void ab_pattern_write(void *object_bytes, size_t bytes, uint64_t tag)
{
    unsigned char *object = object_bytes;

    for (size_t i = 0; i < bytes; i = next_index(i, bytes)) {
        object[i] = pattern_byte(tag, i);
    }
}

bool ab_pattern_is_intact(const void *object_bytes, size_t bytes, uint64_t tag)
{
    const unsigned char *object = object_bytes;

    for (size_t i = 0; i < bytes; i = next_index(i, bytes)) {
        if (object[i] != pattern_byte(tag, i)) {
            return false;
        }
    }
    return true;
}

bool ab_is_aligned(const ab_backend *backend, const void *object, size_t bytes)
{
    size_t own = bytes & (~bytes + 1); /* largest power of two that divides the size */

    if ((backend->can & AB_BACKEND_MALLOC_ALIGNS) != 0) {
        for (own = 1; own <= bytes / 2 && own < backend->alignment; own *= 2) {
        }
    }
    size_t wanted = own < backend->alignment ? own : backend->alignment;

    return ((uintptr_t)object & (wanted - 1)) == 0;
}

bool ab_contents_open(ab_contents *contents, ab_run *run, unsigned operation, void **slot,
                      size_t slots)
{
    *contents = (ab_contents){.run = run,
                              .heap = run->heap[0],
                              .operation = operation,
                              .slot = slot,
                              .slots = slots,
                              .note = ab_scratch(run, slots * sizeof(ab_contents_note)),
                              .order = ab_scratch(run, slots * sizeof(size_t))};
    if (contents->note != NULL && contents->order != NULL) {
        return true;
    }
    ab_contents_close(contents);
    ab_fail(run, operation, AB_STATUS_NOMEM, "no memory for the proof");
    return false;
}

void ab_contents_close(ab_contents *contents)
{
    ab_scratch_free(contents->run, contents->note);
    ab_scratch_free(contents->run, contents->order);
}

bool ab_contents_alloc(ab_contents *contents, size_t slot, size_t bytes)
{
    ab_run *run = contents->run;
    const ab_backend *backend = run->contender->backend;
    void *object = backend->alloc(contents->heap, bytes);
    uint64_t step = contents->step++;

    if (object == NULL) {
        ab_fail(run, contents->operation, AB_STATUS_NOMEM,
                "proof: operation %" PRIu64 " got no memory", step);
        return false;
    }
    if (!ab_is_aligned(backend, object, bytes)) {
        ab_fail(run, contents->operation, AB_STATUS_FAILED,
                "proof: operation %" PRIu64 " got a misaligned pointer", step);
        return false;
    }
    contents->slot[slot] = object;
    contents->note[slot] = (ab_contents_note){step, bytes};
    ab_pattern_write(object, bytes, step);
    return step % LOOK_EVERY != LOOK_EVERY - 1 || ab_contents_are_apart(contents);
}

bool ab_contents_verify(ab_contents *contents, size_t slot)
{
    const ab_contents_note *note = &contents->note[slot];

    if (ab_pattern_is_intact(contents->slot[slot], note->bytes, note->step)) {
        return true;
    }
    ab_fail(contents->run, contents->operation, AB_STATUS_FAILED,
            "proof: operation %" PRIu64 " found the object of operation %" PRIu64 " overwritten",
            contents->step, note->step);
    return false;
}

bool ab_contents_free(ab_contents *contents, size_t slot)
{
    bool ok = ab_contents_verify(contents, slot);

    contents->run->contender->backend->free(contents->heap, contents->slot[slot],
                                            contents->note[slot].bytes);
    contents->slot[slot] = NULL;
    contents->step++;
    return ok;
}

static bool is_below(const ab_contents *contents, size_t a, size_t b)
{
    return (uintptr_t)contents->slot[a] < (uintptr_t)contents->slot[b];
}

static void sift_down(const ab_contents *contents, size_t *heap, size_t count, size_t at)
{
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < count && is_below(contents, heap[child], heap[child + 1])) {
            child++;
        }
        if (child >= count || !is_below(contents, heap[at], heap[child])) {
            return;
        }
        size_t moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
        at = child;
    }
}

/* Heapsort: qsort has no way to reach the slots, and may take memory from the heap under test. */
static size_t sort_live(ab_contents *contents)
{
    size_t *order = contents->order, count = 0;

    for (size_t slot = 0; slot < contents->slots; slot++) {
        if (contents->slot[slot] != NULL) {
            order[count++] = slot;
        }
    }
    for (size_t i = count / 2; i > 0; i--) {
        sift_down(contents, order, count, i - 1);
    }
    for (size_t end = count; end > 1; end--) {
        size_t last = order[0];
        order[0] = order[end - 1];
        order[end - 1] = last;
        sift_down(contents, order, end - 1, 0);
    }
    return count;
}

bool ab_contents_are_apart(ab_contents *contents)
{
    size_t count = sort_live(contents);

    for (size_t i = 1; i < count; i++) {
        size_t low = contents->order[i - 1], high = contents->order[i];
        uintptr_t distance = (uintptr_t)contents->slot[high] - (uintptr_t)contents->slot[low];
        if (distance < contents->note[low].bytes) {
            ab_fail(contents->run, contents->operation, AB_STATUS_FAILED,
                    "proof: the objects of operation %" PRIu64 " and operation %" PRIu64 " overlap",
                    contents->note[low].step, contents->note[high].step);
            return false;
        }
    }
    return true;
}
