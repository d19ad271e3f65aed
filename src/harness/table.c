/* SPDX-License-Identifier: MIT
 *
 * The table for people: aligned, times in the unit that suits them, ratio and verdict, in colour on
 * a terminal. See sink.h.
 */
#include "sink.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL_MAX = 32, CONTEXT_MAX = 64 };

#define RESET "\x1b[0m"

static void print_time(double ns, char out[CELL_MAX])
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    size_t i = 0;

    if (!isfinite(ns)) {
        out[0] = '\0';
        return;
    }
    while (i < 3 && ns < units[i].scale) {
        i++;
    }
    double shown = ns / units[i].scale;
    int digits = shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2;
    snprintf(out, CELL_MAX, "%.*f %s", digits, shown, units[i].unit);
}

/* Half of the confidence interval in per cent of the value. */
static void print_half_width(const ab_row *row, char out[CELL_MAX])
{
    out[0] = '\0';
    if (isfinite(row->ci_low_ns) && isfinite(row->ci_high_ns) && row->ns_per_op > 0) {
        double pct = (row->ci_high_ns - row->ci_low_ns) / 2 / row->ns_per_op * 100;
        snprintf(out, CELL_MAX, pct < 999.95 ? "%.1f%%" : ">999%%", pct);
    }
}

static void print_ratio(const ab_row *row, char out[CELL_MAX])
{
    out[0] = '\0';
    if (isfinite(row->ratio)) {
        snprintf(out, CELL_MAX, row->ratio >= 99.95 ? "%.0fx" : "%.2fx", row->ratio);
    }
}

/* Whether "name=value" is what the parameter is unless the user says otherwise. */
static bool is_usual(const ab_param *param, const char *pair, size_t width)
{
    char value[64], usual[128];
    ab_list list;
    ab_error ignored;

    if (!ab_list_parse(param->initial, &param->domain, &list, &ignored)) {
        return false; /* it is derived */
    }
    ab_value_print(&list.item[0], &param->domain, value, sizeof value);
    ab_list_free(&list);
    int length = snprintf(usual, sizeof usual, "%s=%s", param->name, value);
    return (size_t)length == width && strncmp(pair, usual, width) == 0;
}

/* Parameters that differ from the usual, as in `variant`; the number of operations is not one of
 * them. */
static void print_context(const ab_row *row, const ab_scenario *scenario, char out[CONTEXT_MAX])
{
    const char *at = row->variant != NULL ? row->variant : "";
    size_t used = 0;

    out[0] = '\0';
    if (row->threads > 1) {
        used += (size_t)snprintf(out, CONTEXT_MAX, "threads=%" PRIu64, row->threads);
    }
    while (*at != '\0' && used < CONTEXT_MAX) {
        size_t width = strcspn(at, ";"), name_width = strcspn(at, "=");
        bool is_said = true;
        for (size_t i = 0; i < scenario->param_count && is_said; i++) {
            const ab_param *param = &scenario->params[i];
            bool is_it =
                strlen(param->name) == name_width && strncmp(param->name, at, name_width) == 0;
            is_said =
                !is_it || (param->offset != scenario->ops_offset && !is_usual(param, at, width));
        }
        if (is_said) {
            used += (size_t)snprintf(out + used, CONTEXT_MAX - used, "%s%.*s", used == 0 ? "" : " ",
                                     (int)width, at);
        }
        at += width + (at[width] == ';');
    }
}

static const char *colour_of(const ab_row *row)
{
    if (strcmp(row->status, "ok") != 0) {
        return strcmp(row->status, "unsupported") == 0 ? "\x1b[2m" : "\x1b[31m";
    }
    if (row->verdict == NULL) {
        return "";
    }
    return strcmp(row->verdict, "faster") == 0   ? "\x1b[32m"
           : strcmp(row->verdict, "slower") == 0 ? "\x1b[33m"
                                                 : "";
}

static void add_row(ab_table *table, ab_text *text, const ab_row *row)
{
    char size[CELL_MAX] = "", count[CELL_MAX] = "", time[CELL_MAX], half[CELL_MAX];
    char ratio[CELL_MAX], context[CONTEXT_MAX];
    const char *colour = table->has_colour ? colour_of(row) : "";
    const char *remark = row->verdict != NULL ? row->verdict : "";

    if (row->size_bytes != AB_NO_COUNT) {
        ab_size_print(row->size_bytes, size, sizeof size);
    }
    if (row->count != AB_NO_COUNT) {
        snprintf(count, sizeof count, "%" PRIu64, row->count);
    }
    print_time(row->ns_per_op, time);
    print_half_width(row, half);
    print_ratio(row, ratio);
    print_context(row, table->scenario, context);
    ab_text_add(text, "%-12s %6s %8s  %-*s %10s %6s %s%8s %s", row->op, size, count,
                table->backend_columns, row->backend, time, half, colour, ratio,
                strcmp(row->status, "ok") == 0 ? remark : row->status);
    ab_text_add(text, "%s%s%s", row->reason != NULL ? ": " : "",
                row->reason != NULL ? row->reason : "", *colour != '\0' ? RESET : "");
    ab_text_add(text, "%s%s%s\n", *context != '\0' ? "  [" : "", context,
                *context != '\0' ? "]" : "");
    if (table->scenario->trend_figure != NULL) {
        ab_trends_add(&table->trends, row, context);
    }
}

static int write_text(const ab_table *table, ab_text *text)
{
    int code = 0;

    if (text->is_short || table->trends.is_short) {
        code = ab_out_of_memory_code();
    } else if (text->length > 0) {
        code = ab_output_write(table->out, text->bytes, text->length);
    }
    ab_text_free(text);
    return code;
}

/* Columns that the names of a scenario's backends take: all its groups have the same. */
static int backend_columns_of(const ab_group *group)
{
    size_t columns = sizeof "pages-commit";

    for (size_t i = 0; i < group->cell_count; i++) {
        size_t length = strlen(group->cells[i].name);
        columns = length > columns ? length : columns;
    }
    return (int)columns;
}

int ab_table_rows(ab_table *table, const ab_rows *rows, const ab_group *group)
{
    ab_text text = {0};

    if (table->scenario != group->scenario) {
        ab_trends_print(&table->trends, &text);
        ab_trends_free(&table->trends);
        table->backend_columns = backend_columns_of(group);
        ab_text_add(&text, "%s%s: %s\n%-12s %6s %8s  %-*s %10s %6s %8s\n",
                    table->scenario != NULL ? "\n" : "", group->scenario->name,
                    group->scenario->summary, "operation", "size", "count", table->backend_columns,
                    "backend", "time/op", "+-", "ratio");
        table->scenario = group->scenario;
        table->trends.figure = group->scenario->trend_figure;
    }
    for (size_t i = 0; i < rows->count; i++) {
        add_row(table, &text, &rows->row[i]);
    }
    return write_text(table, &text);
}

int ab_table_end(ab_table *table)
{
    ab_text text = {0};

    ab_trends_print(&table->trends, &text);
    int code = write_text(table, &text);
    ab_trends_free(&table->trends);
    return code;
}
