/* SPDX-License-Identifier: MIT
 *
 * What batch.c holds besides its timed kernels: parameters and state, the pass that times single
 * allocations and frees, and the proof. Included there alone.
 */
#ifndef AB_BENCH_BATCH_H
#define AB_BENCH_BATCH_H

#include "harness/scenario.h"

#include "heap.h"

#include <inttypes.h>

enum { ALLOC, FREE, RESET, TOTAL, OPERATIONS };
enum { ORDER_FIFO, ORDER_LIFO, ORDER_RANDOM };

typedef struct batch_params {
    ab_mix size;
    uint64_t count, repeats, order, huge, dispatch, threads;
} batch_params;

typedef struct batch_state {
    void **object;
    uint32_t *order; /* of frees within a size; NULL unless random */
    uint32_t per_size;
} batch_state;

/* The heap that serves the size with this index. */
static AB_ALWAYS_INLINE ab_heap *heap_of(const ab_run *run, uint64_t size_index)
{
    return run->heap[run->heap_count > 1 ? size_index : 0];
}

static AB_ALWAYS_INLINE uint32_t index_of(uint64_t order, const uint32_t *random, uint32_t i,
                                          uint32_t count)
{
    return order == ORDER_FIFO ? i : order == ORDER_LIFO ? count - 1 - i : random[i];
}

static bool frees_one(const ab_backend *backend)
{
    return (backend->can & AB_BACKEND_FREES_ONE) != 0;
}

static void latency_of_size(ab_run *run, uint64_t k)
{
    const batch_params *p = run->params;
    const batch_state *state = run->state;
    const ab_backend *be = run->contender->backend;
    void **object = state->object + k * state->per_size;
    size_t bytes = (size_t)p->size.bytes[k];
    uint32_t got = 0;

    for (; got < state->per_size; got++) {
        uint64_t begin = ab_clock_ticks();
        object[got] = be->alloc(heap_of(run, k), bytes);
        ab_latency(run, ALLOC, begin);
        if (object[got] == NULL) {
            break;
        }
    }
    for (uint32_t i = 0; i < got && frees_one(be); i++) {
        void *one = object[p->order == ORDER_RANDOM && got < state->per_size
                               ? i
                               : index_of(p->order, state->order, i, got)];
        uint64_t begin = ab_clock_ticks();
        be->free(heap_of(run, k), one, bytes);
        ab_latency(run, FREE, begin);
    }
}

static void latency(ab_run *run)
{
    const batch_params *p = run->params;
    const ab_backend *be = run->contender->backend;

    for (uint64_t k = 0; k < p->size.count; k++) {
        latency_of_size(run, k);
    }
    for (size_t i = 0; i < run->heap_count && !frees_one(be); i++) {
        uint64_t begin = ab_clock_ticks();
        be->reset(run->heap[i]);
        ab_latency(run, RESET, begin);
    }
}

/* --- the proof --- */

static void prove_streams(ab_run *run)
{
    const batch_params *p = run->params;
    const batch_state *state = run->state;
    uint32_t count = state->per_size;
    bool drops_all = !frees_one(run->contender->backend);
    ab_stream alloc = ab_stream_start(), release = alloc, total;

    for (uint64_t k = 0; k < p->size.count; k++) {
        for (uint32_t i = 0; i < count; i++) {
            ab_stream_alloc(&alloc, (uint32_t)(k * count + i), p->size.bytes[k]);
        }
    }
    total = alloc;
    release.live = release.live_peak = alloc.live;
    release.live_bytes = alloc.live_bytes;
    for (uint64_t k = 0; k < p->size.count && !drops_all; k++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t index = (uint32_t)(k * count) + index_of(p->order, state->order, i, count);
            ab_stream_free(&release, index, p->size.bytes[k]);
            ab_stream_free(&total, index, p->size.bytes[k]);
        }
    }
    if (drops_all) {
        release.live = total.live = 0;
    }
    ab_prove_stream(run, ALLOC, &alloc);
    ab_prove_stream(run, drops_all ? RESET : FREE, &release);
    ab_prove_stream(run, TOTAL, &total);
    run->requested_bytes = alloc.live_bytes_peak;
}

/* The first objects of every size, as many as half the steps allow: allocated, verified, freed. */
static void prove_contents(ab_run *run)
{
    const batch_params *p = run->params;
    const batch_state *state = run->state;
    const ab_backend *backend = run->contender->backend;
    size_t sizes = (size_t)p->size.count, most = AB_CONTENTS_STEPS / 2 / sizes;
    size_t count = state->per_size < most ? state->per_size : most;
    ab_contents contents;

    if (!ab_contents_open(&contents, run, TOTAL, state->object, sizes * count)) {
        return;
    }
    bool ok = true;
    for (size_t i = 0; i < sizes * count; i++) {
        state->object[i] = NULL;
    }
    for (size_t i = 0; i < sizes * count && ok; i++) {
        contents.heap = heap_of(run, i / count);
        ok = ab_contents_alloc(&contents, i, (size_t)p->size.bytes[i / count]);
    }
    ok = ok && ab_contents_are_apart(&contents);
    for (size_t i = 0; i < sizes * count && ok; i++) {
        contents.heap = heap_of(run, i / count);
        ok = frees_one(backend) ? ab_contents_free(&contents, i) : ab_contents_verify(&contents, i);
    }
    ab_contents_close(&contents);
}

static void prove(ab_run *run)
{
    prove_streams(run);
    if (ab_heap_is_memory(run->contender->backend) && !ab_has_failed(run, TOTAL)) {
        prove_contents(run);
    }
}

#endif
