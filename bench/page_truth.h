/* SPDX-License-Identifier: MIT
 *
 * What a primitive really does to a region, found out on one region step by step: how much of it is
 * in memory after each phase, and what decommit and release leave. Nothing is timed. The region
 * exists only inside page_truth_find, and access that faults is asked of the OS, never tried.
 */
#ifndef AB_BENCH_PAGE_TRUTH_H
#define AB_BENCH_PAGE_TRUTH_H

#include "page_regions.h"

#include "os/raw_probe.h"

/* The phases of a region's life, and operations of the scenario. */
typedef enum page_phase {
    PAGE_RESERVE,
    PAGE_COMMIT,
    PAGE_FIRST_TOUCH,
    PAGE_SECOND_TOUCH,
    PAGE_DECOMMIT,
    PAGE_TOUCH_AGAIN,
    PAGE_RELEASE,
    PAGE_PHASES
} page_phase;

/* What holds after decommit, or after release. */
typedef struct page_state {
    ab_raw_answer resident_dropped, zeroed, faults_after, commit_charge_dropped;
    uint64_t charged_before_bytes;
} page_state;

typedef struct page_truth {
    uint64_t resident_bytes[PAGE_PHASES]; /* after each phase; AB_RAW_UNKNOWN where there is none */
    page_state after_decommit, after_release;
} page_truth;

static inline const char *page_answer_name(ab_raw_answer answer)
{
    static const char *const names[] = {"no", "yes", "unknown"};
    return names[answer];
}

/* From none to all is yes, from all to all is no; a part is neither. */
static inline ab_raw_answer page_dropped(uint64_t before, uint64_t after)
{
    if (before == AB_RAW_UNKNOWN || after == AB_RAW_UNKNOWN) {
        return AB_RAW_DONT_KNOW;
    }
    return before > 0 && after == 0 ? AB_RAW_YES : after >= before ? AB_RAW_NO : AB_RAW_DONT_KNOW;
}

/* Of a range that was filled with bytes other than zero. */
static inline ab_raw_answer page_zeroed(const void *base, size_t bytes)
{
    const uint64_t *words = base;
    size_t zero = 0, count = bytes / sizeof *words;

    AB_KEEP(base);
    for (size_t i = 0; i < count; i++) {
        zero += words[i] == 0;
    }
    return zero == count ? AB_RAW_YES : zero == 0 ? AB_RAW_NO : AB_RAW_DONT_KNOW;
}

/* What an OS that takes storage lazily has not done yet, it may still do. */
static inline ab_raw_answer page_eventually(const page_primitive *primitive, ab_raw_answer answer)
{
    return primitive->is_lazy && answer == AB_RAW_NO ? AB_RAW_DONT_KNOW : answer;
}

static inline int page_truth_decommit(const page_primitive *primitive, void *base, size_t bytes,
                                      page_truth *out)
{
    page_state *state = &out->after_decommit;
    uint64_t charged = ab_raw_charged_bytes(base, bytes);
    uint64_t resident = ab_raw_resident_bytes(base, bytes);
    int code = page_primitive_decommit(primitive, base, bytes);

    if (code != 0) {
        return code;
    }
    out->resident_bytes[PAGE_DECOMMIT] = ab_raw_resident_bytes(base, bytes);
    state->charged_before_bytes = charged;
    state->resident_dropped =
        page_eventually(primitive, page_dropped(resident, out->resident_bytes[PAGE_DECOMMIT]));
    state->faults_after = ab_raw_faults(base);
    state->commit_charge_dropped = page_dropped(charged, ab_raw_charged_bytes(base, bytes));
    code = primitive->recommit != NULL ? primitive->recommit(base, bytes) : 0;
    if (code == 0) {
        state->zeroed = page_eventually(primitive, page_zeroed(base, bytes));
    }
    return code;
}

/* Everything until release. */
static inline int page_truth_live(const page_primitive *primitive, ab_touch touch, ab_pages *pages,
                                  void *base, size_t bytes, page_truth *out)
{
    int code = 0;

    out->resident_bytes[PAGE_RESERVE] = ab_raw_resident_bytes(base, bytes);
    if (primitive->commit != NULL) {
        code = primitive->commit(base, bytes);
        out->resident_bytes[PAGE_COMMIT] = ab_raw_resident_bytes(base, bytes);
    }
    if (code != 0) {
        return code;
    }
    ab_touch_block(touch, pages, base, bytes);
    out->resident_bytes[PAGE_FIRST_TOUCH] = ab_raw_resident_bytes(base, bytes);
    ab_touch_block(touch, pages, base, bytes);
    out->resident_bytes[PAGE_SECOND_TOUCH] = ab_raw_resident_bytes(base, bytes);
    memset(base, 0xa5, bytes);
    AB_KEEP(base);
    if (primitive->decommit[0] != NULL) {
        code = page_truth_decommit(primitive, base, bytes, out);
        if (code == 0) {
            ab_touch_block(touch, pages, base, bytes);
            out->resident_bytes[PAGE_TOUCH_AGAIN] = ab_raw_resident_bytes(base, bytes);
        }
    }
    return code;
}

/* 0, or the OS error code of the call that failed; the region is released in any case. */
static inline int page_truth_find(const page_primitive *primitive, ab_touch touch, ab_pages *pages,
                                  size_t bytes, page_truth *out)
{
    static const page_state unknown = {AB_RAW_DONT_KNOW, AB_RAW_DONT_KNOW, AB_RAW_DONT_KNOW,
                                       AB_RAW_DONT_KNOW, AB_RAW_UNKNOWN};
    page_state *released = &out->after_release;
    void *base;

    *out = (page_truth){.after_decommit = unknown, .after_release = unknown};
    for (int i = 0; i < PAGE_PHASES; i++) {
        out->resident_bytes[i] = AB_RAW_UNKNOWN;
    }
    int code = page_reserve(primitive, &pages->info, bytes, &base);
    if (code != 0) {
        return code;
    }
    code = page_truth_live(primitive, touch, pages, base, bytes, out);
    uint64_t charged = ab_raw_charged_bytes(base, bytes);
    uint64_t resident = ab_raw_resident_bytes(base, bytes);
    int release_code = ab_raw_release(base, bytes);
    if (code != 0 || release_code != 0) {
        return code != 0 ? code : release_code;
    }
    out->resident_bytes[PAGE_RELEASE] = ab_raw_resident_bytes(base, bytes);
    released->charged_before_bytes = charged;
    released->resident_dropped = page_dropped(resident, out->resident_bytes[PAGE_RELEASE]);
    released->faults_after = ab_raw_faults(base);
    released->commit_charge_dropped = page_dropped(charged, ab_raw_charged_bytes(base, bytes));
    return 0;
}

#endif
