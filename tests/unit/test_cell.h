/* SPDX-License-Identifier: MIT
 *
 * A cell in this very process, as a worker makes it, so that a test can look at what it leaves
 * behind. The caller owns it and ends it with end_cell.
 */
#ifndef AB_TEST_CELL_H
#define AB_TEST_CELL_H

#include "test.h"

#include "harness/plan.h"
#include "harness/sampler.h"
#include "os/clock.h"

typedef struct test_cell {
    ab_cell_id id;
    ab_meter meter;
    ab_run run;
} test_cell;

static inline void begin_cell(test_cell *cell, const char *id)
{
    ab_error error;

    CHECK_EQ(ab_clock_init(), 0);
    if (!ab_cell_id_read(id, &cell->id, &error)) {
        FAIL("%s: %s", id, error.text);
    }
    cell->run = (ab_run){.scenario = cell->id.scenario,
                         .contender = cell->id.contender,
                         .params = cell->id.params.bytes,
                         .seed = cell->id.seed,
                         .meter = &cell->meter};
    ab_meter_init(&cell->meter,
                  cell->id.scenario->operations_of(cell->id.contender, cell->run.params), 0);
    ab_pages_init(&cell->run.pages);
    cell->run.config.pages = &cell->run.pages;
    CHECK(cell->run.scenario->open(&cell->run));
}

static inline void end_cell(test_cell *cell)
{
    cell->run.scenario->close(&cell->run);
    ab_meter_close(&cell->meter);
}

/* A figure of `extra`; NULL if there is none. */
static inline const char *cell_figure(const test_cell *cell, unsigned operation, const char *name)
{
    const ab_operation_state *state = &cell->meter.operation[operation];

    for (size_t i = 0; i < state->extra_count; i++) {
        if (strcmp(state->extra[i].name, name) == 0) {
            return state->extra[i].value;
        }
    }
    return NULL;
}

#endif
