/* SPDX-License-Identifier: MIT
 *
 * See coordinator.h. A worker is started at its first turn, so one list of turns is all that tells
 * workers that follow one another from workers that alternate; only the end differs: workers that
 * alternate are all asked for their report when the last round is over, since a proof between two
 * rounds would disturb the others.
 */
#include "coordinator.h"
#include "foreign_trial.h"
#include "pricing.h"
#include "rng.h"
#include "turns.h"

#include "os/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct process_run {
    ab_coordinator *coordinator;
    ab_group_result *result;
    size_t group_index;
    unsigned process;
    bool is_lockstep;
    ab_turns turns;
    ab_conversation talk[AB_CELLS_MAX];
} process_run;

/* A number that depends on the seed and on where it is used, and on nothing else. */
static uint64_t draw(const ab_coordinator *coordinator, size_t group, unsigned process, size_t use)
{
    ab_rng rng = {coordinator->settings.seed};

    rng.state = ab_rng_next(&rng) ^ group;
    rng.state = ab_rng_next(&rng) ^ process;
    rng.state = ab_rng_next(&rng) ^ use;
    return ab_rng_next(&rng);
}

static bool has_all_failed(const ab_group *group, const ab_group_result *result, size_t cell)
{
    for (unsigned i = 0; i < group->scenario->operation_count; i++) {
        if ((result->cell[cell].operations >> i & 1u) != 0 &&
            result->cell[cell].operation[i].status == AB_STATUS_OK) {
            return false;
        }
    }
    return true;
}

/* The worker has run all its rounds: what is asked for once (of the first process), and its end. */
static void finish(process_run *run, size_t cell)
{
    ab_conversation *talk = &run->talk[cell];
    const ab_worker_settings *settings = &run->coordinator->settings;
    const ab_turn turn = {.result = run->result, .cell = cell, .process = run->process};

    if (!talk->is_alive) {
        return;
    }
    if (run->process > 0 || ((!run->coordinator->wants_latency ||
                              ab_conversation_ask(talk, settings, AB_COMMAND_LATENCY, &turn)) &&
                             ab_conversation_ask(talk, settings, AB_COMMAND_REPORT, &turn))) {
        run->result->cell[cell].processes_done++;
    }
    ab_conversation_end(talk);
}

static void take_turn(process_run *run, size_t index)
{
    const ab_turn_at *at = &run->turns.turn[index];
    const ab_worker_settings *settings = &run->coordinator->settings;
    ab_conversation *talk = &run->talk[at->cell];
    const ab_turn turn = {.result = run->result,
                          .cell = at->cell,
                          .process = run->process,
                          .round = at->round,
                          .position = at->position,
                          .padding =
                              draw(run->coordinator, run->group_index, run->process, at->cell + 1)};

    if (!talk->is_alive && !ab_conversation_start(talk, settings, &turn)) {
        return;
    }
    if (!ab_conversation_ask(talk, settings, at->round > 0 ? AB_COMMAND_WARM : AB_COMMAND_COLD,
                             &turn)) {
        return;
    }
    if (has_all_failed(run->result->group, run->result, at->cell)) {
        run->result->cell[at->cell].is_over = true;
        ab_conversation_end(talk);
    }
}

/* The end of a worker, told to progress. */
static void end_worker(process_run *run, size_t cell)
{
    ab_progress *progress = &run->coordinator->progress;
    bool is_over = run->result->cell[cell].is_over;

    if (ab_signal_pending() == 0) {
        finish(run, cell);
    }
    ab_conversation_end(&run->talk[cell]);
    if (run->process == 0) {
        ab_progress_step(progress, run->group_index, cell, AB_STEP_PROOF, 1, is_over);
    } else {
        ab_progress_step(progress, run->group_index, cell, AB_STEP_COLD, 0, is_over);
    }
}

static void run_process(process_run *run)
{
    const ab_group *group = run->result->group;

    for (size_t i = 0; i < run->turns.count && ab_signal_pending() == 0; i++) {
        size_t cell = run->turns.turn[i].cell;
        unsigned round = run->turns.turn[i].round;
        bool is_over = run->result->cell[cell].is_over;
        if (!is_over) {
            take_turn(run, i);
        }
        ab_progress_step(&run->coordinator->progress, run->group_index, cell,
                         round == 0 ? AB_STEP_COLD : AB_STEP_WARM, 1, is_over);
        if (!run->is_lockstep && round + 1 == group->rounds) {
            end_worker(run, cell);
        }
    }
    for (size_t cell = 0; cell < group->cell_count; cell++) {
        if (run->is_lockstep) {
            end_worker(run, cell);
        }
        ab_conversation_end(&run->talk[cell]); /* one that was interrupted */
    }
}

/* A cell that would not fit is told so instead of driving the machine out of memory. */
static void refuse_too_large(const ab_group *group, ab_group_result *result)
{
    uint64_t available = ab_memory_available_bytes();

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

/* Workers that are alive together must fit into memory together, with room to spare: a quarter of
 * what is available. */
static bool fits_together(const ab_group *group)
{
    uint64_t available = ab_memory_available_bytes(), sum = 0;

    for (size_t i = 0; i < group->cell_count; i++) {
        const ab_cell *cell = &group->cells[i];
        if (cell->is_supported) {
            sum += group->scenario->footprint_bytes(cell->contender, group->params.bytes);
        }
    }
    return available == AB_UNKNOWN || sum <= available / 4;
}

/* Cells that run alone say so in the column `extra`. */
static void mark_sequence(ab_group_result *result)
{
    for (size_t i = 0; i < result->group->cell_count; i++) {
        for (unsigned j = 0; j < result->group->scenario->operation_count; j++) {
            ab_result_extra(&result->cell[i].operation[j], "lockstep", "no");
        }
    }
}

static void end_all(ab_group_result *result, ab_status status, const char *reason)
{
    for (size_t i = 0; i < result->group->cell_count; i++) {
        if (result->group->cells[i].is_supported) {
            ab_cell_result_end(result, i, status, "%s", reason);
        }
    }
}

void ab_coordinate(ab_coordinator *coordinator, ab_group *group, size_t index,
                   ab_group_result *result)
{
    process_run run = {.coordinator = coordinator, .result = result, .group_index = index};

    refuse_too_large(group, result);
    ab_foreign_try(coordinator, result);
    ab_price(coordinator, group, result);
    run.is_lockstep = coordinator->wants_lockstep && fits_together(group);
    if (!run.is_lockstep) {
        mark_sequence(result);
    }
    for (unsigned process = 0; process < group->processes && ab_signal_pending() == 0; process++) {
        run.process = process;
        bool has_turns =
            run.is_lockstep ? ab_turns_in_lockstep(group->cell_count, group->rounds,
                                                   draw(coordinator, index, process, 0), &run.turns)
                            : ab_turns_in_sequence(group->cell_count, group->rounds, &run.turns);
        if (has_turns) {
            run_process(&run);
        } else {
            end_all(result, AB_STATUS_NOMEM, "no memory for the order of turns");
        }
        ab_turns_free(&run.turns);
    }
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
