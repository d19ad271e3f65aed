/* SPDX-License-Identifier: MIT
 *
 * Timing of operations and repetition of passes: see sampler.h. The usage of resources is read
 * outside of the clock, so that the clock's two readings enclose the kernel alone.
 */
#include "sampler.h"
#include "team.h"
#include "warmth.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ab_meter_init(ab_meter *meter, uint32_t operations, uint64_t warm_up_ns)
{
    const double steps = 1e4;
    uint64_t by_steps = (uint64_t)(steps * ab_clock_measure().step_ns);

    *meter = (ab_meter){.operations = operations, .warm_up_ns = warm_up_ns, .cold_ns = 1000000};
    meter->cold_ns = by_steps > meter->cold_ns ? by_steps : meter->cold_ns;
    meter->target_ns = AB_WARM_ROUND_LEAST * warm_up_ns;
    meter->target_ns = meter->target_ns > meter->cold_ns ? meter->target_ns : meter->cold_ns;
    ab_pages_init(&meter->pages);
    ab_usage_read(&meter->begin); /* the first reading tries out what the OS counts */
}

void ab_start(ab_run *run)
{
    if (run->member != NULL) {
        ab_team_start(run);
        return;
    }
    ab_usage_read(&run->meter->begin);
    run->meter->begin_ticks = ab_clock_ticks();
}

static uint64_t difference(uint64_t end, uint64_t begin)
{
    return end == AB_UNKNOWN || begin == AB_UNKNOWN ? AB_NO_COUNT : end - begin;
}

static void add(uint64_t *sum, uint64_t part)
{
    *sum = *sum == AB_NO_COUNT || part == AB_NO_COUNT ? AB_NO_COUNT : *sum + part;
}

void ab_add_to(ab_run *run, unsigned to, uint64_t ops)
{
    ab_operation_state *state = &run->meter->operation[to];
    const ab_sample *last = &run->meter->last;

    if (run->member != NULL) {
        ab_team_add_to(run, to, ops);
        return;
    }
    run->meter->timed |= 1u << to;
    state->ticks += run->meter->last_ticks;
    state->sample.ops = ops;
    add(&state->sample.user_ns, last->user_ns);
    add(&state->sample.sys_ns, last->sys_ns);
    add(&state->sample.minor_faults, last->minor_faults);
    add(&state->sample.major_faults, last->major_faults);
    add(&state->sample.involuntary_switches, last->involuntary_switches);
}

void ab_meter_take(ab_meter *meter, uint64_t ticks, const ab_usage *begin, const ab_usage *end)
{
    meter->last_ticks = ticks;
    meter->last = (ab_sample){
        .user_ns = difference(end->user_ns, begin->user_ns),
        .sys_ns = difference(end->sys_ns, begin->sys_ns),
        .minor_faults = difference(end->minor_faults, begin->minor_faults),
        .major_faults = difference(end->major_faults, begin->major_faults),
        .involuntary_switches = difference(end->involuntary_switches, begin->involuntary_switches),
    };
}

void ab_stop(ab_run *run, unsigned operation, uint64_t ops)
{
    uint64_t end_ticks = ab_clock_ticks();
    ab_meter *meter = run->meter;
    ab_usage end;

    if (run->member != NULL) {
        ab_team_stop(run, operation, ops, end_ticks);
        return;
    }
    ab_usage_read(&end);
    ab_meter_take(meter, end_ticks - meter->begin_ticks, &meter->begin, &end);
    ab_add_to(run, operation, ops);
}

void ab_fail(ab_run *run, unsigned operation, ab_status status, const char *format, ...)
{
    ab_operation_state *state = &run->meter->operation[operation];
    va_list arguments;

    if (state->status != AB_STATUS_OK) {
        return;
    }
    state->status = status;
    va_start(arguments, format);
    vsnprintf(state->reason, sizeof state->reason, format, arguments);
    va_end(arguments);
}

bool ab_has_failed(const ab_run *run, unsigned operation)
{
    return run->meter->operation[operation].status != AB_STATUS_OK;
}

void ab_extra_text(ab_run *run, unsigned operation, const char *name, const char *value)
{
    ab_operation_state *state = &run->meter->operation[operation];
    size_t i = 0;

    while (i < state->extra_count && strcmp(state->extra[i].name, name) != 0) {
        i++;
    }
    if (i == AB_EXTRAS_MAX) {
        return;
    }
    state->extra_count = i == state->extra_count ? i + 1 : state->extra_count;
    snprintf(state->extra[i].name, sizeof state->extra[i].name, "%s", name);
    snprintf(state->extra[i].value, sizeof state->extra[i].value, "%s", value);
}

void ab_extra(ab_run *run, unsigned operation, const char *name, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, value);
    ab_extra_text(run, operation, name, text);
}

void ab_prove_digest(ab_run *run, unsigned operation, uint64_t digest)
{
    ab_operation_state *state = &run->meter->operation[operation];

    snprintf(state->digest, sizeof state->digest, "%016" PRIx64, digest);
}

void ab_prove_stream(ab_run *run, unsigned operation, const ab_stream *stream)
{
    ab_prove_digest(run, operation, stream->hash);
    ab_extra(run, operation, "allocs", stream->allocs);
    ab_extra(run, operation, "frees", stream->frees);
    ab_extra(run, operation, "live_final", stream->live);
    ab_extra(run, operation, "live_peak", stream->live_peak);
}

void *ab_scratch(ab_run *run, size_t bytes)
{
    ab_meter *meter = run->meter;
    size_t page = meter->pages.info.page_bytes;
    size_t i = 0;

    while (i < AB_SCRATCH_MAX && meter->scratch[i].base != NULL) {
        i++;
    }
    if (i == AB_SCRATCH_MAX || bytes == 0 || bytes > SIZE_MAX - page) {
        return NULL;
    }
    bytes = (bytes + page - 1) / page * page;
    if (ab_pages_map(&meter->pages, bytes, &meter->scratch[i]) != 0) {
        return NULL;
    }
    for (size_t offset = 0; offset < bytes; offset += page) {
        *((volatile char *)meter->scratch[i].base + offset) = 0;
    }
    return meter->scratch[i].base;
}

void ab_scratch_free(ab_run *run, void *memory)
{
    ab_meter *meter = run->meter;

    for (size_t i = 0; memory != NULL && i < AB_SCRATCH_MAX; i++) {
        if (meter->scratch[i].base == memory) {
            ab_pages_release(&meter->pages, &meter->scratch[i]);
        }
    }
}

void ab_meter_close(ab_meter *meter)
{
    for (size_t i = 0; i < AB_SCRATCH_MAX; i++) {
        if (meter->scratch[i].base != NULL) {
            ab_pages_release(&meter->pages, &meter->scratch[i]);
        }
    }
}

static bool has_reached(const ab_meter *meter, uint32_t operations, uint64_t target_ns)
{
    for (unsigned i = 0; i < AB_OPERATIONS_MAX; i++) {
        const ab_operation_state *state = &meter->operation[i];
        if ((operations >> i & 1u) != 0 && state->status == AB_STATUS_OK &&
            ab_ticks_to_ns(state->ticks, ab_clock_frequency()) < target_ns) {
            return false;
        }
    }
    return true;
}

/* What these passes measure is forgotten. */
static void warm_up(ab_run *run, unsigned part)
{
    ab_meter *meter = run->meter;
    uint64_t begin_ns = ab_clock_now_ns(), passed_ns, ticks[AB_OPERATIONS_MAX];
    ab_sample sample[AB_OPERATIONS_MAX];
    unsigned passes = 0;

    for (unsigned i = 0; i < AB_OPERATIONS_MAX; i++) {
        ticks[i] = meter->operation[i].ticks;
        sample[i] = meter->operation[i].sample;
    }
    run->is_preroll = true;
    do {
        ab_team_pass(run, part);
        passes++;
        passed_ns = ab_clock_now_ns() - begin_ns;
    } while (passed_ns < meter->warm_up_ns ||
             (passes < AB_WARM_UP_PASSES && passed_ns < AB_WARM_UP_MOST * meter->warm_up_ns));
    run->is_preroll = false;
    for (unsigned i = 0; i < AB_OPERATIONS_MAX; i++) {
        meter->operation[i].ticks = ticks[i];
        meter->operation[i].sample = sample[i];
    }
}

/* Repeats one part until each of its operations sums to the target; a part whose untimed work
 * dominates gives up at ten times the target, so that no round takes minutes; one whose backend
 * does nothing, for which some operations take no time at all, at twice. */
static void run_part(ab_run *run, unsigned part, uint64_t target_ns)
{
    ab_meter *meter = run->meter;
    uint64_t begin_ns = ab_clock_now_ns();
    uint64_t passes = 0;
    const ab_backend *backend = run->contender->backend;
    bool does_nothing = backend != NULL && (backend->can & AB_BACKEND_NO_MEMORY) != 0;
    uint64_t most_ns = (does_nothing ? 2 : 10) * target_ns;

    meter->timed = 0;
    do {
        ab_team_pass(run, part);
        passes++;
    } while (!run->scenario->is_single_pass && !has_reached(meter, meter->timed, target_ns) &&
             ab_clock_now_ns() - begin_ns < most_ns);
    for (unsigned i = 0; i < AB_OPERATIONS_MAX; i++) {
        if ((meter->timed >> i & 1u) != 0) {
            meter->operation[i].sample.passes = passes;
        }
    }
}

void ab_run_round(ab_run *run, bool is_warm)
{
    ab_meter *meter = run->meter;

    for (unsigned i = 0; i < AB_OPERATIONS_MAX; i++) {
        meter->operation[i].ticks = 0;
        meter->operation[i].sample = (ab_sample){0};
    }
    for (unsigned part = 0; part < run->scenario->part_count; part++) {
        if (is_warm && (run->scenario->preroll_parts >> part & 1u) != 0) {
            warm_up(run, part);
        }
        run_part(run, part, is_warm ? meter->target_ns : meter->cold_ns);
    }
    for (unsigned i = 0; i < AB_OPERATIONS_MAX; i++) {
        ab_operation_state *state = &meter->operation[i];
        state->sample.wall_ns = ab_ticks_to_ns(state->ticks, ab_clock_frequency());
        if (state->ticks == 0) {
            state->sample.passes = 0; /* in none of them did the clock move: that is no time */
        }
    }
}
