/* SPDX-License-Identifier: MIT
 *
 * The command line, as it was said: general options bound to typed members by one table, and the
 * scenario parameters as text until the plan knows which scenarios they are for. Strings are those
 * of argv.
 */
#ifndef AB_HARNESS_OPTIONS_H
#define AB_HARNESS_OPTIONS_H

#include "values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AB_ARGUMENTS_MAX = 64 };
typedef enum ab_verb { AB_VERB_RUN, AB_VERB_DOCTOR, AB_VERB_SELFTEST } ab_verb;
enum { AB_FORMAT_AUTO, AB_FORMAT_CSV, AB_FORMAT_TABLE };
enum { AB_PIN_NONE = -1, AB_PIN_DEFAULT = -2 };

typedef struct ab_argument {
    char name[64];     /* without dashes */
    const char *value; /* NULL: the option stands alone */
} ab_argument;

typedef struct ab_options {
    ab_verb verb;
    const char *scenarios; /* as given, NULL if not */
    const char *backends;
    const char *baseline;
    const char *out_path;
    const char *raw_path;
    const char *label;
    uint64_t scale, format;
    uint64_t processes, rounds; /* 0: the scale's */
    uint64_t seed;
    uint64_t timeout_ns;
    uint64_t max_time_ns; /* 0: none */
    double threshold_pct;
    int pin; /* CPU, AB_PIN_NONE or AB_PIN_DEFAULT */
    bool latency, no_lockstep, no_facts, quiet, list, dry_run, version, help;
    const char *help_scenario;
    ab_argument parameter[AB_ARGUMENTS_MAX]; /* of scenarios; checked by the plan */
    size_t parameter_count;
    int argument_count; /* the call, for the facts */
    char **arguments;
} ab_options;

/* false with an error that names option, value and what would be right. */
bool ab_options_parse(int argc, char **argv, ab_options *out, ab_error *error);

/* One row of the table, for the help and for suggestions. */
typedef struct ab_option_help {
    const char *name;  /* without dashes */
    const char *value; /* metavariable, "" for a flag */
    const char *help;
    unsigned also; /* bit set of the verbs beside run that take it */
} ab_option_help;
size_t ab_option_count(void);
ab_option_help ab_option_describe(size_t index);

#endif
