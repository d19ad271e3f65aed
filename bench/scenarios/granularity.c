/* SPDX-License-Identifier: MIT
 *
 * granularity (document 000): address space in blocks of doubling size. Three parts, repeated on
 * their own: reserve_all reserves blocks until a bounded address space is exhausted; alloc and free
 * go through `total` bytes in order; toggle takes or gives back a random slot. Slots start empty in
 * every pass. reserve_all's bookkeeping does not depend on the block size, since it lies in the
 * bounded space too.
 */
#include "granularity.h"

#define P granularity_params
static const ab_param params[] = {
    AB_PARAM_SIZE("size", P, size, AB_IN_KEY, 1, UINT64_C(1) << 40, "64K..256M:x2",
                  "bytes of a block"),
    AB_PARAM_SIZE("total", P, total, AB_IN_VARIANT, 1, UINT64_C(1) << 40, "1G",
                  "bytes of all blocks together"),
    AB_PARAM_COUNT("toggles", "ops", P, toggles, AB_IN_VARIANT, 1, 1000000000, "100000",
                   "random toggles"),
    AB_PARAM_CHOICE("touch", P, touch, AB_TOUCH_CHOICES, "none", "what is done to a new block"),
    AB_PARAM_CHOICE("free", P, free, "decommit+release|release", "decommit+release",
                    "how the pages backends give a block back"),
    AB_PARAM_SIZE("space", P, space, AB_IN_VARIANT, 1 << 20, UINT64_C(1) << 46, "2G",
                  "address space that reserve_all exhausts, the process included"),
    {"fragment",
     NULL,
     {AB_CHOICE, 0, 0, "0|25|50|75"},
     AB_IN_VARIANT,
     offsetof(P, fragment),
     "0",
     "per cent of the space that stays taken by 64 KiB blocks"},
    AB_PARAM_FLAG("huge", P, huge, "ask for large pages, where the backend can"),
};
#undef P

/* --- alloc, free, toggle: stamped out per backend --- */

static AB_ALWAYS_INLINE uint32_t allocate_slots(ab_run *run, const ab_backend *const be,
                                                void **slot, uint32_t slots)
{
    const granularity_params *p = run->params;
    const ab_touch touch = (ab_touch)p->touch;
    const size_t bytes = (size_t)p->size;
    uint32_t i;

    for (i = 0; i < slots; i++) {
        void *block = be->alloc(run->heap[0], bytes);
        if (AB_UNLIKELY(block == NULL)) {
            break;
        }
        ab_touch_block(touch, &run->pages, block, bytes);
        AB_KEEP(block);
        slot[i] = block;
    }
    return i;
}

static AB_ALWAYS_INLINE void free_slots(ab_run *run, const ab_backend *const be, void **slot,
                                        uint32_t slots)
{
    const granularity_params *p = run->params;

    for (uint32_t i = 0; i < slots; i++) {
        be->free(run->heap[0], slot[i], (size_t)p->size);
    }
}

/* The number of toggles done; fewer than asked when a block could not be had. Whether a slot is
 * taken is a coin's throw, so the loop leaves the compiler free to do without a branch where there
 * is nothing to do: `touches` is a constant. */
static AB_ALWAYS_INLINE uint64_t toggle_slots(ab_run *run, const ab_backend *const be,
                                              const bool touches, uint64_t toggles)
{
    const granularity_params *p = run->params;
    const granularity_state *state = run->state;
    void **const slot = state->slot;
    const uint32_t slots = state->slots;
    const size_t bytes = (size_t)p->size;
    ab_heap *const heap = run->heap[0];
    ab_rng_dotnet rng;

    ab_rng_dotnet_seed(&rng, (uint32_t)run->seed);
    for (uint64_t n = 0; n < toggles; n++) {
        uint32_t i = ab_rng_dotnet_below(&rng, slots);
        void *block = slot[i], *next = NULL;
        if (AB_UNPREDICTABLE(block != NULL)) {
            be->free(heap, block, bytes);
        } else {
            next = be->alloc(heap, bytes);
            if (touches && next != NULL) {
                ab_touch_block((ab_touch)p->touch, &run->pages, next, bytes);
            }
        }
        AB_OPAQUE(next); /* both ways meet here */
        slot[i] = next;
        AB_KEEP(next);
        if (AB_UNLIKELY(((uintptr_t)block | (uintptr_t)next) == 0)) {
            return n; /* out of memory: empty before and after */
        }
    }
    return toggles;
}

static AB_ALWAYS_INLINE void pass_alloc_free(ab_run *run, const ab_backend *const be)
{
    const granularity_state *state = run->state;

    ab_start(run);
    uint32_t got = allocate_slots(run, be, state->slot, state->slots);
    ab_stop(run, ALLOC, state->slots);
    if (got < state->slots) {
        free_slots(run, be, state->slot, got);
        ab_fail(run, ALLOC, AB_STATUS_NOMEM, "block %" PRIu32 " of %" PRIu32 " could not be had",
                got + 1, state->slots);
        ab_fail(run, FREE, AB_STATUS_NOMEM, "only %" PRIu32 " of %" PRIu32 " blocks could be had",
                got, state->slots);
        return;
    }
    ab_start(run);
    free_slots(run, be, state->slot, got);
    ab_stop(run, FREE, got);
}

static AB_ALWAYS_INLINE void pass_toggle(ab_run *run, const ab_backend *const be)
{
    const granularity_params *p = run->params;
    const granularity_state *state = run->state;
    uint64_t toggles = ab_pass_ops(run, p->toggles);

    memset(state->slot, 0, state->slots * sizeof *state->slot);
    ab_start(run);
    uint64_t done = p->touch == AB_TOUCH_NONE ? toggle_slots(run, be, false, toggles)
                                              : toggle_slots(run, be, true, toggles);
    ab_stop(run, TOGGLE, p->toggles);
    for (uint32_t i = 0; i < state->slots; i++) {
        if (state->slot[i] != NULL) {
            be->free(run->heap[0], state->slot[i], (size_t)p->size);
        }
    }
    if (done < toggles) {
        ab_fail(run, TOGGLE, AB_STATUS_NOMEM,
                "toggle %" PRIu64 " of %" PRIu64 " could not have its block", done + 1, p->toggles);
    }
}

static AB_ALWAYS_INLINE void pass(ab_run *run, unsigned part, const ab_backend *const be)
{
    granularity_state *state = run->state;

    if (part == PART_RESERVE_ALL) {
        if ((be->can & AB_BACKEND_MAPS_OBJECTS) != 0 && !ab_has_failed(run, RESERVE_ALL)) {
            reserve_all(&state->all);
        }
    } else if (part == PART_ALLOC_FREE && !ab_has_failed(run, ALLOC)) {
        pass_alloc_free(run, be);
    } else if (part == PART_TOGGLE && !ab_has_failed(run, TOGGLE)) {
        pass_toggle(run, be);
    }
}

#define AB_TEMPLATE pass
#include "instantiate.h"

/* --- the table --- */

static bool complete(void *params_bytes, const ab_page_info *info, ab_error *error)
{
    granularity_params *p = params_bytes;

    if (p->size % info->page_bytes != 0) {
        return ab_error_set(error, "--size: %" PRIu64 " is not a multiple of the page size %zu",
                            p->size, info->page_bytes);
    }
    if (p->size > p->total) {
        return ab_error_set(error, "--size: %" PRIu64 " is larger than --total %" PRIu64, p->size,
                            p->total);
    }
    if (p->total / p->size > 100000000) {
        return ab_error_set(error,
                            "--total: %" PRIu64 " makes more than 100 million blocks of %" PRIu64,
                            p->total, p->size);
    }
    if (p->space % FRAGMENT_BYTES != 0) {
        return ab_error_set(error, "--space: %" PRIu64 " is not a multiple of 64K", p->space);
    }
    if (p->space > SIZE_MAX || p->total > SIZE_MAX) {
        return ab_error_set(error, "--space, --total: more than this program can address");
    }
    return true;
}

static ab_key key(const void *params_bytes)
{
    const granularity_params *p = params_bytes;
    return (ab_key){p->size, p->total / p->size, 1};
}

static uint32_t operations_of(const ab_contender *contender, const void *params_bytes)
{
    uint32_t all = (1u << OPERATIONS) - 1;

    (void)params_bytes;
    return (contender->backend->can & AB_BACKEND_MAPS_OBJECTS) != 0 ? all
                                                                    : all & ~(1u << RESERVE_ALL);
}

static uint64_t footprint_bytes(const ab_contender *contender, const void *params_bytes)
{
    const granularity_params *p = params_bytes;
    const size_t page = 4096;
    uint64_t touched = ab_touch_pages((ab_touch)p->touch, p->size, page) * page;

    if ((contender->backend->can & AB_BACKEND_NO_MEMORY) != 0) {
        return touched; /* always the same block */
    }
    return p->total / p->size * (touched + sizeof(ab_region));
}

/* glibc gives every block of so many bytes a mapping of its own, whatever was freed before. */
enum { HEAP_MAPS_FROM_BYTES = 32 << 20 };

static double estimate_ns(const ab_contender *contender, const void *params_bytes,
                          const ab_prices *prices)
{
    const granularity_params *p = params_bytes;
    double blocks = (double)(p->total / p->size);
    double pages = (double)ab_touch_pages((ab_touch)p->touch, p->size, 4096);

    if ((contender->backend->can & AB_BACKEND_NO_MEMORY) != 0) {
        return contender->backend->typical_ns * (double)p->toggles;
    }
    double block_ns = 3.5 * prices->call_ns + pages * prices->page_ns;
    double toggle_ns = 1.5 * prices->call_ns + pages * prices->page_ns / 2;
    if ((contender->backend->can & AB_BACKEND_MAPS_OBJECTS) != 0) {
        return blocks * block_ns + (double)p->toggles * toggle_ns +
               (double)(p->space / p->size) * 2 * prices->call_ns; /* reserve_all, and its end */
    }
    /* A heap writes a header into its block, and keeps blocks that are not large. */
    bool is_kept = p->size < HEAP_MAPS_FROM_BYTES;
    return blocks * (block_ns + prices->page_ns) +
           (double)p->toggles * (is_kept ? prices->call_ns : toggle_ns + prices->page_ns);
}

static const char *refuses(const ab_contender *contender, const void *params_bytes,
                           const ab_page_info *info, ab_error *text)
{
    const granularity_params *p = params_bytes;

    (void)info;
    return ab_heap_refuses(contender, p->size, text);
}

static bool open_heap(ab_run *run)
{
    const granularity_params *p = run->params;
    granularity_state *state = ab_scratch(run, sizeof *state);
    uint64_t slots = p->total / p->size, usual = p->total / FRAGMENT_BYTES;

    run->state = state;
    /* The table lies in the space that reserve_all exhausts, so it is as large for large blocks. */
    if (state == NULL || (state->slot = ab_scratch(run, (size_t)(slots > usual ? slots : usual) *
                                                            sizeof *state->slot)) == NULL) {
        for (unsigned i = 0; i < OPERATIONS; i++) {
            ab_fail(run, i, AB_STATUS_NOMEM, "no memory for the table of slots");
        }
        return false;
    }
    state->slots = (uint32_t)slots;
    state->all = (reserve_all_run){.run = run,
                                   .operation = RESERVE_ALL,
                                   .block_bytes = p->size,
                                   .space_bytes = p->space,
                                   .fragment = p->fragment};
    run->config.live_objects = slots;
    run->config.decommit_on_free = p->free == FREE_DECOMMIT_RELEASE;
    run->config.huge = p->huge != 0;
    return ab_heap_open(run, (size_t)p->size, OPERATIONS);
}

static const ab_operation operations[OPERATIONS] = {
    [RESERVE_ALL] = {"reserve_all", true},
    [ALLOC] = {"alloc", true},
    [FREE] = {"free", true},
    [TOGGLE] = {"toggle", true},
};

const ab_scenario ab_scenario_granularity = {
    .name = "granularity",
    .summary = "one GiB of address space in blocks of doubling size (document 000)",
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .params_bytes = sizeof(granularity_params),
    .scale = {{"size=64K..64M:x4 total=256M space=512M toggles=2500", 2, 2},
              {"size=64K..256M:x2 toggles=5000", 5, 2},
              {"size=64K..512M:x2 toggles=1000000", 5, 1}},
    .default_backends = "pages-map,pages-commit,malloc,none",
    .operations = operations,
    .operation_count = OPERATIONS,
    .part_count = PARTS,
    .preroll_parts = 1u << PART_TOGGLE,
    .contenders = contenders,
    .contender_count = sizeof contenders / sizeof contenders[0],
    .needs = AB_BACKEND_FREES_ONE,
    .rounds_offset = SIZE_MAX,
    .ops_offset = offsetof(granularity_params, toggles),
    .ops_operation = TOGGLE,
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
