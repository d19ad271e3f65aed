/* SPDX-License-Identifier: MIT
 *
 * The block pool: a LIFO list over extents. Invariant: only ordinary blocks are kept, and what is
 * kept or out has been taken from the extents, which own the memory.
 */
#include "allocbench/block_pool.h"
#include "allocbench/poison.h"

void ab_block_pool_init(ab_block_pool *pool, ab_extents *extents, size_t limit_count)
{
    *pool = (ab_block_pool){.extents = extents, .limit_count = limit_count};
}

ab_block *ab_block_pool_take(ab_block_pool *pool, size_t bytes)
{
    ab_block *block = pool->kept;

    if (block != NULL && bytes <= pool->extents->block_bytes) {
        pool->kept = block->previous;
        pool->kept_count--;
        block->previous = NULL;
    } else if ((block = ab_extents_take(pool->extents, bytes)) == NULL) {
        return NULL;
    }
    pool->out++;
    return block;
}

void ab_block_pool_give(ab_block_pool *pool, ab_block *newest, size_t count)
{
    pool->out -= count;
    for (; count > 0; count--) {
        ab_block *block = newest;
        newest = block->previous;
        if (block->bytes != pool->extents->block_bytes || pool->kept_count >= pool->limit_count) {
            ab_extents_give(pool->extents, block, 1);
            continue;
        }
        AB_POISON((char *)block + AB_BLOCK_HEADER_BYTES, block->bytes - AB_BLOCK_HEADER_BYTES);
        block->previous = pool->kept;
        pool->kept = block;
        pool->kept_count++;
    }
}

void ab_block_pool_clear(ab_block_pool *pool)
{
    if (pool->kept_count != 0) {
        ab_extents_give(pool->extents, pool->kept, pool->kept_count);
    }
    pool->kept = NULL;
    pool->kept_count = 0;
}

const char *ab_block_pool_check(const ab_block_pool *pool)
{
    size_t count = 0;

    if (pool->kept_count > pool->limit_count) {
        return "a pool keeps more blocks than its limit";
    }
    for (const ab_block *block = pool->kept; block != NULL; block = block->previous, count++) {
        if (count >= pool->kept_count) {
            break;
        }
        if (!ab_extents_owns(pool->extents, block) || block->bytes != pool->extents->block_bytes) {
            return "a kept block is not an ordinary block of the extents";
        }
    }
    if (count != pool->kept_count) {
        return "the list of kept blocks has another length";
    }
    if (pool->kept_count + pool->out > pool->extents->live) {
        return "a pool has more blocks than were taken from the extents";
    }
    return ab_extents_check(pool->extents);
}

static ab_block *pool_take(void *self, size_t bytes)
{
    return ab_block_pool_take(self, bytes);
}

static void pool_give(void *self, ab_block *newest, size_t count)
{
    ab_block_pool_give(self, newest, count);
}

const ab_block_source ab_block_pool_source = {.take = pool_take, .give = pool_give};
