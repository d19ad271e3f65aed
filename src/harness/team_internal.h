/* SPDX-License-Identifier: MIT
 *
 * What the files of the team share: a member, and running a job. Included there alone.
 */
#ifndef AB_HARNESS_TEAM_INTERNAL_H
#define AB_HARNESS_TEAM_INTERNAL_H

#include "team.h"

typedef struct ab_stop_note {
    uint64_t end_ticks, ops;
    unsigned operation;
    bool has_to; /* ab_add_to followed */
    unsigned to;
    uint64_t to_ops;
} ab_stop_note;

/* One thread; lies apart from the others, so that none writes into another's cache line. */
struct ab_member {
    _Alignas(AB_LINE_BYTES) ab_run view;
    ab_meter meter;
    ab_team *team;
    ab_thread thread;
    ab_stop_note stop[AB_OPERATIONS_MAX];
    unsigned stops; /* of the job so far: the number of the phase it is in */
};

/* Runs it on every thread, and returns when all have done it; failures are the cell's then. */
void ab_team_do(ab_run *run, void (*job)(ab_run *view));

#endif
