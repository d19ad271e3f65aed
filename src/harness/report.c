/* SPDX-License-Identifier: MIT
 *
 * Rows of a group: see report.h. A group that runs single passes has one row per round (`repeat`);
 * any other has one row per operation and backend over all its rounds.
 */
#include "report.h"
#include "stats.h"

#include "os/usage.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANT_MAX = 512, EXTRA_MAX = 768, TEXTS_PER_ROW = VARIANT_MAX + EXTRA_MAX + 256 };

typedef struct making {
    const ab_group_result *result;
    const ab_report_settings *settings;
    unsigned first_round, last_round; /* [first, last) that the row is about */
    double *own, *base, *base_logs;   /* tables of times, and of their pairs' logarithms */
    double *scratch, *logs;
    char *text;            /* next free byte */
    char extra[EXTRA_MAX]; /* of the row so far */
} making;

static const char *keep(making *m, const char *text)
{
    char *start = m->text;

    if (*text == '\0') {
        return NULL;
    }
    m->text += snprintf(m->text, TEXTS_PER_ROW, "%s", text) + 1;
    return start;
}

/* One more "k=v" of the row's figures, if there is room. */
static void AB_PRINTF(2, 3) add_extra(making *m, const char *format, ...)
{
    size_t used = strlen(m->extra);
    size_t start = used + (used > 0);
    va_list arguments;

    va_start(arguments, format);
    int length =
        start < EXTRA_MAX ? vsnprintf(m->extra + start, EXTRA_MAX - start, format, arguments) : 0;
    va_end(arguments);
    bool fits = length > 0 && (size_t)length < EXTRA_MAX - start;
    if (fits && used > 0) {
        m->extra[used] = ';';
    }
    m->extra[fits ? start + (size_t)length : used] = '\0';
}

static unsigned rounds_of(const making *m)
{
    return m->last_round - m->first_round;
}

/* Times of the row's rounds; NaN where there is none. */
static ab_times fill_times(const making *m, size_t cell, unsigned operation, double *out)
{
    unsigned processes = m->result->group->processes;
    unsigned rounds = rounds_of(m);

    for (unsigned p = 0; p < processes; p++) {
        for (unsigned r = 0; r < rounds; r++) {
            const ab_sample *s =
                &ab_taken_at(m->result, cell, operation, p, m->first_round + r)->sample;
            double count = (double)s->ops * (double)s->passes;
            out[p * rounds + r] = count > 0 ? (double)s->wall_ns / count : NAN;
        }
    }
    return (ab_times){out, processes, rounds};
}

/* Sum of a counter over the row's samples; AB_NO_COUNT if it is missing in one of them. */
static uint64_t sum_of(const making *m, size_t cell, unsigned operation, size_t offset)
{
    uint64_t sum = 0;

    for (unsigned p = 0; p < m->result->group->processes; p++) {
        for (unsigned r = m->first_round; r < m->last_round; r++) {
            const ab_sample *s = &ab_taken_at(m->result, cell, operation, p, r)->sample;
            uint64_t value;
            memcpy(&value, (const char *)s + offset, sizeof value);
            if (s->passes > 0) {
                if (value == AB_NO_COUNT) {
                    return AB_NO_COUNT;
                }
                sum += value;
            }
        }
    }
    return sum;
}

static double total_ops(const making *m, size_t cell, unsigned operation)
{
    double sum = 0;

    for (unsigned p = 0; p < m->result->group->processes; p++) {
        for (unsigned r = m->first_round; r < m->last_round; r++) {
            const ab_sample *s = &ab_taken_at(m->result, cell, operation, p, r)->sample;
            sum += (double)s->ops * (double)s->passes;
        }
    }
    return sum;
}

/* A processor time that the accounting tick cannot resolve is not available. */
static double per_op_resolved(uint64_t ns, double ops)
{
    const uint64_t ticks_needed = 100;

    return ns == AB_NO_COUNT || ns < ticks_needed * ab_usage_tick_ns() ? NAN : (double)ns / ops;
}

static void add_work(const making *m, size_t cell, unsigned operation, ab_row *row)
{
    const ab_group *group = m->result->group;
    size_t n = 0;

    for (unsigned p = 0; p < group->processes; p++) {
        for (unsigned r = m->first_round; r < m->last_round; r++) {
            const ab_sample *s = &ab_taken_at(m->result, cell, operation, p, r)->sample;
            if (s->passes > 0) {
                row->ops = s->ops;
                m->scratch[n++] = (double)s->passes;
            }
        }
    }
    if (n > 0) {
        row->passes = (uint64_t)ab_median(m->scratch, n);
    }
    row->rounds = group->rounds;
    row->processes = group->processes;
}

static void add_counters(const making *m, size_t cell, unsigned operation, ab_row *row)
{
    double ops = total_ops(m, cell, operation);
    uint64_t faults = sum_of(m, cell, operation, offsetof(ab_sample, minor_faults));

    if (!(ops > 0)) {
        return;
    }
    row->minor_faults_per_op = faults == AB_NO_COUNT ? NAN : (double)faults / ops;
    row->major_faults = sum_of(m, cell, operation, offsetof(ab_sample, major_faults));
    row->involuntary_switches =
        sum_of(m, cell, operation, offsetof(ab_sample, involuntary_switches));
    row->user_ns_per_op =
        per_op_resolved(sum_of(m, cell, operation, offsetof(ab_sample, user_ns)), ops);
    row->sys_ns_per_op =
        per_op_resolved(sum_of(m, cell, operation, offsetof(ab_sample, sys_ns)), ops);
}

/* Pairs of rounds that the clock cannot tell apart, and whether the ratio has two values. */
static void add_pair_figures(making *m, size_t cell, unsigned operation, const ab_times *times,
                             const ab_times *base, size_t first_warm, ab_row *row)
{
    const ab_group_result *result = m->result;
    unsigned ties = 0;

    for (unsigned p = 0; p < times->processes; p++) {
        for (size_t r = first_warm; r < times->rounds; r++) {
            const ab_sample *s =
                &ab_taken_at(result, cell, operation, p, m->first_round + (unsigned)r)->sample;
            double apart = times->ns[p * times->rounds + r] - base->ns[p * times->rounds + r];
            ties += fabs(apart) * (double)s->ops * (double)s->passes < m->settings->clock_step_ns;
        }
    }
    if (ties > 0) {
        add_extra(m, "ties=%u", ties);
    }
    size_t pairs = ab_pair_logs(times, base, first_warm, m->base_logs);
    ab_modes modes = ab_find_modes(m->base_logs, pairs, m->settings->threshold_pct / 100);
    if (modes.are_two) {
        add_extra(m, "modes=%.3f/%.3f", exp(modes.low), exp(modes.high));
        row->verdict = row->verdict != NULL ? "unclear" : NULL;
    }
}

static void add_ratio(making *m, size_t cell, unsigned operation, const ab_times *times,
                      size_t first_warm, ab_row *row)
{
    size_t baseline = m->result->group->baseline;

    if (cell == baseline) {
        row->ratio = 1;
        return;
    }
    if (baseline >= m->result->group->cell_count ||
        m->result->cell[baseline].operation[operation].status != AB_STATUS_OK) {
        return;
    }
    ab_times base = fill_times(m, baseline, operation, m->base);
    ab_process_logs(times, &base, first_warm, m->scratch, m->logs);
    ab_estimate shown = ab_estimate_logs(m->logs, times->processes, 0.05);
    ab_estimate judged = ab_estimate_logs(m->logs, times->processes, m->settings->alpha);
    row->ratio = shown.value;
    row->ratio_low = shown.low;
    row->ratio_high = shown.high;
    row->verdict = ab_verdict(judged.low, judged.high, m->settings->threshold_pct);
    add_pair_figures(m, cell, operation, times, &base, first_warm, row);
}

static void add_times(making *m, size_t cell, unsigned operation, ab_row *row)
{
    ab_times times = fill_times(m, cell, operation, m->own);
    size_t first_warm = times.rounds > 1 ? 1 : 0;

    ab_process_logs(&times, NULL, first_warm, m->scratch, m->logs);
    ab_estimate value = ab_estimate_logs(m->logs, times.processes, 0.05);
    row->ns_per_op = value.value;
    row->ci_low_ns = value.low;
    row->ci_high_ns = value.high;
    if (times.rounds > 1) {
        for (size_t p = 0; p < times.processes; p++) {
            m->logs[p] = log(times.ns[p * times.rounds]); /* NaN stays NaN */
        }
        row->cold_ns_per_op = ab_estimate_logs(m->logs, times.processes, 0.05).value;
    }
    for (size_t i = 0; i < times.processes * times.rounds; i++) {
        if (!(row->min_ns_per_op <= times.ns[i])) {
            row->min_ns_per_op = times.ns[i];
        }
    }
    row->spread_pct = ab_spread_pct(&times, first_warm, m->scratch, m->logs);
    add_ratio(m, cell, operation, &times, first_warm, row);
}

/* Work that takes less than a tenth of a nanosecond was not done. */
static bool is_elided(const ab_group *group, size_t cell, unsigned operation, const ab_row *row)
{
    const ab_backend *backend = group->cells[cell].contender->backend;

    double thread_ns = row->ns_per_op * (double)row->threads; /* they work at the same time */

    return group->scenario->operations[operation].has_floor && thread_ns < 0.1 &&
           !(backend != NULL && (backend->can & AB_BACKEND_NO_MEMORY) != 0);
}

/* The figure that the scenario derives from the time of one operation. */
static void add_unit_figure(making *m, unsigned operation, const ab_row *row)
{
    const ab_group *group = m->result->group;
    const ab_scenario *scenario = group->scenario;
    uint64_t units =
        scenario->unit_figure != NULL ? scenario->units(group->params.bytes, operation) : 0;

    if (units > 0 && isfinite(row->ns_per_op)) {
        add_extra(m, "%s=%.2f", scenario->unit_figure, row->ns_per_op / (double)units);
    }
}

static void drop_times(ab_row *row)
{
    ab_row empty = ab_row_empty();

    row->ns_per_op = row->ci_low_ns = row->ci_high_ns = empty.ns_per_op;
    row->cold_ns_per_op = row->min_ns_per_op = row->spread_pct = empty.ns_per_op;
    row->ratio = row->ratio_low = row->ratio_high = empty.ns_per_op;
    row->verdict = NULL;
}

static void make_row(making *m, size_t cell, unsigned operation, ab_row *row)
{
    const ab_group *group = m->result->group;
    const ab_cell_result *cell_result = &m->result->cell[cell];
    const ab_operation_result *result = &cell_result->operation[operation];
    ab_key key = group->scenario->key(group->params.bytes);
    ab_status status = result->status;
    const char *reason = result->reason;
    char variant[VARIANT_MAX];

    *row = ab_row_empty();
    m->extra[0] = '\0';
    row->scenario = group->scenario->name;
    row->op = group->scenario->operations[operation].name;
    row->size_bytes = key.size_bytes;
    row->count = key.count;
    row->threads = key.threads;
    ab_group_variant(group, group->scenario->is_single_pass ? m->first_round + 1 : 0, variant,
                     sizeof variant);
    row->variant = keep(m, variant);
    row->backend = group->cells[cell].name;
    if (!group->cells[cell].is_supported) {
        status = AB_STATUS_UNSUPPORTED;
        reason = group->cells[cell].reason;
    } else {
        add_work(m, cell, operation, row);
        row->requested_bytes = cell_result->memory.requested_bytes;
        row->reserved_bytes = cell_result->memory.reserved_bytes;
        row->committed_bytes = cell_result->memory.committed_bytes;
        row->resident_bytes = cell_result->memory.resident_bytes;
        if (result->has_latency) {
            row->p50_ns = (double)result->latency.p50_ns;
            row->p99_ns = (double)result->latency.p99_ns;
            row->p999_ns = (double)result->latency.p999_ns;
            row->max_ns = (double)result->latency.max_ns;
        }
        row->stream_digest = result->digest[0] != '\0' ? result->digest : NULL;
        add_extra(m, "%s", result->extra);
    }
    if (status == AB_STATUS_OK && !(total_ops(m, cell, operation) > 0)) {
        status = AB_STATUS_FAILED;
        reason = "the worker gave no sample";
    }
    if (status == AB_STATUS_OK) {
        add_times(m, cell, operation, row);
        add_counters(m, cell, operation, row);
        add_unit_figure(m, operation, row);
        if (is_elided(group, cell, operation, row)) {
            drop_times(row);
            status = AB_STATUS_FAILED;
            reason = "elided: under 0.1 ns per operation, so the work was not done";
        }
    }
    row->extra = keep(m, m->extra);
    row->status = ab_status_name(status);
    row->reason = status == AB_STATUS_OK ? NULL : keep(m, reason);
}

static unsigned repeats_of(const ab_group *group)
{
    return group->scenario->is_single_pass ? group->rounds : 1;
}

bool ab_report(const ab_group_result *result, const ab_report_settings *settings, ab_rows *out)
{
    const ab_group *group = result->group;
    size_t samples = (size_t)group->processes * group->rounds;
    size_t most_rows = repeats_of(group) * group->scenario->operation_count * group->cell_count;
    making m = {.result = result, .settings = settings};

    *out = (ab_rows){calloc(most_rows, sizeof *out->row), 0, malloc(most_rows * TEXTS_PER_ROW)};
    double *doubles = malloc(5 * samples * sizeof *doubles);
    if (out->row == NULL || out->texts == NULL || doubles == NULL) {
        free(doubles);
        ab_rows_free(out);
        return false;
    }
    m.own = doubles;
    m.base = doubles + samples;
    m.scratch = doubles + 2 * samples;
    m.logs = doubles + 3 * samples;
    m.base_logs = doubles + 4 * samples;
    m.text = out->texts;
    for (unsigned repeat = 0; repeat < repeats_of(group); repeat++) {
        m.first_round = repeat;
        m.last_round = group->scenario->is_single_pass ? repeat + 1 : group->rounds;
        for (unsigned i = 0; i < group->scenario->operation_count; i++) {
            for (size_t j = 0; j < group->cell_count; j++) {
                if ((result->cell[j].operations >> i & 1u) != 0) {
                    make_row(&m, j, i, &out->row[out->count++]);
                }
            }
        }
    }
    free(doubles);
    return true;
}

void ab_rows_free(ab_rows *rows)
{
    free(rows->row);
    free(rows->texts);
    *rows = (ab_rows){0};
}

size_t ab_compared_rows(const ab_plan *plan)
{
    size_t count = 0;

    for (size_t i = 0; i < plan->group_count; i++) {
        const ab_group *group = &plan->groups[i];
        for (size_t j = 0; j < group->cell_count; j++) {
            if (j != group->baseline && group->cells[j].is_supported) {
                for (uint32_t set = group->cells[j].operations; set != 0; set &= set - 1) {
                    count += repeats_of(group);
                }
            }
        }
    }
    return count;
}
