/* SPDX-License-Identifier: MIT
 *
 * See selftest.h. The groups are ordinary ones, run by the ordinary coordinator; an injected
 * difference is a third cell that does 5 % more operations than it says.
 */
#include "selftest.h"
#include "coordinator.h"
#include "registry.h"
#include "report.h"
#include "run.h"
#include "stats.h"

#include "os/clock.h"
#include "os/output.h"
#include "os/process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INJECTED_PCT = 5, GROUPS_MAX = 512, COMPARED = 2 }; /* rows of a group that are compared */

/* The cells of a group, all of them malloc. */
enum { BASE, SAME, MORE };

typedef struct selftest_run {
    const ab_options *options;
    ab_coordinator coordinator;
    ab_report_settings report;
    ab_selftest *out;
    unsigned seeds;
    unsigned steps, steps_done; /* groups to run, and those that have */
    bool is_short;              /* memory ran out: something is not in the figures */
    uint64_t begin_ns;
    double error_pct[GROUPS_MAX], half_pct[GROUPS_MAX];
} selftest_run;

/* The plan "churn, malloc under three names", the third with more work, with a seed of its own. */
static bool make_plan(const selftest_run *run, uint64_t seed, ab_plan *plan, ab_error *error)
{
    ab_options options = *run->options;

    options.scenarios = "churn";
    options.backends = "base=malloc,same=malloc,more=malloc";
    options.baseline = NULL;
    options.scale = AB_SCALE_DEFAULT;
    options.processes = run->options->processes != 0 ? run->options->processes : 20;
    options.rounds = run->options->rounds != 0 ? run->options->rounds : 12;
    options.seed = seed;
    options.parameter_count = 0;
    options.max_time_ns = 0;
    return ab_plan_make(&options, plan, error);
}

/* A cell did more than the others; it is made to say that it did as much. */
static void hide_injection(ab_group_result *result, uint64_t planned)
{
    ab_operation_result *operation = &result->cell[MORE].operation[0];

    for (size_t i = 0; i < (size_t)result->group->processes * result->group->rounds; i++) {
        if (operation->taken[i].sample.passes > 0) {
            operation->taken[i].sample.ops = planned;
        }
    }
}

static void judge(selftest_run *run, const ab_row *row)
{
    ab_selftest *out = run->out;
    size_t n = out->groups;

    if (!isfinite(row->ratio_low) || n == GROUPS_MAX) {
        return;
    }
    run->error_pct[n] = fabs(log(row->ratio)) * 100;
    run->half_pct[n] = log(row->ratio_high / row->ratio_low) / 2 * 100;
    out->raw_false += row->ratio_low > 1 || row->ratio_high < 1;
    out->verdicts += row->verdict != NULL &&
                     (strcmp(row->verdict, "faster") == 0 || strcmp(row->verdict, "slower") == 0);
    out->groups++;
}

static void judge_injected(selftest_run *run, const ab_row *row)
{
    const double truth = 1 + INJECTED_PCT / 100.0;

    if (isfinite(row->ratio_low)) {
        run->out->injected++;
        run->out->seen += row->ratio_low > 1;
        run->out->found += row->verdict != NULL && strcmp(row->verdict, "slower") == 0;
        run->out->covered += row->ratio_low <= truth && row->ratio_high >= truth;
    }
}

static void run_group(selftest_run *run, ab_plan *plan, size_t index)
{
    ab_group *group = &plan->groups[index];
    ab_group_result result;
    ab_rows rows;
    uint64_t planned;

    memcpy(&planned, group->params.bytes + group->scenario->ops_offset, sizeof planned);
    group->cells[MORE].more_ops_pct = INJECTED_PCT;
    if (!ab_group_result_make(group, &result)) {
        run->is_short = true;
        return;
    }
    ab_coordinate(&run->coordinator, group, index, &result);
    hide_injection(&result, planned);
    if (ab_report(&result, &run->report, &rows)) {
        for (size_t i = 0; i < rows.count; i++) {
            if (strcmp(rows.row[i].backend, group->cells[SAME].name) == 0) {
                judge(run, &rows.row[i]);
            } else if (strcmp(rows.row[i].backend, group->cells[MORE].name) == 0) {
                judge_injected(run, &rows.row[i]);
            }
        }
        ab_rows_free(&rows);
    } else {
        run->is_short = true;
    }
    ab_group_result_free(&result);
}

enum { OVERSTATED = 1000000 }; /* makes less than the floor of anything that a pass can take */

/* What `none` costs, and whether work that was not done is noticed: a pass of `none` that is said
 * to have done a million times as much. */
static void check_floor(selftest_run *run, const ab_plan *model)
{
    ab_group group = model->groups[0];
    ab_cell cell = {.contender = ab_contender_named(group.scenario, "none"),
                    .name = "none",
                    .operations = 1,
                    .is_supported = true};
    ab_group_result result;
    ab_rows rows;

    group.cells = &cell;
    group.cell_count = group.processes = 1;
    group.rounds = 3;
    group.baseline = 0;
    if (!ab_group_result_make(&group, &result)) {
        run->is_short = true;
        return;
    }
    ab_coordinate(&run->coordinator, &group, 0, &result);
    bool is_timed = false;
    if (ab_report(&result, &run->report, &rows)) {
        is_timed = strcmp(rows.row[0].status, ab_status_name(AB_STATUS_OK)) == 0;
        run->out->null_ns = rows.row[0].ns_per_op;
        ab_rows_free(&rows);
    } else {
        run->is_short = true;
    }
    cell.contender = ab_contender_named(group.scenario, "malloc"); /* `none` has no floor */
    for (unsigned round = 0; round < group.rounds; round++) {
        result.cell[0].operation[0].taken[round].sample.ops *= OVERSTATED;
    }
    if (ab_report(&result, &run->report, &rows)) {
        run->out->is_elision_caught =
            is_timed && strcmp(rows.row[0].status, ab_status_name(AB_STATUS_FAILED)) == 0;
        ab_rows_free(&rows);
    } else {
        run->is_short = true;
    }
    ab_group_result_free(&result);
}

/* One line on a terminal, erased by the next. Groups take about equally long. */
static void show_progress(selftest_run *run)
{
    char left[32];
    double passed_ns = (double)(ab_clock_now_ns() - run->begin_ns);

    run->steps_done++;
    if (!run->options->quiet && ab_terminal_is_smart(true)) {
        ab_duration_print(passed_ns / run->steps_done * (run->steps - run->steps_done), left,
                          sizeof left);
        fprintf(stderr, "\r\x1b[K%3u%%  group %u of %u  left: %s",
                100 * run->steps_done / run->steps, run->steps_done, run->steps, left);
    }
}

static bool run_seed(selftest_run *run, uint64_t seed, bool is_first, ab_error *error)
{
    ab_plan plan;

    if (!make_plan(run, seed, &plan, error)) {
        return false;
    }
    run->coordinator.plan = &plan;
    run->coordinator.settings.seed = seed;
    run->report.alpha = 0.05 / (COMPARED * (double)plan.group_count);
    run->steps = (unsigned)plan.group_count * run->seeds;
    if (is_first) {
        check_floor(run, &plan);
    }
    for (size_t i = 0; i < plan.group_count && ab_signal_pending() == 0; i++) {
        run_group(run, &plan, i);
        show_progress(run);
    }
    ab_plan_free(&plan);
    if (run->is_short) {
        return ab_error_set(error, "out of memory for the results");
    }
    return ab_signal_pending() == 0 || ab_error_set(error, "interrupted");
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarise(selftest_run *run)
{
    ab_selftest *out = run->out;
    size_t n = out->groups;

    if (n == 0) {
        return;
    }
    qsort(run->error_pct, n, sizeof run->error_pct[0], by_value);
    out->error_p95_pct = run->error_pct[(n * 95 + 99) / 100 - 1];
    out->error_median_pct = ab_median(run->error_pct, n);
    out->smallest_pct = run->options->threshold_pct + ab_median(run->half_pct, n);
    out->clock_step_ns = ab_clock_measure().step_ns;
    out->is_fit = out->is_elision_caught && out->verdicts * 20 <= n; /* 5 % */
}

bool ab_selftest_run(const ab_options *options, ab_selftest *out, ab_error *error)
{
    static const unsigned seeds[AB_SCALES] = {3, 6, 23};
    *out = (ab_selftest){0};
    if (options->processes == 1) {
        return ab_error_set(error, "--processes: 1 has no interval; selftest needs 2 or more");
    }
    selftest_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return ab_error_set(error, "out of memory");
    }
    run->options = options;
    run->out = out;
    run->seeds = seeds[options->scale];
    run->begin_ns = ab_clock_now_ns();
    run->report.threshold_pct = options->threshold_pct;
    run->report.clock_step_ns = ab_clock_measure().step_ns;
    run->coordinator.wants_lockstep = !options->no_lockstep;
    bool ok = ab_worker_settings_make(options, &run->coordinator.settings, error);

    for (uint64_t i = 0; ok && i < run->seeds; i++) {
        ok = run_seed(run, options->seed + i, i == 0, error);
    }
    if (run->steps_done > 0 && !options->quiet && ab_terminal_is_smart(true)) {
        fputs("\r\x1b[K", stderr);
    }
    if (ok) {
        summarise(run);
    }
    free(run);
    return ok;
}

static double share_pct(size_t part, size_t whole)
{
    return whole == 0 ? NAN : 100.0 * (double)part / (double)whole;
}

void ab_selftest_print(const ab_selftest *result, double threshold_pct, ab_text *out)
{
    ab_text_add(out, "malloc against itself, %zu groups of churn:\n", result->groups);
    ab_text_add(out, "  verdicts faster or slower       %5.1f%%  (should be 0)\n",
                share_pct(result->verdicts, result->groups));
    ab_text_add(out, "  95%% intervals without 1         %5.1f%%  (should be about 5)\n",
                share_pct(result->raw_false, result->groups));
    ab_text_add(out, "  error of the ratio, median      %5.2f%%\n", result->error_median_pct);
    ab_text_add(out, "  error of the ratio, 95%% below   %5.2f%%\n", result->error_p95_pct);
    ab_text_add(out,
                "  smallest difference seen        %5.1f%%  (threshold %.9g%% and half an "
                "interval)\n",
                result->smallest_pct, threshold_pct);
    ab_text_add(out, "malloc against itself with %d%% more work, %zu groups:\n", INJECTED_PCT,
                result->injected);
    ab_text_add(out, "  95%% intervals above 1           %5.1f%%  (seen)\n",
                share_pct(result->seen, result->injected));
    ab_text_add(out, "  verdict slower                  %5.1f%%  (surely more than %.9g%%)\n",
                share_pct(result->found, result->injected), threshold_pct);
    ab_text_add(out, "  95%% interval holds the truth    %5.1f%%  (should be about 95)\n",
                share_pct(result->covered, result->injected));
    ab_text_add(out, "clock step                        %5.0f ns\n", result->clock_step_ns);
    ab_text_add(out, "price of the loop (none)          %5.2f ns\n", result->null_ns);
    ab_text_add(out, "work that is not done is noticed    %s\n",
                result->is_elision_caught ? "yes" : "NO");
    ab_text_add(out, "%s\n",
                result->is_fit ? "fit: differences that are reported here are differences"
                               : "NOT FIT: more than 5% of comparisons report a difference that is "
                                 "not there, or elision goes unnoticed");
}
