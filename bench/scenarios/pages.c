/* SPDX-License-Identifier: MIT
 *
 * pages: what each page operation costs, phase by phase, and what it does. A pass takes `count`
 * regions of one size through their life, one phase after the other; ops of a phase counts regions.
 * touch_again contains what the primitive has to do before the memory can be used again. The first
 * part repeats reserve and commit alone, since touching takes a thousand times as long. With
 * --pattern checkerboard the regions are every other range of one reservation, which splits
 * mappings until the OS has no more. All regions are released in every pass, whatever failed.
 */
#include "harness/scenario.h"

#include "page_truth.h"

#include <inttypes.h>
#include <stdio.h>

enum { PART_CALLS, PART_LIFE, PARTS };
enum { PATTERN_SEPARATE, PATTERN_CHECKERBOARD };
/* One touch of pages that are there takes nanoseconds. */
enum { SECOND_TOUCHES = 32 };

typedef struct pages_params {
    uint64_t size, count, touch, pattern;
    uint64_t page_bytes, huge_bytes; /* of this system; no options */
} pages_params;

#define P pages_params
static const ab_param params[] = {
    AB_PARAM_SIZE("size", P, size, AB_IN_KEY, 1, UINT64_C(1) << 40, "4K..64M:x4",
                  "bytes of a region"),
    AB_PARAM_COUNT("count", NULL, P, count, AB_IN_KEY, 1, 10000000, "", "regions of a pass"),
    AB_PARAM_CHOICE("touch", P, touch, AB_TOUCH_CHOICES, "write", "what a touch does"),
    AB_PARAM_CHOICE("pattern", P, pattern, "separate|checkerboard", "separate",
                    "whether regions are apart, or every other range of one reservation"),
};
#undef P

/* Operations that one call does for all regions do not count regions. */
static uint64_t ops_of(const page_regions *r, page_phase phase)
{
    bool is_one = r->is_board && (phase == PAGE_RESERVE || phase == PAGE_RELEASE);
    return is_one ? 1 : r->most;
}

/* --- failures --- */

static void fail_phases(ab_run *run, ab_status status, const char *text)
{
    for (unsigned i = 0; i < PAGE_PHASES; i++) {
        ab_fail(run, i, status, "%s", text);
    }
}

/* Tells how far a phase came and which limit it has met, and releases everything. */
static void give_up(ab_run *run, const char *what, int code)
{
    page_regions *r = run->state;
    char limit[100];
    ab_error text;

    page_limit_met(limit, sizeof limit);
    size_t done = r->done;
    int release_code = page_regions_release(r);
    bool is_nomem = ab_is_out_of_memory(code) && release_code == 0;
    ab_error_set(&text, "%s failed at region %zu of %zu with OS error %d%s%s", what, done + 1,
                 r->most, code, limit, release_code != 0 ? "; release failed too" : "");
    fail_phases(run, is_nomem ? AB_STATUS_NOMEM : AB_STATUS_FAILED, text.text);
}

/* --- passes --- */

/* Begins every pass; false: a call failed and everything is released. */
static bool take(ab_run *run, bool is_timed)
{
    page_regions *r = run->state;

    ab_start(run);
    int code = page_regions_reserve(r);
    if (is_timed) {
        ab_stop(run, PAGE_RESERVE, ops_of(r, PAGE_RESERVE));
    }
    if (code != 0) {
        give_up(run, "reserve", code);
        return false;
    }
    ab_start(run);
    code = page_regions_commit(r);
    if (is_timed && r->primitive->commit != NULL) {
        ab_stop(run, PAGE_COMMIT, ops_of(r, PAGE_COMMIT));
    }
    if (code != 0) {
        give_up(run, "commit", code);
    }
    return code == 0;
}

/* decommit and touch_again; false: a call failed and everything is released. */
static bool give_back_and_touch(ab_run *run)
{
    page_regions *r = run->state;

    ab_start(run);
    int code = page_regions_decommit(r);
    ab_stop(run, PAGE_DECOMMIT, ops_of(r, PAGE_DECOMMIT));
    if (code != 0) {
        give_up(run, "decommit", code);
        return false;
    }
    ab_start(run);
    code = page_regions_touch_again(r);
    ab_stop(run, PAGE_TOUCH_AGAIN, ops_of(r, PAGE_TOUCH_AGAIN));
    if (code != 0) {
        give_up(run, "making it usable again", code);
    }
    return code == 0;
}

static void release(ab_run *run, bool is_timed)
{
    page_regions *r = run->state;

    ab_start(run);
    int code = page_regions_release(r);
    if (is_timed) {
        ab_stop(run, PAGE_RELEASE, ops_of(r, PAGE_RELEASE));
    }
    if (code != 0) {
        give_up(run, "release", code);
    }
}

static void live(ab_run *run)
{
    page_regions *r = run->state;

    ab_start(run);
    page_regions_touch(r);
    ab_stop(run, PAGE_FIRST_TOUCH, ops_of(r, PAGE_FIRST_TOUCH));
    ab_start(run);
    for (int i = 0; i < SECOND_TOUCHES; i++) {
        page_regions_touch(r);
    }
    ab_stop(run, PAGE_SECOND_TOUCH, ops_of(r, PAGE_SECOND_TOUCH) * SECOND_TOUCHES);
    if (r->primitive->decommit[0] == NULL || give_back_and_touch(run)) {
        release(run, true);
    }
}

static void pass(ab_run *run, unsigned part)
{
    if (ab_has_failed(run, PAGE_RESERVE) || !take(run, part == PART_CALLS)) {
        return;
    }
    if (part == PART_LIFE) {
        live(run);
    } else {
        release(run, false);
    }
}

/* --- the proof: what the primitive does --- */

/* Signed, since memory is given back too. */
static void tell_resident_change(ab_run *run, unsigned phase, uint64_t before, uint64_t after)
{
    char text[32];

    if (before != AB_RAW_UNKNOWN && after != AB_RAW_UNKNOWN) {
        snprintf(text, sizeof text, "%" PRId64, (int64_t)(after - before));
        ab_extra_text(run, phase, "resident_change_bytes", text);
    }
}

static void tell_state(ab_run *run, unsigned phase, const page_state *state)
{
    ab_extra_text(run, phase, "resident_dropped", page_answer_name(state->resident_dropped));
    ab_extra_text(run, phase, "zeroed", page_answer_name(state->zeroed));
    ab_extra_text(run, phase, "faults_after", page_answer_name(state->faults_after));
    ab_extra_text(run, phase, "commit_charge_dropped",
                  page_answer_name(state->commit_charge_dropped));
    if (state->charged_before_bytes != AB_RAW_UNKNOWN) {
        ab_extra(run, phase, "charged_before_bytes", state->charged_before_bytes);
    }
}

static void prove(ab_run *run)
{
    const page_regions *r = run->state;
    uint64_t before = 0;
    page_truth truth;

    run->requested_bytes = r->most * r->bytes;
    if (ab_has_failed(run, PAGE_RESERVE)) {
        return;
    }
    int code = page_truth_find(r->primitive, r->touch, r->pages, r->bytes, &truth);
    if (code != 0) {
        ab_error text;
        ab_error_set(&text, "proof: a call failed with OS error %d", code);
        fail_phases(run, ab_is_out_of_memory(code) ? AB_STATUS_NOMEM : AB_STATUS_FAILED, text.text);
        return;
    }
    for (unsigned i = 0; i < PAGE_PHASES; i++) {
        uint64_t after = truth.resident_bytes[i];
        if (after != AB_RAW_UNKNOWN) {
            tell_resident_change(run, i, before, after);
            before = after;
        }
    }
    if (r->primitive->decommit[0] != NULL) {
        tell_state(run, PAGE_DECOMMIT, &truth.after_decommit);
    }
    tell_state(run, PAGE_RELEASE, &truth.after_release);
}

/* --- the table --- */

/* Regions of a pass unless said: 1 MiB of them, or on the checkerboard more than Linux allows
 * unless that takes over 1 GiB. */
static uint64_t usual_count(const pages_params *p)
{
    uint64_t most_bytes = UINT64_C(1) << 20, most = 1024;

    if (p->pattern == PATTERN_CHECKERBOARD) {
        most_bytes = UINT64_C(1) << 30;
        most = 65536;
    }
    uint64_t fits = most_bytes / p->size;
    return fits < 1 ? 1 : fits > most ? most : fits;
}

static bool complete(void *params_bytes, const ab_page_info *info, ab_error *error)
{
    pages_params *p = params_bytes;

    p->page_bytes = info->page_bytes;
    p->huge_bytes = info->huge_bytes;
    if (p->size % info->page_bytes != 0) {
        return ab_error_set(error, "--size: %" PRIu64 " is not a multiple of the page size %zu",
                            p->size, info->page_bytes);
    }
    if (p->count == 0) {
        p->count = usual_count(p);
    }
    if (p->count > SIZE_MAX / 4 / p->size) {
        return ab_error_set(error,
                            "--count: %" PRIu64 " regions of %" PRIu64
                            " bytes are more than this program can address",
                            p->count, p->size);
    }
    return p->touch != AB_TOUCH_NONE ||
           ab_error_set(error, "--touch: without one there is no first and second touch");
}

static ab_key key(const void *params_bytes)
{
    const pages_params *p = params_bytes;
    return (ab_key){p->size, p->count, 1};
}

/* All of them: a phase that a primitive does not have is a row that says so. */
static uint32_t operations_of(const ab_contender *contender, const void *params_bytes)
{
    (void)contender, (void)params_bytes;
    return (1u << PAGE_PHASES) - 1;
}

static const char *refuses(const ab_contender *contender, const void *params_bytes,
                           const ab_page_info *info, ab_error *text)
{
    const pages_params *p = params_bytes;
    const page_primitive *primitive = contender->own;
    const char *lack = page_primitive_lack(primitive, info, text->text, sizeof text->text);

    if (lack != NULL) {
        return lack;
    }
    if (primitive->is_large && (info->huge_bytes == 0 || p->size % info->huge_bytes != 0)) {
        return info->huge_bytes == 0 ? "this system grants no large pages on request"
                                     : "the size is not a multiple of the large page";
    }
    if (p->pattern == PATTERN_CHECKERBOARD && primitive->reserve != ab_raw_reserve) {
        return "a checkerboard needs a commit apart from the reservation";
    }
    return NULL;
}

static uint64_t footprint_bytes(const ab_contender *contender, const void *params_bytes)
{
    const pages_params *p = params_bytes;

    (void)contender;
    return p->size * p->count;
}

/* All parts of a round together take forty milliseconds at least. */
static double estimate_ns(const ab_contender *contender, const void *params_bytes,
                          const ab_prices *prices)
{
    const double parts_ns = 40e6;
    const pages_params *p = params_bytes;
    double pages = (double)(p->size / p->page_bytes);
    double pass_ns = (double)p->count * (10 * prices->call_ns + 2 * pages * prices->page_ns);

    (void)contender;
    return pass_ns > parts_ns ? pass_ns : parts_ns;
}

static uint64_t units(const void *params_bytes, unsigned operation)
{
    const pages_params *p = params_bytes;
    bool is_one = p->pattern == PATTERN_CHECKERBOARD &&
                  (operation == PAGE_RESERVE || operation == PAGE_RELEASE);

    return p->size / p->page_bytes * (is_one ? 2 * p->count : 1);
}

static bool open_regions(ab_run *run)
{
    const pages_params *p = run->params;
    page_regions *r = ab_scratch(run, sizeof *r);
    void **base = ab_scratch(run, (size_t)p->count * sizeof *base);

    if (r == NULL || base == NULL) {
        fail_phases(run, AB_STATUS_NOMEM, "no memory for the table of regions");
        return false;
    }
    *r = (page_regions){.primitive = run->contender->own,
                        .pages = &run->pages,
                        .touch = (ab_touch)p->touch,
                        .bytes = (size_t)p->size,
                        .most = (size_t)p->count,
                        .is_board = p->pattern == PATTERN_CHECKERBOARD,
                        .base = base};
    run->state = r;
    /* The memory ladder: the calls are bare, and pass the page layer by. */
    run->pages.counts.peak_reserved_bytes = r->is_board ? page_board_bytes(r) : r->most * r->bytes;
    run->pages.counts.peak_committed_bytes = r->most * r->bytes;
    if (r->primitive->commit == NULL) {
        ab_fail(run, PAGE_COMMIT, AB_STATUS_UNSUPPORTED, "%s: reserve has committed already",
                r->primitive->name);
    }
    if (r->primitive->decommit[0] == NULL) {
        ab_fail(run, PAGE_DECOMMIT, AB_STATUS_UNSUPPORTED, "%s gives nothing back before release",
                r->primitive->name);
        ab_fail(run, PAGE_TOUCH_AGAIN, AB_STATUS_UNSUPPORTED,
                "%s gives nothing back before release", r->primitive->name);
    }
    return true;
}

static void close_regions(ab_run *run)
{
    (void)run; /* every pass releases its own */
}

static const ab_operation operations[PAGE_PHASES] = {
    [PAGE_RESERVE] = {"reserve", true},         [PAGE_COMMIT] = {"commit", true},
    [PAGE_FIRST_TOUCH] = {"first_touch", true}, [PAGE_SECOND_TOUCH] = {"second_touch", true},
    [PAGE_DECOMMIT] = {"decommit", true},       [PAGE_TOUCH_AGAIN] = {"touch_again", true},
    [PAGE_RELEASE] = {"release", true},
};

static const ab_contender contenders[] = {
#define PAGE_PRIMITIVE(id, name, summary, ...)                                                     \
    {.own_name = name, .own_summary = summary, .pass = pass, .own = &page_##id},
    PAGE_PRIMITIVES
#undef PAGE_PRIMITIVE
};

const ab_scenario ab_scenario_pages = {
    .name = "pages",
    .summary = "what each page operation costs, phase by phase, and what it does",
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .params_bytes = sizeof(pages_params),
    .scale = {{"size=64K,1M", 2, 1}, {"size=4K..64M:x4", 5, 1}, {"size=4K..64M:x4", 5, 3}},
    .default_backends =
        "map,reserve-commit,dontneed,dontneed-protect,remap-none,free-lazy,populate,"
        "huge,commit,decommit,reset,reset-undo",
    .operations = operations,
    .operation_count = PAGE_PHASES,
    .part_count = PARTS,
    .contenders = contenders,
    .contender_count = sizeof contenders / sizeof contenders[0],
    .rounds_offset = SIZE_MAX,
    .ops_offset = SIZE_MAX,
    .unit_figure = "ns_per_page",
    .units = units,
    .complete = complete,
    .key = key,
    .operations_of = operations_of,
    .refuses = refuses,
    .footprint_bytes = footprint_bytes,
    .estimate_ns = estimate_ns,
    .open = open_regions,
    .prove = prove,
    .close = close_regions,
};
