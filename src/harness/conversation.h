/* SPDX-License-Identifier: MIT
 *
 * The coordinator's end of one worker: start it, tell it what to do, take its answers into the
 * result, end it. Whatever goes wrong becomes the cell's status; nothing here ends the run. A
 * conversation belongs to the coordinator and is over when its child is gone.
 */
#ifndef AB_HARNESS_CONVERSATION_H
#define AB_HARNESS_CONVERSATION_H

#include "result.h"

#include "os/process.h"

typedef struct ab_conversation {
    ab_child child;
    bool is_alive;
    ab_line_buffer lines;
} ab_conversation;

typedef struct ab_worker_settings {
    char program[1024]; /* resolved path */
    uint64_t seed;
    uint64_t timeout_ns;
    int pin; /* CPU or -1 */
} ab_worker_settings;

/* Where the answers to a command belong. */
typedef struct ab_turn {
    ab_group_result *result;
    size_t cell;
    unsigned process, round, position;
    uint64_t padding; /* draws the length of the worker's environment, which shifts its stack */
} ab_turn;

/* false: the cell is over. */
bool ab_conversation_start(ab_conversation *talk, const ab_worker_settings *settings,
                           const ab_turn *turn);
/* One command and its answers; false: the cell is over, or a signal is pending. */
bool ab_conversation_ask(ab_conversation *talk, const ab_worker_settings *settings,
                         const char *command, const ab_turn *turn);
/* Lets the worker quit, or ends it when it does not; also fine when it is dead already. */
void ab_conversation_end(ab_conversation *talk);

#endif
