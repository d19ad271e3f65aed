/* SPDX-License-Identifier: MIT
 *
 * What will run, fixed before the first sample: groups of cells. A group is one point of one
 * scenario; its cells differ in the backend alone. The plan owns all its memory until ab_plan_free;
 * it keeps pointers into the options.
 */
#ifndef AB_HARNESS_PLAN_H
#define AB_HARNESS_PLAN_H

#include "foreign.h"
#include "options.h"
#include "scenario.h"

enum { AB_CELLS_MAX = 32 };

typedef struct ab_cell {
    const ab_contender *contender;
    const ab_foreign *foreign; /* the library that takes its place, or NULL */
    char name[AB_NAME_MAX];    /* in the column backend */
    uint32_t operations;       /* bit set */
    unsigned more_ops_pct;     /* the selftest's injected difference: does more than the others */
    bool is_supported;
    char reason[200]; /* why not */
} ab_cell;

typedef struct ab_group {
    const ab_scenario *scenario;
    union {
        unsigned char bytes[AB_PARAMS_MAX_BYTES];
        uint64_t align;
    } params;
    uint64_t ops_limit; /* 0, or what --max-time left of the scenario's ops parameter */
    unsigned processes, rounds;
    ab_cell *cells;
    size_t cell_count;
    size_t baseline; /* index into cells; cell_count if no cell can run */
} ab_group;

typedef struct ab_plan {
    ab_group *groups;
    size_t group_count;
    size_t cell_count;    /* that can run */
    ab_prices prices;     /* for the estimates */
    uint64_t max_time_ns; /* of a cell; 0: none */
    ab_foreign *foreign;  /* libraries that cells point to */
    size_t foreign_count;
} ab_plan;

/* false with an error for the user. */
bool ab_plan_make(const ab_options *options, ab_plan *out, ab_error *error);
void ab_plan_free(ab_plan *plan);

/* The column `variant`; repeat > 0 adds "repeat=N" in its place. */
void ab_group_variant(const ab_group *group, unsigned repeat, char *out, size_t out_bytes);

/* A cell as the text that a worker gets: "scenario=churn;backend=pool;seed=1;size=64;...". */
enum { AB_CELL_ID_MAX = 2048 + 3 * AB_PATH_MAX };
bool ab_cell_id_write(const ab_group *group, const ab_cell *cell, uint64_t seed, char *out,
                      size_t out_bytes);
typedef struct ab_cell_id {
    const ab_scenario *scenario;
    const ab_contender *contender;
    ab_foreign foreign; /* kind NONE: the contender is this program's own */
    uint64_t seed;
    union {
        unsigned char bytes[AB_PARAMS_MAX_BYTES];
        uint64_t align;
    } params;
} ab_cell_id;
/* false when the text is not what ab_cell_id_write makes. */
bool ab_cell_id_read(const char *text, ab_cell_id *out, ab_error *error);

#endif
