/* SPDX-License-Identifier: MIT
 *
 * What the scenarios over allocators share: opening and closing heaps, and why a backend cannot
 * serve. Heaps belong to the run.
 */
#ifndef AB_BENCH_HEAP_H
#define AB_BENCH_HEAP_H

#include "harness/scenario.h"

/* Opens one more heap for objects of so many bytes; the config's other fields are set by the
 * caller. false after ab_fail on all `operations`. */
static inline bool ab_heap_open(ab_run *run, size_t object_bytes, unsigned operations)
{
    run->config.object_bytes = object_bytes;
    int code = run->contender->backend->open(&run->config, &run->heap[run->heap_count]);

    if (code == 0) {
        run->heap_count++;
        return true;
    }
    for (unsigned i = 0; i < operations; i++) {
        ab_fail(run, i, ab_is_out_of_memory(code) ? AB_STATUS_NOMEM : AB_STATUS_FAILED,
                "the heap cannot be opened: OS error %d", code);
    }
    return false;
}

static inline void ab_heap_close_all(ab_run *run)
{
    while (run->heap_count > 0) {
        run->contender->backend->close(run->heap[--run->heap_count]);
    }
}

/* For ab_scenario.refuses: what the capability bits do not say. */
static inline const char *ab_heap_refuses(const ab_contender *contender, uint64_t object_bytes,
                                          ab_error *text)
{
    const ab_backend *backend = contender->backend;

    if (object_bytes > backend->max_object_bytes) {
        ab_error_set(text, "%s serves at most %zu bytes", backend->name, backend->max_object_bytes);
        return text->text;
    }
    return NULL;
}

static inline bool ab_heap_is_memory(const ab_backend *backend)
{
    return (backend->can & AB_BACKEND_NO_MEMORY) == 0;
}

/* Rough time of an alloc and a free in a random order while so many bytes are alive. */
static inline double ab_heap_random_ns(const ab_contender *contender, double live_bytes)
{
    const ab_backend *backend = contender->backend;
    double more_ns =
        backend->typical_bytes_per_ns > 0 ? live_bytes / backend->typical_bytes_per_ns : 0;

    return (backend->typical_ns != 0 ? backend->typical_ns : 30) + more_ns;
}

/* Rough time of an alloc and a free, for estimates. */
static inline double ab_heap_typical_ns(const ab_contender *contender)
{
    return ab_heap_random_ns(contender, 0);
}

/* A random order of 0 .. count - 1. */
static inline void ab_shuffle(uint32_t *order, uint32_t count, uint64_t seed)
{
    ab_rng rng = {seed};

    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (uint32_t)ab_rng_below(&rng, i + 1u);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Choices of --dispatch, in their order. */
enum { AB_DISPATCH_INLINE, AB_DISPATCH_INDIRECT };

/* What every scenario over allocators can be told: how the backend is called, and large pages. */
#define AB_PARAM_DISPATCH(type, member)                                                            \
    AB_PARAM_CHOICE("dispatch", type, member, "inline|indirect", "inline",                         \
                    "how the backend is called")
#define AB_PARAM_THREADS(type, member, min, initial, help)                                         \
    AB_PARAM_COUNT("threads", NULL, type, member, AB_IN_KEY, min, AB_BARRIER_MEMBERS_MAX, initial, \
                   help)
#define AB_PARAM_HUGE(type, member)                                                                \
    AB_PARAM_FLAG("huge", type, member, "ask for large pages, where the backend can")

#endif
