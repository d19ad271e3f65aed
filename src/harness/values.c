/* SPDX-License-Identifier: MIT
 *
 * Single values: numbers with units, durations, percentages, choices, mixes, and how they are
 * printed. See values.h; lists and ranges are in lists.c.
 */
#include "values.h"
#include "values_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ab_error_set(ab_error *error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

/* Decimal digits at the start of text; false when there are none or the number does not fit. */
static bool take_number(const char **text, uint64_t *out, bool *overflow)
{
    const char *at = *text;
    uint64_t number = 0;

    *overflow = false;
    if (*at < '0' || *at > '9') {
        return false;
    }
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (number > (UINT64_MAX - digit) / 10) {
            *overflow = true;
            number = 0;
        }
        number = number * 10 + digit;
    }
    *text = at;
    *out = number;
    return !*overflow;
}

typedef struct size_unit {
    const char *name;
    unsigned shift;
} size_unit;
static const size_unit size_units[] = {
    {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"K", 10}, {"M", 20},
    {"G", 30},   {"k", 10},   {"m", 20},   {"g", 30},
};

static unsigned take_size_unit(const char **text)
{
    for (size_t i = 0; i < sizeof size_units / sizeof size_units[0]; i++) {
        size_t length = strlen(size_units[i].name);
        if (strncmp(*text, size_units[i].name, length) == 0) {
            *text += length;
            return size_units[i].shift;
        }
    }
    return 0;
}

bool ab_take_size(const char *whole, const char **text, uint64_t *out, ab_error *error)
{
    bool overflow;
    uint64_t number;

    if (!take_number(text, &number, &overflow)) {
        return overflow ? ab_error_set(error, "'%s' is too large", whole)
                        : ab_error_set(
                              error, "'%s' is not a whole number such as 4096, 64K or 1GiB", whole);
    }
    unsigned shift = take_size_unit(text);
    if (number > (UINT64_MAX >> shift)) {
        return ab_error_set(error, "'%s' is too large", whole);
    }
    *out = number << shift;
    return true;
}

bool ab_size_parse(const char *text, uint64_t *out, ab_error *error)
{
    const char *at = text;

    if (!ab_take_size(text, &at, out, error)) {
        return false;
    }
    return *at == '\0' ||
           ab_error_set(error, "'%s' is not a whole number such as 4096, 64K or 1GiB", text);
}

/* "12" or "12.5", no sign, no exponent; locale plays no part. */
static bool take_decimal(const char **text, double *out)
{
    bool overflow;
    uint64_t whole;

    if (!take_number(text, &whole, &overflow)) {
        return false;
    }
    *out = (double)whole;
    if (**text == '.') {
        double scale = 0.1;
        (*text)++;
        if (**text < '0' || **text > '9') {
            return false;
        }
        for (; **text >= '0' && **text <= '9'; (*text)++, scale /= 10) {
            *out += (**text - '0') * scale;
        }
    }
    return true;
}

bool ab_duration_parse(const char *text, uint64_t *out_ns, ab_error *error)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}};
    const char *at = text;
    double number;

    if (take_decimal(&at, &number)) {
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
            if (strcmp(at, units[i].name) == 0) {
                double ns = number * units[i].ns;
                if (ns < 1e6 || ns > 3600e9 * 24 * 30) {
                    return ab_error_set(error, "'%s' is not between 1ms and 720h", text);
                }
                *out_ns = (uint64_t)ns;
                return true;
            }
        }
    }
    return ab_error_set(error, "'%s' is not a duration with a unit such as 500ms, 5s or 10m", text);
}

bool ab_percent_parse(const char *text, double *out_pct, ab_error *error)
{
    const char *at = text;

    if (!take_decimal(&at, out_pct) || strcmp(at, "%") != 0 || *out_pct < 0 || *out_pct > 100) {
        return ab_error_set(error, "'%s' is not a percentage from 0%% to 100%% such as 2%%", text);
    }
    return true;
}

bool ab_check_range(const char *text, uint64_t number, const ab_domain *domain, ab_error *error)
{
    if (number >= domain->min && number <= domain->max) {
        return true;
    }
    char low[24], high[24];
    if (domain->kind == AB_COUNT) {
        snprintf(low, sizeof low, "%" PRIu64, domain->min);
        snprintf(high, sizeof high, "%" PRIu64, domain->max);
    } else {
        ab_size_print(domain->min, low, sizeof low);
        ab_size_print(domain->max, high, sizeof high);
    }
    return ab_error_set(error, "'%s' is not between %s and %s", text, low, high);
}

bool ab_choice_parse(const char *text, const ab_domain *domain, ab_value *out, ab_error *error)
{
    uint64_t index = 0;
    const char *at = domain->choices;
    size_t length = strlen(text);

    for (;; index++) {
        size_t width = strcspn(at, "|");
        if (width == length && strncmp(at, text, length) == 0) {
            out->number = index;
            return true;
        }
        if (at[width] == '\0') {
            return ab_error_set(error, "'%s' is not one of %s", text, domain->choices);
        }
        at += width + 1;
    }
}

bool ab_mix_parse(const char *text, const ab_domain *domain, ab_value *out, ab_error *error)
{
    const char *at = text;

    out->mix = (ab_mix){0};
    for (;;) {
        uint64_t bytes = 0;
        if (out->mix.count == AB_MIX_MAX) {
            return ab_error_set(error, "'%s' mixes more than %d sizes", text, AB_MIX_MAX);
        }
        if (!ab_take_size(text, &at, &bytes, error) ||
            !ab_check_range(text, bytes, domain, error)) {
            return false;
        }
        out->mix.bytes[out->mix.count++] = bytes;
        if (*at == '\0') {
            return true;
        }
        if (*at++ != '+') {
            return ab_error_set(error, "'%s' is not a size such as 64 or a mix such as 4+8+12",
                                text);
        }
    }
}

static void print_choice(uint64_t index, const char *choices, char *out, size_t out_bytes)
{
    for (; index > 0; index--) {
        choices += strcspn(choices, "|") + 1;
    }
    snprintf(out, out_bytes, "%.*s", (int)strcspn(choices, "|"), choices);
}

void ab_value_print(const ab_value *value, const ab_domain *domain, char *out, size_t out_bytes)
{
    if (domain->kind == AB_CHOICE) {
        print_choice(value->number, domain->choices, out, out_bytes);
    } else if (domain->kind != AB_MIX) {
        snprintf(out, out_bytes, "%" PRIu64, value->number);
    } else {
        size_t used = 0;
        out[0] = '\0';
        for (uint64_t i = 0; i < value->mix.count && used < out_bytes; i++) {
            used += (size_t)snprintf(out + used, out_bytes - used, "%s%" PRIu64, i == 0 ? "" : "+",
                                     value->mix.bytes[i]);
        }
    }
}

void ab_size_print(uint64_t bytes, char *out, size_t out_bytes)
{
    static const struct {
        unsigned shift;
        const char *name;
    } units[] = {{30, "G"}, {20, "M"}, {10, "K"}};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (bytes != 0 && bytes % (UINT64_C(1) << units[i].shift) == 0) {
            snprintf(out, out_bytes, "%" PRIu64 "%s", bytes >> units[i].shift, units[i].name);
            return;
        }
    }
    snprintf(out, out_bytes, "%" PRIu64, bytes);
}

void ab_duration_print(double ns, char *out, size_t out_bytes)
{
    double s = ns / 1e9;

    if (s < 600) {
        bool is_minutes = s >= 90;
        double shown = is_minutes ? s / 60 : s < 0.1 ? 0.1 : s;
        snprintf(out, out_bytes, shown < 9.95 ? "%.2g %s" : "%.0f %s", shown,
                 is_minutes ? "min" : "s");
    } else if (s < 90 * 60) {
        snprintf(out, out_bytes, "%.0f min", s / 60);
    } else {
        snprintf(out, out_bytes, "%.1f h", s / 3600);
    }
}
