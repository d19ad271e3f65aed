/* SPDX-License-Identifier: MIT
 *
 * The proof of handoff: what each thread calls, and that objects arrive as they were sent. The
 * digest of a thread is over its own calls in an order that does not depend on the others: what it
 * allocates, then what it frees, numbered per ring; shared: what it allocates alone, by slot, since
 * who frees what is chance; adjacent: the objects in turn. Included by handoff.c alone.
 */
#ifndef AB_BENCH_HANDOFF_PROOF_H
#define AB_BENCH_HANDOFF_PROOF_H

#include "handoff.h"

#include <stdio.h>

static bool is_consumer(const ab_run *view)
{
    const handoff_params *p = view->params;

    return p->pattern == RING || (p->pattern == PAIR && view->thread % 2 == 1);
}

static void stream_job(ab_run *view)
{
    const handoff_params *p = view->params;
    own_state *own = &((const handoff_state *)view->state)->own[view->thread];
    ab_stream stream = ab_stream_start();
    ab_rng_msvc rng = {(uint32_t)view->seed};
    uint32_t objects = (uint32_t)(ADJACENT_OBJECTS * p->threads);

    if (p->pattern == ADJACENT) {
        for (uint32_t i = 0; view->thread == 0 && i < objects; i++) {
            ab_stream_alloc(&stream, i, p->size);
        }
        for (uint32_t i = view->thread; i < objects; i += (uint32_t)p->threads) {
            ab_stream_free(&stream, i, p->size);
        }
    } else {
        for (uint64_t n = 0; is_producer(view) && n < p->ops; n++) {
            ab_stream_alloc(
                &stream, p->pattern == SHARED ? ab_rng_msvc_next(&rng) % SHARED_SLOTS : (uint32_t)n,
                p->size);
        }
        for (uint64_t n = 0; is_consumer(view) && n < p->ops; n++) {
            ab_stream_free(&stream, (uint32_t)n, p->size);
        }
    }
    own->digest = stream.hash;
}

/* Slots of the table that any thread's first pass reaches, which is also how many objects stay. */
static uint64_t slots_reached(ab_run *run)
{
    const handoff_params *p = run->params;
    handoff_state *state = run->state;
    uint64_t reached = 0;

    for (unsigned i = 0; i < SHARED_SLOTS; i++) {
        state->tag[i] = 0;
    }
    for (unsigned thread = 0; thread < p->threads; thread++) {
        ab_rng_msvc rng = {(uint32_t)ab_thread_seed(run->seed, thread)};
        for (uint64_t n = 0; n < p->ops && reached < SHARED_SLOTS; n++) {
            uint64_t *tag = &state->tag[ab_rng_msvc_next(&rng) % SHARED_SLOTS];
            reached += *tag == 0;
            *tag = 1;
        }
    }
    return reached;
}

static void prove_streams(ab_run *run)
{
    const handoff_params *p = run->params;
    const handoff_state *state = run->state;
    uint64_t chain = ab_chain_start(), allocs = producers(p) * p->ops, stay = 0;

    ab_together(run, stream_job);
    for (uint64_t i = 0; i < p->threads; i++) {
        chain = ab_chain(chain, state->own[i].digest);
    }
    ab_prove_digest(run, HANDOFF, chain);
    run->requested_bytes = AB_NO_COUNT; /* how full the rings get is chance */
    if (p->pattern == SHARED) {
        stay = slots_reached(run);
        run->requested_bytes = stay * p->size;
    } else if (p->pattern == ADJACENT) {
        allocs = ADJACENT_OBJECTS * p->threads;
        run->requested_bytes = allocs * p->size;
    }
    ab_extra(run, HANDOFF, "allocs", allocs);
    ab_extra(run, HANDOFF, "frees", allocs - stay);
    ab_extra(run, HANDOFF, "live_final", stay);
    if (run->requested_bytes != AB_NO_COUNT) {
        ab_extra(run, HANDOFF, "live_peak", run->requested_bytes / p->size);
    }
}

/* --- contents --- */

static uint64_t tag_of(unsigned thread, uint64_t n)
{
    return (uint64_t)thread << 32 | n;
}

/* Operations of each thread in the check. */
static uint64_t steps(const handoff_params *p)
{
    uint64_t most = AB_CONTENTS_STEPS / producers(p);

    return p->ops < most ? p->ops : most;
}

/* An object that carries the tag, or NULL after ab_fail. */
static void *make(ab_run *view, uint64_t n)
{
    const handoff_params *p = view->params;
    const ab_backend *backend = view->contender->backend;
    void *object = backend->alloc(view->heap[0], (size_t)p->size);

    if (object == NULL) {
        ab_fail(view, HANDOFF, AB_STATUS_NOMEM, "proof: operation %" PRIu64 " got no memory", n);
        return NULL;
    }
    if (!ab_is_aligned(backend, object, (size_t)p->size)) {
        ab_fail(view, HANDOFF, AB_STATUS_FAILED,
                "proof: operation %" PRIu64 " got a misaligned pointer", n);
        backend->free(view->heap[0], object, (size_t)p->size);
        return NULL;
    }
    ab_pattern_write(object, (size_t)p->size, tag_of(view->thread, n));
    return object;
}

static void verify_and_free(ab_run *view, void *object, uint64_t tag)
{
    const handoff_params *p = view->params;

    if (!ab_pattern_is_intact(object, (size_t)p->size, tag)) {
        ab_fail(view, HANDOFF, AB_STATUS_FAILED,
                "proof: the object of thread %u, operation %" PRIu64 " was overwritten",
                (unsigned)(tag >> 32), tag & UINT32_MAX);
    }
    view->contender->backend->free(view->heap[0], object, (size_t)p->size);
}

/* pair and ring; whoever fails says so to the next, and the others go on to their ends. */
static void pass_on_job(ab_run *view)
{
    const handoff_state *state = view->state;
    unsigned source = source_of(view), looks = 0;
    uint64_t count = steps(view->params), sent = 0, freed = 0, got = is_consumer(view) ? count : 0;
    bool has_more = is_producer(view);
    void *next = NULL, *object;

    while (has_more || freed < got) {
        if (has_more && next == NULL) {
            next = make(view, sent);
        }
        if (has_more && ring_push(&state->ring[view->thread], next)) {
            has_more = next != NULL && ++sent < count;
            next = NULL;
        } else if (freed < got && ring_pop(&state->ring[source], &object)) {
            if (object != NULL) {
                verify_and_free(view, object, tag_of(source, freed++));
            } else {
                got = freed;
            }
        } else {
            wait_a_little(&looks);
        }
    }
}

/* shared: a slot and its tag change together, behind a mark that says so. */
static void exchange_job(ab_run *view)
{
    handoff_state *state = view->state;
    void *const mark = state;
    ab_rng_msvc rng = {(uint32_t)view->seed};
    uint64_t count = steps(view->params);

    for (uint64_t n = 0; n < count; n++) {
        uint32_t i = ab_rng_msvc_next(&rng) % SHARED_SLOTS;
        unsigned looks = 0;
        void *old, *object = make(view, n);
        if (object == NULL) {
            return;
        }
        while ((old = atomic_exchange_explicit(&state->slot[i], mark, memory_order_acquire)) ==
               mark) {
            wait_a_little(&looks);
        }
        uint64_t old_tag = state->tag[i];
        state->tag[i] = tag_of(view->thread, n);
        atomic_store_explicit(&state->slot[i], object, memory_order_release);
        if (old != NULL) {
            verify_and_free(view, old, old_tag);
        }
    }
}

/* Frees what the passes left in the table. */
static void empty_table(ab_run *run)
{
    const handoff_params *p = run->params;
    handoff_state *state = run->state;

    for (unsigned i = 0; i < SHARED_SLOTS; i++) {
        void *object = atomic_exchange(&state->slot[i], NULL);
        if (object != NULL) {
            run->contender->backend->free(run->heap[0], object, (size_t)p->size);
        }
    }
}

static void prove_table(ab_run *run)
{
    handoff_state *state = run->state;

    empty_table(run);
    ab_together(run, exchange_job);
    for (unsigned i = 0; i < SHARED_SLOTS; i++) {
        void *object = atomic_exchange(&state->slot[i], NULL);
        if (object != NULL) {
            verify_and_free(run, object, state->tag[i]);
        }
    }
}

/* adjacent: each writes its objects anew; then all of them must be as written. */
static void own_objects_job(ab_run *view)
{
    const handoff_params *p = view->params;
    handoff_state *state = view->state;
    size_t threads = (size_t)p->threads, count = ADJACENT_OBJECTS * threads;

    for (size_t i = view->thread; i < count; i += threads) {
        ab_pattern_write(state->object[i], (size_t)p->size, tag_of(view->thread, i));
    }
    ab_meet(view);
    for (size_t i = view->thread; i < count; i += threads) {
        verify_and_free(view, state->object[i], tag_of(view->thread, i));
        state->object[i] = NULL;
    }
}

/* Cache lines of 64 bytes that hold parts of objects of several threads. */
static uint64_t lines_shared(const ab_contents *contents, uint64_t threads, uint64_t bytes)
{
    const uint64_t line_bytes = 64;
    uint64_t shared = 0, last = UINT64_MAX;

    for (size_t i = 1; i < contents->slots; i++) {
        size_t low = contents->order[i - 1], high = contents->order[i];
        uint64_t low_line = ((uint64_t)(uintptr_t)contents->slot[low] + bytes - 1) / line_bytes;
        uint64_t high_line = (uint64_t)(uintptr_t)contents->slot[high] / line_bytes;
        if (low % threads != high % threads && low_line == high_line && low_line != last) {
            shared++;
            last = low_line;
        }
    }
    return shared;
}

static void prove_own_objects(ab_run *run)
{
    const handoff_params *p = run->params;
    handoff_state *state = run->state;
    size_t count = ADJACENT_OBJECTS * (size_t)p->threads;
    ab_contents contents;

    if (!ab_contents_open(&contents, run, HANDOFF, state->object, count)) {
        return;
    }
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        ok = ab_contents_alloc(&contents, i, (size_t)p->size);
    }
    if (ok && ab_contents_are_apart(&contents)) {
        ab_extra(run, HANDOFF, "lines_shared", lines_shared(&contents, p->threads, p->size));
        ab_together(run, own_objects_job);
    }
    ab_contents_close(&contents);
}

/* The same writes to objects that share no line with another thread's. */
static void padded_job(ab_run *view)
{
    const handoff_params *p = view->params;
    own_state *own = &((const handoff_state *)view->state)->own[view->thread];

    for (size_t i = 0; i < ADJACENT_OBJECTS; i++) {
        own->mine[i] = own->padded[i];
    }
    ab_start(view);
    write_bytes(own, AB_LINE_BYTES, p->ops);
    ab_stop(view, HANDOFF, 0);
}

enum { PADDED_TIMES = 5 };

static void time_padded(ab_run *run)
{
    const handoff_params *p = run->params;
    uint64_t ticks[PADDED_TIMES] = {0}; /* in rising order */
    char text[32];

    for (int i = 0; i < PADDED_TIMES; i++) {
        uint64_t taken = ab_together(run, padded_job);
        int at = i;
        for (; at > 0 && ticks[at - 1] > taken; at--) {
            ticks[at] = ticks[at - 1];
        }
        ticks[at] = taken;
    }
    uint64_t ns = ab_ticks_to_ns(ticks[PADDED_TIMES / 2], ab_clock_frequency());
    snprintf(text, sizeof text, "%.2f", (double)ns / ((double)p->ops * (double)p->threads));
    ab_extra_text(run, HANDOFF, "padded_ns_per_op", text);
}

static void prove(ab_run *run)
{
    const handoff_params *p = run->params;

    prove_streams(run);
    if (p->pattern == ADJACENT) {
        time_padded(run);
    }
    if (!ab_heap_is_memory(run->contender->backend) || ab_has_failed(run, HANDOFF)) {
        return;
    }
    switch (p->pattern) {
    case SHARED:
        prove_table(run);
        break;
    case ADJACENT:
        prove_own_objects(run);
        break;
    default:
        ab_together(run, pass_on_job);
        break;
    }
}

#endif
