/* SPDX-License-Identifier: MIT
 *
 * See figures.h.
 */
#include "figures.h"
#include "stats.h"

#include "os/usage.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ab_figures_open(const ab_group_result *result, const ab_report_settings *settings,
                     ab_figures *out)
{
    size_t samples = (size_t)result->group->processes * result->group->rounds;
    double *doubles = malloc(5 * samples * sizeof *doubles);

    *out = (ab_figures){.result = result, .settings = settings};
    if (doubles == NULL) {
        return false;
    }
    out->own = doubles;
    out->base = doubles + samples;
    out->scratch = doubles + 2 * samples;
    out->logs = doubles + 3 * samples;
    out->pair_logs = doubles + 4 * samples;
    return true;
}

void ab_figures_close(ab_figures *f)
{
    free(f->own);
    *f = (ab_figures){0};
}

void ab_figures_extra(ab_figures *f, const char *format, ...)
{
    size_t used = strlen(f->extra);
    size_t start = used + (used > 0);
    va_list arguments;

    va_start(arguments, format);
    int length = start < AB_EXTRA_MAX
                     ? vsnprintf(f->extra + start, AB_EXTRA_MAX - start, format, arguments)
                     : 0;
    va_end(arguments);
    bool fits = length > 0 && (size_t)length < AB_EXTRA_MAX - start;
    if (fits && used > 0) {
        f->extra[used] = ';';
    }
    f->extra[fits ? start + (size_t)length : used] = '\0';
}

static unsigned rounds_of(const ab_figures *f)
{
    return f->last_round - f->first_round;
}

/* Times of the row's rounds; NaN where there is none. */
static ab_times fill_times(const ab_figures *f, size_t cell, unsigned operation, double *out)
{
    unsigned processes = f->result->group->processes;
    unsigned rounds = rounds_of(f);

    for (unsigned p = 0; p < processes; p++) {
        for (unsigned r = 0; r < rounds; r++) {
            const ab_sample *s =
                &ab_taken_at(f->result, cell, operation, p, f->first_round + r)->sample;
            double count = (double)s->ops * (double)s->passes;
            out[p * rounds + r] = count > 0 ? (double)s->wall_ns / count : NAN;
        }
    }
    return (ab_times){out, processes, rounds};
}

/* Sum of a counter over the row's samples; AB_NO_COUNT if it is missing in one of them. */
static uint64_t sum_of(const ab_figures *f, size_t cell, unsigned operation, size_t offset)
{
    uint64_t sum = 0;

    for (unsigned p = 0; p < f->result->group->processes; p++) {
        for (unsigned r = f->first_round; r < f->last_round; r++) {
            const ab_sample *s = &ab_taken_at(f->result, cell, operation, p, r)->sample;
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

double ab_figures_operations(const ab_figures *f, size_t cell, unsigned operation)
{
    double sum = 0;

    for (unsigned p = 0; p < f->result->group->processes; p++) {
        for (unsigned r = f->first_round; r < f->last_round; r++) {
            const ab_sample *s = &ab_taken_at(f->result, cell, operation, p, r)->sample;
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

void ab_figures_work(const ab_figures *f, size_t cell, unsigned operation, ab_row *row)
{
    const ab_group *group = f->result->group;
    size_t n = 0;

    for (unsigned p = 0; p < group->processes; p++) {
        for (unsigned r = f->first_round; r < f->last_round; r++) {
            const ab_sample *s = &ab_taken_at(f->result, cell, operation, p, r)->sample;
            if (s->passes > 0) {
                row->ops = s->ops;
                f->scratch[n++] = (double)s->passes;
            }
        }
    }
    if (n > 0) {
        row->passes = (uint64_t)ab_median(f->scratch, n);
    }
    row->rounds = group->rounds;
    row->processes = group->processes;
}

static void add_counters(const ab_figures *f, size_t cell, unsigned operation, ab_row *row)
{
    double ops = ab_figures_operations(f, cell, operation);
    uint64_t faults = sum_of(f, cell, operation, offsetof(ab_sample, minor_faults));

    if (!(ops > 0)) {
        return;
    }
    row->minor_faults_per_op = faults == AB_NO_COUNT ? NAN : (double)faults / ops;
    row->major_faults = sum_of(f, cell, operation, offsetof(ab_sample, major_faults));
    row->involuntary_switches =
        sum_of(f, cell, operation, offsetof(ab_sample, involuntary_switches));
    row->user_ns_per_op =
        per_op_resolved(sum_of(f, cell, operation, offsetof(ab_sample, user_ns)), ops);
    row->sys_ns_per_op =
        per_op_resolved(sum_of(f, cell, operation, offsetof(ab_sample, sys_ns)), ops);
}

bool ab_figures_is_elided(const ab_figures *f, size_t cell, unsigned operation, double ns_per_op)
{
    const ab_group *group = f->result->group;
    const ab_backend *backend = group->cells[cell].contender->backend;
    /* Threads work at the same time. */
    double thread_ns = ns_per_op * (double)group->scenario->key(group->params.bytes).threads;

    return group->scenario->operations[operation].has_floor && thread_ns < 0.1 &&
           !(backend != NULL && (backend->can & AB_BACKEND_NO_MEMORY) != 0);
}

/* The estimate of the time of one operation. */
static ab_estimate estimate_ns(ab_figures *f, const ab_times *times, size_t first_warm)
{
    ab_process_logs(times, NULL, first_warm, f->scratch, f->logs);
    return ab_estimate_logs(f->logs, times->processes, 0.05);
}

/* Pairs of rounds that the clock cannot tell apart, and whether the ratio has two values. */
static void add_pair_figures(ab_figures *f, size_t cell, unsigned operation, const ab_times *times,
                             const ab_times *base, size_t first_warm, ab_row *row)
{
    const ab_group_result *result = f->result;
    unsigned ties = 0;

    for (unsigned p = 0; p < times->processes; p++) {
        for (size_t r = first_warm; r < times->rounds; r++) {
            const ab_sample *s =
                &ab_taken_at(result, cell, operation, p, f->first_round + (unsigned)r)->sample;
            double apart = times->ns[p * times->rounds + r] - base->ns[p * times->rounds + r];
            ties += fabs(apart) * (double)s->ops * (double)s->passes < f->settings->clock_step_ns;
        }
    }
    if (ties > 0) {
        ab_figures_extra(f, "ties=%u", ties);
    }
    size_t pairs = ab_pair_logs(times, base, first_warm, f->pair_logs);
    ab_modes modes = ab_find_modes(f->pair_logs, pairs, f->settings->threshold_pct / 100);
    if (modes.are_two) {
        ab_figures_extra(f, "modes=%.4g/%.4g", exp(modes.low), exp(modes.high));
        row->verdict = row->verdict != NULL ? "unclear" : NULL;
    }
}

static void add_ratio(ab_figures *f, size_t cell, unsigned operation, const ab_times *times,
                      size_t first_warm, ab_row *row)
{
    size_t baseline = f->result->group->baseline;

    if (cell == baseline) {
        row->ratio = 1;
        return;
    }
    if (baseline >= f->result->group->cell_count ||
        f->result->cell[baseline].operation[operation].status != AB_STATUS_OK) {
        return;
    }
    ab_times base = fill_times(f, baseline, operation, f->base);
    if (ab_figures_is_elided(f, baseline, operation, estimate_ns(f, &base, first_warm).value)) {
        return;
    }
    ab_process_logs(times, &base, first_warm, f->scratch, f->logs);
    ab_estimate shown = ab_estimate_logs(f->logs, times->processes, 0.05);
    ab_estimate judged = ab_estimate_logs(f->logs, times->processes, f->settings->alpha);
    row->ratio = shown.value;
    row->ratio_low = shown.low;
    row->ratio_high = shown.high;
    row->verdict = ab_verdict(judged.low, judged.high, f->settings->threshold_pct);
    add_pair_figures(f, cell, operation, times, &base, first_warm, row);
}

void ab_figures_times(ab_figures *f, size_t cell, unsigned operation, ab_row *row)
{
    ab_times times = fill_times(f, cell, operation, f->own);
    size_t first_warm = times.rounds > 1 ? 1 : 0;

    ab_estimate value = estimate_ns(f, &times, first_warm);
    row->ns_per_op = value.value;
    row->ci_low_ns = value.low;
    row->ci_high_ns = value.high;
    if (times.rounds > 1) {
        for (size_t p = 0; p < times.processes; p++) {
            f->logs[p] = log(times.ns[p * times.rounds]); /* NaN stays NaN */
        }
        row->cold_ns_per_op = ab_estimate_logs(f->logs, times.processes, 0.05).value;
    }
    for (size_t i = 0; i < times.processes * times.rounds; i++) {
        if (!isnan(times.ns[i]) && !(row->min_ns_per_op <= times.ns[i])) {
            row->min_ns_per_op = times.ns[i];
        }
    }
    row->spread_pct = ab_spread_pct(&times, first_warm, f->scratch, f->logs);
    add_ratio(f, cell, operation, &times, first_warm, row);
    add_counters(f, cell, operation, row);
}
