/* SPDX-License-Identifier: MIT
 *
 * One line on a terminal that says how far the run is, repainted between rounds and never during
 * one, and erased at the end. Does nothing where stderr is no terminal. Owned by the run.
 */
#ifndef AB_HARNESS_PROGRESS_H
#define AB_HARNESS_PROGRESS_H

#include "plan.h"

#include "os/output.h"

typedef struct ab_progress {
    ab_output out;
    bool is_shown;
    double planned_ns; /* estimate of the whole plan */
    double done_ns;    /* estimate of what has been done */
    uint64_t begin_ns;
    uint64_t painted_ns;
} ab_progress;

void ab_progress_begin(ab_progress *progress, bool is_wanted, double planned_ns);
/* A round of this cell is done, estimated at `ns`. */
void ab_progress_step(ab_progress *progress, const ab_plan *plan, size_t group, size_t cell,
                      double ns);
void ab_progress_end(ab_progress *progress);

#endif
