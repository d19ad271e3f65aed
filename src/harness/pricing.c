/* SPDX-License-Identifier: MIT
 *
 * See pricing.h. A trial starts a worker for one round of a few operations, and more until they
 * take long enough to be believed.
 */
#include "pricing.h"

#include <string.h>

/* Time of the governed operation for one pass of n ops, and of everything else in the round. */
typedef struct price {
    double operation_ns, rest_ns;
} price;

static bool try_price(ab_coordinator *coordinator, const ab_group *group, size_t cell, uint64_t ops,
                      price *out)
{
    ab_group trial = *group;
    ab_group_result result;
    ab_conversation talk;
    bool ok;

    trial.processes = trial.rounds = 1;
    trial.ops_limit = ops;
    if (!ab_group_result_make(&trial, &result)) {
        return false;
    }
    const ab_turn turn = {.result = &result, .cell = cell};
    ok = ab_conversation_start(&talk, &coordinator->settings, &turn) &&
         ab_conversation_ask(&talk, &coordinator->settings, AB_COMMAND_COLD, &turn);
    ab_conversation_end(&talk);
    *out = (price){0, 0};
    for (unsigned i = 0; i < group->scenario->operation_count; i++) {
        const ab_sample *s = &ab_taken_at(&result, cell, i, 0, 0)->sample;
        if (i == group->scenario->ops_operation) {
            ok = ok && s->passes > 0;
            out->operation_ns = s->passes > 0 ? (double)s->wall_ns / (double)s->passes : 0;
        } else {
            out->rest_ns += (double)s->wall_ns;
        }
    }
    ab_group_result_free(&result);
    return ok;
}

/* Operations of one round that fit a cell's share of --max-time; `planned` if all do. */
static uint64_t affordable_ops(ab_coordinator *coordinator, const ab_group *group, size_t cell,
                               uint64_t planned)
{
    const double long_enough_ns = 20e6;
    double budget_ns =
        (double)coordinator->plan->max_time_ns / ((double)group->processes * group->rounds);
    price found = {0, 0};

    for (uint64_t ops = 8;; ops *= 8) {
        ops = ops > planned ? planned : ops;
        if (ab_signal_pending() != 0 || !try_price(coordinator, group, cell, ops, &found)) {
            return planned; /* the run itself will tell what is wrong */
        }
        if (found.operation_ns >= long_enough_ns || ops == planned) {
            const uint64_t least = 16;
            double fits = (budget_ns - found.rest_ns) / (found.operation_ns / (double)ops);
            uint64_t count = fits < (double)least ? least : (uint64_t)fits;
            return fits >= (double)planned || count > planned ? planned : count;
        }
    }
}

void ab_price(ab_coordinator *coordinator, ab_group *group, const ab_group_result *result)
{
    uint64_t planned, least;

    if (coordinator->plan->max_time_ns == 0 || group->scenario->ops_offset == SIZE_MAX) {
        return;
    }
    memcpy(&planned, group->params.bytes + group->scenario->ops_offset, sizeof planned);
    least = planned;
    for (size_t i = 0; i < group->cell_count; i++) {
        if (!result->cell[i].is_over) {
            uint64_t ops = affordable_ops(coordinator, group, i, planned);
            least = ops < least ? ops : least;
        }
    }
    group->ops_limit = least < planned ? least : 0;
}
