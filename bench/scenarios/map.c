/* SPDX-License-Identifier: MIT
 *
 * map (document 003): inserts into an ordered map, then its destruction. The map is a red-black
 * tree with the node and the balancing of a standard library's; its nodes come from the backend. A
 * backend that frees single objects destroys node by node; a region drops the scope.
 */
#include "harness/scenario.h"

#include "heap.h"
#include "rbtree.h"

#include <inttypes.h>

enum { INSERT, DESTROY, TOTAL, OPERATIONS };
enum { ORDER_ASCENDING, ORDER_RANDOM };

typedef struct map_params {
    uint64_t count, order, block, huge, dispatch;
} map_params;

#define P map_params
static const ab_param params[] = {
    AB_PARAM_COUNT("count", NULL, P, count, AB_IN_KEY, 1, 1000000000, "20000", "inserts"),
    AB_PARAM_CHOICE("order", P, order, "ascending|random", "ascending", "order of the keys"),
    AB_PARAM_SIZE("block", P, block, AB_IN_VARIANT, 256, UINT64_C(1) << 30, "16352",
                  "bytes of a region's block"),
    AB_PARAM_HUGE(P, huge),
    AB_PARAM_DISPATCH(P, dispatch),
};
#undef P

typedef struct map_state {
    ab_rb_tree tree;
    uint32_t *key; /* in the order of inserts; NULL when they ascend */
} map_state;

/* Inserts that were done: fewer than asked when memory has run out. */
static AB_ALWAYS_INLINE uint64_t insert_all(ab_run *run, const ab_backend *const be)
{
    const map_params *p = run->params;
    map_state *state = run->state;
    ab_heap *const heap = run->heap[0];
    const int count = (int)ab_pass_ops(run, p->count);
    const uint32_t *key = state->key;

    for (int i = 0; i < count; i++) {
        int k = key == NULL ? i : (int)key[i];
        if (AB_UNLIKELY(!ab_rb_insert(&state->tree, k, k, be, heap))) {
            return (uint64_t)i;
        }
    }
    return (uint64_t)count;
}

static AB_ALWAYS_INLINE void destroy(ab_run *run, const ab_backend *const be)
{
    map_state *state = run->state;

    if ((be->can & AB_BACKEND_FREES_ONE) != 0) {
        ab_rb_destroy(&state->tree, be, run->heap[0]);
    } else {
        be->reset(run->heap[0]);
        ab_rb_init(&state->tree);
    }
}

static void fail_all(ab_run *run, ab_status status, const char *what, uint64_t number)
{
    for (unsigned i = 0; i < OPERATIONS; i++) {
        ab_fail(run, i, status, "%s %" PRIu64, what, number);
    }
}

static AB_ALWAYS_INLINE void pass(ab_run *run, unsigned part, const ab_backend *const be)
{
    const map_params *p = run->params;

    (void)part;
    if (ab_has_failed(run, INSERT)) {
        return;
    }
    ab_start(run);
    uint64_t done = insert_all(run, be);
    ab_stop(run, INSERT, p->count);
    ab_add_to(run, TOTAL, p->count);
    ab_start(run);
    destroy(run, be);
    ab_stop(run, DESTROY, p->count);
    ab_add_to(run, TOTAL, p->count);
    if (done < p->count && !run->is_preroll) {
        fail_all(run, AB_STATUS_NOMEM, "memory ran out at insert", done + 1);
    }
}

#define AB_TEMPLATE pass
#include "instantiate.h"

static void latency(ab_run *run)
{
    const map_params *p = run->params;
    const ab_backend *be = run->contender->backend;
    map_state *state = run->state;

    for (int i = 0; i < (int)p->count; i++) {
        int k = state->key == NULL ? i : (int)state->key[i];
        uint64_t begin = ab_clock_ticks();
        if (!ab_rb_insert(&state->tree, k, k, be, run->heap[0])) {
            break;
        }
        ab_latency(run, INSERT, begin);
    }
    destroy(run, be);
}

/* The tree's order, balance, links and contents, all of which live in the backend's memory. */
static void prove(ab_run *run)
{
    const map_params *p = run->params;
    const ab_backend *backend = run->contender->backend;
    map_state *state = run->state;

    run->requested_bytes = p->count * sizeof(ab_rb_node);
    if (ab_has_failed(run, INSERT)) {
        return;
    }
    uint64_t done = insert_all(run, backend);
    const char *broken = ab_rb_check(&state->tree);
    if (done < p->count) {
        fail_all(run, AB_STATUS_NOMEM, "proof: memory ran out at insert", done + 1);
    } else if (broken != NULL || state->tree.count != p->count) {
        for (unsigned i = 0; i < OPERATIONS; i++) {
            ab_fail(run, i, AB_STATUS_FAILED,
                    "proof: after insert %" PRIu64 " the tree is broken: %s", done,
                    broken != NULL ? broken : "nodes are missing");
        }
        return; /* a broken tree cannot be destroyed safely */
    }
    destroy(run, backend);
}

/* --- the table --- */

static bool complete(void *params_bytes, const ab_page_info *info, ab_error *error)
{
    const map_params *p = params_bytes;

    (void)info;
    if (p->count > SIZE_MAX / 64) {
        return ab_error_set(
            error, "--count: %" PRIu64 " nodes are more than this program can address", p->count);
    }
    return true;
}

static ab_key key(const void *params_bytes)
{
    return (ab_key){sizeof(ab_rb_node), ((const map_params *)params_bytes)->count, 1};
}

static uint32_t operations_of(const ab_contender *contender, const void *params_bytes)
{
    (void)contender, (void)params_bytes;
    return (1u << OPERATIONS) - 1;
}

static const char *refuses(const ab_contender *contender, const void *params_bytes,
                           const ab_page_info *info, ab_error *text)
{
    (void)params_bytes, (void)info;
    if (!ab_heap_is_memory(contender->backend)) {
        return "a tree needs memory of its own for every node";
    }
    return ab_heap_refuses(contender, sizeof(ab_rb_node), text);
}

static uint64_t footprint_bytes(const ab_contender *contender, const void *params_bytes)
{
    uint64_t count = ((const map_params *)params_bytes)->count;
    bool is_mapped = (contender->backend->can & AB_BACKEND_MAPS_OBJECTS) != 0;

    return count * (is_mapped ? 4096 : sizeof(ab_rb_node) + 16) + count * sizeof(uint32_t);
}

/* An insert costs a walk down a tree, and a node. */
static double estimate_ns(const ab_contender *contender, const void *params_bytes,
                          const ab_prices *prices)
{
    const double walk_ns = 60;

    (void)prices;
    return (double)((const map_params *)params_bytes)->count *
           (walk_ns + ab_heap_typical_ns(contender));
}

static bool open_heap(ab_run *run)
{
    const map_params *p = run->params;
    map_state *state = ab_scratch(run, sizeof *state);

    run->state = state;
    run->is_dispatch_indirect = p->dispatch == AB_DISPATCH_INDIRECT;
    if (state != NULL && p->order == ORDER_RANDOM) {
        state->key = ab_scratch(run, (size_t)p->count * sizeof *state->key);
    }
    if (state == NULL || (p->order == ORDER_RANDOM && state->key == NULL)) {
        fail_all(run, AB_STATUS_NOMEM, "no memory for the keys of so many inserts:", p->count);
        return false;
    }
    if (state->key != NULL) {
        ab_shuffle(state->key, (uint32_t)p->count, run->seed);
    }
    ab_rb_init(&state->tree);
    run->config.live_objects = p->count;
    run->config.block_bytes = (size_t)p->block;
    run->config.huge = p->huge != 0;
    return ab_heap_open(run, sizeof(ab_rb_node), OPERATIONS);
}

static const ab_operation operations[OPERATIONS] = {
    [INSERT] = {"insert", true},
    [DESTROY] = {"destroy", false}, /* of a region: one call for all nodes */
    [TOTAL] = {"total", true},
};

const ab_scenario ab_scenario_map = {
    .name = "map",
    .summary = "inserts into an ordered map, and its destruction (document 003)",
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .params_bytes = sizeof(map_params),
    .scale = {{"count=20000", 2, 3}, {"count=20000", 5, 10}, {"count=20000,1000000", 5, 5}},
    .default_backends = "malloc,pool,smallobj,arena,autofree,scope,scope-shared",
    .operations = operations,
    .operation_count = OPERATIONS,
    .part_count = 1,
    .preroll_parts = 1,
    .contenders = contenders,
    .contender_count = sizeof contenders / sizeof contenders[0],
    .needs_one_of = AB_BACKEND_FREES_ONE | AB_BACKEND_RESETS,
    .rounds_offset = SIZE_MAX,
    .ops_offset = SIZE_MAX,
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
