/* SPDX-License-Identifier: MIT
 *
 * Talking to one worker: see conversation.h.
 */
#include "conversation.h"
#include "worker.h"

#include "os/output.h"

#include <stdio.h>
#include <string.h>

enum { PADDING_MAX = 4096 };

/* Where stack and data happen to lie can be worth some per cent; a length that differs from process
 * to process turns that luck into a part of the interval. */
static void make_padding(uint64_t draw, char out[PADDING_MAX])
{
    static const char name[] = "ALLOCBENCH_PADDING=";
    size_t length = sizeof name - 1 + (size_t)(draw % (PADDING_MAX - sizeof name));

    memset(out, 'x', length);
    memcpy(out, name, sizeof name - 1);
    out[length] = '\0';
}

bool ab_conversation_start(ab_conversation *talk, const ab_worker_settings *settings,
                           const ab_turn *turn)
{
    const ab_group *group = turn->result->group;
    const ab_foreign *foreign = group->cells[turn->cell].foreign;
    char id[AB_CELL_ID_MAX], pin[32], padding[PADDING_MAX], library[AB_PATH_MAX + 64];
    size_t length = strlen(AB_WORKER_OPTION);

    *talk = (ab_conversation){0};
    memcpy(id, AB_WORKER_OPTION, length);
    if (!ab_cell_id_write(group, &group->cells[turn->cell], settings->seed, id + length,
                          sizeof id - length)) {
        ab_cell_result_end(turn->result, turn->cell, AB_STATUS_FAILED,
                           "the cell's parameters are too long");
        return false;
    }
    snprintf(pin, sizeof pin, AB_WORKER_PIN "%d", settings->pin);
    make_padding(turn->padding, padding);
    const char *const arguments[] = {id, settings->pin >= 0 ? pin : NULL, NULL};
    bool has_library = foreign != NULL && ab_foreign_variable(foreign, library, sizeof library);
    const char *const environment[] = {padding, has_library ? library : NULL, NULL};
    const ab_child_spec spec = {
        .program = settings->program, .arguments = arguments, .environment = environment};
    int code = ab_child_start(&talk->child, &spec);
    if (code != 0) {
        char text[120];
        ab_os_error_text(code, text, sizeof text);
        ab_cell_result_end(turn->result, turn->cell, AB_STATUS_FAILED, "cannot start a worker: %s",
                           text);
        return false;
    }
    talk->is_alive = true;
    return true;
}

static void name_turn(const char *command, const ab_turn *turn, char *out, size_t out_bytes)
{
    if (strcmp(command, AB_COMMAND_REPORT) == 0) {
        snprintf(out, out_bytes, "in the proof pass");
    } else if (strcmp(command, AB_COMMAND_LATENCY) == 0) {
        snprintf(out, out_bytes, "in the latency pass");
    } else if (strcmp(command, AB_COMMAND_CHECK) == 0) {
        snprintf(out, out_bytes, "in the check of the library");
    } else {
        snprintf(out, out_bytes, "in process %u round %u", turn->process + 1, turn->round + 1);
    }
}

static void take(const ab_said *said, const ab_turn *turn)
{
    ab_cell_result *cell = &turn->result->cell[turn->cell];
    ab_operation_result *operation = &cell->operation[said->operation];
    size_t index = (size_t)turn->process * turn->result->group->rounds + turn->round;

    switch (said->kind) {
    case AB_SAID_SAMPLE:
        operation->taken[index] = (ab_taken){said->sample, turn->position};
        break;
    case AB_SAID_FAILURE:
        if (said->status > operation->status) {
            operation->status = said->status;
            snprintf(operation->reason, sizeof operation->reason, "%s", said->text);
        }
        break;
    case AB_SAID_EXTRA:
        ab_result_extra(operation, said->name, said->text);
        break;
    case AB_SAID_DIGEST:
        snprintf(operation->digest, sizeof operation->digest, "%.16s", said->text);
        break;
    case AB_SAID_LATENCY:
        operation->latency = said->latency;
        operation->has_latency = true;
        break;
    case AB_SAID_MEMORY:
        cell->memory = said->memory;
        break;
    case AB_SAID_OPERATIONS:
        if (turn->result->group->cells[turn->cell].foreign != NULL) { /* only it may not be known */
            cell->operations = said->operations;
        }
        break;
    case AB_SAID_END:
        break;
    }
}

static void ended_early(ab_conversation *talk, const char *when, const ab_turn *turn)
{
    const uint64_t patience_ns = UINT64_C(5000000000);
    ab_exit end = ab_child_wait(&talk->child, patience_ns);
    const char *hint = "";

    if (ab_signal_pending() != 0) {
        return; /* the terminal's interrupt may have reached the worker too; it is no crash */
    }
    if (end.kind == AB_EXIT_RUNNING) {
        ab_child_kill(&talk->child);
        snprintf(end.text, sizeof end.text, "closed its pipe");
    }
    if (end.was_killed) {
        hint = " (killed from outside; perhaps memory ran out)";
    }
    ab_child_close(&talk->child);
    talk->is_alive = false;
    ab_cell_result_end(turn->result, turn->cell, AB_STATUS_CRASHED, "%s %s%s", end.text, when,
                       hint);
}

static void stop(ab_conversation *talk, const ab_turn *turn, ab_status status, const char *what,
                 const char *when)
{
    ab_child_kill(&talk->child);
    ab_child_close(&talk->child);
    talk->is_alive = false;
    ab_cell_result_end(turn->result, turn->cell, status, "%s %s", what, when);
}

/* The OS itself refuses: the worker may be well, but cannot be reached. */
static void lost_touch(ab_conversation *talk, const ab_turn *turn, int code, const char *what,
                       const char *when)
{
    char reason[120], text[200];

    ab_os_error_text(code, reason, sizeof reason);
    snprintf(text, sizeof text, "%s: %s", what, reason);
    stop(talk, turn, AB_STATUS_FAILED, text, when);
}

/* Waits for more bytes of the answer; false: the cell is over or a signal is pending. */
static bool read_more(ab_conversation *talk, const ab_worker_settings *settings, const char *when,
                      const ab_turn *turn)
{
    size_t got = 0;
    int code =
        ab_child_read(&talk->child, talk->lines.bytes + talk->lines.used,
                      sizeof talk->lines.bytes - talk->lines.used, settings->timeout_ns, &got);

    talk->lines.used += got;
    if (code == 0) {
        return true;
    }
    if (code == AB_PIPE_TIMEOUT) {
        char text[32], what[80];
        ab_duration_print((double)settings->timeout_ns, text, sizeof text);
        snprintf(what, sizeof what, "no answer within --timeout (%s)", text);
        stop(talk, turn, AB_STATUS_TIMEOUT, what, when);
    } else if (code > 0) {
        lost_touch(talk, turn, code, "cannot read the worker's answer", when);
    } else if (code != AB_PIPE_SIGNAL) {
        ended_early(talk, when, turn);
    }
    return false;
}

bool ab_conversation_ask(ab_conversation *talk, const ab_worker_settings *settings,
                         const char *command, const ab_turn *turn)
{
    char line[AB_LINE_MAX], when[64];
    int length = snprintf(line, sizeof line, "%s\n", command);
    unsigned operations = turn->result->group->scenario->operation_count;

    name_turn(command, turn, when, sizeof when);
    int code = ab_child_write(&talk->child, line, (size_t)length);
    if (code != 0) {
        if (code > 0) {
            lost_touch(talk, turn, code, "cannot send the worker a command", when);
        } else {
            ended_early(talk, when, turn);
        }
        return false;
    }
    for (;;) {
        ab_said said;
        bool is_too_long;
        if (!ab_line_take(&talk->lines, line, &is_too_long)) {
            if (is_too_long) {
                stop(talk, turn, AB_STATUS_FAILED, "the worker said something endless", when);
                return false;
            }
            if (!read_more(talk, settings, when, turn)) {
                return false;
            }
        } else if (!ab_said_parse(line, operations, &said)) {
            stop(talk, turn, AB_STATUS_FAILED, "the worker said something unknown", when);
            return false;
        } else if (said.kind == AB_SAID_END) {
            return true;
        } else {
            take(&said, turn);
        }
    }
}

void ab_conversation_end(ab_conversation *talk)
{
    static const char quit[] = AB_COMMAND_QUIT "\n";
    const uint64_t patience_ns = UINT64_C(2000000000);

    if (!talk->is_alive) {
        return;
    }
    if (ab_signal_pending() != 0 || ab_child_write(&talk->child, quit, sizeof quit - 1) != 0 ||
        ab_child_wait(&talk->child, patience_ns).kind == AB_EXIT_RUNNING) {
        ab_child_kill(&talk->child);
    }
    ab_child_close(&talk->child);
    talk->is_alive = false;
}
