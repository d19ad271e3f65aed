/* SPDX-License-Identifier: MIT
 *
 * The part reserve_all of granularity: how much of a bounded address space can be had in blocks of
 * one size, whole or fragmented. Its bookkeeping does not depend on the block size, since it lies
 * in the bounded space too. Included by granularity.c alone; all memory is the harness's.
 */
#ifndef AB_BENCH_RESERVE_ALL_H
#define AB_BENCH_RESERVE_ALL_H

#include "harness/scenario.h"

#include <inttypes.h>

enum { FRAGMENT_BYTES = 65536 };

/* What to do, and what came of it. */
typedef struct reserve_all_run {
    ab_run *run;
    unsigned operation;
    uint64_t block_bytes, space_bytes;
    uint64_t fragment;              /* quarters of the space that stay taken by small blocks */
    size_t limit_bytes;             /* in force then */
    ab_region *regions, *fragments; /* tables, made once and kept */
} reserve_all_run;

/* Takes blocks until none is left; their regions go to `out`. */
static uint64_t take_all(ab_pages *pages, size_t bytes, ab_region *out, uint64_t most, int *code)
{
    uint64_t count = 0;

    *code = 0;
    while (count < most && (*code = ab_pages_reserve(pages, bytes, &out[count])) == 0) {
        count++;
    }
    return count;
}

static void release_all(ab_pages *pages, ab_region *regions, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (regions[i].base != NULL) {
            ab_pages_release(pages, &regions[i]);
        }
    }
}

/* Fills the space with small blocks and releases a random choice of them; how many it took. */
static uint64_t fragment_space(const reserve_all_run *all, ab_pages *pages, ab_region *regions,
                               uint64_t most)
{
    int code;
    uint64_t count = take_all(pages, FRAGMENT_BYTES, regions, most, &code);
    uint64_t to_release = count * (4 - all->fragment) / 4;
    ab_rng_dotnet rng;

    ab_rng_dotnet_seed(&rng, (uint32_t)all->run->seed);
    for (uint64_t i = 0; i < to_release; i++) {
        uint64_t pick = i + ab_rng_dotnet_below(&rng, (uint32_t)(count - i));
        ab_region chosen = regions[pick];
        regions[pick] = regions[i];
        regions[i] = chosen;
        ab_pages_release(pages, &regions[i]);
    }
    return count;
}

static void reserve_all_in_space(reserve_all_run *all, ab_pages *space, uint64_t most)
{
    ab_run *run = all->run;
    uint64_t taken = all->fragment > 0 ? fragment_space(all, space, all->fragments, most) : 0;
    int code;

    ab_start(run);
    uint64_t count = take_all(space, (size_t)all->block_bytes, all->regions, most, &code);
    ab_stop(run, all->operation, count);
    release_all(space, all->regions, count);
    release_all(space, all->fragments, taken);
    ab_extra(run, all->operation, "blocks", count);
    ab_extra(run, all->operation, "obtained_bytes", count * all->block_bytes);
    ab_extra(run, all->operation, "limit", all->limit_bytes);
    if (code != 0 && !ab_is_out_of_memory(code)) {
        ab_fail(run, all->operation, AB_STATUS_FAILED, "reserve failed with OS error %d", code);
    } else if (count == 0) {
        ab_fail(run, all->operation, AB_STATUS_NOMEM,
                "not one block of %" PRIu64 " bytes can be had in the space of %zu bytes",
                all->block_bytes, all->limit_bytes);
    }
}

/* One timed pass; the space is unbounded again afterwards. */
static void reserve_all(reserve_all_run *all)
{
    ab_run *run = all->run;
    uint64_t least = all->block_bytes < FRAGMENT_BYTES ? all->block_bytes : FRAGMENT_BYTES;
    uint64_t most = all->space_bytes / least + 1;
    ab_pages space; /* a layer of its own: the space is not part of the heap's memory ladder */

    ab_pages_init(&space);
    if (all->regions == NULL) {
        all->regions = ab_scratch(run, (size_t)most * sizeof(ab_region));
        all->fragments = ab_scratch(run, (size_t)most * sizeof(ab_region));
    }
    if ((space.info.can & (all->fragment > 0 ? AB_PAGES_CAN_BOUND_SPAN : AB_PAGES_CAN_BOUND)) ==
        0) {
        ab_fail(run, all->operation, AB_STATUS_UNSUPPORTED,
                "the address space cannot be bounded here");
        return;
    }
    if (all->regions == NULL || all->fragments == NULL) {
        ab_fail(run, all->operation, AB_STATUS_NOMEM, "no memory for the table of blocks");
        return;
    }
    int code =
        ab_pages_bound(&space, (size_t)all->space_bytes, all->fragment > 0, &all->limit_bytes);
    if (code != 0) {
        ab_fail(run, all->operation, AB_STATUS_FAILED,
                "the address space cannot be bounded: OS error %d", code);
        return;
    }
    reserve_all_in_space(all, &space, most);
    ab_pages_unbound(&space);
}

#endif
