/* SPDX-License-Identifier: MIT
 *
 * The grammar of option values: sizes, counts, mixes, choices, durations, percentages, and lists
 * and ranges of them. Numbers are parsed whole. Pure functions; every error is one line that names
 * the value and what would be right.
 */
#ifndef AB_HARNESS_VALUES_H
#define AB_HARNESS_VALUES_H

#include "allocbench/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ab_error {
    char text[320];
} ab_error;
/* Sets the text; always false, so that a function can end with it. */
bool ab_error_set(ab_error *error, const char *format, ...) AB_PRINTF(2, 3);

/* Up to AB_MIX_MAX object sizes that are used in turn (one pool each): "4+8+12". */
enum { AB_MIX_MAX = 8 };
typedef struct ab_mix {
    uint64_t count; /* 1: not a mix */
    uint64_t bytes[AB_MIX_MAX];
} ab_mix;

typedef union ab_value {
    uint64_t number; /* size in bytes, count, index of a choice */
    ab_mix mix;
} ab_value;

typedef enum ab_value_kind { AB_SIZE, AB_COUNT, AB_MIX, AB_CHOICE } ab_value_kind;

/* What is allowed: numbers in [min, max] (of a mix: each size), or one of "a|b|c". */
typedef struct ab_domain {
    ab_value_kind kind;
    uint64_t min, max;
    const char *choices;
} ab_domain;

enum { AB_LIST_MAX = 256 };
typedef struct ab_list {
    size_t count;
    ab_value *item; /* from malloc; ab_list_free */
} ab_list;

/* One value of the domain; takes no memory. */
bool ab_value_parse(const char *text, const ab_domain *domain, ab_value *out, ab_error *error);
/* "a,b", "A..B" (doubling), "A..B:xN", "A..B:+N". */
bool ab_list_parse(const char *text, const ab_domain *domain, ab_list *out, ab_error *error);
void ab_list_free(ab_list *list);

/* Canonical text, which parses to the same value; sizes in plain bytes. */
void ab_value_print(const ab_value *value, const ab_domain *domain, char *out, size_t out_bytes);

/* A whole number with an optional binary unit: 64K, 1GiB. */
bool ab_size_parse(const char *text, uint64_t *out, ab_error *error);
/* "5s", "10m", "250ms", "1.5s": a unit is needed. */
bool ab_duration_parse(const char *text, uint64_t *out_ns, ab_error *error);
/* "2%" or "2.5%". */
bool ab_percent_parse(const char *text, double *out_pct, ab_error *error);

/* Bytes with the largest binary unit that divides them ("64K"), else plain. */
void ab_size_print(uint64_t bytes, char *out, size_t out_bytes);
/* Nanoseconds as people say them: "1.4 s", "3 min". */
void ab_duration_print(double ns, char *out, size_t out_bytes);

/* The name nearest to `name` among `names` (NULL-terminated), or NULL if none is near. */
const char *ab_suggest(const char *name, const char *const *names);

#endif
