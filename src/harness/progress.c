/* SPDX-License-Identifier: MIT
 *
 * See progress.h.
 */
#include "progress.h"
#include "estimate.h"
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

/* By how much estimates for this contender have been wrong; for one that has not run yet, those of
 * its scenario; else 1. */
static double correction(const ab_progress *progress, const ab_scenario *scenario,
                         const ab_cell *cell)
{
    double estimate_ns = 0, taken_ns = 0;

    for (size_t i = 0; i < progress->pace_count; i++) {
        const ab_pace *pace = &progress->pace[i];
        if (is_of(pace, cell) && pace->estimate_ns > 0) {
            return pace->taken_ns / pace->estimate_ns;
        }
        if (pace->contender >= scenario->contenders &&
            pace->contender < scenario->contenders + scenario->contender_count) {
            estimate_ns += pace->estimate_ns;
            taken_ns += pace->taken_ns;
        }
    }
    return estimate_ns > 0 ? taken_ns / estimate_ns : 1;
}

double ab_progress_left_ns(const ab_progress *progress)
{
    double sum = 0;

    for (size_t i = progress->group; i < progress->plan->group_count; i++) {
        const ab_group *group = &progress->plan->groups[i];
        for (size_t j = 0; j < group->cell_count; j++) {
            const ab_cell *cell = &group->cells[j];
            double rounds = (double)group->processes * group->rounds;
            if (i == progress->group) {
                rounds -= progress->rounds_done[j];
            }
            sum += rounds * ab_round_estimate_ns(progress->plan, group, cell) *
                   correction(progress, group->scenario, cell);
        }
    }
    return sum;
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

void ab_progress_step(ab_progress *progress, size_t group_index, size_t cell, unsigned rounds,
                      bool is_skipped)
{
    const uint64_t least_apart_ns = 100000000;

    if (!progress->is_shown) {
        return;
    }
    const ab_group *group = &progress->plan->groups[group_index];
    uint64_t now_ns = ab_clock_now_ns();
    ab_pace *pace = find_pace(progress, &group->cells[cell]);
    if (pace != NULL && !is_skipped) {
        pace->estimate_ns +=
            rounds * ab_round_estimate_ns(progress->plan, group, &group->cells[cell]);
        pace->taken_ns += (double)(now_ns - progress->last_ns);
    }
    progress->last_ns = now_ns;
    if (progress->group != group_index) {
        progress->group = group_index;
        memset(progress->rounds_done, 0, sizeof progress->rounds_done);
    }
    progress->rounds_done[cell] += rounds;
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
