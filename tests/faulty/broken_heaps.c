/* SPDX-License-Identifier: MIT
 *
 * See broken_heaps.h.
 */
#include "broken_heaps.h"

#include <string.h>

enum { ROOM = 1 << 20, ALIGNMENT = 16 };

struct ab_heap {
    size_t used, count;
};
static struct ab_heap the_heap;
static _Alignas(64) unsigned char memory[ROOM];

static int open_heap(const ab_backend_config *config, ab_heap **out)
{
    (void)config;
    the_heap = (ab_heap){0, 0};
    *out = &the_heap;
    return 0;
}

static int refuse_to_open(const ab_backend_config *config, ab_heap **out)
{
    (void)config;
    *out = NULL;
    return 12;
}

/* The next object, `step` bytes behind the last. */
static unsigned char *bump(ab_heap *heap, size_t bytes, size_t step)
{
    unsigned char *object = memory + heap->used;

    if (heap->used + bytes + ALIGNMENT > ROOM) {
        return NULL;
    }
    heap->used += step;
    heap->count++;
    return object;
}

static void *alloc_overlapping(ab_heap *heap, size_t bytes)
{
    return bump(heap, bytes, bytes / 2);
}

static void *alloc_misaligned(ab_heap *heap, size_t bytes)
{
    unsigned char *object = bump(heap, bytes, bytes + ALIGNMENT);
    return object != NULL && heap->count == 3 ? object + 4 : object;
}

static void *alloc_overwriting(ab_heap *heap, size_t bytes)
{
    unsigned char *object = bump(heap, bytes, bytes);

    if (heap->count == 4) {
        memset(memory + bytes, 0, 1);
    }
    return object;
}

static void *alloc_exhausted(ab_heap *heap, size_t bytes)
{
    return heap->count == 2 ? NULL : bump(heap, bytes, bytes);
}

static void free_nothing(ab_heap *heap, void *p, size_t bytes)
{
    (void)heap;
    (void)p;
    (void)bytes;
}

static void do_nothing(ab_heap *heap)
{
    (void)heap;
}

#define BROKEN(id, text, opener, allocator)                                                        \
    const ab_backend broken_##id = {.abi = AB_BACKEND_ABI,                                         \
                                    .can = AB_BACKEND_FREES_ONE,                                   \
                                    .name = #id,                                                   \
                                    .summary = text,                                               \
                                    .max_object_bytes = SIZE_MAX,                                  \
                                    .alignment = ALIGNMENT,                                        \
                                    .open = opener,                                                \
                                    .alloc = allocator,                                            \
                                    .free = free_nothing,                                          \
                                    .reset = do_nothing,                                           \
                                    .close = do_nothing}
BROKEN(overlapping, "objects that share bytes", open_heap, alloc_overlapping);
BROKEN(misaligned, "an object that is not aligned", open_heap, alloc_misaligned);
BROKEN(overwriting, "writes into an object", open_heap, alloc_overwriting);
BROKEN(exhausted, "gets nothing in the proof", open_heap, alloc_exhausted);
BROKEN(unopenable, "cannot be opened", refuse_to_open, alloc_exhausted);
