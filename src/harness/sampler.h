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
    uint64_t target_ns;  /* a round repeats until each operation sums to this */
    ab_usage begin;
    uint64_t begin_ticks;
    ab_sample last; /* what the last ab_stop measured, and its ticks */
    uint64_t last_ticks;
    ab_pages pages; /* harness memory */
    ab_region scratch[AB_SCRATCH_MAX];
} ab_meter;

/* What the last timed part took, for ab_add_to. */
void ab_meter_take(ab_meter *meter, uint64_t ticks, const ab_usage *begin, const ab_usage *end);
/* A round lasts at least twice the warm-up, so that what is not quite warm yet weighs little. */
void ab_meter_init(ab_meter *meter, uint32_t operations, uint64_t warm_up_ns);
/* Brings caches and predictors back to what the cell makes of them, after another worker had the
 * CPU: eighths of a pass until the warm-up is over, whose times do not count. */
void ab_run_preroll(ab_run *run);
/* Runs one round: every part, as often as it takes. */
void ab_run_round(ab_run *run);
/* Gives all scratch memory back. */
void ab_meter_close(ab_meter *meter);

#endif
