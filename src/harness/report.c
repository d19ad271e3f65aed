/* SPDX-License-Identifier: MIT
 *
 * Rows of a group: see report.h. A group that runs single passes has one row per round (`repeat`);
 * any other has one row per operation and backend over all its rounds.
 */
#include "report.h"
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANT_MAX = 512, TEXTS_PER_ROW = VARIANT_MAX + AB_EXTRA_MAX + 256 };

typedef struct making {
    const ab_group_result *result;
    ab_figures figures;
    char *text; /* next free byte */
} making;

static const char *keep(making *m, const char *text)
{
    char *start = m->text;

    if (*text == '\0') {
        return NULL;
    }
    m->text += snprintf(m->text, TEXTS_PER_ROW, "%s", text) + 1;
    return start;
}

/* The figure that the scenario derives from the time of one operation. */
static void add_unit_figure(ab_figures *figures, unsigned operation, const ab_row *row)
{
    const ab_group *group = figures->result->group;
    const ab_scenario *scenario = group->scenario;
    uint64_t units =
        scenario->unit_figure != NULL ? scenario->units(group->params.bytes, operation) : 0;

    if (units > 0 && isfinite(row->ns_per_op)) {
        ab_figures_extra(figures, "%s=%.4g", scenario->unit_figure, row->ns_per_op / (double)units);
    }
}

static void drop_times(ab_row *row)
{
    ab_row empty = ab_row_empty();

    row->ns_per_op = row->ci_low_ns = row->ci_high_ns = empty.ns_per_op;
    row->cold_ns_per_op = row->min_ns_per_op = row->spread_pct = empty.ns_per_op;
    row->ratio = row->ratio_low = row->ratio_high = empty.ns_per_op;
    row->verdict = NULL;
}

/* What is known of a cell that ran, however that went. */
static void add_cell(making *m, size_t cell, unsigned operation, ab_row *row)
{
    const ab_cell_result *cell_result = &m->result->cell[cell];
    const ab_operation_result *result = &cell_result->operation[operation];

    ab_figures_work(&m->figures, cell, operation, row);
    row->requested_bytes = cell_result->memory.requested_bytes;
    row->reserved_bytes = cell_result->memory.reserved_bytes;
    row->committed_bytes = cell_result->memory.committed_bytes;
    row->resident_bytes = cell_result->memory.resident_bytes;
    if (result->has_latency) {
        row->p50_ns = (double)result->latency.p50_ns;
        row->p99_ns = (double)result->latency.p99_ns;
        row->p999_ns = (double)result->latency.p999_ns;
        row->max_ns = (double)result->latency.max_ns;
    }
    row->stream_digest = result->digest[0] != '\0' ? result->digest : NULL;
    ab_figures_extra(&m->figures, "%s", result->extra);
}

/* Times of a cell that seems well, if they are true; its status, and why that is not "ok". */
static ab_status add_times(making *m, size_t cell, unsigned operation, ab_row *row,
                           const char **reason)
{
    if (!(ab_figures_operations(&m->figures, cell, operation) > 0)) {
        *reason = "the worker gave no sample";
        return AB_STATUS_FAILED;
    }
    ab_figures_times(&m->figures, cell, operation, row);
    add_unit_figure(&m->figures, operation, row);
    if (ab_figures_is_elided(&m->figures, cell, operation, row->ns_per_op)) {
        drop_times(row);
        *reason = "elided: under 0.1 ns per operation, so the work was not done";
        return AB_STATUS_FAILED;
    }
    return AB_STATUS_OK;
}

static void make_row(making *m, size_t cell, unsigned operation, ab_row *row)
{
    const ab_group *group = m->result->group;
    const ab_operation_result *result = &m->result->cell[cell].operation[operation];
    ab_key key = group->scenario->key(group->params.bytes);
    ab_status status = result->status;
    const char *reason = result->reason;
    char variant[VARIANT_MAX];

    *row = ab_row_empty();
    m->figures.extra[0] = '\0';
    row->scenario = group->scenario->name;
    row->op = group->scenario->operations[operation].name;
    row->size_bytes = key.size_bytes;
    row->count = key.count;
    row->threads = key.threads;
    ab_group_variant(group, group->scenario->is_single_pass ? m->figures.first_round + 1 : 0,
                     variant, sizeof variant);
    row->variant = keep(m, variant);
    row->backend = group->cells[cell].name;
    if (group->cells[cell].is_supported) {
        add_cell(m, cell, operation, row);
    } else {
        status = AB_STATUS_UNSUPPORTED;
        reason = group->cells[cell].reason;
    }
    if (status == AB_STATUS_OK) {
        status = add_times(m, cell, operation, row, &reason);
    }
    row->extra = keep(m, m->figures.extra);
    row->status = ab_status_name(status);
    row->reason = status == AB_STATUS_OK ? NULL : keep(m, reason);
}

static unsigned repeats_of(const ab_group *group)
{
    return group->scenario->is_single_pass ? group->rounds : 1;
}

bool ab_report(const ab_group_result *result, const ab_report_settings *settings, ab_rows *out)
{
    const ab_group *group = result->group;
    size_t most_rows = repeats_of(group) * group->scenario->operation_count * group->cell_count;
    making m = {.result = result};

    *out = (ab_rows){calloc(most_rows, sizeof *out->row), 0, malloc(most_rows * TEXTS_PER_ROW)};
    if (out->row == NULL || out->texts == NULL || !ab_figures_open(result, settings, &m.figures)) {
        ab_rows_free(out);
        return false;
    }
    m.text = out->texts;
    for (unsigned repeat = 0; repeat < repeats_of(group); repeat++) {
        m.figures.first_round = repeat;
        m.figures.last_round = group->scenario->is_single_pass ? repeat + 1 : group->rounds;
        for (unsigned i = 0; i < group->scenario->operation_count; i++) {
            for (size_t j = 0; j < group->cell_count; j++) {
                if ((result->cell[j].operations >> i & 1u) != 0) {
                    make_row(&m, j, i, &out->row[out->count++]);
                }
            }
        }
    }
    ab_figures_close(&m.figures);
    return true;
}

void ab_rows_free(ab_rows *rows)
{
    free(rows->row);
    free(rows->texts);
    *rows = (ab_rows){0};
}

size_t ab_compared_rows(const ab_plan *plan)
{
    size_t count = 0;

    for (size_t i = 0; i < plan->group_count; i++) {
        const ab_group *group = &plan->groups[i];
        for (size_t j = 0; j < group->cell_count; j++) {
            if (j != group->baseline && group->cells[j].is_supported) {
                for (uint32_t set = group->cells[j].operations; set != 0; set &= set - 1) {
                    count += repeats_of(group);
                }
            }
        }
    }
    return count;
}
