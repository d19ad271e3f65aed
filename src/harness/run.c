/* SPDX-License-Identifier: MIT
 *
 * See run.h. Which sinks there are follows from the options alone; a sink whose output fails gets
 * nothing more, and the run goes on while another one is left.
 */
#include "run.h"
#include "coordinator.h"
#include "estimate.h"
#include "run_facts.h"
#include "sink.h"

#include "os/clock.h"
#include "os/cpu.h"
#include "os/process.h"

#include <stdio.h>
#include <string.h>

typedef struct running {
    const ab_options *options;
    ab_output csv, raw, table;
    bool has_csv, has_raw, has_table; /* still written to */
    ab_table table_state;
    ab_report_settings report;
    int output_code; /* first write that failed */
    ab_status worst;
} running;

static bool open_file(const char *option, const char *path, ab_output *out, ab_error *error)
{
    char text[160];
    int code = ab_output_open(out, path);

    if (code == 0) {
        return true;
    }
    ab_os_error_text(code, text, sizeof text);
    return ab_error_set(error, "--%s: cannot open '%.120s' for writing: %s", option, path, text);
}

static bool has_out_file(const ab_options *options)
{
    return options->out_path != NULL && strcmp(options->out_path, "-") != 0;
}

/* Nothing will run: what was opened is closed, and removed if it was not there before. */
static void abandon_outputs(running *r)
{
    ab_output_abandon(&r->raw, r->options->raw_path);
    ab_output_abandon(&r->csv, r->options->out_path);
}

static bool open_raw(running *r, ab_error *error)
{
    const char *path = r->options->raw_path;

    if (strcmp(path, "-") == 0) {
        return ab_error_set(error, "--raw: '-' names no file, and raw samples need one");
    }
    return open_file("raw", path, &r->raw, error);
}

/* Two outputs in one file would overwrite each other. */
static bool are_apart(const running *r, ab_error *error)
{
    const ab_options *options = r->options;
    bool has_out = has_out_file(options);
    ab_output standard;

    if (r->has_raw && has_out && ab_output_is_same(&r->raw, &r->csv)) {
        return ab_error_set(error, "--raw: '%.120s' is the same file as --out; they need two",
                            options->raw_path);
    }
    if (!r->has_table && has_out) {
        return true; /* nothing goes to the standard output */
    }
    ab_output_standard(&standard, false);
    bool is_raw = r->has_raw && r->raw.is_regular && ab_output_is_same(&r->raw, &standard);
    bool is_out = has_out && r->csv.is_regular && ab_output_is_same(&r->csv, &standard);
    if (!is_raw && !is_out) {
        return true;
    }
    return ab_error_set(error,
                        "--%s: '%.120s' is the same file as the standard output; they need two",
                        is_raw ? "raw" : "out", is_raw ? options->raw_path : options->out_path);
}

/* Opens everything before anything is emptied. */
static bool open_outputs(running *r, ab_error *error)
{
    const ab_options *options = r->options;
    bool stdout_is_table = options->format == AB_FORMAT_TABLE;

    if (options->format == AB_FORMAT_AUTO) {
        stdout_is_table =
            has_out_file(options) || (options->out_path == NULL && ab_terminal_is_terminal(false));
    }
    r->has_table = stdout_is_table;
    r->has_csv = has_out_file(options) || !stdout_is_table;
    if (has_out_file(options)) {
        if (!open_file("out", options->out_path, &r->csv, error)) {
            return false;
        }
    } else if (r->has_csv) {
        ab_output_standard(&r->csv, false);
    }
    if (r->has_table) {
        ab_output_standard(&r->table, false);
    }
    r->has_raw = options->raw_path != NULL;
    if ((r->has_raw && !open_raw(r, error)) || !are_apart(r, error)) {
        abandon_outputs(r);
        return false;
    }
    return true;
}

static void note_failure(running *r, bool *has_sink, int code)
{
    if (code != 0) {
        *has_sink = false;
        r->output_code = r->output_code != 0 ? r->output_code : code;
    }
}

static void begin_outputs(running *r, const ab_text *facts)
{
    static const ab_text none = {0};
    const ab_text *head = r->options->no_facts ? &none : facts;

    if (r->has_csv) {
        int code = ab_output_begin(&r->csv);
        note_failure(r, &r->has_csv, code != 0 ? code : ab_csv_begin(&r->csv, head));
    }
    if (r->has_raw) {
        int code = ab_output_begin(&r->raw);
        note_failure(r, &r->has_raw, code != 0 ? code : ab_raw_begin(&r->raw, head));
    }
}

/* A group's results cannot be held: the run ends, and what stands in the files stays. */
static void end_without_memory(running *r)
{
    note_failure(r, &r->has_csv, ab_out_of_memory_code());
    r->has_raw = r->has_table = false;
}

static void write_group(running *r, const ab_group_result *result)
{
    ab_rows rows;

    if (!ab_report(result, &r->report, &rows)) {
        end_without_memory(r);
        return;
    }
    for (size_t i = 0; i < rows.count; i++) {
        ab_status status = ab_status_named(rows.row[i].status);
        r->worst = status > r->worst ? status : r->worst;
    }
    if (r->has_csv) {
        note_failure(r, &r->has_csv, ab_csv_rows(&r->csv, &rows));
    }
    if (r->has_raw) {
        note_failure(r, &r->has_raw, ab_raw_group(&r->raw, result));
    }
    if (r->has_table) {
        note_failure(r, &r->has_table, ab_table_rows(&r->table_state, &rows, result->group));
    }
    ab_rows_free(&rows);
}

static void close_outputs(running *r)
{
    if (r->csv.handle >= 0) {
        note_failure(r, &r->has_csv, ab_output_close(&r->csv));
    }
    if (r->raw.handle >= 0) {
        note_failure(r, &r->has_raw, ab_output_close(&r->raw));
    }
}

static void say_start(const ab_options *options, const ab_plan *plan, const ab_text *warnings)
{
    char time[32];

    if (options->quiet) {
        return;
    }
    ab_duration_print(ab_plan_estimate_ns(plan), time, sizeof time);
    fprintf(stderr, "allocbench: %zu group%s, %zu cell%s, about %s\n", plan->group_count,
            plan->group_count == 1 ? "" : "s", plan->cell_count, plan->cell_count == 1 ? "" : "s",
            time);
    const char *at = warnings->bytes;
    size_t count = 0, width = at != NULL ? strcspn(at, "\n") : 0;
    for (const char *c = at; c != NULL && *c != '\0'; c++) {
        count += *c == '\n';
    }
    if (count > 0) {
        fprintf(stderr, "allocbench: warning: %.*s%s\n", (int)width, at,
                count > 1 ? " (more in the CSV's facts)" : "");
    }
}

/* CPU that the workers are pinned to, or -1; false: the one that was asked for cannot be had. */
static bool choose_cpu(const ab_options *options, int *out, ab_error *error)
{
    *out = options->pin == AB_PIN_DEFAULT ? ab_cpu_default() : options->pin;
    if (options->pin < 0) {
        return true;
    }
    int code = ab_cpu_try(options->pin);
    if (code == 0) {
        return true;
    }
    char text[160];
    ab_os_error_text(code, text, sizeof text);
    return ab_error_set(error, "--pin: cannot run on CPU %d: %s", options->pin, text);
}

bool ab_worker_settings_make(const ab_options *options, ab_worker_settings *out, ab_error *error)
{
    *out = (ab_worker_settings){.seed = options->seed, .timeout_ns = options->timeout_ns};
    if (ab_self_path(out->program, sizeof out->program) != 0) {
        return ab_error_set(error, "cannot find this program's own path");
    }
    return choose_cpu(options, &out->pin, error);
}

/* NO_COLOR counts unless it is empty (no-color.org). */
static bool wants_colour(void)
{
    const char *no_colour = ab_environment("NO_COLOR");

    return ab_terminal_is_smart(false) && (no_colour == NULL || *no_colour == '\0');
}

static void run_groups(running *r, ab_coordinator *coordinator, ab_plan *plan)
{
    for (size_t i = 0; i < plan->group_count && (r->has_csv || r->has_raw || r->has_table); i++) {
        ab_group_result result;
        if (!ab_group_result_make(&plan->groups[i], &result)) {
            end_without_memory(r);
            return;
        }
        if (ab_signal_pending() != 0) {
            ab_coordinate_interrupted(&result);
        } else {
            ab_coordinate(coordinator, &plan->groups[i], i, &result);
        }
        bool is_painted = coordinator->progress.is_shown;
        if (is_painted && r->has_table) {
            ab_progress_end(&coordinator->progress);
            coordinator->progress.is_shown = true;
        }
        write_group(r, &result);
        ab_group_result_free(&result);
    }
}

static int exit_code(const running *r)
{
    if (ab_signal_pending() != 0) {
        return 128 + ab_signal_pending();
    }
    if (r->output_code != 0) {
        char text[160];
        ab_os_error_text(r->output_code, text, sizeof text);
        fprintf(stderr, "allocbench: cannot write the results: %s\n", text);
        return AB_EXIT_OUTPUT;
    }
    return r->worst > AB_STATUS_UNSUPPORTED ? AB_EXIT_CELL_FAILED : AB_EXIT_FINE;
}

int ab_run_plan(const ab_options *options, ab_plan *plan, ab_error *error)
{
    ab_coordinator coordinator = {
        .plan = plan, .wants_lockstep = !options->no_lockstep, .wants_latency = options->latency};
    running r = {.options = options, .csv = {.handle = -1}, .raw = {.handle = -1}};
    ab_text facts = {0}, warnings = {0};
    size_t compared = ab_compared_rows(plan);

    if (!ab_worker_settings_make(options, &coordinator.settings, error) ||
        !open_outputs(&r, error)) {
        return AB_EXIT_USAGE;
    }
    r.report = (ab_report_settings){options->threshold_pct, ab_clock_measure().step_ns,
                                    0.05 / (double)(compared > 0 ? compared : 1)};
    r.table_state = (ab_table){.out = &r.table, .has_colour = wants_colour()};
    ab_run_facts(options, plan, &facts, &warnings);
    if (facts.is_short && !options->no_facts) {
        ab_text_free(&facts);
        ab_text_free(&warnings);
        abandon_outputs(&r);
        ab_error_set(error, "out of memory for the facts about this machine");
        return AB_EXIT_USAGE;
    }
    say_start(options, plan, &warnings);
    begin_outputs(&r, &facts);
    ab_progress_begin(&coordinator.progress, !options->quiet, plan);
    run_groups(&r, &coordinator, plan);
    ab_progress_end(&coordinator.progress);
    if (r.has_table) {
        note_failure(&r, &r.has_table, ab_table_end(&r.table_state));
    }
    ab_trends_free(&r.table_state.trends);
    close_outputs(&r);
    ab_text_free(&facts);
    ab_text_free(&warnings);
    return exit_code(&r);
}
