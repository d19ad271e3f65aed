/* SPDX-License-Identifier: MIT
 *
 * The small-object allocator's invariant checker: every chunk's list holds its available blocks,
 * each once, and the empty chunk is the remembered one. Changes nothing; reads past the poisoning.
 */
#include "allocbench/smallobj.h"

/* The index held by a free block, read past the poisoning. */
static unsigned next_index(const ab_smallobj_fixed *fixed, const ab_smallobj_chunk *chunk,
                           unsigned index)
{
    unsigned char *block = chunk->data + (size_t)index * fixed->block_bytes;

    AB_UNPOISON(block, fixed->block_bytes);
    unsigned next = *block;
    AB_POISON(block, fixed->block_bytes);
    return next;
}

bool ab_smallobj_is_used(const ab_smallobj_fixed *fixed, const ab_smallobj_chunk *chunk,
                         const void *p)
{
    size_t offset = (size_t)((const unsigned char *)p - chunk->data);
    unsigned index = chunk->first;

    if (offset % fixed->block_bytes != 0) {
        return false;
    }
    for (unsigned i = 0; i < chunk->available; i++) {
        if (index == offset / fixed->block_bytes) {
            return false;
        }
        index = next_index(fixed, chunk, index);
    }
    return true;
}

static const char *check_chunk(const ab_smallobj_fixed *fixed, const ab_smallobj_chunk *chunk)
{
    bool seen[AB_SMALLOBJ_MOST_BLOCKS] = {false};
    unsigned index = chunk->first;

    if (chunk->available > fixed->blocks) {
        return "smallobj: a chunk has more free blocks than blocks";
    }
    for (unsigned i = 0; i < chunk->available; i++) {
        if (index >= fixed->blocks) {
            return "smallobj: a free block's index is out of range (written after free?)";
        }
        if (seen[index]) {
            return "smallobj: a block is in a free list twice (double free?)";
        }
        seen[index] = true;
        index = next_index(fixed, chunk, index);
    }
    return NULL;
}

static bool in_table(const ab_smallobj_fixed *fixed, const ab_smallobj_chunk *chunk)
{
    return chunk == NULL || (chunk >= fixed->chunks && chunk < fixed->chunks + fixed->chunk_count);
}

static const char *check_fixed(const ab_smallobj_fixed *fixed)
{
    if (fixed->bad_frees != 0) {
        return "smallobj: a pointer was freed that no chunk owns or that was free already";
    }
    if (fixed->chunk_count > fixed->chunk_capacity) {
        return "smallobj: a chunk table is over full";
    }
    if (!in_table(fixed, fixed->alloc_chunk) || !in_table(fixed, fixed->dealloc_chunk) ||
        !in_table(fixed, fixed->empty_chunk)) {
        return "smallobj: a remembered chunk is not in its table";
    }
    for (size_t i = 0; i < fixed->chunk_count; i++) {
        const ab_smallobj_chunk *chunk = &fixed->chunks[i];
        const char *broken = check_chunk(fixed, chunk);
        if (broken != NULL) {
            return broken;
        }
        if ((chunk->available == fixed->blocks) != (chunk == fixed->empty_chunk)) {
            return "smallobj: the empty chunk is not the remembered one";
        }
    }
    return NULL;
}

const char *ab_smallobj_check(const ab_smallobj *so)
{
    for (size_t i = 0; i < AB_SMALLOBJ_SIZES; i++) {
        const char *broken = check_fixed(&so->fixed[i]);
        if (broken != NULL) {
            return broken;
        }
    }
    return NULL;
}
