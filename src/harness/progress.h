/* SPDX-License-Identifier: MIT
 *
 * One line on a terminal that says how far the run is, repainted between rounds and never during
 * one, and erased at the end. Does nothing where stderr is no terminal. Time left is the estimate
 * of what is left, corrected contender by contender and kind of step by how long what is done has
 * really taken. Owned by the run; keeps a pointer to the plan.
 */
#ifndef AB_HARNESS_PROGRESS_H
#define AB_HARNESS_PROGRESS_H

#include "estimate.h"

#include "os/output.h"

enum { AB_PACES_MAX = 256 };

/* How long something was estimated at and has taken. Each group counts half as much as the one
 * after it, which is more like those to come. */
typedef struct ab_pace {
    const ab_contender *contender;
    const ab_foreign *foreign; /* library in its place, or NULL */
    double estimate_ns[AB_STEPS], taken_ns[AB_STEPS];
} ab_pace;

typedef struct ab_progress {
    ab_output out;
    bool is_shown;
    const ab_plan *plan;
    uint64_t begin_ns, last_ns, painted_ns;
    ab_pace pace[AB_PACES_MAX]; /* of contenders that have run */
    size_t pace_count;
    size_t group; /* that is running, and the steps that its cells have done */
    unsigned done[AB_CELLS_MAX][AB_STEPS];
} ab_progress;

void ab_progress_begin(ab_progress *progress, bool is_wanted, const ab_plan *plan);
/* What has passed since the last call was this cell's: so many steps of that kind, or, with 0,
 * something around one. Steps that are skipped, since the cell is over, tell nothing of its pace.
 */
void ab_progress_step(ab_progress *progress, size_t group, size_t cell, ab_step step,
                      unsigned count, bool is_skipped);
/* Time that the rest will take. */
double ab_progress_left_ns(const ab_progress *progress);
void ab_progress_end(ab_progress *progress);

#endif
