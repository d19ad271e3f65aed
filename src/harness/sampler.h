/* SPDX-License-Identifier: MIT
 *
 * The measuring side of a worker: what ab_start, ab_stop and their kin in scenario.h collect, and
 * the loop that makes passes into a round. Its memory is part of the worker's ab_meter; nothing
 * here allocates, and between ab_start and ab_stop nothing here runs.
 */
#ifndef AB_HARNESS_SAMPLER_H
#define AB_HARNESS_SAMPLER_H

#include "os/clock.h"
#include "os/usage.h"
#include "scenario.h"

enum { AB_EXTRAS_MAX = 24, AB_SCRATCH_MAX = 16 };

typedef struct ab_extra_value {
    char name[40];
    char value[64];
} ab_extra_value;

typedef struct ab_operation_state {
    ab_sample sample; /* of the round so far */
    uint64_t ticks;   /* of the round so far */
    ab_status status;
    char reason[200];
    char digest[20];
    ab_extra_value extra[AB_EXTRAS_MAX];
    size_t extra_count;
} ab_operation_state;

typedef struct ab_meter {
    ab_operation_state operation[AB_OPERATIONS_MAX];
    uint32_t operations; /* bit set of those that this cell has */
    uint64_t warm_up_ns; /* of the pre-roll; see warmth.h */
    uint64_t cold_ns;    /* the first round repeats until each operation sums to this */
    uint64_t target_ns;  /* and the others */
    ab_usage begin;
    uint64_t begin_ticks;
    ab_sample last; /* what the last ab_stop measured, and its ticks */
    uint64_t last_ticks;
    uint32_t timed; /* bit set of the operations that the part which runs has timed */
    ab_pages pages; /* harness memory */
    ab_region scratch[AB_SCRATCH_MAX];
} ab_meter;

/* What the last timed part took, for ab_add_to. */
void ab_meter_take(ab_meter *meter, uint64_t ticks, const ab_usage *begin, const ab_usage *end);
/* A warm round lasts at least twice the warm-up, so that what is not quite warm yet weighs little.
 */
void ab_meter_init(ab_meter *meter, uint32_t operations, uint64_t warm_up_ns);
/* Runs one round: every part, as often as it takes. A warm one begins the parts that the scenario
 * says with eighths of a pass, whose times do not count, until caches and predictors are what the
 * cell makes of them. */
void ab_run_round(ab_run *run, bool is_warm);
/* Gives all scratch memory back. */
void ab_meter_close(ab_meter *meter);

#endif
