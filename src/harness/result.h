/* SPDX-License-Identifier: MIT
 *
 * What the workers of a group have answered: samples by operation, process and round, and per
 * operation a status, figures and a digest. Owned by the coordinator while it runs the group.
 */
#ifndef AB_HARNESS_RESULT_H
#define AB_HARNESS_RESULT_H

#include "plan.h"
#include "protocol.h"

typedef struct ab_taken {
    ab_sample sample;  /* passes == 0: not taken */
    unsigned position; /* place in its round, 0 = first */
} ab_taken;

typedef struct ab_operation_result {
    ab_taken *taken; /* [process * rounds + round] */
    ab_status status;
    char reason[256];
    char digest[20];
    char extra[640]; /* k=v;k=v */
    ab_latencies latency;
    bool has_latency;
} ab_operation_result;

typedef struct ab_cell_result {
    ab_operation_result operation[AB_OPERATIONS_MAX];
    ab_ladder memory;
    uint32_t operations;     /* bit set: the plan's, until a plug-in's worker knows better */
    unsigned processes_done; /* that ran all their rounds */
    bool is_over;            /* nothing more is to be asked of this cell */
} ab_cell_result;

typedef struct ab_group_result {
    const ab_group *group;
    ab_cell_result *cell; /* [cell_count] */
} ab_group_result;

/* false when there is no memory. */
bool ab_group_result_make(const ab_group *group, ab_group_result *out);
void ab_group_result_free(ab_group_result *result);

const ab_taken *ab_taken_at(const ab_group_result *result, size_t cell, unsigned operation,
                            unsigned process, unsigned round);

/* Adds a figure to the column `extra`, if there is room. */
void ab_result_extra(ab_operation_result *operation, const char *name, const char *value);

/* Gives every operation of a cell that is still ok this status, and ends the cell. */
void ab_cell_result_end(ab_group_result *result, size_t cell, ab_status status, const char *format,
                        ...) AB_PRINTF(4, 5);

#endif
