/* SPDX-License-Identifier: MIT
 *
 * See progress.h. Time left is what the rest was estimated at, scaled by how wrong the estimate of
 * what is done has been.
 */
#include "progress.h"
#include "text.h"

#include "os/clock.h"

#include <stdio.h>

void ab_progress_begin(ab_progress *progress, bool is_wanted, double planned_ns)
{
    *progress = (ab_progress){.planned_ns = planned_ns, .begin_ns = ab_clock_now_ns()};
    ab_output_standard(&progress->out, true);
    progress->is_shown = is_wanted && ab_terminal_is_smart(true);
}

static void paint(ab_progress *progress, const ab_plan *plan, size_t group_index, size_t cell,
                  uint64_t now_ns)
{
    const ab_group *group = &plan->groups[group_index];
    ab_key key = group->scenario->key(group->params.bytes);
    ab_text line = {0};
    char size[32] = "", left[32] = "";
    double share = progress->planned_ns > 0 ? progress->done_ns / progress->planned_ns : 1;

    share = share > 1 ? 1 : share;
    if (key.size_bytes != AB_NO_COUNT) {
        ab_size_print(key.size_bytes, size, sizeof size);
    }
    if (share > 0.02) {
        double elapsed = (double)(now_ns - progress->begin_ns);
        ab_duration_print(elapsed / share * (1 - share), left, sizeof left);
    }
    ab_text_add(&line, "%3.0f%%  group %zu of %zu  %s %s %s%s%s", share * 100, group_index + 1,
                plan->group_count, group->scenario->name, size, group->cells[cell].name,
                left[0] != '\0' ? "  left: " : "", left);
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

void ab_progress_step(ab_progress *progress, const ab_plan *plan, size_t group, size_t cell,
                      double ns)
{
    const uint64_t least_apart_ns = 100000000;

    progress->done_ns += ns;
    uint64_t now_ns = ab_clock_now_ns();
    if (progress->is_shown && now_ns - progress->painted_ns >= least_apart_ns) {
        progress->painted_ns = now_ns;
        paint(progress, plan, group, cell, now_ns);
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
