/* SPDX-License-Identifier: MIT
 *
 * Runs a group of the plan: starts its workers, lets them take turns, collects what they answer.
 * The order of turns is a list that is fixed beforehand, so that a different way of taking turns is
 * a different list. Whatever happens to a worker costs its cell alone.
 */
#ifndef AB_HARNESS_COORDINATOR_H
#define AB_HARNESS_COORDINATOR_H

#include "conversation.h"
#include "progress.h"

typedef struct ab_coordinator {
    const ab_plan *plan;
    ab_worker_settings settings;
    bool wants_lockstep, wants_latency;
    ab_progress progress;
} ab_coordinator;

/* Fills the result (made beforehand) of plan->groups[index]. Shortens the group's ops first when
 * max_time_ns says so. Returns early when a signal is pending. */
void ab_coordinate(ab_coordinator *coordinator, ab_group *group, size_t index,
                   ab_group_result *result);

/* Gives what has not finished the status `interrupted`. */
void ab_coordinate_interrupted(ab_group_result *result);

#endif
