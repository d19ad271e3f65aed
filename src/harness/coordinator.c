/* SPDX-License-Identifier: MIT
 *
 * See coordinator.h. A worker is started at its first turn and ends after its last, so one list of
 * turns is all that tells one worker after another from workers that alternate.
 */
#include "coordinator.h"

#include "os/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct turn_list {
    size_t *cell;
    unsigned *round, *position;
    size_t count;
} turn_list;

/* Every cell runs all its rounds before the next one starts. */
static bool list_turns(const ab_group *group, turn_list *out)
{
    size_t most = group->cell_count * group->rounds;

    *out = (turn_list){calloc(most, sizeof *out->cell), calloc(most, sizeof *out->round),
                       calloc(most, sizeof *out->position), 0};
    if (out->cell == NULL || out->round == NULL || out->position == NULL) {
        return false;
    }
    for (size_t cell = 0; cell < group->cell_count; cell++) {
        for (unsigned round = 0; round < group->rounds; round++) {
            out->cell[out->count] = cell;
            out->round[out->count] = round;
            out->position[out->count] = (unsigned)cell;
            out->count++;
        }
    }
    return true;
}

static void free_turns(turn_list *turns)
{
    free(turns->cell);
    free(turns->round);
    free(turns->position);
}

static bool has_all_failed(const ab_group *group, const ab_group_result *result, size_t cell)
{
    for (unsigned i = 0; i < group->scenario->operation_count; i++) {
        if ((group->cells[cell].operations >> i & 1u) != 0 &&
            result->cell[cell].operation[i].status == AB_STATUS_OK) {
            return false;
        }
    }
    return true;
}

static bool is_last_turn(const turn_list *turns, size_t index)
{
    for (size_t i = index + 1; i < turns->count; i++) {
        if (turns->cell[i] == turns->cell[index]) {
            return false;
        }
    }
    return true;
}

static void take_turn(ab_coordinator *coordinator, const turn_list *turns, size_t index,
                      ab_conversation *talks, const ab_turn *turn)
{
    ab_conversation *talk = &talks[turn->cell];
    ab_cell_result *cell = &turn->result->cell[turn->cell];
    const ab_worker_settings *settings = &coordinator->settings;

    if (!talk->is_alive && !ab_conversation_start(talk, settings, turn)) {
        return;
    }
    if (!ab_conversation_ask(talk, settings, AB_COMMAND_ROUND, turn)) {
        return;
    }
    if (has_all_failed(turn->result->group, turn->result, turn->cell)) {
        cell->is_over = true;
    } else if (!is_last_turn(turns, index)) {
        return;
    } else if (turn->process == 0 &&
               !ab_conversation_ask(talk, settings, AB_COMMAND_REPORT, turn)) {
        return;
    } else {
        cell->processes_done++;
    }
    ab_conversation_end(talk);
}

static void run_process(ab_coordinator *coordinator, const turn_list *turns, size_t group_index,
                        unsigned process, ab_group_result *result)
{
    const ab_group *group = result->group;
    ab_conversation talks[AB_CELLS_MAX] = {0};

    for (size_t i = 0; i < turns->count && ab_signal_pending() == 0; i++) {
        size_t cell = turns->cell[i];
        const ab_turn turn = {result, cell, process, turns->round[i], turns->position[i]};
        if (!result->cell[cell].is_over) {
            take_turn(coordinator, turns, i, talks, &turn);
        }
        ab_progress_step(&coordinator->progress, coordinator->plan, group_index, cell,
                         group->cells[cell].is_supported
                             ? ab_cell_estimate_ns(group, &group->cells[cell]) /
                                   (group->processes * group->rounds)
                             : 0);
    }
    for (size_t i = 0; i < group->cell_count; i++) {
        ab_conversation_end(&talks[i]);
    }
}

/* A cell that would not fit is told so instead of driving the machine out of memory. */
static void refuse_too_large(const ab_group *group, ab_group_result *result)
{
    uint64_t available = ab_memory_available();

    for (size_t i = 0; i < group->cell_count; i++) {
        const ab_cell *cell = &group->cells[i];
        uint64_t need = group->scenario->footprint_bytes(cell->contender, group->params.bytes);
        if (!cell->is_supported) {
            result->cell[i].is_over = true;
        } else if (available != AB_UNKNOWN && need > available) {
            char need_text[32], available_text[32];
            ab_size_print(need >> 20 << 20, need_text, sizeof need_text);
            ab_size_print(available >> 20 << 20, available_text, sizeof available_text);
            ab_cell_result_end(result, i, AB_STATUS_NOMEM,
                               "would need about %s of memory; %s is available", need_text,
                               available_text);
        }
    }
}

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
    const ab_turn turn = {&result, cell, 0, 0, 0};
    ok = ab_conversation_start(&talk, &coordinator->settings, &turn) &&
         ab_conversation_ask(&talk, &coordinator->settings, AB_COMMAND_ROUND, &turn);
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
        (double)coordinator->max_time_ns / ((double)group->processes * group->rounds);
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

/* Fixes the group's ops before its first sample: what the slowest cell can afford. */
static void shorten(ab_coordinator *coordinator, ab_group *group, const ab_group_result *result)
{
    uint64_t planned, least;

    if (coordinator->max_time_ns == 0 || group->scenario->ops_offset == SIZE_MAX) {
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

void ab_coordinate(ab_coordinator *coordinator, ab_group *group, size_t index,
                   ab_group_result *result)
{
    turn_list turns;

    refuse_too_large(group, result);
    shorten(coordinator, group, result);
    if (list_turns(group, &turns)) {
        for (unsigned process = 0; process < group->processes && ab_signal_pending() == 0;
             process++) {
            run_process(coordinator, &turns, index, process, result);
        }
    }
    free_turns(&turns);
    if (ab_signal_pending() != 0) {
        ab_coordinate_interrupted(result);
    }
}

void ab_coordinate_interrupted(ab_group_result *result)
{
    for (size_t i = 0; i < result->group->cell_count; i++) {
        if (result->group->cells[i].is_supported &&
            result->cell[i].processes_done < result->group->processes) {
            ab_cell_result_end(result, i, AB_STATUS_INTERRUPTED, "the run was interrupted");
        }
    }
}
