/* SPDX-License-Identifier: MIT
 *
 * churn (document 001): small objects through a slot table. Every operation picks a slot, frees
 * what is there and allocates anew. The stream goes on from pass to pass and round to round and
 * nothing is freed between, so round 1, which fills the table, is cold. The slot table is also the
 * root set of a collecting backend, which rewrites it. Several threads are as many such runs at
 * once.
 */
#include "harness/scenario.h"

#include "allocbench/gc.h"

#include "heap.h"

#include <inttypes.h>
#include <string.h>

enum { REPLACE, OPERATIONS };
enum { RNG_MSVC, RNG_DOTNET };
enum { TOUCH_NONE, TOUCH_ZERO };
enum { MSVC_RANGE = 32768 };

typedef struct churn_params {
    uint64_t size, slots, ops, rng, touch, nursery, huge, dispatch, threads;
} churn_params;

#define P churn_params
static const ab_param params[] = {
    AB_PARAM_SIZE("size", P, size, AB_IN_KEY, 1, UINT64_C(1) << 30, "4..1024:x2",
                  "bytes of an object"),
    AB_PARAM_COUNT("slots", NULL, P, slots, AB_IN_KEY, 1, 100000000, "",
                   "slots of a table; derived: 32768 with msvc, 32767 with dotnet"),
    AB_PARAM_COUNT("ops", NULL, P, ops, AB_IN_VARIANT, 1, UINT64_C(100000000000), "262144",
                   "operations of a pass, of each thread"),
    AB_PARAM_THREADS(
        P, threads, 1, "1",
        "threads, each with a table, a generator and a heap of its own; a row's time is "
        "over the operations of all"),
    AB_PARAM_CHOICE("rng", P, rng, "msvc|dotnet", "msvc",
                    "generator of the slots, inside the loop"),
    AB_PARAM_CHOICE("touch", P, touch, "none|zero", "none", "what is done to a new object"),
    AB_PARAM_SIZE("nursery", P, nursery, AB_IN_VARIANT, AB_GC_NURSERY_BYTES_MIN,
                  AB_GC_NURSERY_BYTES_MAX, "1M", "bytes of a collector's nursery"),
    AB_PARAM_HUGE(P, huge),
    AB_PARAM_DISPATCH(P, dispatch),
};
#undef P

typedef struct churn_state {
    void **slot;
    ab_rng_msvc msvc;
    ab_rng_dotnet dotnet;
} churn_state;

/* How the next slot is found: a constant of each instance of the loop. */
typedef enum picker { PICK_MSVC_MASK, PICK_MSVC_MODULO, PICK_DOTNET } picker;

static AB_ALWAYS_INLINE uint32_t pick(const picker how, ab_rng_msvc *msvc, ab_rng_dotnet *dotnet,
                                      uint32_t slots)
{
    switch (how) {
    case PICK_MSVC_MASK: /* the same as modulo where slots is a power of two */
        return ab_rng_msvc_next(msvc) & (slots - 1);
    case PICK_MSVC_MODULO:
        /* There is a slot at least. NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
        return ab_rng_msvc_next(msvc) % slots;
    case PICK_DOTNET:
        break;
    }
    return ab_rng_dotnet_below(dotnet, slots);
}

/* Operations done: fewer than asked when memory has run out. Counts down, which leaves a register
 * more for what lives across the calls. */
static AB_ALWAYS_INLINE uint64_t replace(ab_run *run, const ab_backend *const be, const picker how,
                                         const bool zeroes)
{
    const churn_params *p = run->params;
    churn_state *state = run->state;
    ab_heap *const heap = run->heap[0];
    void **const slot = state->slot;
    const size_t bytes = (size_t)p->size;
    const uint32_t slots = (uint32_t)p->slots;
    const uint64_t ops = ab_pass_ops(run, p->ops);
    ab_rng_msvc msvc = state->msvc;
    uint64_t left;

    for (left = ops; left > 0; left--) {
        uint32_t i = pick(how, &msvc, &state->dotnet, slots);
        if (slot[i] != NULL) {
            be->free(heap, slot[i], bytes);
        }
        void *object = be->alloc(heap, bytes);
        slot[i] = object;
        if (AB_UNLIKELY(object == NULL)) {
            break;
        }
        if (zeroes) {
            memset(object, 0, bytes);
        }
        AB_KEEP(object);
    }
    state->msvc = msvc;
    return ops - left;
}

static AB_ALWAYS_INLINE uint64_t replace_with(ab_run *run, const ab_backend *const be,
                                              const picker how)
{
    const churn_params *p = run->params;

    return p->touch == TOUCH_ZERO ? replace(run, be, how, true) : replace(run, be, how, false);
}

static picker picker_of(const churn_params *p)
{
    if (p->rng == RNG_DOTNET) {
        return PICK_DOTNET;
    }
    return (p->slots & (p->slots - 1)) == 0 ? PICK_MSVC_MASK : PICK_MSVC_MODULO;
}

static AB_ALWAYS_INLINE void pass(ab_run *run, unsigned part, const ab_backend *const be)
{
    const churn_params *p = run->params;
    uint64_t done = 0;

    (void)part;
    if (ab_has_failed(run, REPLACE)) {
        return;
    }
    ab_start(run);
    switch (picker_of(p)) {
    case PICK_MSVC_MASK:
        done = replace_with(run, be, PICK_MSVC_MASK);
        break;
    case PICK_MSVC_MODULO:
        done = replace_with(run, be, PICK_MSVC_MODULO);
        break;
    case PICK_DOTNET:
        done = replace_with(run, be, PICK_DOTNET);
        break;
    }
    ab_stop(run, REPLACE, p->ops);
    if (done < p->ops && !run->is_preroll) {
        ab_fail(run, REPLACE, AB_STATUS_NOMEM, "operation %" PRIu64 " of %" PRIu64 " got no memory",
                done + 1, p->ops);
    }
}

#define AB_TEMPLATE pass
#include "instantiate.h"

/* Most operations of the latency pass: enough for the 99.9th percentile. */
enum { LATENCY_OPS = 1000000 };

static void latency(ab_run *run)
{
    const churn_params *p = run->params;
    const ab_backend *be = run->contender->backend;
    churn_state *state = run->state;
    picker how = picker_of(p);
    uint64_t ops = p->ops < LATENCY_OPS ? p->ops : LATENCY_OPS;

    for (uint64_t n = 0; n < ops; n++) {
        uint32_t i = pick(how, &state->msvc, &state->dotnet, (uint32_t)p->slots);
        uint64_t begin = ab_clock_ticks();
        if (state->slot[i] != NULL) {
            be->free(run->heap[0], state->slot[i], (size_t)p->size);
        }
        state->slot[i] = be->alloc(run->heap[0], (size_t)p->size);
        if (state->slot[i] == NULL) {
            return;
        }
        if (p->touch == TOUCH_ZERO) {
            memset(state->slot[i], 0, (size_t)p->size);
        }
        AB_KEEP(state->slot[i]);
        ab_latency(run, REPLACE, begin);
    }
}

/* --- the proof --- */

static void seed(churn_state *state, uint64_t value)
{
    state->msvc.state = (uint32_t)value;
    ab_rng_dotnet_seed(&state->dotnet, (uint32_t)value);
}

static bool prove_stream(ab_run *run)
{
    const churn_params *p = run->params;
    churn_state *state = run->state;
    picker how = picker_of(p);
    const uint32_t slots = (uint32_t)p->slots;
    unsigned char *is_taken = ab_scratch(run, slots);
    ab_stream stream = ab_stream_start();
    uint64_t held = 0; /* a slot that is taken stays so: what is held at the end is the peak */

    if (is_taken == NULL || slots == 0) {
        ab_fail(run, REPLACE, AB_STATUS_NOMEM, "no memory for the proof");
        return false;
    }
    for (uint64_t i = 0; i < slots; i++) {
        held += state->slot[i] != NULL;
    }
    seed(state, run->seed);
    for (uint64_t n = 0; n < p->ops; n++) {
        uint32_t i = pick(how, &state->msvc, &state->dotnet, slots);
        if (is_taken[i]) {
            ab_stream_free(&stream, i, p->size);
        }
        is_taken[i] = 1;
        ab_stream_alloc(&stream, i, p->size);
    }
    ab_prove_stream(run, REPLACE, &stream);
    run->requested_bytes = held * p->size;
    ab_scratch_free(run, is_taken);
    return true;
}

/* Empties the table and opens a fresh heap over it. */
static bool start_afresh(ab_run *run)
{
    const churn_params *p = run->params;
    const ab_backend *backend = run->contender->backend;
    churn_state *state = run->state;

    for (uint64_t i = 0; i < p->slots; i++) {
        if (state->slot[i] != NULL && (backend->can & AB_BACKEND_SHARED_HEAP) != 0) {
            backend->free(run->heap[0], state->slot[i], (size_t)p->size);
        }
        state->slot[i] = NULL;
    }
    ab_heap_close_all(run);
    seed(state, run->seed);
    return ab_heap_open(run, (size_t)p->size, OPERATIONS);
}

static void prove_contents(ab_run *run)
{
    const churn_params *p = run->params;
    churn_state *state = run->state;
    picker how = picker_of(p);
    uint64_t steps = p->ops < AB_CONTENTS_STEPS ? p->ops : AB_CONTENTS_STEPS;
    ab_contents contents;

    if (!ab_contents_open(&contents, run, REPLACE, state->slot, (size_t)p->slots)) {
        return;
    }
    bool ok = true;
    for (uint64_t n = 0; n < steps && ok; n++) {
        uint32_t i = pick(how, &state->msvc, &state->dotnet, (uint32_t)p->slots);
        ok = (state->slot[i] == NULL || ab_contents_free(&contents, i)) &&
             ab_contents_alloc(&contents, i, (size_t)p->size);
    }
    ok = ok && ab_contents_are_apart(&contents);
    for (uint64_t i = 0; i < p->slots && ok; i++) {
        ok = state->slot[i] == NULL || ab_contents_free(&contents, (size_t)i);
    }
    ab_contents_close(&contents);
}

static void prove(ab_run *run)
{
    if (prove_stream(run) && ab_heap_is_memory(run->contender->backend) &&
        !ab_has_failed(run, REPLACE) && start_afresh(run)) {
        prove_contents(run);
    }
}

/* --- the table --- */

static bool complete(void *params_bytes, const ab_page_info *info, ab_error *error)
{
    churn_params *p = params_bytes;

    (void)info;
    if (p->slots == 0) {
        p->slots = p->rng == RNG_DOTNET ? 32767 : MSVC_RANGE;
    }
    if (p->rng == RNG_MSVC && p->slots > MSVC_RANGE) {
        return ab_error_set(error,
                            "--slots: %" PRIu64 " is more than the 32768 that --rng msvc reaches; "
                            "use --rng dotnet",
                            p->slots);
    }
    if (p->size > SIZE_MAX / 2 / (p->slots * p->threads)) {
        return ab_error_set(error,
                            "--size: %" PRIu64 " bytes in %" PRIu64
                            " slots is more than this program can address",
                            p->size, p->slots * p->threads);
    }
    return true;
}

static ab_key key(const void *params_bytes)
{
    const churn_params *p = params_bytes;
    return (ab_key){p->size, p->slots, p->threads};
}

static uint32_t operations_of(const ab_contender *contender, const void *params_bytes)
{
    (void)contender, (void)params_bytes;
    return 1u << REPLACE;
}

static const char *refuses(const ab_contender *contender, const void *params_bytes,
                           const ab_page_info *info, ab_error *text)
{
    const churn_params *p = params_bytes;

    (void)info;
    return ab_heap_refuses(contender, p->size, text);
}

static uint64_t footprint_bytes(const ab_contender *contender, const void *params_bytes)
{
    const churn_params *p = params_bytes;
    const ab_backend *backend = contender->backend;
    uint64_t object = (backend->can & AB_BACKEND_MAPS_OBJECTS) != 0 ? (p->size + 4095) / 4096 * 4096
                                                                    : p->size + 8;

    if (!ab_heap_is_memory(backend)) {
        return p->threads * p->slots * sizeof(void *);
    }
    bool collects = (backend->can & AB_BACKEND_COLLECTS) != 0;
    return p->threads * (p->slots * (object * (collects ? 2 : 1) + sizeof(void *)) +
                         (collects ? p->nursery : 0));
}

static double estimate_ns(const ab_contender *contender, const void *params_bytes,
                          const ab_prices *prices)
{
    const churn_params *p = params_bytes;
    double touch_ns = p->touch == TOUCH_ZERO ? (double)p->size / 16 : 0;

    (void)prices;
    return (double)p->ops *
           (ab_heap_random_ns(contender, (double)p->slots * (double)p->size) + touch_ns);
}

static bool open_heap(ab_run *run)
{
    const churn_params *p = run->params;
    churn_state *state = ab_scratch(run, sizeof *state);

    run->state = state;
    run->is_dispatch_indirect = p->dispatch == AB_DISPATCH_INDIRECT;
    if (state == NULL ||
        (state->slot = ab_scratch(run, (size_t)p->slots * sizeof(void *))) == NULL) {
        ab_fail(run, REPLACE, AB_STATUS_NOMEM, "no memory for the table of slots");
        return false;
    }
    seed(state, run->seed);
    run->config.live_objects = p->slots;
    run->config.huge = p->huge != 0;
    run->config.nursery_bytes = (size_t)p->nursery;
    run->config.slots = state->slot;
    run->config.slot_count = (size_t)p->slots;
    return ab_heap_open(run, (size_t)p->size, OPERATIONS);
}

static const ab_operation operations[OPERATIONS] = {[REPLACE] = {"replace", true}};

const ab_scenario ab_scenario_churn = {
    .name = "churn",
    .summary = "small objects replaced at random in a table of slots (document 001)",
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .params_bytes = sizeof(churn_params),
    .scale = {{"size=4..1024:x4 ops=65536", 2, 3},
              {"size=4..1024:x2 ops=65536", 5, 8},
              {"size=4..1024:x2 ops=10000000", 5, 1}},
    .default_backends = "malloc,none,pool,smallobj,gc",
    .operations = operations,
    .operation_count = OPERATIONS,
    .part_count = 1,
    .preroll_parts = 1,
    .contenders = contenders,
    .contender_count = sizeof contenders / sizeof contenders[0],
    .needs_one_of = AB_BACKEND_FREES_ONE | AB_BACKEND_COLLECTS,
    .rounds_offset = SIZE_MAX,
    .ops_offset = offsetof(churn_params, ops),
    .ops_operation = REPLACE,
    .complete = complete,
    .key = key,
    .operations_of = operations_of,
    .refuses = refuses,
    .footprint_bytes = footprint_bytes,
    .estimate_ns = estimate_ns,
    .open = open_heap,
    .latency = latency,
    .prove = prove,
    .close = ab_heap_close_all,
};
