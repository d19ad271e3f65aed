/* SPDX-License-Identifier: MIT
 *
 * One cell in a process of its own: see worker.h. It idles in read between commands and holds no
 * second thread unless the cell asks for threads. All its state lives in worker_main's frame.
 */
#include "worker.h"
#include "foreign_use.h"
#include "plan.h"
#include "protocol.h"
#include "sampler.h"
#include "team.h"
#include "warmth.h"

#include "os/cpu.h"
#include "os/output.h"
#include "os/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct worker {
    ab_run run;
    ab_meter meter;
    ab_parent parent;
    ab_line_buffer lines;
    ab_cell_id cell;
    ab_foreign_use library; /* foreign == NULL: none */
    ab_team team;
} worker;

static int say(worker *w, const ab_said *said)
{
    char line[AB_LINE_MAX];
    size_t length = ab_said_print(said, line);

    return ab_parent_write(&w->parent, line, length);
}

/* A plug-in's operations are what its capabilities make of the scenario, which no one else knows.
 */
static int say_operations(worker *w)
{
    const ab_said said = {.kind = AB_SAID_OPERATIONS, .operations = w->meter.operations};

    return w->run.contender == &w->library.contender ? say(w, &said) : 0;
}

/* The results of the round that was just run, or why there are none. */
static int say_round(worker *w)
{
    int code = say_operations(w);

    for (unsigned i = 0; i < w->run.scenario->operation_count && code == 0; i++) {
        const ab_operation_state *state = &w->meter.operation[i];
        ab_said said = {.operation = i};
        if ((w->meter.operations >> i & 1u) == 0) {
            continue;
        }
        if (state->status != AB_STATUS_OK) {
            said.kind = AB_SAID_FAILURE;
            said.status = state->status;
            snprintf(said.text, sizeof said.text, "%s", state->reason);
        } else if (state->sample.passes > 0) {
            said.kind = AB_SAID_SAMPLE;
            said.sample = state->sample;
        } else {
            continue;
        }
        code = say(w, &said);
    }
    return code;
}

static int say_memory(worker *w, const ab_memory *memory, const ab_page_counts *counts)
{
    const ab_backend *backend = w->run.contender->backend;
    /* What took nothing from the page layer has its memory from elsewhere. */
    bool is_ours = counts->peak_reserved_bytes > 0 &&
                   (backend == NULL || (backend->can & AB_BACKEND_SHARED_HEAP) == 0);
    ab_said said = {.kind = AB_SAID_MEMORY};

    said.memory.requested_bytes = w->run.requested_bytes;
    said.memory.reserved_bytes = is_ours ? counts->peak_reserved_bytes : AB_NO_COUNT;
    said.memory.committed_bytes = is_ours ? counts->peak_committed_bytes : AB_NO_COUNT;
    said.memory.resident_bytes = memory->peak_resident_bytes;
    return say(w, &said);
}

/* false when the figures are not what they must be. */
static bool sum_backend_stats(const ab_run *run, ab_backend_stats *sum)
{
    for (size_t i = 0; i < run->heap_count; i++) {
        ab_backend_stats stats = {0};
        run->contender->backend->stats(run->heap[i], &stats);
        if (!ab_backend_stats_are_sound(&stats)) {
            return false;
        }
        for (size_t j = 0; j < stats.count; j++) {
            sum->item[j].name = stats.item[j].name;
            sum->item[j].value += stats.item[j].value;
        }
        sum->count = stats.count;
    }
    return true;
}

/* Of all page layers of the cell. Peaks are added although they need not fall together: an upper
 * bound. */
static ab_page_counts sum_counts(const ab_run *run)
{
    ab_page_counts sum = {0};

    for (unsigned i = 0; i < ab_team_runs(run); i++) {
        const ab_page_counts *one = &ab_team_run(run, i)->pages.counts;
        sum.peak_reserved_bytes += one->peak_reserved_bytes;
        sum.peak_committed_bytes += one->peak_committed_bytes;
    }
    return sum;
}

/* The backend's own figures, summed over its heaps, go to every operation. */
static void add_backend_stats(worker *w)
{
    const ab_backend *backend = w->run.contender->backend;
    ab_backend_stats sum = {0};

    if (backend == NULL || backend->stats == NULL) {
        return;
    }
    for (unsigned i = 0; i < ab_team_runs(&w->run); i++) {
        if (!sum_backend_stats(ab_team_run(&w->run, i), &sum)) {
            for (unsigned j = 0; j < w->run.scenario->operation_count; j++) {
                ab_fail(&w->run, j, AB_STATUS_FAILED, "the plug-in's figures have no sound names");
            }
            return;
        }
    }
    for (unsigned i = 0; i < w->run.scenario->operation_count; i++) {
        for (size_t j = 0; j < sum.count; j++) {
            ab_extra(&w->run, i, sum.item[j].name, sum.item[j].value);
        }
    }
}

static uint64_t quantile_ns(const ab_histogram *histogram, double share)
{
    return ab_ticks_to_ns(ab_histogram_quantile(histogram, share), ab_clock_frequency());
}

/* The pass that times single operations, and what it found. */
static int say_latency(worker *w)
{
    unsigned operations = w->run.scenario->operation_count;
    int code = 0;

    if (w->run.scenario->latency == NULL) {
        return 0;
    }
    for (unsigned i = 0; i < operations; i++) {
        w->run.latency[i] = ab_scratch(&w->run, sizeof(ab_histogram));
        if (w->run.latency[i] == NULL) {
            return 0; /* the columns stay empty */
        }
    }
    ab_team_latency(&w->run);
    for (unsigned i = 0; i < operations && code == 0; i++) {
        const ab_histogram *histogram = w->run.latency[i];
        ab_said said = {.kind = AB_SAID_LATENCY, .operation = i};
        if (histogram->count > 0) {
            said.latency = (ab_latencies){quantile_ns(histogram, 0.5), quantile_ns(histogram, 0.99),
                                          quantile_ns(histogram, 0.999), quantile_ns(histogram, 1)};
            code = say(w, &said);
        }
        ab_scratch_free(&w->run, w->run.latency[i]);
    }
    return code;
}

/* Memory first: the proof may raise the peaks. */
static int say_report(worker *w)
{
    ab_memory memory;
    ab_page_counts counts = sum_counts(&w->run);
    int code = 0;

    ab_memory_read(&memory);
    add_backend_stats(w);
    ab_team_prove(&w->run);
    if (w->library.foreign != NULL) {
        ab_foreign_use_tell(&w->library, &w->run);
    }
    code = say_memory(w, &memory, &counts);
    for (unsigned i = 0; i < w->run.scenario->operation_count && code == 0; i++) {
        const ab_operation_state *state = &w->meter.operation[i];
        ab_said said = {.operation = i};
        if ((w->meter.operations >> i & 1u) == 0) {
            continue;
        }
        for (size_t j = 0; j < state->extra_count && code == 0; j++) {
            said.kind = AB_SAID_EXTRA;
            snprintf(said.name, sizeof said.name, "%s", state->extra[j].name);
            snprintf(said.text, sizeof said.text, "%s", state->extra[j].value);
            code = say(w, &said);
        }
        if (state->digest[0] != '\0' && code == 0) {
            said.kind = AB_SAID_DIGEST;
            snprintf(said.text, sizeof said.text, "%s", state->digest);
            code = say(w, &said);
        }
        if (state->status != AB_STATUS_OK && code == 0) {
            said.kind = AB_SAID_FAILURE;
            said.status = state->status;
            snprintf(said.text, sizeof said.text, "%s", state->reason);
            code = say(w, &said);
        }
    }
    return code;
}

/* Waits for a command. 0, AB_PIPE_END when the coordinator has gone, or a code. */
static int read_command(worker *w, char command[AB_LINE_MAX])
{
    bool is_too_long;

    while (!ab_line_take(&w->lines, command, &is_too_long)) {
        size_t got;
        int code = is_too_long ? AB_PIPE_END
                               : ab_parent_read(&w->parent, w->lines.bytes + w->lines.used,
                                                sizeof w->lines.bytes - w->lines.used, &got);
        if (code != 0) {
            return code;
        }
        w->lines.used += got;
    }
    return 0;
}

/* What the coordinator cannot be told goes to stderr; that it has gone is no news. The exit code.
 */
static int complain(const char *what, int code)
{
    char text[160];

    if (code > 0) {
        ab_os_error_text(code, text, sizeof text);
        fprintf(stderr, "allocbench: worker: cannot %s: %s\n", what, text);
    }
    return 1;
}

/* Takes the cell's library into use, if it has one. */
static bool begin_library(worker *w)
{
    if (w->cell.foreign.kind == AB_FOREIGN_NONE) {
        return true;
    }
    if (!ab_foreign_use_begin(&w->library, &w->cell.foreign, &w->run)) {
        return false;
    }
    w->meter.operations = w->run.scenario->operations_of(w->run.contender, w->run.params);
    return true;
}

static int serve(worker *w)
{
    static const ab_said end = {.kind = AB_SAID_END};
    char command[AB_LINE_MAX];
    int read_code;

    /* Not being able to open is a result like any other: it is told at the first command. */
    bool is_open = begin_library(w) && ab_team_open(&w->run);
    while ((read_code = read_command(w, command)) == 0 && strcmp(command, AB_COMMAND_QUIT) != 0) {
        int code;
        bool is_warm = strcmp(command, AB_COMMAND_WARM) == 0;
        if (is_warm || strcmp(command, AB_COMMAND_COLD) == 0) {
            if (is_open) {
                ab_run_round(&w->run, is_warm);
            }
            code = say_round(w);
        } else if (strcmp(command, AB_COMMAND_CHECK) == 0) {
            if (is_open) {
                ab_foreign_use_check(&w->run);
            }
            code = say_round(w);
        } else if (strcmp(command, AB_COMMAND_LATENCY) == 0 && is_open) {
            code = say_latency(w);
        } else if (strcmp(command, AB_COMMAND_REPORT) == 0 && is_open) {
            code = say_report(w);
        } else {
            code = 0;
        }
        code = code != 0 ? code : say(w, &end);
        if (code != 0) {
            return complain("answer", code);
        }
    }
    if (read_code > 0) {
        return complain("read a command", read_code);
    }
    if (is_open) {
        ab_team_close(&w->run);
    }
    ab_meter_close(&w->meter);
    return 0;
}

static const char *value_of(int argc, char **argv, const char *option)
{
    size_t length = strlen(option);

    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], option, length) == 0) {
            return argv[i] + length;
        }
    }
    return "";
}

int ab_worker_main(int argc, char **argv)
{
    worker w = {.parent = {-1, -1}};
    ab_error error;
    ab_value cpu;
    const ab_domain cpus = {AB_COUNT, 0, 65535, NULL};
    const char *pin = value_of(argc, argv, AB_WORKER_PIN);
    int first_cpu = -1;

    int code = ab_parent_attach(&w.parent, value_of(argc, argv, "--handles="));
    if (code != 0) {
        (void)complain("reach the coordinator", code);
        return 2;
    }
    if (!ab_cell_id_read(value_of(argc, argv, AB_WORKER_OPTION), &w.cell, &error)) {
        fprintf(stderr, "allocbench: worker: %s\n", error.text);
        return 2;
    }
    w.run = (ab_run){.scenario = w.cell.scenario,
                     .contender = w.cell.contender,
                     .params = w.cell.params.bytes,
                     .seed = w.cell.seed,
                     .meter = &w.meter};
    ab_meter_init(&w.meter, w.cell.scenario->operations_of(w.cell.contender, w.run.params),
                  ab_warm_up_ns(w.cell.scenario, w.cell.contender, w.run.params));
    ab_pages_init(&w.run.pages);
    w.run.config.pages = &w.run.pages;
    if (*pin != '\0' && ab_value_parse(pin, &cpus, &cpu, &error)) {
        first_cpu = (int)cpu.number;
    }
    ab_team_init(&w.team, &w.run, first_cpu);
    if (first_cpu >= 0) {
        (void)ab_cpu_pin(first_cpu); /* the coordinator has tried it */
    }
    return serve(&w);
}
