/* SPDX-License-Identifier: MIT
 *
 * What a scenario is to the harness, and what the harness offers to a scenario: the one header that
 * bench/ includes. A scenario is a const table at the end of its file. Its functions run in a
 * worker, which measures one cell: one point (parameters) of the scenario with one contender (a
 * backend, or a strategy of the scenario's own). Memory from ab_scratch is the harness's, never of
 * the heap under test; params and run live as long as the worker.
 */
#ifndef AB_HARNESS_SCENARIO_H
#define AB_HARNESS_SCENARIO_H

#include "allocbench/backend.h"
#include "allocbench/compiler.h"
#include "allocbench/pages.h"
#include "digest.h"
#include "histogram.h"
#include "rng.h"
#include "row.h"
#include "values.h"

#include "os/clock.h"
#include "os/threads.h"

/* --- parameters: a row of the table binds an option to a member of the scenario's params struct
 * --- */
typedef enum ab_param_place { AB_IN_VARIANT, AB_IN_KEY } ab_param_place;

typedef struct ab_param {
    const char *name;  /* option without dashes */
    const char *alias; /* second name, or NULL */
    ab_domain domain;
    ab_param_place place; /* AB_IN_KEY: it fills a column of the CSV and stays out of `variant` */
    size_t offset;        /* of a uint64_t (sizes, counts, index of a choice) or an ab_mix */
    const char *initial;  /* default; "" = complete() derives it from the others */
    const char *help;
} ab_param;

#define AB_PARAM_SIZE(name, type, member, place, min, max, initial, help)                          \
    {                                                                                              \
        name, NULL, {AB_SIZE, min, max, NULL}, place, offsetof(type, member), initial, help        \
    }
#define AB_PARAM_COUNT(name, alias, type, member, place, min, max, initial, help)                  \
    {                                                                                              \
        name, alias, {AB_COUNT, min, max, NULL}, place, offsetof(type, member), initial, help      \
    }
#define AB_PARAM_MIX(name, type, member, place, min, max, initial, help)                           \
    {                                                                                              \
        name, NULL, {AB_MIX, min, max, NULL}, place, offsetof(type, member), initial, help         \
    }
#define AB_PARAM_CHOICE(name, type, member, choices, initial, help)                                \
    {                                                                                              \
        name, NULL, {AB_CHOICE, 0, 0, choices}, AB_IN_VARIANT, offsetof(type, member), initial,    \
            help                                                                                   \
    }
/* "no" unless said; the option may stand alone for "yes". */
#define AB_PARAM_FLAG(name, type, member, help)                                                    \
    AB_PARAM_CHOICE(name, type, member, AB_FLAG_CHOICES, "no", help)
#define AB_FLAG_CHOICES "no|yes"

/* Largest params struct, so that cells can hold a copy without allocation. */
enum { AB_PARAMS_MAX_BYTES = 256 };

/* Key columns of a point. AB_NO_COUNT leaves a column empty. */
typedef struct ab_key {
    uint64_t size_bytes, count, threads;
} ab_key;

/* --- operations --- */
enum { AB_OPERATIONS_MAX = 8 };
typedef struct ab_operation {
    const char *name;
    bool has_floor; /* below 0.1 ns it cannot have happened: `failed: elided` (but for `none`) */
} ab_operation;

/* --- contenders --- */
typedef struct ab_run ab_run;
typedef struct ab_contender {
    const ab_backend *backend; /* NULL: a strategy of the scenario's own, with ... */
    const char *own_name;      /* ... this name ... */
    const char *own_summary;   /* ... and this line for --list */
    /* One pass of one part of the scenario. */
    void (*pass)(ab_run *run, unsigned part);
    const void *own; /* the scenario's own table about a strategy, or NULL */
} ab_contender;

static inline const char *ab_contender_name(const ab_contender *contender)
{
    return contender->backend != NULL ? contender->backend->name : contender->own_name;
}

static inline const char *ab_contender_summary(const ab_contender *contender)
{
    return contender->backend != NULL ? contender->backend->summary : contender->own_summary;
}

/* --- the worker's side of a cell --- */
typedef struct ab_sample {
    uint64_t ops;    /* of one pass */
    uint64_t passes; /* 0: did not run */
    uint64_t wall_ns;
    uint64_t user_ns, sys_ns, minor_faults, major_faults, involuntary_switches; /* or AB_NO_COUNT */
} ab_sample;

struct ab_meter; /* sampler.h */
struct ab_team;  /* team.h */
typedef struct ab_member ab_member;
struct ab_run {
    const struct ab_scenario *scenario;
    const ab_contender *contender;
    const void *params;
    ab_backend_config config;  /* what open() tells the heap */
    ab_heap *heap[AB_MIX_MAX]; /* of contender->backend; several where a mix needs one per size */
    size_t heap_count;
    ab_pages pages; /* page layer of the heap under test: the memory ladder */
    void *state;    /* the scenario's own */
    uint64_t seed;
    bool is_dispatch_indirect; /* open() sets it */
    bool is_preroll;           /* this pass warms up: see ab_pass_ops; it is not timed */
    uint64_t requested_bytes;  /* asked for and alive at the peak; proof() fills it */
    ab_histogram *latency[AB_OPERATIONS_MAX]; /* in clock ticks; in the latency pass alone */
    struct ab_meter *meter;
    struct ab_team *team; /* of the cell's run, where it has several threads; else NULL */
    ab_member *member;    /* of a thread's own view of such a run; else NULL */
    unsigned thread;      /* its number, from 0 */
};

/* A pass that warms up does so large a part of its operations. */
enum { AB_PREROLL_SHARE = 8 };

/* What this pass is to do of so many operations. */
static inline uint64_t ab_pass_ops(const ab_run *run, uint64_t ops)
{
    return run->is_preroll ? ops / AB_PREROLL_SHARE : ops;
}

/* Begins and ends the timed part of an operation; the clock is read innermost. */
void ab_start(ab_run *run);
void ab_stop(ab_run *run, unsigned operation, uint64_t ops);
/* Makes operation `to` also take what the last ab_stop measured, as part of its pass; `ops` of the
 * sum is given. */
void ab_add_to(ab_run *run, unsigned to, uint64_t ops);
/* One operation that began at this reading of ab_clock_ticks is over: in the latency pass. */
static inline void ab_latency(ab_run *run, unsigned operation, uint64_t begin_ticks)
{
    ab_histogram_add(run->latency[operation], ab_clock_ticks() - begin_ticks);
}
/* The operation cannot be measured: status and reason become its row's. The first word stands. */
void ab_fail(ab_run *run, unsigned operation, ab_status status, const char *format, ...)
    AB_PRINTF(4, 5);
bool ab_has_failed(const ab_run *run, unsigned operation);
/* A figure for the column `extra`; a later value of the same name replaces the earlier one. */
void ab_extra(ab_run *run, unsigned operation, const char *name, uint64_t value);
void ab_extra_text(ab_run *run, unsigned operation, const char *name, const char *value);
/* The digest of an operation's stream and the counts allocs, frees, live_final, live_peak. */
void ab_prove_stream(ab_run *run, unsigned operation, const ab_stream *stream);
/* The digest alone, where the counts are not those of one stream; the digest of several threads is
 * the chain over theirs, in their order. */
void ab_prove_digest(ab_run *run, unsigned operation, uint64_t digest);
uint64_t ab_chain_start(void);
uint64_t ab_chain(uint64_t chain, uint64_t digest);
/* Zeroed harness memory for the run, touched, so that it does not fault inside a timed part; NULL
 * when there is none. ab_scratch_free gives it back early. */
void *ab_scratch(ab_run *run, size_t bytes);
void ab_scratch_free(ab_run *run, void *memory);

/* --- several threads --- */
/* Runs a function on every thread's view at once, apart from the rounds; clock ticks of its first
 * timed part. Only where threads_share. */
uint64_t ab_together(ab_run *run, void (*what)(ab_run *view));
/* The seed of a thread's own random numbers; that of thread 0 is the seed itself. */
uint64_t ab_thread_seed(uint64_t seed, unsigned thread);
/* In a pass: waits, untimed, until every thread has come here. */
void ab_meet(ab_run *view);

/* --- the table --- */
/* What the OS asks here, measured at the start for the estimates. */
typedef struct ab_prices {
    double call_ns; /* one call that makes or drops a mapping */
    double page_ns; /* the first touch of a page, and its return */
} ab_prices;

enum { AB_SCALE_QUICK, AB_SCALE_DEFAULT, AB_SCALE_PUBLISHED, AB_SCALES };
typedef struct ab_scale {
    const char *points; /* "name=values name=values; ..." : sets of points, over the defaults */
    unsigned processes, rounds;
} ab_scale;

typedef struct ab_scenario {
    const char *name;
    const char *summary;
    const ab_param *params;
    size_t param_count;
    size_t params_bytes;
    ab_scale scale[AB_SCALES];
    const char *default_backends; /* baseline first */
    const ab_operation *operations;
    unsigned operation_count;
    unsigned part_count;    /* parts of a pass that are repeated independently */
    uint32_t preroll_parts; /* bit set of those that warm up before a round; see is_preroll */
    const ab_contender *contenders;
    size_t contender_count;
    uint32_t needs;        /* AB_BACKEND_* bits, of which ... */
    uint32_t needs_one_of; /* ... at least one, of these (0: no such need) */
    bool is_single_pass;   /* a round is one pass, and each round is a row (`repeat` in variant) */
    /* Where a point has several threads: one open for all, whose passes share heap and state and
     * know their thread by its number. Else every thread has a run of its own. Either way a timed
     * part begins for all threads at once, so each must come to ab_start, or return. */
    bool threads_share;
    size_t rounds_offset;   /* member of params that is the number of rounds; SIZE_MAX: none */
    size_t ops_offset;      /* member of params that --max-time may shorten; SIZE_MAX: none */
    unsigned ops_operation; /* the operation that does that many */
    /* A figure for `extra` that is ns_per_op over so many units of that operation, such as pages:
     * its name (NULL: none) and the units. */
    const char *unit_figure;
    uint64_t (*units)(const void *params, unsigned operation);
    /* The table ends with the exponent of time, and of this figure of `extra`, over size_bytes,
     * where there are several sizes. NULL: no such end. */
    const char *trend_figure;
    /* Derives what was left open and checks what single values cannot; false with an error. */
    bool (*complete)(void *params, const ab_page_info *info, ab_error *error);
    ab_key (*key)(const void *params);
    /* Bit set of the operations that this contender has here. */
    uint32_t (*operations_of)(const ab_contender *contender, const void *params);
    /* Why this contender cannot serve this point beyond what the capability bits say; NULL: it can.
     * May write into `text`. May be NULL. */
    const char *(*refuses)(const ab_contender *contender, const void *params,
                           const ab_page_info *info, ab_error *text);
    /* Memory the cell will touch at its peak. */
    uint64_t (*footprint_bytes)(const ab_contender *contender, const void *params);
    /* Rough time of one pass, for the estimate. */
    double (*estimate_ns)(const ab_contender *contender, const void *params,
                          const ab_prices *prices);
    /* Opens the heap and prepares tables; false after ab_fail. */
    bool (*open)(ab_run *run);
    /* A pass from where the rounds ended that times every operation on its own with ab_latency;
     * NULL where there are no single operations. */
    void (*latency)(ab_run *run);
    /* Untimed: digests, counts and requested_bytes, then the contents check. */
    void (*prove)(ab_run *run);
    void (*close)(ab_run *run);
} ab_scenario;

/* --- the contents check: a heap is used object by object, and every object must keep what was
 * written to it, be aligned, and overlap no other. Objects are held in the caller's slots (NULL =
 * empty), which a collector may rewrite. Failures become the operation's status with the number of
 * the step. --- */
enum { AB_CONTENTS_STEPS = 200000 }; /* the check stops after so many, or sooner */

typedef struct ab_contents_note ab_contents_note;
typedef struct ab_contents {
    ab_run *run;
    ab_heap *heap;      /* that the next objects come from and go to */
    unsigned operation; /* that a failure is told of */
    void **slot;
    size_t slots;
    ab_contents_note *note; /* one per slot: which step made the object, and its size */
    size_t *order;          /* slots by address */
    uint64_t step;          /* so far */
} ab_contents;

/* Over `slots` empty slots; the heap is the run's first. false after ab_fail: no memory. */
bool ab_contents_open(ab_contents *contents, ab_run *run, unsigned operation, void **slot,
                      size_t slots);
/* Allocates into an empty slot, checks alignment and writes a pattern to the first and last 64
 * bytes; looks for overlaps every now and then. false: it failed, and the check is over. */
bool ab_contents_alloc(ab_contents *contents, size_t slot, size_t bytes);
/* Verifies the object in a slot and frees it; the slot becomes empty. */
bool ab_contents_free(ab_contents *contents, size_t slot);
/* Verifies alone, for heaps that drop all objects at once. */
bool ab_contents_verify(ab_contents *contents, size_t slot);
/* Whether no two live objects overlap; else false after ab_fail. */
bool ab_contents_are_apart(ab_contents *contents);
/* The parts of the check, for scenarios whose objects go from thread to thread: the pattern of a
 * tag at both ends of an object. Objects of one size that overlap spoil each other's, since what
 * they share holds an end of each. */
void ab_pattern_write(void *object, size_t bytes, uint64_t tag);
bool ab_pattern_is_intact(const void *object, size_t bytes, uint64_t tag);
bool ab_is_aligned(const ab_backend *backend, const void *object, size_t bytes);
/* Frees nothing but its own notes. */
void ab_contents_close(ab_contents *contents);

#endif
