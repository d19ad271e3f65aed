/* SPDX-License-Identifier: MIT
 *
 * See progress.h.
 */
#include "progress.h"
#include "text.h"

#include "os/clock.h"

#include <stdio.h>
#include <string.h>

void ab_progress_begin(ab_progress *progress, bool is_wanted, const ab_plan *plan)
{
    uint64_t now_ns = ab_clock_now_ns();

    *progress = (ab_progress){.plan = plan, .begin_ns = now_ns, .last_ns = now_ns};
    ab_output_standard(&progress->out, true);
    progress->is_shown = is_wanted && ab_terminal_is_smart(true);
}

static bool is_of(const ab_pace *pace, const ab_cell *cell)
{
    return pace->contender == cell->contender && pace->foreign == cell->foreign;
}

static ab_pace *find_pace(ab_progress *progress, const ab_cell *cell)
{
    size_t i = 0;

    while (i < progress->pace_count && !is_of(&progress->pace[i], cell)) {
        i++;
    }
    if (i == progress->pace_count && i < AB_PACES_MAX) {
        progress->pace[i] = (ab_pace){.contender = cell->contender, .foreign = cell->foreign};
        progress->pace_count++;
    }
    return i < AB_PACES_MAX ? &progress->pace[i] : NULL;
}

/* By how much estimates of such a step have been wrong for this contender; where it has not made
 * one yet, for its scenario; else 1. */
static double correction(const ab_progress *progress, const ab_scenario *scenario,
                         const ab_cell *cell, ab_step step)
{
    double estimate_ns = 0, taken_ns = 0;

    for (size_t i = 0; i < progress->pace_count; i++) {
        const ab_pace *pace = &progress->pace[i];
        if (is_of(pace, cell) && pace->estimate_ns[step] > 0) {
            return pace->taken_ns[step] / pace->estimate_ns[step];
        }
        if (pace->contender >= scenario->contenders &&
            pace->contender < scenario->contenders + scenario->contender_count) {
            estimate_ns += pace->estimate_ns[step];
            taken_ns += pace->taken_ns[step];
        }
    }
    return estimate_ns > 0 ? taken_ns / estimate_ns : 1;
}

static double left_of_cell_ns(const ab_progress *progress, const ab_group *group, size_t cell,
                              const unsigned done[AB_STEPS])
{
    double sum = 0;

    for (ab_step step = 0; step < AB_STEPS; step++) {
        unsigned left = ab_step_count(group, step) - done[step];
        if (left > 0) {
            sum += left * ab_step_estimate_ns(progress->plan, group, &group->cells[cell], step) *
                   correction(progress, group->scenario, &group->cells[cell], step);
        }
    }
    return sum;
}

double ab_progress_left_ns(const ab_progress *progress)
{
    static const unsigned none[AB_STEPS];
    double sum = 0;

    for (size_t i = progress->group; i < progress->plan->group_count; i++) {
        const ab_group *group = &progress->plan->groups[i];
        for (size_t j = 0; j < group->cell_count; j++) {
            sum += left_of_cell_ns(progress, group, j,
                                   i == progress->group ? progress->done[j] : none);
        }
    }
    return sum;
}

static void begin_group(ab_progress *progress, size_t index)
{
    const double weight = 0.5;

    progress->group = index;
    memset(progress->done, 0, sizeof progress->done);
    for (size_t i = 0; i < progress->pace_count; i++) {
        for (ab_step step = 0; step < AB_STEPS; step++) {
            progress->pace[i].estimate_ns[step] *= weight;
            progress->pace[i].taken_ns[step] *= weight;
        }
    }
}

static void paint(ab_progress *progress, size_t cell, uint64_t now_ns)
{
    const ab_group *group = &progress->plan->groups[progress->group];
    ab_key key = group->scenario->key(group->params.bytes);
    double passed_ns = (double)(now_ns - progress->begin_ns);
    double left_ns = ab_progress_left_ns(progress);
    ab_text line = {0};
    char size[32] = "", left[32] = "";

    if (key.size_bytes != AB_NO_COUNT) {
        ab_size_print(key.size_bytes, size, sizeof size);
    }
    ab_duration_print(left_ns, left, sizeof left);
    ab_text_add(&line, "%3.0f%%  group %zu of %zu  %s %s %s  left: %s",
                passed_ns / (passed_ns + left_ns) * 100, progress->group + 1,
                progress->plan->group_count, group->scenario->name, size, group->cells[cell].name,
                left);
    int columns = ab_terminal_columns(true);
    if (line.bytes != NULL && line.length >= (size_t)columns && columns > 1) {
        line.bytes[columns - 1] = '\0'; /* a line that wraps could not be repainted */
    }
    ab_text whole = {0};
    ab_text_add(&whole, "\r\x1b[K%s", line.bytes != NULL ? line.bytes : "");
    if (whole.bytes != NULL) {
        ab_output_write(&progress->out, whole.bytes, whole.length);
    }
    ab_text_free(&line);
    ab_text_free(&whole);
}

void ab_progress_step(ab_progress *progress, size_t group_index, size_t cell, ab_step step,
                      unsigned count, bool is_skipped)
{
    const uint64_t least_apart_ns = 100000000;

    if (!progress->is_shown) {
        return;
    }
    const ab_group *group = &progress->plan->groups[group_index];
    uint64_t now_ns = ab_clock_now_ns();
    if (progress->group != group_index) {
        begin_group(progress, group_index);
    }
    ab_pace *pace = find_pace(progress, &group->cells[cell]);
    if (pace != NULL && !is_skipped) {
        pace->estimate_ns[step] +=
            count * ab_step_estimate_ns(progress->plan, group, &group->cells[cell], step);
        pace->taken_ns[step] += (double)(now_ns - progress->last_ns);
    }
    progress->last_ns = now_ns;
    progress->done[cell][step] += count;
    if (now_ns - progress->painted_ns >= least_apart_ns) {
        progress->painted_ns = now_ns;
        paint(progress, cell, now_ns);
    }
}

void ab_progress_end(ab_progress *progress)
{
    static const char erase[] = "\r\x1b[K";

    if (progress->is_shown && progress->painted_ns != 0) {
        ab_output_write(&progress->out, erase, sizeof erase - 1);
    }
    progress->is_shown = false;
}
