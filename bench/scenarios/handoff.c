/* SPDX-License-Identifier: MIT
 *
 * handoff: objects that one thread allocates and another one frees, or writes to. All threads use
 * one heap. pair: producer and consumer over a ring. ring: every thread passes on to the next.
 * shared: all exchange objects in one table. adjacent: one thread allocates for all in turn, and
 * each writes to its own; an operation is a write, and what slows it is that objects of two threads
 * lie in one cache line. `none` prices the handing over itself, and in adjacent, where all get one
 * object, the worst case.
 */
#include "handoff.h"
#include "handoff_proof.h"

#define P handoff_params
static const ab_param params[] = {
    AB_PARAM_CHOICE(
        "pattern", P, pattern, "pair|ring|shared|adjacent", "pair",
        "who frees what: the other one of two, the next thread, whoever comes by; adjacent: "
        "one allocates in turn for threads that write"),
    AB_PARAM_THREADS(
        P, threads, 2, "2",
        "threads on one heap; pair: an even number; a row's time is over the operations of "
        "all that allocate (adjacent: write)"),
    AB_PARAM_SIZE("size", P, size, AB_IN_KEY, 1, UINT64_C(1) << 30, "64", "bytes of an object"),
    AB_PARAM_COUNT("ops", NULL, P, ops, AB_IN_VARIANT, 1, UINT64_C(100000000000), "262144",
                   "operations of a pass, of each thread that allocates (adjacent: writes)"),
    AB_PARAM_DISPATCH(P, dispatch),
};
#undef P

/* Each of these returns the operations done: fewer than asked when memory has run out. */
static AB_ALWAYS_INLINE uint64_t produce(ab_run *view, const ab_backend *const be,
                                         const uint64_t ops)
{
    ring *const to = &((const handoff_state *)view->state)->ring[view->thread];
    ab_heap *const heap = view->heap[0];
    const size_t bytes = (size_t)((const handoff_params *)view->params)->size;

    for (uint64_t n = 0; n < ops; n++) {
        void *object = be->alloc(heap, bytes);
        AB_KEEP(object);
        push(to, object);
        if (AB_UNLIKELY(object == NULL)) {
            return n;
        }
    }
    return ops;
}

static AB_ALWAYS_INLINE uint64_t consume(ab_run *view, const ab_backend *const be,
                                         const uint64_t ops)
{
    ring *const from = &((const handoff_state *)view->state)->ring[source_of(view)];
    ab_heap *const heap = view->heap[0];
    const size_t bytes = (size_t)((const handoff_params *)view->params)->size;

    for (uint64_t n = 0; n < ops; n++) {
        void *object = pop(from);
        if (AB_UNLIKELY(object == NULL)) {
            break; /* the producer says why */
        }
        be->free(heap, object, bytes);
    }
    return ops;
}

/* Frees what has come while it cannot hand on, so that a full circle of full rings moves. */
static AB_ALWAYS_INLINE uint64_t pass_on(ab_run *view, const ab_backend *const be,
                                         const uint64_t ops)
{
    const handoff_state *state = view->state;
    ring *const to = &state->ring[view->thread], *const from = &state->ring[source_of(view)];
    ab_heap *const heap = view->heap[0];
    const size_t bytes = (size_t)((const handoff_params *)view->params)->size;
    uint64_t sent = 0, freed = 0, got = ops;
    bool has_more = ops > 0, has_next = false;
    unsigned looks = 0;
    void *next = NULL, *object; /* next is NULL when memory has run out, which is handed on too */

    while (has_more || freed < got) {
        bool has_moved = false;
        if (has_more && !has_next) {
            next = be->alloc(heap, bytes);
            has_next = true;
            AB_KEEP(next);
        }
        if (has_more && ring_push(to, next)) {
            has_more = next != NULL && ++sent < ops;
            has_next = false;
            has_moved = true;
        }
        if (freed < got && ring_pop(from, &object)) {
            has_moved = true;
            if (AB_LIKELY(object != NULL)) {
                be->free(heap, object, bytes);
                freed++;
            } else {
                got = freed;
            }
        }
        if (AB_LIKELY(has_moved)) {
            looks = 0;
        } else {
            wait_a_little(&looks);
        }
    }
    return sent;
}

static AB_ALWAYS_INLINE uint64_t exchange(ab_run *view, const ab_backend *const be,
                                          const uint64_t ops)
{
    const handoff_state *state = view->state;
    _Atomic(void *) *const slot = state->slot;
    ab_heap *const heap = view->heap[0];
    const size_t bytes = (size_t)((const handoff_params *)view->params)->size;
    ab_rng_msvc rng = state->own[view->thread].rng;
    uint64_t n;

    for (n = 0; n < ops; n++) {
        uint32_t i = ab_rng_msvc_next(&rng) % SHARED_SLOTS;
        void *object = be->alloc(heap, bytes);
        if (AB_UNLIKELY(object == NULL)) {
            break;
        }
        AB_KEEP(object);
        object = atomic_exchange_explicit(&slot[i], object, memory_order_acq_rel);
        if (object != NULL) {
            be->free(heap, object, bytes);
        }
    }
    state->own[view->thread].rng = rng;
    return n;
}

static AB_ALWAYS_INLINE uint64_t work(ab_run *view, const ab_backend *const be, const uint64_t ops)
{
    switch (((const handoff_params *)view->params)->pattern) {
    case PAIR:
        return view->thread % 2 == 0 ? produce(view, be, ops) : consume(view, be, ops);
    case RING:
        return pass_on(view, be, ops);
    case SHARED:
        return exchange(view, be, ops);
    default:
        return write_own(view, ops);
    }
}

static AB_ALWAYS_INLINE void pass(ab_run *view, unsigned part, const ab_backend *const be)
{
    const handoff_params *p = view->params;
    uint64_t ops = ab_pass_ops(view, p->ops);

    (void)part;
    if ((be->can & AB_BACKEND_THREAD_SAFE) == 0) {
        return; /* never called: it takes no room in the program */
    }
    if (p->pattern == ADJACENT && !allocate_for_all(view)) {
        return;
    }
    ab_start(view);
    uint64_t done = work(view, be, ops);
    ab_stop(view, HANDOFF, is_producer(view) ? p->ops : 0);
    if (p->pattern == ADJACENT) {
        free_own(view);
    }
    if (done < ops) {
        ab_fail(view, HANDOFF, AB_STATUS_NOMEM,
                "operation %" PRIu64 " of %" PRIu64 " got no memory", done + 1, ops);
    }
}

#define AB_TEMPLATE pass
#include "instantiate.h"

/* --- the table --- */

/* Most objects that are alive at a time. */
static uint64_t live_objects(const handoff_params *p)
{
    return p->pattern == SHARED     ? SHARED_SLOTS + p->threads
           : p->pattern == ADJACENT ? ADJACENT_OBJECTS * p->threads
                                    : producers(p) * (RING_SLOTS + 2);
}

static bool complete(void *params_bytes, const ab_page_info *info, ab_error *error)
{
    const handoff_params *p = params_bytes;

    (void)info;
    if (p->pattern == PAIR && p->threads % 2 != 0) {
        return ab_error_set(error,
                            "--threads: %" PRIu64
                            " is odd, and --pattern pair takes two at a time; "
                            "an even number, or another pattern",
                            p->threads);
    }
    if (p->size > SIZE_MAX / 2 / live_objects(p)) {
        return ab_error_set(error,
                            "--size: %" PRIu64 " bytes in %" PRIu64
                            " objects is more than this program can address",
                            p->size, live_objects(p));
    }
    return true;
}

static ab_key key(const void *params_bytes)
{
    const handoff_params *p = params_bytes;
    return (ab_key){p->size, AB_NO_COUNT, p->threads};
}

static uint32_t operations_of(const ab_contender *contender, const void *params_bytes)
{
    (void)contender, (void)params_bytes;
    return 1u << HANDOFF;
}

static const char *refuses(const ab_contender *contender, const void *params_bytes,
                           const ab_page_info *info, ab_error *text)
{
    (void)info;
    return ab_heap_refuses(contender, ((const handoff_params *)params_bytes)->size, text);
}

static uint64_t footprint_bytes(const ab_contender *contender, const void *params_bytes)
{
    const handoff_params *p = params_bytes;
    uint64_t own = p->threads * (sizeof(own_state) + sizeof(ring));

    return own +
           (ab_heap_is_memory(contender->backend) ? live_objects(p) * (p->size + 16) : p->size);
}

static double estimate_ns(const ab_contender *contender, const void *params_bytes,
                          const ab_prices *prices)
{
    const double handing_ns = 20;

    (void)prices;
    return (double)((const handoff_params *)params_bytes)->ops *
           (ab_heap_typical_ns(contender) + handing_ns);
}

static bool open_heap(ab_run *run)
{
    const handoff_params *p = run->params;
    handoff_state *state = ab_scratch(run, sizeof *state);
    size_t threads = (size_t)p->threads;

    run->state = state;
    run->is_dispatch_indirect = p->dispatch == AB_DISPATCH_INDIRECT;
    if (state != NULL) {
        state->own = ab_scratch(run, threads * sizeof *state->own);
        state->ring = ab_scratch(run, threads * sizeof *state->ring);
        state->slot = ab_scratch(run, SHARED_SLOTS * sizeof *state->slot);
        state->tag = ab_scratch(run, SHARED_SLOTS * sizeof *state->tag);
        state->object = ab_scratch(run, ADJACENT_OBJECTS * threads * sizeof *state->object);
    }
    if (state == NULL || state->own == NULL || state->ring == NULL || state->slot == NULL ||
        state->tag == NULL || state->object == NULL) {
        ab_fail(run, HANDOFF, AB_STATUS_NOMEM, "no memory for the rings and tables");
        return false;
    }
    for (unsigned i = 0; i < threads; i++) {
        state->own[i].rng.state = (uint32_t)ab_thread_seed(run->seed, i);
    }
    run->config.live_objects = live_objects(p);
    return ab_heap_open(run, (size_t)p->size, OPERATIONS);
}

static void close_heap(ab_run *run)
{
    empty_table(run);
    ab_heap_close_all(run);
}

static const ab_operation operations[OPERATIONS] = {[HANDOFF] = {"handoff", true}};

const ab_scenario ab_scenario_handoff = {
    .name = "handoff",
    .summary = "objects that one thread allocates and another one frees or writes to",
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .params_bytes = sizeof(handoff_params),
    .scale = {{"ops=65536", 2, 3}, {"ops=262144", 5, 10}, {"ops=10000000", 5, 1}},
    .default_backends = "malloc,none",
    .operations = operations,
    .operation_count = OPERATIONS,
    .part_count = 1,
    .preroll_parts = 1,
    .contenders = contenders,
    .contender_count = sizeof contenders / sizeof contenders[0],
    .needs = AB_BACKEND_FREES_ONE | AB_BACKEND_THREAD_SAFE,
    .threads_share = true,
    .rounds_offset = SIZE_MAX,
    .ops_offset = offsetof(handoff_params, ops),
    .ops_operation = HANDOFF,
    .complete = complete,
    .key = key,
    .operations_of = operations_of,
    .refuses = refuses,
    .footprint_bytes = footprint_bytes,
    .estimate_ns = estimate_ns,
    .open = open_heap,
    .prove = prove,
    .close = close_heap,
};
