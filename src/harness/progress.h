/* SPDX-License-Identifier: MIT
 *
 * One line on a terminal that says how far the run is, repainted between rounds and never during
 * one, and erased at the end. Does nothing where stderr is no terminal. Time left is the estimate
 * of what is left, corrected contender by contender by how long what is done has really taken.
 * Owned by the run; keeps a pointer to the plan.
 */
#ifndef AB_HARNESS_PROGRESS_H
#define AB_HARNESS_PROGRESS_H

#include "plan.h"

#include "os/output.h"

enum { AB_PACES_MAX = 256 };

/* How long something was estimated at and has taken, so far. */
typedef struct ab_pace {
    const ab_contender *contender;
    const ab_foreign *foreign; /* library in its place, or NULL */
    double estimate_ns, taken_ns;
} ab_pace;

typedef struct ab_progress {
    ab_output out;
    bool is_shown;
    const ab_plan *plan;
    uint64_t begin_ns, last_ns, painted_ns;
    ab_pace pace[AB_PACES_MAX]; /* of contenders that have run */
    size_t pace_count;
    size_t group; /* that is running, and the rounds that its cells have done */
    unsigned rounds_done[AB_CELLS_MAX];
} ab_progress;

void ab_progress_begin(ab_progress *progress, bool is_wanted, const ab_plan *plan);
/* What has passed since the last step was this cell's: so many rounds, or something around them.
 * Rounds that are skipped, since the cell is over, tell nothing of its pace. */
void ab_progress_step(ab_progress *progress, size_t group, size_t cell, unsigned rounds,
                      bool is_skipped);
/* Time that the rest will take. */
double ab_progress_left_ns(const ab_progress *progress);
void ab_progress_end(ab_progress *progress);

#endif
