/* SPDX-License-Identifier: MIT
 *
 * The threads of a cell. The worker's own thread is the first; the others are started when the cell
 * is opened, sleep between rounds, and end when it is closed. Each works on a view: an ab_run of
 * its own with a meter of its own, which a scenario's functions use as if there were no other.
 * Where the scenario says threads_share, the cell is opened once and the views are copies of it;
 * else each thread opens, runs and proves a run of its own. A cell of one thread has no team, and
 * the functions here call the scenario's. A team belongs to the worker; its members lie in scratch
 * memory of the worker's run.
 */
#ifndef AB_HARNESS_TEAM_H
#define AB_HARNESS_TEAM_H

#include "sampler.h"
#include "scenario.h"

#include "os/threads.h"

enum { AB_THREADS_MAX = AB_BARRIER_MEMBERS_MAX };

/* A timed part of a pass: all begin at once, and each ends by itself. */
typedef struct ab_team_phase {
    unsigned started; /* threads */
    uint64_t begin_ticks;
    ab_usage begin, end;
    _Alignas(AB_LINE_BYTES) _Atomic unsigned ready; /* threads that are awake; the last one reads
                                                       begin */
    _Atomic bool has_begun;
    _Alignas(AB_LINE_BYTES) _Atomic unsigned stopped; /* threads; the last one reads `end` */
} ab_team_phase;

typedef struct ab_team {
    ab_member *member; /* one per thread */
    unsigned threads, started;
    unsigned spins;
    int cpu[AB_THREADS_MAX];   /* that the threads are pinned to, in turn */
    unsigned cpus;             /* 0: they are not pinned */
    ab_barrier begin, end;     /* of a job */
    ab_barrier start;          /* of a timed part */
    void (*job)(ab_run *view); /* NULL: end */
    unsigned part;             /* of the pass that the job is */
    unsigned phases;           /* of the job so far */
    ab_team_phase phase[AB_OPERATIONS_MAX];
    /* Of all rounds, for the spread between threads. */
    uint64_t slowest_ticks[AB_OPERATIONS_MAX], fastest_ticks[AB_OPERATIONS_MAX];
} ab_team;

/* Finds out which CPUs the threads of the run may have, beginning with this one (-1: they are not
 * to be pinned); before the calling thread is pinned. */
void ab_team_init(ab_team *team, ab_run *run, int first_cpu);

/* The scenario's functions, on all threads. */
bool ab_team_open(ab_run *run);
void ab_team_pass(ab_run *run, unsigned part);
void ab_team_latency(ab_run *run);
void ab_team_prove(ab_run *run);
void ab_team_close(ab_run *run);

/* How many runs hold heaps of the cell, and each of them. */
unsigned ab_team_runs(const ab_run *run);
const ab_run *ab_team_run(const ab_run *run, unsigned index);

/* What ab_start, ab_stop and ab_add_to are in a view. */
void ab_team_start(ab_run *view);
void ab_team_stop(ab_run *view, unsigned operation, uint64_t ops, uint64_t end_ticks);
void ab_team_add_to(ab_run *view, unsigned to, uint64_t ops);

#endif
