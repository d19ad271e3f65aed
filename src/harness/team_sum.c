/* SPDX-License-Identifier: MIT
 *
 * What the threads of a cell measured and proved, put together: see team.h. The time of a timed
 * part is from the opening of its barrier to the end of the slowest thread.
 */
#include "team_internal.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct phase_sum {
    uint64_t slowest_ticks, fastest_ticks, ops, to_ops;
    const ab_stop_note *any; /* NULL: nobody came to the end of this phase */
} phase_sum;

static phase_sum sum_phase(const ab_team *team, unsigned phase)
{
    phase_sum sum = {.fastest_ticks = UINT64_MAX};

    for (unsigned i = 0; i < team->threads; i++) {
        const ab_member *member = &team->member[i];
        if (member->stops > phase) {
            const ab_stop_note *stop = &member->stop[phase];
            uint64_t ticks = stop->end_ticks - team->phase[phase].begin_ticks;
            sum.slowest_ticks = ticks > sum.slowest_ticks ? ticks : sum.slowest_ticks;
            sum.fastest_ticks = ticks < sum.fastest_ticks ? ticks : sum.fastest_ticks;
            sum.ops += stop->ops;
            sum.to_ops += stop->to_ops;
            sum.any = stop;
        }
    }
    return sum;
}

static void note_spread(ab_run *run, unsigned operation, const phase_sum *sum)
{
    if (!run->is_preroll) {
        run->team->slowest_ticks[operation] += sum->slowest_ticks;
        run->team->fastest_ticks[operation] += sum->fastest_ticks;
    }
}

static void take_times(ab_run *run)
{
    ab_team *team = run->team;

    for (unsigned i = 0; i < team->phases; i++) {
        const phase_sum sum = sum_phase(team, i);
        if (sum.any == NULL) {
            continue;
        }
        ab_meter_take(run->meter, sum.slowest_ticks, &team->phase[i].begin, &team->phase[i].end);
        ab_add_to(run, sum.any->operation, sum.ops);
        note_spread(run, sum.any->operation, &sum);
        if (sum.any->has_to) {
            ab_add_to(run, sum.any->to, sum.to_ops);
            note_spread(run, sum.any->to, &sum);
        }
    }
}

static void pass_job(ab_run *view)
{
    view->contender->pass(view, view->member->team->part);
}

void ab_team_pass(ab_run *run, unsigned part)
{
    if (run->team == NULL) {
        run->contender->pass(run, part);
        return;
    }
    run->team->part = part;
    ab_team_do(run, pass_job);
    take_times(run);
}

uint64_t ab_together(ab_run *run, void (*what)(ab_run *view))
{
    ab_team_do(run, what);
    return run->team->phases > 0 ? sum_phase(run->team, 0).slowest_ticks : 0;
}

/* --- latencies --- */

static void latency_job(ab_run *view)
{
    view->scenario->latency(view);
}

static void add_histogram(ab_histogram *sum, const ab_histogram *part)
{
    for (size_t i = 0; i < AB_HISTOGRAM_BUCKETS; i++) {
        sum->bucket[i] += part->bucket[i];
    }
    sum->count += part->count;
    sum->max = part->max > sum->max ? part->max : sum->max;
}

void ab_team_latency(ab_run *run)
{
    unsigned operations = run->scenario->operation_count;
    bool has_memory = true;

    if (run->team == NULL) {
        run->scenario->latency(run);
        return;
    }
    for (unsigned i = 0; i < run->team->threads * operations; i++) {
        ab_run *view = &run->team->member[i / operations].view;
        view->latency[i % operations] = ab_scratch(view, sizeof(ab_histogram));
        has_memory = has_memory && view->latency[i % operations] != NULL;
    }
    if (has_memory) { /* else the columns stay empty */
        ab_team_do(run, latency_job);
    }
    for (unsigned i = 0; i < run->team->threads * operations; i++) {
        ab_run *view = &run->team->member[i / operations].view;
        if (has_memory) {
            add_histogram(run->latency[i % operations], view->latency[i % operations]);
        }
        ab_scratch_free(view, view->latency[i % operations]);
    }
}

/* --- the proof --- */

static void prove_job(ab_run *view)
{
    view->scenario->prove(view);
}

uint64_t ab_chain_start(void)
{
    return ab_stream_start().hash;
}

uint64_t ab_chain(uint64_t chain, uint64_t digest)
{
    ab_stream stream = {.hash = chain};

    ab_stream_bytes(&stream, digest, 8);
    return stream.hash;
}

/* The digest of the threads is that of their digests, in their order; figures are added. */
static void take_proof(ab_run *run, unsigned operation)
{
    const ab_team *team = run->team;
    const ab_operation_state *first = &team->member[0].meter.operation[operation];
    uint64_t chain = ab_chain_start();

    for (unsigned i = 0; i < team->threads; i++) {
        const ab_operation_state *state = &team->member[i].meter.operation[operation];
        chain = ab_chain(chain, strtoull(state->digest, NULL, 16));
    }
    if (first->digest[0] != '\0') {
        ab_prove_digest(run, operation, chain);
    }
    for (size_t k = 0; k < first->extra_count; k++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < team->threads; i++) {
            sum += strtoull(team->member[i].meter.operation[operation].extra[k].value, NULL, 10);
        }
        ab_extra(run, operation, first->extra[k].name, sum);
    }
}

/* How much sooner the fastest thread came to its end than the slowest. */
static void say_spread(ab_run *run, unsigned operation)
{
    double slowest = (double)run->team->slowest_ticks[operation];
    char text[24];

    if (slowest > 0) {
        snprintf(text, sizeof text, "%.1f",
                 100 * (1 - (double)run->team->fastest_ticks[operation] / slowest));
        ab_extra_text(run, operation, "thread_spread_pct", text);
    }
}

void ab_team_prove(ab_run *run)
{
    const ab_scenario *scenario = run->scenario;

    for (unsigned i = 0; run->team != NULL && i < scenario->operation_count; i++) {
        say_spread(run, i);
    }
    if (run->team == NULL || scenario->threads_share) {
        scenario->prove(run);
        return;
    }
    ab_team_do(run, prove_job);
    for (unsigned i = 0; i < scenario->operation_count; i++) {
        take_proof(run, i);
    }
    for (unsigned i = 0; i < run->team->threads; i++) {
        run->requested_bytes += run->team->member[i].view.requested_bytes;
    }
}
