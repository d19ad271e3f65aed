/* SPDX-License-Identifier: MIT
 *
 * See trend.h. The series are few: they are searched one by one.
 */
#include "trend.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANT_MAX = 512, NAME_MAX_BYTES = 64 };

struct ab_trend {
    char op[NAME_MAX_BYTES], backend[NAME_MAX_BYTES], context[NAME_MAX_BYTES];
    char variant[VARIANT_MAX];
    ab_fit time, figure;
};

void ab_fit_add(ab_fit *fit, double x, double y)
{
    if (x > 0 && y > 0 && isfinite(x) && isfinite(y)) {
        fit->n += 1;
        fit->x += log(x);
        fit->y += log(y);
        fit->xx += log(x) * log(x);
        fit->xy += log(x) * log(y);
    }
}

double ab_fit_exponent(const ab_fit *fit)
{
    double spread = fit->n * fit->xx - fit->x * fit->x;

    /* Equal sizes leave rounding errors. */
    return fit->n >= 2 && spread > 1e-9 ? (fit->n * fit->xy - fit->x * fit->y) / spread
                                        : (double)NAN;
}

/* The number that `extra` holds under a name; NaN if none. */
static double figure_of(const char *extra, const char *name)
{
    size_t length = strlen(name);

    while (extra != NULL && *extra != '\0') {
        size_t width = strcspn(extra, ";");
        if (width > length && extra[length] == '=' && strncmp(extra, name, length) == 0) {
            return strtod(extra + length + 1, NULL);
        }
        extra += width + (extra[width] == ';');
    }
    return (double)NAN;
}

static bool is_series(const ab_trend *trend, const ab_row *row, const char *variant)
{
    return strcmp(trend->op, row->op) == 0 && strcmp(trend->backend, row->backend) == 0 &&
           strcmp(trend->variant, variant) == 0;
}

void ab_trends_add(ab_trends *trends, const ab_row *row, const char *context)
{
    const char *variant = row->variant != NULL ? row->variant : "";
    size_t i = 0;

    if (strcmp(row->status, "ok") != 0 || row->size_bytes == AB_NO_COUNT) {
        return;
    }
    while (i < trends->count && !is_series(&trends->trend[i], row, variant)) {
        i++;
    }
    if (i == trends->count) {
        ab_trend *grown = realloc(trends->trend, (i + 1) * sizeof *grown);
        if (grown == NULL) {
            trends->is_short = true;
            return;
        }
        trends->trend = grown;
        trends->count++;
        grown[i] = (ab_trend){.op = ""};
        snprintf(grown[i].op, sizeof grown[i].op, "%s", row->op);
        snprintf(grown[i].backend, sizeof grown[i].backend, "%s", row->backend);
        snprintf(grown[i].context, sizeof grown[i].context, "%s", context);
        snprintf(grown[i].variant, sizeof grown[i].variant, "%s", variant);
    }
    ab_fit_add(&trends->trend[i].time, (double)row->size_bytes, row->ns_per_op);
    ab_fit_add(&trends->trend[i].figure, (double)row->size_bytes,
               figure_of(row->extra, trends->figure));
}

static void print_exponent(double exponent, char out[16])
{
    out[0] = '\0';
    if (isfinite(exponent)) {
        snprintf(out, 16, "%.2f", exponent);
    }
}

void ab_trends_print(const ab_trends *trends, ab_text *out)
{
    bool has_heading = false;

    for (size_t i = 0; i < trends->count; i++) {
        const ab_trend *trend = &trends->trend[i];
        char time[16], figure[16];
        if (!isfinite(ab_fit_exponent(&trend->time))) {
            continue;
        }
        if (!has_heading) {
            ab_text_add(
                out, "exponent over size (1: linear, 2: quadratic)\n%-12s %-15s  %-13s %10s  %s\n",
                "operation", "", "backend", "time", trends->figure);
            has_heading = true;
        }
        print_exponent(ab_fit_exponent(&trend->time), time);
        print_exponent(ab_fit_exponent(&trend->figure), figure);
        ab_text_add(out, "%-12s %-15s  %-13s %10s  %*s%s%s%s\n", trend->op, "", trend->backend,
                    time, (int)strlen(trends->figure), figure, *trend->context != '\0' ? "  [" : "",
                    trend->context, *trend->context != '\0' ? "]" : "");
    }
}

void ab_trends_free(ab_trends *trends)
{
    free(trends->trend);
    *trends = (ab_trends){0};
}
