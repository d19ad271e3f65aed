/* SPDX-License-Identifier: MIT
 *
 * What granularity.c holds besides its timed kernels: parameters and state, the pass that times
 * single toggles, and the proof. Included there alone.
 */
#ifndef AB_BENCH_GRANULARITY_H
#define AB_BENCH_GRANULARITY_H

#include "harness/scenario.h"

#include "heap.h"
#include "reserve_all.h"
#include "touch.h"

#include <inttypes.h>
#include <stdio.h>

enum { RESERVE_ALL, ALLOC, FREE, TOGGLE, OPERATIONS };
enum { PART_RESERVE_ALL, PART_ALLOC_FREE, PART_TOGGLE, PARTS };
/* Steps of the contents check: each costs two page faults and some system calls, and a mapping that
 * is wrong is wrong at once. */
enum { CONTENTS_STEPS = 2000 };
enum { FREE_DECOMMIT_RELEASE, FREE_RELEASE };

typedef struct granularity_params {
    uint64_t size, total, toggles, touch, free, space, fragment, huge;
} granularity_params;

typedef struct granularity_state {
    void **slot;
    uint32_t slots;
    reserve_all_run all;
} granularity_state;

static void latency(ab_run *run)
{
    const granularity_params *p = run->params;
    const ab_backend *be = run->contender->backend;
    uint32_t slots = ((const granularity_state *)run->state)->slots;
    void **slot = ab_scratch(run, slots * sizeof *slot);
    ab_rng_dotnet rng;

    ab_rng_dotnet_seed(&rng, (uint32_t)run->seed);
    for (uint64_t n = 0; n < p->toggles && slot != NULL; n++) {
        uint32_t i = ab_rng_dotnet_below(&rng, slots);
        uint64_t begin = ab_clock_ticks();
        if (slot[i] != NULL) {
            be->free(run->heap[0], slot[i], (size_t)p->size);
            slot[i] = NULL;
        } else {
            slot[i] = be->alloc(run->heap[0], (size_t)p->size);
            if (slot[i] == NULL) {
                break;
            }
            ab_touch_block((ab_touch)p->touch, &run->pages, slot[i], (size_t)p->size);
            AB_KEEP(slot[i]);
        }
        ab_latency(run, TOGGLE, begin);
    }
    for (uint32_t i = 0; slot != NULL && i < slots; i++) {
        if (slot[i] != NULL) {
            be->free(run->heap[0], slot[i], (size_t)p->size);
        }
    }
    ab_scratch_free(run, slot);
}

/* --- the proof --- */

static void fail_proof(ab_run *run)
{
    for (unsigned i = 0; i < OPERATIONS; i++) {
        ab_fail(run, i, AB_STATUS_NOMEM, "no memory for the proof");
    }
}

/* reserve_all has none: what it does depends on how much can be had. */
static void prove_streams(ab_run *run)
{
    const granularity_params *p = run->params;
    const granularity_state *state = run->state;
    ab_stream alloc = ab_stream_start(), release = alloc, toggle = alloc;
    unsigned char *is_taken = ab_scratch(run, state->slots);
    ab_rng_dotnet rng;

    if (is_taken == NULL) {
        fail_proof(run);
        return;
    }
    for (uint32_t i = 0; i < state->slots; i++) {
        ab_stream_alloc(&alloc, i, p->size);
    }
    release.live = release.live_peak = state->slots;
    for (uint32_t i = 0; i < state->slots; i++) {
        ab_stream_free(&release, i, p->size);
    }
    ab_rng_dotnet_seed(&rng, (uint32_t)run->seed);
    for (uint64_t n = 0; n < p->toggles; n++) {
        uint32_t i = ab_rng_dotnet_below(&rng, state->slots);
        (is_taken[i] ? ab_stream_free : ab_stream_alloc)(&toggle, i, p->size);
        is_taken[i] ^= 1;
    }
    ab_prove_stream(run, ALLOC, &alloc);
    ab_prove_stream(run, FREE, &release);
    ab_prove_stream(run, TOGGLE, &toggle);
    run->requested_bytes = alloc.live_bytes_peak;
    ab_scratch_free(run, is_taken);
}

static void prove_contents(ab_run *run)
{
    const granularity_params *p = run->params;
    uint32_t slots = ((const granularity_state *)run->state)->slots;
    void **slot = ab_scratch(run, slots * sizeof *slot);
    uint64_t steps = p->toggles < CONTENTS_STEPS ? p->toggles : CONTENTS_STEPS;
    ab_contents contents;
    ab_rng_dotnet rng;

    if (slot == NULL || !ab_contents_open(&contents, run, TOGGLE, slot, slots)) {
        ab_scratch_free(run, slot);
        fail_proof(run);
        return;
    }
    bool ok = true;
    ab_rng_dotnet_seed(&rng, (uint32_t)run->seed);
    for (uint64_t n = 0; n < steps && ok; n++) {
        uint32_t i = ab_rng_dotnet_below(&rng, slots);
        ok = slot[i] != NULL ? ab_contents_free(&contents, i)
                             : ab_contents_alloc(&contents, i, (size_t)p->size);
    }
    ok = ok && ab_contents_are_apart(&contents);
    for (uint32_t i = 0; i < slots && ok; i++) {
        ok = slot[i] == NULL || ab_contents_free(&contents, i);
    }
    ab_contents_close(&contents);
    ab_scratch_free(run, slot);
}

static void prove(ab_run *run)
{
    prove_streams(run);
    if ((run->contender->backend->can & AB_BACKEND_NO_MEMORY) == 0 && !ab_has_failed(run, TOGGLE)) {
        prove_contents(run);
    }
}

#endif
