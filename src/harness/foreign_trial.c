/* SPDX-License-Identifier: MIT
 *
 * See foreign_trial.h.
 */
#include "foreign_trial.h"
#include "registry.h"

static bool has_failed(const ab_cell_result *cell)
{
    for (unsigned i = 0; i < AB_OPERATIONS_MAX; i++) {
        if (cell->operation[i].status != AB_STATUS_OK) {
            return true;
        }
    }
    return false;
}

/* Threads that open heaps of their own are no matter of the trial, which has one heap. */
static ab_group trial_of(const ab_group *group)
{
    const ab_param *threads = ab_param_named(group->scenario, "threads");
    const ab_value one = {.number = 1};
    ab_group trial = *group;

    if (threads != NULL && !group->scenario->threads_share) {
        ab_param_set(threads, trial.params.bytes, &one);
    }
    return trial;
}

void ab_foreign_try(ab_coordinator *coordinator, ab_group_result *result)
{
    ab_group trial = trial_of(result->group);
    const ab_group *group = result->group;

    result->group = &trial;
    for (size_t i = 0; i < result->group->cell_count && ab_signal_pending() == 0; i++) {
        const ab_turn turn = {.result = result, .cell = i};
        ab_conversation talk;
        if (result->group->cells[i].foreign == NULL || result->cell[i].is_over) {
            continue;
        }
        if (ab_conversation_start(&talk, &coordinator->settings, &turn)) {
            (void)ab_conversation_ask(&talk, &coordinator->settings, AB_COMMAND_CHECK, &turn);
        }
        ab_conversation_end(&talk);
        result->cell[i].is_over = result->cell[i].is_over || has_failed(&result->cell[i]);
    }
    result->group = group;
}
