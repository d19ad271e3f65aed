/* SPDX-License-Identifier: MIT
 *
 * growth (document 004): a region grows to its total in small steps. One operation is one whole
 * growth, and all of it is timed: address space, every step with its touch, and the release,
 * because the strategies shift work between these. The contenders are strategies of the scenario's
 * own (growth.h), os-delta being the bare OS calls that the page layer is held against. Memory
 * belongs to the growth and is gone at the end of each pass.
 */
#include "harness/scenario.h"

#include "growth.h"
#include "growth_contents.h"
#include "touch.h"

#include <inttypes.h>

enum { GROW, OPERATIONS };

typedef struct growth_params {
    uint64_t total, step, touch, huge;
    uint64_t page_bytes; /* of this system; no option */
} growth_params;

#define P growth_params
static const ab_param params[] = {
    AB_PARAM_SIZE("total", P, total, AB_IN_KEY, 1, UINT64_C(1) << 40, "25M",
                  "bytes that it grows to"),
    AB_PARAM_SIZE("step", P, step, AB_IN_VARIANT, 1, UINT64_C(1) << 40, "1009,4096",
                  "bytes of a step"),
    AB_PARAM_CHOICE("touch", P, touch, AB_TOUCH_CHOICES, "none",
                    "what is done to the pages that a step adds"),
    AB_PARAM_FLAG("huge", P, huge, "ask for large pages"),
};
#undef P

static uint64_t steps_of(const growth_params *p)
{
    return p->total / p->step + (p->total % p->step != 0);
}

static uint64_t pages_of(const growth_params *p, uint64_t bytes)
{
    return bytes / p->page_bytes + (bytes % p->page_bytes != 0);
}

/* --- the timed kernel --- */

/* Pages that begin inside [before, bytes), up to what is accessible. */
static AB_ALWAYS_INLINE void touch_new(const growth *g, ab_touch touch, size_t before)
{
    size_t from = (before + g->page_mask) & ~g->page_mask;
    size_t to = (g->bytes + g->page_mask) & ~g->page_mask;

    if (touch != AB_TOUCH_NONE && from < g->bytes) {
        to = to < g->ready_bytes ? to : g->ready_bytes;
        ab_touch_block(touch, g->pages, (char *)g->base + from, to - from);
    }
}

/* From nothing to the total; 0, or the code of the step that failed with g->bytes grown. */
static AB_ALWAYS_INLINE int grow_all(const growth_strategy *const s, const growth_params *p,
                                     growth *g)
{
    const size_t total = (size_t)p->total, step = (size_t)p->step;
    const ab_touch touch = (ab_touch)p->touch;

    if (AB_UNLIKELY(p->huge != 0) && g->base != NULL) {
        ab_touch_huge(g->pages, g->base, g->total_bytes);
    }
    while (g->bytes < total) {
        size_t before = g->bytes;
        int code = growth_grow(s, g, total - before > step ? before + step : total);
        if (AB_UNLIKELY(code != 0)) {
            return code;
        }
        touch_new(g, touch, before);
    }
    return 0;
}

/* The memory ladder of what does not go through the page layer, and has pages. */
static void note_ladder(ab_run *run, const growth_strategy *s, const growth *g, size_t ready_bytes)
{
    ab_page_counts *counts = &run->pages.counts;

    if (!s->is_layer && !s->is_heap) {
        counts->peak_reserved_bytes = s->reach == GROWTH_MOVES ? ready_bytes : g->total_bytes;
        counts->peak_committed_bytes = ready_bytes;
    }
}

static void fail_at(ab_run *run, const growth_strategy *s, const growth *g, int code)
{
    const growth_params *p = run->params;
    ab_status status = s->is_heap || ab_is_out_of_memory(code) ? AB_STATUS_NOMEM : AB_STATUS_FAILED;

    if (g->base == NULL) {
        ab_fail(run, GROW, status, "%" PRIu64 " bytes of address space cannot be had: OS error %d",
                p->total, code);
    } else {
        uint64_t done = g->bytes / p->step;
        ab_fail(run, GROW, status,
                "step %" PRIu64 " of %" PRIu64 " failed with OS error %d; %zu bytes were grown",
                done + 1, steps_of(p), code, g->bytes);
    }
}

static AB_ALWAYS_INLINE void pass(ab_run *run, const growth_strategy *const s)
{
    growth g;

    if (ab_has_failed(run, GROW)) {
        return;
    }
    ab_start(run);
    int code =
        growth_begin(s, &run->pages, (size_t)((const growth_params *)run->params)->total, &g);
    if (code == 0) {
        code = grow_all(s, run->params, &g);
    }
    if (AB_UNLIKELY(code != 0)) {
        fail_at(run, s, &g, code);
    }
    size_t ready_bytes = g.ready_bytes;
    if (g.base != NULL) {
        growth_end(s, &g);
    }
    ab_stop(run, GROW, 1);
    note_ladder(run, s, &g, ready_bytes);
}

#define GROWTH_STRATEGY(id, ...)                                                                   \
    AB_NOINLINE static void kernel_##id(ab_run *run, unsigned part)                                \
    {                                                                                              \
        (void)part;                                                                                \
        pass(run, &growth_##id);                                                                   \
    }
GROWTH_STRATEGIES
#undef GROWTH_STRATEGY

static const ab_contender contenders[] = {
#define GROWTH_STRATEGY(id, name, summary, ...)                                                    \
    {.own_name = name, .own_summary = summary, .pass = kernel_##id, .own = &growth_##id},
    GROWTH_STRATEGIES
#undef GROWTH_STRATEGY
};

/* --- the proof --- */

/* One growth, timed step by step, the touch included; each step's least time so far goes to
 * `least`. */
static void time_steps(const growth_strategy *s, const growth_params *p, growth *g, uint64_t *least)
{
    int code = 0;

    for (size_t i = 0; code == 0 && g->bytes < p->total; i++) {
        size_t before = g->bytes;
        size_t next = p->total - before > p->step ? before + (size_t)p->step : (size_t)p->total;
        uint64_t begin_ns = ab_clock_now_ns();
        code = growth_grow(s, g, next);
        if (code == 0) {
            touch_new(g, (ab_touch)p->touch, before);
        }
        uint64_t ns = ab_clock_now_ns() - begin_ns;
        least[i] = least[i] == 0 || ns < least[i] ? ns : least[i];
    }
}

/* What the calls were, and the slowest step. A step during which another process ran says nothing,
 * so that the least of up to five growths counts. */
static void prove_figures(ab_run *run, const growth_strategy *s)
{
    const growth_params *p = run->params;
    const uint64_t long_ns = 100000000;
    uint64_t *least = ab_scratch(run, (size_t)steps_of(p) * sizeof *least);
    uint64_t begin_ns = ab_clock_now_ns(), worst_ns = 0;

    if (least == NULL) {
        ab_fail(run, GROW, AB_STATUS_NOMEM, "no memory for the proof");
        return;
    }
    for (int i = 0; i < 5 && ab_clock_now_ns() - begin_ns < long_ns; i++) {
        growth g;
        int code = growth_begin(s, &run->pages, (size_t)p->total, &g);
        if (code != 0) {
            fail_at(run, s, &g, code);
            break;
        }
        time_steps(s, p, &g, least);
        ab_extra(run, GROW, "commit_calls", g.calls);
        if (!s->is_heap) {
            ab_extra(run, GROW, "pages_submitted", g.pages_named);
        }
        growth_end(s, &g);
    }
    for (size_t i = 0; i < steps_of(p); i++) {
        worst_ns = least[i] > worst_ns ? least[i] : worst_ns;
    }
    ab_extra(run, GROW, "new_pages", pages_of(p, p->total));
    if (worst_ns > 0) {
        ab_extra(run, GROW, "worst_step_ns", worst_ns);
    }
    ab_scratch_free(run, least);
}

typedef int prove_fn(const growth_strategy *s, growth *g, const growth_params *p, bool *is_intact);

static int prove_steps(const growth_strategy *s, growth *g, const growth_params *p, bool *is_intact)
{
    return growth_prove_steps(s, g, (size_t)p->total, (size_t)p->step, is_intact);
}

static int prove_doubling(const growth_strategy *s, growth *g, const growth_params *p,
                          bool *is_intact)
{
    return growth_prove_doubling(s, g, (size_t)p->total, is_intact);
}

static void prove_contents(ab_run *run, const growth_strategy *s, prove_fn *proof, const char *way)
{
    growth g;
    bool is_intact = true;
    int code =
        growth_begin(s, &run->pages, (size_t)((const growth_params *)run->params)->total, &g);

    if (code == 0) {
        code = proof(s, &g, run->params, &is_intact);
    }
    if (!is_intact) {
        ab_fail(run, GROW, AB_STATUS_FAILED, "proof: %s, contents were lost at %zu bytes", way,
                g.bytes);
    } else if (code != 0) {
        fail_at(run, s, &g, code);
    }
    if (g.base != NULL) {
        growth_end(s, &g);
    }
}

static void prove(ab_run *run)
{
    const growth_strategy *s = run->contender->own;

    run->requested_bytes = ((const growth_params *)run->params)->total;
    if (!ab_has_failed(run, GROW)) {
        prove_figures(run, s);
        prove_contents(run, s, prove_steps, "growing by steps");
        prove_contents(run, s, prove_doubling, "doubling and halving");
    }
}

/* --- the table --- */

static bool complete(void *params_bytes, const ab_page_info *info, ab_error *error)
{
    growth_params *p = params_bytes;

    p->page_bytes = info->page_bytes;
    if (p->total > SIZE_MAX / 2) {
        return ab_error_set(error, "--total: more than this program can address");
    }
    if (steps_of(p) > 100000000) {
        return ab_error_set(error,
                            "--step: %" PRIu64 " makes more than 100 million steps to %" PRIu64,
                            p->step, p->total);
    }
    return true;
}

static ab_key key(const void *params_bytes)
{
    const growth_params *p = params_bytes;
    return (ab_key){p->total, steps_of(p), 1};
}

static uint32_t operations_of(const ab_contender *contender, const void *params_bytes)
{
    (void)contender, (void)params_bytes;
    return 1u << GROW;
}

static const char *refuses(const ab_contender *contender, const void *params_bytes,
                           const ab_page_info *info, ab_error *text)
{
    const growth_params *p = params_bytes;
    const growth_strategy *s = contender->own;
    const char *lack = s->lack();

    (void)text;
    if (lack != NULL) {
        return lack;
    }
    if (s->is_heap && p->touch == AB_TOUCH_POPULATE) {
        return "its pages are the C library's and cannot be populated";
    }
    if (s->reach == GROWTH_MOVES && p->huge != 0) {
        return "it has no region from the start that large pages could be asked for";
    }
    return p->huge != 0 && (info->can & AB_PAGES_CAN_HUGE) == 0
               ? "this system grants no large pages on request"
               : NULL;
}

/* The proof touches everything and notes a number for each step; realloc may hold two copies. */
static uint64_t footprint_bytes(const ab_contender *contender, const void *params_bytes)
{
    const growth_params *p = params_bytes;
    bool is_heap = ((const growth_strategy *)contender->own)->is_heap;

    return (is_heap ? 2 : 1) * p->total + steps_of(p) * sizeof(uint64_t);
}

/* A page that is submitted again has a nominal price. */
static double estimate_ns(const ab_contender *contender, const void *params_bytes,
                          const ab_prices *prices)
{
    const double call_ns = prices->call_ns, page_ns = prices->page_ns;
    const double populated_ns = 45, step_ns = 2;
    const growth_params *p = params_bytes;
    const growth_strategy *s = contender->own;
    double steps = (double)steps_of(p), pages = (double)pages_of(p, p->total);
    double touched = (double)ab_touch_pages((ab_touch)p->touch, p->total, (size_t)p->page_bytes);
    double ns = steps * step_ns + touched * page_ns;

    if (s->reach == GROWTH_WHOLE) {
        double walk_ns = s->walks_pages ? populated_ns : ab_raw_recommit_page_ns();
        return ns + steps * call_ns + steps * pages / 2 * walk_ns +
               (s->walks_pages ? pages * page_ns : 0);
    }
    if (s->reach == GROWTH_DOUBLE || s->reach == GROWTH_NOTHING) {
        return ns + 20 * call_ns;
    }
    return ns + (steps < pages ? steps : pages) * call_ns;
}

static uint64_t units(const void *params_bytes, unsigned operation)
{
    const growth_params *p = params_bytes;

    (void)operation;
    return pages_of(p, p->total);
}

static bool open_nothing(ab_run *run)
{
    const char *lack = ((const growth_strategy *)run->contender->own)->lack();

    /* Which has also looked up what is found at run time. */
    if (lack != NULL) {
        ab_fail(run, GROW, AB_STATUS_UNSUPPORTED, "%s", lack);
    }
    return lack == NULL;
}

static void close_nothing(ab_run *run)
{
    (void)run;
}

static const ab_operation operations[OPERATIONS] = {[GROW] = {"grow", true}};

const ab_scenario ab_scenario_growth = {
    .name = "growth",
    .summary = "a committed region that grows in small steps (document 004)",
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .params_bytes = sizeof(growth_params),
    .scale = {{"total=1M step=4096", 2, 3},
              {"total=25M step=1009,4096", 5, 10},
              {"total=1M,5M,10M,25M step=1009,4096 touch=none,write", 5, 3}},
    .default_backends = "os-delta,delta,whole,double,upfront,realloc",
    .operations = operations,
    .operation_count = OPERATIONS,
    .part_count = 1,
    .contenders = contenders,
    .contender_count = sizeof contenders / sizeof contenders[0],
    .rounds_offset = SIZE_MAX,
    .ops_offset = SIZE_MAX,
    .unit_figure = "ns_per_new_page",
    .units = units,
    .trend_figure = "pages_submitted",
    .complete = complete,
    .key = key,
    .operations_of = operations_of,
    .refuses = refuses,
    .footprint_bytes = footprint_bytes,
    .estimate_ns = estimate_ns,
    .open = open_nothing,
    .prove = prove,
    .close = close_nothing,
};
