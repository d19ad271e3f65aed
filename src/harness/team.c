/* SPDX-License-Identifier: MIT
 *
 * See team.h. A job is a function that every thread runs on its view; jobs begin and end at
 * barriers, so that between them the worker's thread may touch every view.
 */
#include "team_internal.h"

#include "os/cpu.h"

#include <stdio.h>

void ab_team_init(ab_team *team, ab_run *run, int first_cpu)
{
    /* Some microseconds: most waits within a pass are shorter, and a longer one may as well sleep.
     */
    const unsigned patience = 2000;
    uint64_t threads = run->scenario->key(run->params).threads;

    if (threads < 2 || threads > AB_THREADS_MAX) {
        return;
    }
    *team = (ab_team){.threads = (unsigned)threads};
    team->spins = threads <= (uint64_t)ab_cpu_count() ? patience : 0;
    for (int cpu = first_cpu; cpu >= 0 && team->cpus < team->threads; cpu = ab_cpu_next(cpu)) {
        if (team->cpus > 0 && (cpu == team->cpu[0] || (team->cpus > 1 && cpu == team->cpu[1]))) {
            break; /* once around */
        }
        team->cpu[team->cpus++] = cpu;
    }
    run->team = team;
}

/* --- jobs --- */

/* All are there: the clock is read last. */
static void begin_phase(ab_team *team)
{
    ab_team_phase *phase = &team->phase[team->phases++];

    phase->started = ab_barrier_members(&team->start);
    ab_usage_read_process(&phase->begin);
    phase->begin_ticks = ab_clock_ticks();
    ab_barrier_open(&team->start);
}

static void work(ab_team *team, ab_member *member)
{
    team->job(&member->view);
    if (ab_barrier_leave(&team->start)) {
        begin_phase(team);
    }
}

static void meet(ab_barrier *barrier)
{
    if (ab_barrier_arrive(barrier)) {
        ab_barrier_open(barrier);
    }
}

static void live(void *argument)
{
    ab_member *member = argument;
    ab_team *team = member->team;

    if (team->cpus > 0) {
        ab_cpu_pin(team->cpu[member->view.thread % team->cpus]);
    }
    for (;;) {
        meet(&team->begin);
        if (team->job == NULL) {
            return;
        }
        work(team, member);
        meet(&team->end);
    }
}

/* The first failure of a thread is the cell's. */
static void take_failures(ab_run *run)
{
    const ab_team *team = run->team;

    for (unsigned i = 0; i < team->threads; i++) {
        for (unsigned k = 0; k < run->scenario->operation_count; k++) {
            const ab_operation_state *state = &team->member[i].meter.operation[k];
            if (state->status != AB_STATUS_OK) {
                ab_fail(run, k, state->status, "thread %u: %s", i, state->reason);
            }
        }
    }
}

void ab_team_do(ab_run *run, void (*job)(ab_run *view))
{
    ab_team *team = run->team;

    team->job = job;
    team->phases = 0;
    for (unsigned i = 0; i < AB_OPERATIONS_MAX; i++) {
        atomic_store(&team->phase[i].stopped, 0);
        atomic_store(&team->phase[i].ready, 0);
        atomic_store(&team->phase[i].has_begun, false);
    }
    for (unsigned i = 0; i < team->threads; i++) {
        team->member[i].stops = 0;
        team->member[i].view.is_preroll = run->is_preroll;
    }
    ab_barrier_set(&team->start, team->threads);
    meet(&team->begin);
    work(team, &team->member[0]);
    meet(&team->end);
    take_failures(run);
}

/* --- a timed part, on each thread --- */

/* Who slept at the barrier is awake now, which takes as long as it takes: the clock is read when
 * the last one is, while the others spin. Not where threads share a CPU and would spin in each
 * other's way. */
static void begin_awake(ab_team_phase *phase)
{
    if (atomic_fetch_add(&phase->ready, 1) + 1 == phase->started) {
        ab_usage_read_process(&phase->begin);
        phase->begin_ticks = ab_clock_ticks();
        atomic_store(&phase->has_begun, true);
    } else {
        while (!atomic_load(&phase->has_begun)) {
            AB_RELAX();
        }
    }
}

void ab_team_start(ab_run *view)
{
    ab_team *team = view->member->team;

    if (ab_barrier_arrive(&team->start)) {
        begin_phase(team);
    }
    if (team->spins > 0) {
        begin_awake(&team->phase[view->member->stops]);
    }
}

void ab_team_stop(ab_run *view, unsigned operation, uint64_t ops, uint64_t end_ticks)
{
    ab_member *member = view->member;
    ab_team_phase *phase = &member->team->phase[member->stops];

    member->stop[member->stops++] =
        (ab_stop_note){.end_ticks = end_ticks, .ops = ops, .operation = operation};
    if (atomic_fetch_add(&phase->stopped, 1) + 1 == phase->started) {
        ab_usage_read_process(&phase->end);
    }
}

void ab_team_add_to(ab_run *view, unsigned to, uint64_t ops)
{
    ab_stop_note *last = &view->member->stop[view->member->stops - 1];

    last->has_to = true;
    last->to = to;
    last->to_ops = ops;
}

void ab_meet(ab_run *view)
{
    meet(&view->member->team->start);
}

/* --- opening and closing --- */

/* The first thread has the cell's own seed, so that its stream is that of a cell of one thread. */
uint64_t ab_thread_seed(uint64_t seed, unsigned thread)
{
    ab_rng rng = {seed};
    uint64_t drawn = seed;

    for (unsigned i = 0; i < thread; i++) {
        drawn = ab_rng_next(&rng) & UINT32_MAX;
    }
    return drawn;
}

static void make_view(ab_run *run, unsigned thread)
{
    ab_member *member = &run->team->member[thread];
    ab_run *view = &member->view;

    *view = *run;
    view->thread = thread;
    view->seed = ab_thread_seed(run->seed, thread);
    view->team = NULL;
    view->member = member;
    view->meter = &member->meter;
    if (!run->scenario->threads_share) {
        ab_pages_init(&view->pages);
        view->config.pages = &view->pages;
    }
    member->team = run->team;
    ab_pages_init(&member->meter.pages);
}

static void open_job(ab_run *view)
{
    view->scenario->open(view); /* its failures are taken */
}

static void close_job(ab_run *view)
{
    view->scenario->close(view);
    ab_meter_close(view->meter);
}

static bool fail_all(ab_run *run, const char *what, int code)
{
    for (unsigned i = 0; i < run->scenario->operation_count; i++) {
        ab_fail(run, i, ab_is_out_of_memory(code) ? AB_STATUS_NOMEM : AB_STATUS_FAILED,
                "%s: OS error %d", what, code);
    }
    return false;
}

/* The threads that were started end. */
static void dismiss(ab_team *team)
{
    team->job = NULL;
    for (unsigned i = team->started; i < team->threads; i++) {
        ab_barrier_leave(&team->begin);
    }
    meet(&team->begin);
    for (unsigned i = 1; i < team->started; i++) {
        ab_thread_join(&team->member[i].thread);
    }
}

static bool start_threads(ab_run *run)
{
    ab_team *team = run->team;
    ab_barrier *const barriers[] = {&team->begin, &team->end, &team->start};

    for (size_t i = 0; i < sizeof barriers / sizeof barriers[0]; i++) {
        int code = ab_barrier_init(barriers[i], team->threads, team->spins);
        if (code != 0) {
            return fail_all(run, "no barrier for the threads", code);
        }
    }
    for (team->started = 1; team->started < team->threads; team->started++) {
        ab_member *member = &team->member[team->started];
        int code = ab_thread_start(&member->thread, live, member);
        if (code != 0) {
            char what[60];
            snprintf(what, sizeof what, "thread %u of %u cannot be started", team->started + 1,
                     team->threads);
            dismiss(team);
            return fail_all(run, what, code);
        }
    }
    return true;
}

bool ab_team_open(ab_run *run)
{
    const ab_scenario *scenario = run->scenario;
    ab_team *team = run->team;

    if (team == NULL) {
        return scenario->open(run);
    }
    if (scenario->threads_share && !scenario->open(run)) {
        return false;
    }
    team->member = ab_scratch(run, team->threads * sizeof *team->member);
    if (team->member == NULL) {
        for (unsigned i = 0; i < scenario->operation_count; i++) {
            ab_fail(run, i, AB_STATUS_NOMEM, "no memory for the threads' tables");
        }
        return false;
    }
    for (unsigned i = 0; i < team->threads; i++) {
        make_view(run, i);
    }
    if (!start_threads(run)) {
        return false;
    }
    if (!scenario->threads_share) {
        ab_team_do(run, open_job);
    }
    for (unsigned i = 0; i < scenario->operation_count; i++) {
        if (ab_has_failed(run, i)) {
            dismiss(team);
            return false;
        }
    }
    return true;
}

void ab_team_close(ab_run *run)
{
    if (run->team != NULL) {
        if (!run->scenario->threads_share) {
            ab_team_do(run, close_job);
        }
        dismiss(run->team);
        ab_barrier_free(&run->team->begin);
        ab_barrier_free(&run->team->end);
        ab_barrier_free(&run->team->start);
    }
    if (run->team == NULL || run->scenario->threads_share) {
        run->scenario->close(run);
    }
}

unsigned ab_team_runs(const ab_run *run)
{
    return run->team == NULL || run->scenario->threads_share ? 1 : run->team->threads;
}

const ab_run *ab_team_run(const ab_run *run, unsigned index)
{
    return run->team == NULL || run->scenario->threads_share ? run : &run->team->member[index].view;
}
