/* SPDX-License-Identifier: MIT
 *
 * A plug-in: an allocator of your own, compiled alone and measured by "--backend lib:PATH". This
 * one takes blocks from the C library, cuts objects of one size from them, and keeps freed objects
 * in a list. The README has the commands.
 */
#include "allocbench/backend.h"

#include <errno.h>
#include <stdlib.h>

enum { ALIGNMENT = 16, BLOCK_BYTES = 1 << 16 };

typedef struct freelist {
    void *free;   /* freed objects; each begins with the address of the next */
    char *next;   /* what is left of the newest block */
    size_t left;  /* ... in bytes */
    void *blocks; /* each begins with the address of the one before */
    size_t object_bytes;
} freelist;

static int open_heap(const ab_backend_config *config, ab_heap **out)
{
    freelist *heap = calloc(1, sizeof *heap);

    *out = (ab_heap *)heap;
    if (heap == NULL) {
        return ENOMEM;
    }
    heap->object_bytes = (config->object_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return 0;
}

static void *alloc_object(ab_heap *opaque, size_t bytes)
{
    freelist *heap = (freelist *)opaque;
    void *object = heap->free;

    (void)bytes; /* the heap serves one size */
    if (object != NULL) {
        heap->free = *(void **)object;
        return object;
    }
    if (heap->left < heap->object_bytes) {
        size_t room = heap->object_bytes > BLOCK_BYTES ? heap->object_bytes : BLOCK_BYTES;
        void **block = malloc(ALIGNMENT + room);
        if (block == NULL) {
            return NULL;
        }
        *block = heap->blocks;
        heap->blocks = block;
        heap->next = (char *)block + ALIGNMENT;
        heap->left = room;
    }
    object = heap->next;
    heap->next += heap->object_bytes;
    heap->left -= heap->object_bytes;
    return object;
}

static void free_object(ab_heap *opaque, void *p, size_t bytes)
{
    freelist *heap = (freelist *)opaque;

    (void)bytes;
    *(void **)p = heap->free;
    heap->free = p;
}

static void close_heap(ab_heap *opaque)
{
    freelist *heap = (freelist *)opaque;

    while (heap->blocks != NULL) {
        void *before = *(void **)heap->blocks;
        free(heap->blocks);
        heap->blocks = before;
    }
    free(heap);
}

static const ab_backend backend = {
    .abi = AB_BACKEND_ABI,
    .can = AB_BACKEND_FREES_ONE,
    .name = "freelist",
    .summary = "a list of freed objects over blocks of the C library",
    .max_object_bytes = SIZE_MAX / 2,
    .alignment = ALIGNMENT,
    .open = open_heap,
    .alloc = alloc_object,
    .free = free_object,
    .close = close_heap,
};

AB_EXPORT const ab_backend *allocbench_backend(void)
{
    return &backend;
}
