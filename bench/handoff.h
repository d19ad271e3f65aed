/* SPDX-License-Identifier: MIT
 *
 * What handoff.c holds besides its timed kernels: parameters and state, the ring that carries
 * objects from one thread to another, and what is handed to whom. Included there and by
 * handoff_proof.h alone. All of the state is scratch memory of the run; each thread writes to lines
 * of its own but for what it hands over.
 */
#ifndef AB_BENCH_HANDOFF_H
#define AB_BENCH_HANDOFF_H

#include "harness/scenario.h"

#include "heap.h"

#include <inttypes.h>

enum { HANDOFF, OPERATIONS };
enum { PAIR, RING, SHARED, ADJACENT };

enum {
    RING_SLOTS = 256,     /* a power of two */
    SHARED_SLOTS = 4096,  /* a power of two, within the range of the generator */
    ADJACENT_OBJECTS = 64 /* of each thread; a power of two */
};

typedef struct handoff_params {
    uint64_t pattern, threads, size, ops, dispatch;
} handoff_params;

/* Bounded, one writer, one reader. Both count on without end; each keeps what it last saw of the
 * other, so that it reads the other's line only when the ring looks full or empty. NULL says that
 * nothing more comes. */
typedef struct ring {
    _Alignas(AB_LINE_BYTES) _Atomic uint32_t written;
    uint32_t seen_read;
    _Alignas(AB_LINE_BYTES) _Atomic uint32_t read;
    uint32_t seen_written;
    _Alignas(AB_LINE_BYTES) void *slot[RING_SLOTS];
} ring;

/* What belongs to one thread. */
typedef struct own_state {
    _Alignas(AB_LINE_BYTES) ab_rng_msvc rng;
    uint64_t digest; /* of the thread's stream */
    _Atomic unsigned char *mine[ADJACENT_OBJECTS];
    /* Stands in for objects that share no line. */
    _Alignas(AB_LINE_BYTES) _Atomic unsigned char padded[ADJACENT_OBJECTS][2 * AB_LINE_BYTES];
} own_state;

typedef struct handoff_state {
    own_state *own;        /* one per thread */
    ring *ring;            /* pair, ring: the one that a thread writes to has its number */
    _Atomic(void *) *slot; /* shared */
    uint64_t *tag;         /* shared, in the proof: what is written into the slot's object */
    void **object;         /* adjacent, in the proof: of all threads, in turn */
} handoff_state;

static AB_ALWAYS_INLINE bool ring_push(ring *to, void *object)
{
    uint32_t written = atomic_load_explicit(&to->written, memory_order_relaxed);

    if (written - to->seen_read == RING_SLOTS) {
        to->seen_read = atomic_load_explicit(&to->read, memory_order_acquire);
        if (written - to->seen_read == RING_SLOTS) {
            return false;
        }
    }
    to->slot[written % RING_SLOTS] = object;
    atomic_store_explicit(&to->written, written + 1, memory_order_release);
    return true;
}

static AB_ALWAYS_INLINE bool ring_pop(ring *from, void **object)
{
    uint32_t read = atomic_load_explicit(&from->read, memory_order_relaxed);

    if (read == from->seen_written) {
        from->seen_written = atomic_load_explicit(&from->written, memory_order_acquire);
        if (read == from->seen_written) {
            return false;
        }
    }
    *object = from->slot[read % RING_SLOTS];
    atomic_store_explicit(&from->read, read + 1, memory_order_release);
    return true;
}

/* Until the other side has moved: a moment of looking again, then the CPU is for others. */
static AB_NOINLINE void wait_a_little(unsigned *looks)
{
    const unsigned patience = 100;

    if (++*looks < patience) {
        AB_RELAX();
    } else {
        ab_thread_yield();
    }
}

static AB_ALWAYS_INLINE void push(ring *to, void *object)
{
    unsigned looks = 0;

    while (AB_UNLIKELY(!ring_push(to, object))) {
        wait_a_little(&looks);
    }
}

static AB_ALWAYS_INLINE void *pop(ring *from)
{
    unsigned looks = 0;
    void *object;

    while (AB_UNLIKELY(!ring_pop(from, &object))) {
        wait_a_little(&looks);
    }
    return object;
}

/* The ring that this thread reads: of the producer of its pair, or of its predecessor. */
static inline unsigned source_of(const ab_run *view)
{
    const handoff_params *p = view->params;
    unsigned threads = (unsigned)p->threads;

    return (view->thread + threads - 1) % threads;
}

static inline bool is_producer(const ab_run *view)
{
    return ((const handoff_params *)view->params)->pattern != PAIR || view->thread % 2 == 0;
}

/* Threads whose operations count. */
static inline uint64_t producers(const handoff_params *p)
{
    return p->pattern == PAIR ? p->threads / 2 : p->threads;
}

/* --- adjacent --- */

/* Writes to the first and the last byte of the thread's objects; the operations done. Atomic so
 * that `none`, whose objects are all the same, is no undefined race; as instructions these are
 * plain. */
static AB_NOINLINE uint64_t write_bytes(own_state *own, size_t last, uint64_t ops)
{
    if (own->mine[0] == NULL) {
        return ops; /* the first thread got no memory, and says so */
    }
    for (uint64_t n = 0; n < ops; n++) {
        _Atomic unsigned char *object = own->mine[n % ADJACENT_OBJECTS];
        _Atomic unsigned char *byte = object + ((n & ADJACENT_OBJECTS) != 0 ? last : 0);
        unsigned char value = atomic_load_explicit(byte, memory_order_relaxed);
        atomic_store_explicit(byte, (unsigned char)(value + 1), memory_order_relaxed);
    }
    return ops;
}

static AB_ALWAYS_INLINE uint64_t write_own(ab_run *view, uint64_t ops)
{
    const handoff_params *p = view->params;
    const handoff_state *state = view->state;

    return write_bytes(&state->own[view->thread], (size_t)p->size - 1, ops);
}

/* The first thread allocates for all in turn, before the others pass the barrier; false after
 * ab_fail. */
static AB_NOINLINE bool allocate_for_all(ab_run *view)
{
    const handoff_params *p = view->params;
    const handoff_state *state = view->state;
    const ab_backend *backend = view->contender->backend;
    size_t threads = (size_t)p->threads;

    for (size_t i = 0; view->thread == 0 && i < ADJACENT_OBJECTS * threads; i++) {
        void *object = backend->alloc(view->heap[0], (size_t)p->size);
        if (object == NULL) {
            for (; i > 0; i--) {
                void *got = (void *)state->own[(i - 1) % threads].mine[(i - 1) / threads];
                backend->free(view->heap[0], got, (size_t)p->size);
            }
            for (; i < threads; i++) {
                state->own[i].mine[0] = NULL;
            }
            ab_fail(view, HANDOFF, AB_STATUS_NOMEM, "no memory for the objects");
            return false;
        }
        state->own[i % threads].mine[i / threads] = object;
    }
    return true;
}

/* When all have written: a free writes beside objects too. */
static AB_NOINLINE void free_own(ab_run *view)
{
    const handoff_params *p = view->params;
    const handoff_state *state = view->state;
    own_state *own = &state->own[view->thread];

    ab_meet(view);
    for (size_t i = 0; own->mine[0] != NULL && i < ADJACENT_OBJECTS; i++) {
        view->contender->backend->free(view->heap[0], (void *)own->mine[i], (size_t)p->size);
    }
}

#endif
