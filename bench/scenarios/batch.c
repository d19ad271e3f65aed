/* SPDX-License-Identifier: MIT
 *
 * batch (document 002): allocate many small objects, then free them all, several times in one
 * process. A repeat is a round and a row of its own, since the first one holds a pool's growth; the
 * heap persists over them. A mix of sizes is allocated size after size; a backend of one size gets
 * a heap for each. Regions drop everything at once instead of freeing. Several threads are as many
 * such runs at once.
 */
#include "batch.h"

#define P batch_params
static const ab_param params[] = {
    AB_PARAM_MIX("size", P, size, AB_IN_KEY, 1, UINT64_C(1) << 30, "4",
                 "bytes of an object, or a mix such as 4+8+12"),
    AB_PARAM_COUNT("count", NULL, P, count, AB_IN_KEY, 1, 1000000000, "250000",
                   "objects of a thread, of all sizes together"),
    AB_PARAM_THREADS(P, threads, 1, "1",
                     "threads, each with objects and heaps of its own; a row's time is over the "
                     "operations of all"),
    AB_PARAM_COUNT("repeats", NULL, P, repeats, AB_IN_KEY, 1, 1000, "4",
                   "times in a row in one process; a repeat is a round"),
    AB_PARAM_CHOICE("order", P, order, "fifo|lifo|random", "fifo",
                    "order in which objects are freed"),
    AB_PARAM_HUGE(P, huge),
    AB_PARAM_DISPATCH(P, dispatch),
};
#undef P

/* Objects that could be had, all sizes together. */
static AB_ALWAYS_INLINE uint64_t allocate(ab_run *run, const ab_backend *const be)
{
    const batch_params *p = run->params;
    const batch_state *state = run->state;
    const uint32_t count = state->per_size;

    for (uint64_t k = 0; k < p->size.count; k++) {
        ab_heap *const heap = heap_of(run, k);
        void **const object = state->object + k * count;
        const size_t bytes = (size_t)p->size.bytes[k];
        for (uint32_t i = 0; i < count; i++) {
            void *one = be->alloc(heap, bytes);
            if (AB_UNLIKELY(one == NULL)) {
                return k * count + i;
            }
            object[i] = one;
            AB_KEEP(one);
        }
    }
    return p->size.count * count;
}

static AB_ALWAYS_INLINE void free_ordered(ab_run *run, const ab_backend *const be,
                                          const uint64_t order)
{
    const batch_params *p = run->params;
    const batch_state *state = run->state;
    const uint32_t count = state->per_size;

    for (uint64_t k = 0; k < p->size.count; k++) {
        ab_heap *const heap = heap_of(run, k);
        void **const object = state->object + k * count;
        const size_t bytes = (size_t)p->size.bytes[k];
        for (uint32_t i = 0; i < count; i++) {
            be->free(heap, object[index_of(order, state->order, i, count)], bytes);
        }
    }
}

static AB_ALWAYS_INLINE void free_all(ab_run *run, const ab_backend *const be)
{
    const batch_params *p = run->params;

    switch (p->order) {
    case ORDER_FIFO:
        free_ordered(run, be, ORDER_FIFO);
        break;
    case ORDER_LIFO:
        free_ordered(run, be, ORDER_LIFO);
        break;
    default:
        free_ordered(run, be, ORDER_RANDOM);
        break;
    }
}

static void fail_all(ab_run *run, uint64_t got, uint64_t count)
{
    for (unsigned i = 0; i < OPERATIONS; i++) {
        ab_fail(run, i, AB_STATUS_NOMEM, "only %" PRIu64 " of %" PRIu64 " objects could be had",
                got, count);
    }
}

static AB_ALWAYS_INLINE void pass(ab_run *run, unsigned part, const ab_backend *const be)
{
    const batch_params *p = run->params;
    uint64_t count = p->size.count * ((const batch_state *)run->state)->per_size;
    unsigned release = frees_one(be) ? FREE : RESET;

    (void)part;
    if (ab_has_failed(run, ALLOC)) {
        return;
    }
    ab_start(run);
    uint64_t got = allocate(run, be);
    ab_stop(run, ALLOC, count);
    ab_add_to(run, TOTAL, count);
    if (got < count) {
        fail_all(run, got, count);
        return;
    }
    ab_start(run);
    if (release == FREE) {
        free_all(run, be);
    } else {
        for (size_t i = 0; i < run->heap_count; i++) {
            be->reset(run->heap[i]);
        }
    }
    ab_stop(run, release, release == FREE ? count : run->heap_count);
    ab_add_to(run, TOTAL, count);
}

#define AB_TEMPLATE pass
#include "instantiate.h"

/* --- the table --- */

static bool complete(void *params_bytes, const ab_page_info *info, ab_error *error)
{
    batch_params *p = params_bytes;

    (void)info;
    if (p->count % p->size.count != 0) {
        return ab_error_set(
            error, "--count: %" PRIu64 " does not divide into the %" PRIu64 " sizes of the mix",
            p->count, p->size.count);
    }
    for (uint64_t k = 0; k < p->size.count; k++) {
        if (p->size.bytes[k] > SIZE_MAX / 2 / (p->count * p->threads)) {
            return ab_error_set(error,
                                "--count: %" PRIu64 " objects of %" PRIu64
                                " bytes are more than this program can address",
                                p->count * p->threads, p->size.bytes[k]);
        }
    }
    return true;
}

static ab_key key(const void *params_bytes)
{
    const batch_params *p = params_bytes;
    return (ab_key){p->size.count == 1 ? p->size.bytes[0] : AB_NO_COUNT, p->count, p->threads};
}

static uint32_t operations_of(const ab_contender *contender, const void *params_bytes)
{
    (void)params_bytes;
    return 1u << ALLOC | 1u << TOTAL | 1u << (frees_one(contender->backend) ? FREE : RESET);
}

static uint64_t largest(const batch_params *p)
{
    uint64_t most = 0;

    for (uint64_t k = 0; k < p->size.count; k++) {
        most = p->size.bytes[k] > most ? p->size.bytes[k] : most;
    }
    return most;
}

static const char *refuses(const ab_contender *contender, const void *params_bytes,
                           const ab_page_info *info, ab_error *text)
{
    (void)info;
    return ab_heap_refuses(contender, largest(params_bytes), text);
}

static uint64_t footprint_bytes(const ab_contender *contender, const void *params_bytes)
{
    const batch_params *p = params_bytes;
    bool is_mapped = (contender->backend->can & AB_BACKEND_MAPS_OBJECTS) != 0;
    uint64_t sum = p->threads * p->count * 24; /* table, order and proof */

    for (uint64_t k = 0; k < p->size.count && ab_heap_is_memory(contender->backend); k++) {
        uint64_t object =
            is_mapped ? (p->size.bytes[k] + 4095) / 4096 * 4096 : p->size.bytes[k] + 8;
        sum += p->threads * (p->count / p->size.count) * object;
    }
    return sum;
}

static double estimate_ns(const ab_contender *contender, const void *params_bytes,
                          const ab_prices *prices)
{
    (void)prices;
    return (double)((const batch_params *)params_bytes)->count * ab_heap_typical_ns(contender);
}

static bool open_heaps(ab_run *run)
{
    const batch_params *p = run->params;
    const ab_backend *backend = run->contender->backend;
    batch_state *state = ab_scratch(run, sizeof *state);
    bool is_one = (backend->can & AB_BACKEND_ANY_SIZE) != 0 || p->size.count == 1;

    run->state = state;
    run->is_dispatch_indirect = p->dispatch == AB_DISPATCH_INDIRECT;
    if (state != NULL) {
        state->per_size = (uint32_t)(p->count / p->size.count);
        state->object = ab_scratch(run, (size_t)p->count * sizeof(void *));
        state->order =
            p->order == ORDER_RANDOM ? ab_scratch(run, state->per_size * sizeof(uint32_t)) : NULL;
    }
    if (state == NULL || state->object == NULL ||
        (p->order == ORDER_RANDOM && state->order == NULL)) {
        fail_all(run, 0, p->count);
        return false;
    }
    if (state->order != NULL) {
        ab_shuffle(state->order, state->per_size, run->seed);
    }
    run->config.live_objects = is_one ? p->count : state->per_size;
    run->config.huge = p->huge != 0;
    if (is_one) {
        return ab_heap_open(run, (size_t)largest(p), OPERATIONS);
    }
    bool ok = true;
    for (uint64_t k = 0; k < p->size.count && ok; k++) {
        ok = ab_heap_open(run, (size_t)p->size.bytes[k], OPERATIONS);
    }
    return ok;
}

static const ab_operation operations[OPERATIONS] = {
    [ALLOC] = {"alloc", true},
    [FREE] = {"free", true},
    [RESET] = {"reset", false},
    [TOTAL] = {"total", true},
};

const ab_scenario ab_scenario_batch = {
    .name = "batch",
    .summary = "allocate many small objects, then free them all, repeatedly (document 002)",
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .params_bytes = sizeof(batch_params),
    .scale = {{"size=4 count=100000; size=4+8+12+16+20 count=100000", 2, 4},
              {"size=4 count=250000; size=4+8+12+16+20 count=250000", 5, 4},
              {"size=4 count=250000,500000,1000000; size=4+8+12+16+20 count=1000000", 5, 4}},
    .default_backends = "malloc,none,pool,smallobj,arena",
    .operations = operations,
    .operation_count = OPERATIONS,
    .part_count = 1,
    .contenders = contenders,
    .contender_count = sizeof contenders / sizeof contenders[0],
    .needs_one_of = AB_BACKEND_FREES_ONE | AB_BACKEND_RESETS,
    .is_single_pass = true,
    .rounds_offset = offsetof(batch_params, repeats),
    .ops_offset = SIZE_MAX,
    .complete = complete,
    .key = key,
    .operations_of = operations_of,
    .refuses = refuses,
    .footprint_bytes = footprint_bytes,
    .estimate_ns = estimate_ns,
    .open = open_heaps,
    .latency = latency,
    .prove = prove,
    .close = ab_heap_close_all,
};
