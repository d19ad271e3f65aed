/* SPDX-License-Identifier: MIT
 *
 * The option table and its parser: see options.h. A row binds an option to a typed member with its
 * range, default and help; what is not in the table is left to the scenarios.
 */
#include "options.h"

#include "values_internal.h"

#include <stdio.h>
#include <string.h>

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_COUNT,
    OPTION_CHOICE,
    OPTION_DURATION,
    OPTION_PERCENT,
    OPTION_PIN,
    OPTION_HELP
} option_kind;

typedef struct option {
    const char *name;
    option_kind kind;
    size_t offset;
    ab_domain domain;
    const char *initial; /* NULL: all zero */
    const char *value;
    const char *help;
    unsigned also; /* bit set of the verbs beside run that take it */
} option;

#define AT(member) offsetof(ab_options, member)
#define RUN_ALONE 0
#define SELFTEST (1u << AB_VERB_SELFTEST)
#define ANY_VERB (SELFTEST | 1u << AB_VERB_DOCTOR)
#define NO_DOMAIN                                                                                  \
    {                                                                                              \
        AB_COUNT, 0, 0, NULL                                                                       \
    }
static const option table[] = {
    {"scenario", OPTION_TEXT, AT(scenarios), NO_DOMAIN, NULL, "NAME[,NAME...]|all",
     "what to measure; --list tells the names", RUN_ALONE},
    {"backend", OPTION_TEXT, AT(backends), NO_DOMAIN, NULL, "[NAME=]BACKEND[,...]",
     "which allocators or strategies, instead of the scenario's own choice", RUN_ALONE},
    {"baseline", OPTION_TEXT, AT(baseline), NO_DOMAIN, NULL, "NAME",
     "backend that ratios are taken to (else the first)", RUN_ALONE},
    {"scale",
     OPTION_CHOICE,
     AT(scale),
     {AB_CHOICE, 0, 0, "quick|default|published"},
     "default",
     "quick|default|published",
     "how much work",
     SELFTEST},
    {"processes",
     OPTION_COUNT,
     AT(processes),
     {AB_COUNT, 1, 1000, NULL},
     NULL,
     "N",
     "processes per cell (else the scale's)",
     SELFTEST},
    {"rounds",
     OPTION_COUNT,
     AT(rounds),
     {AB_COUNT, 1, 10000, NULL},
     NULL,
     "N",
     "rounds per process (else the scale's)",
     SELFTEST},
    {"seed",
     OPTION_COUNT,
     AT(seed),
     {AB_COUNT, 0, 4294967295u, NULL},
     "1",
     "N",
     "seed of the operation streams and of the harness's choices",
     SELFTEST},
    {"max-time", OPTION_DURATION, AT(max_time_ns), NO_DOMAIN, NULL, "TIME",
     "shorten the operations of a cell to about this time in all (a prefix of the stream)",
     RUN_ALONE},
    {"timeout", OPTION_DURATION, AT(timeout_ns), NO_DOMAIN, "10m", "TIME",
     "longest silence of a worker before it is ended", SELFTEST},
    {"threshold", OPTION_PERCENT, AT(threshold_pct), NO_DOMAIN, "2%", "PERCENT",
     "smallest difference that counts for a verdict", SELFTEST},
    {"pin", OPTION_PIN, AT(pin), NO_DOMAIN, NULL, "CPU|none",
     "CPU that the workers run on, threads from it downwards (else the highest-numbered one)",
     SELFTEST},
    {"out", OPTION_TEXT, AT(out_path), NO_DOMAIN, NULL, "FILE",
     "write the CSV there and the table to stdout; - is stdout", RUN_ALONE},
    {"raw", OPTION_TEXT, AT(raw_path), NO_DOMAIN, NULL, "FILE", "write every sample there",
     RUN_ALONE},
    {"format",
     OPTION_CHOICE,
     AT(format),
     {AB_CHOICE, 0, 0, "auto|csv|table"},
     "auto",
     "auto|csv|table",
     "what stdout gets: a table on a terminal and CSV otherwise, or as said",
     RUN_ALONE},
    {"label", OPTION_TEXT, AT(label), NO_DOMAIN, NULL, "TEXT", "a name for this run in its facts",
     RUN_ALONE},
    {"latency", OPTION_FLAG, AT(latency), NO_DOMAIN, NULL, "",
     "also time single operations, in a pass of its own: median, 99 %, 99.9 %, largest", RUN_ALONE},
    {"no-lockstep", OPTION_FLAG, AT(no_lockstep), NO_DOMAIN, NULL, "",
     "run one backend after the other instead of letting them take turns", SELFTEST},
    {"no-facts", OPTION_FLAG, AT(no_facts), NO_DOMAIN, NULL, "",
     "leave out the lines about this machine", RUN_ALONE},
    {"quiet", OPTION_FLAG, AT(quiet), NO_DOMAIN, NULL, "", "no progress and no notes on stderr",
     SELFTEST},
    {"list", OPTION_FLAG, AT(list), NO_DOMAIN, NULL, "", "scenarios and backends, and stop",
     ANY_VERB},
    {"dry-run", OPTION_FLAG, AT(dry_run), NO_DOMAIN, NULL, "",
     "what would run and how long it would take, and stop", RUN_ALONE},
    {"help", OPTION_HELP, AT(help), NO_DOMAIN, NULL, "[SCENARIO]",
     "this text, or a scenario's parameters", ANY_VERB},
    {"version", OPTION_FLAG, AT(version), NO_DOMAIN, NULL, "", "version, commit and compiler",
     ANY_VERB},
};
enum { TABLE_ROWS = sizeof table / sizeof table[0] };

size_t ab_option_count(void)
{
    return TABLE_ROWS;
}

ab_option_help ab_option_describe(size_t index)
{
    return (ab_option_help){table[index].name, table[index].value, table[index].help,
                            table[index].also};
}

static bool parse_pin(const char *text, int *out, ab_error *error)
{
    uint64_t cpu;

    if (strcmp(text, "none") == 0) {
        *out = AB_PIN_NONE;
        return true;
    }
    if (!ab_size_parse(text, &cpu, error) || cpu > 65535) {
        return ab_error_set(error, "'%s' is neither a CPU number nor none", text);
    }
    *out = (int)cpu;
    return true;
}

static bool set(const option *row, const char *text, ab_options *out, ab_error *error)
{
    void *member = (char *)out + row->offset;
    ab_value value;

    switch (row->kind) {
    case OPTION_FLAG:
    case OPTION_HELP:
        break; /* take no value */
    case OPTION_TEXT:
        if (*text == '\0') {
            return ab_error_set(error, "the value is empty; it takes %s", row->value);
        }
        *(const char **)member = text;
        return true;
    case OPTION_COUNT: {
        ab_list list;
        if (!ab_list_parse(text, &row->domain, &list, error)) {
            return false;
        }
        *(uint64_t *)member = list.item[0].number;
        bool is_one = list.count == 1;
        ab_list_free(&list);
        return is_one || ab_error_set(error, "'%s' is more than one value", text);
    }
    case OPTION_CHOICE:
        if (!ab_choice_parse(text, &row->domain, &value, error)) {
            return false;
        }
        *(uint64_t *)member = value.number;
        return true;
    case OPTION_DURATION:
        return ab_duration_parse(text, member, error);
    case OPTION_PERCENT:
        return ab_percent_parse(text, member, error);
    case OPTION_PIN:
        return parse_pin(text, member, error);
    }
    return false;
}

/* Prefixes the option's name to an error about its value. */
static bool name_option(const char *name, ab_error *error)
{
    ab_error inner = *error;
    return ab_error_set(error, "--%.60s: %.240s", name, inner.text);
}

static const option *find(const char *name)
{
    for (size_t i = 0; i < TABLE_ROWS; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

static const char *const verbs[] = {"run", "doctor", "selftest",
                                    NULL}; /* in the order of ab_verb */

static bool take_verb(const char *word, ab_options *out, ab_error *error)
{
    const char *meant;

    for (int i = 0; verbs[i] != NULL; i++) {
        if (strcmp(word, verbs[i]) == 0) {
            out->verb = (ab_verb)i;
            return true;
        }
    }
    meant = ab_suggest(word, verbs);
    return meant != NULL
               ? ab_error_set(error, "'%.100s' is not a command; did you mean '%s'?", word, meant)
               : ab_error_set(error, "'%.100s' is not a command; options begin with --, see --help",
                              word);
}

/* An option that means nothing to this verb, and what it does take. */
static bool refuse_for_verb(ab_verb verb, const char *name, ab_error *error)
{
    char taken[200] = "";
    size_t used = 0;

    for (size_t i = 0; i < TABLE_ROWS && used < sizeof taken; i++) {
        if ((table[i].also >> verb & 1u) != 0) {
            used += (size_t)snprintf(taken + used, sizeof taken - used, " --%s", table[i].name);
        }
    }
    return ab_error_set(error, "--%s: %s does not take it; it takes%s", name, verbs[verb], taken);
}

/* One "--name[=value]" at arguments[*index]; moves *index over a value that stands apart. */
static bool take_option(int argc, char **argv, int *index, ab_options *out, ab_error *error)
{
    const char *word = argv[*index] + 2;
    size_t width = strcspn(word, "=");
    char name[64];

    if (width == 0 || width >= sizeof name) {
        return ab_error_set(error, "'%.100s' is not an option; see --help", argv[*index]);
    }
    memcpy(name, word, width);
    name[width] = '\0';
    const option *row = find(name);
    if (out->verb != AB_VERB_RUN && (row == NULL || (row->also >> out->verb & 1u) == 0)) {
        return refuse_for_verb(out->verb, name, error);
    }
    bool has_inline = word[width] == '=';
    const char *value = has_inline ? word + width + 1 : NULL;

    if (row != NULL && (row->kind == OPTION_FLAG || row->kind == OPTION_HELP)) {
        if (has_inline) {
            return ab_error_set(error, "--%s: takes no value, but got '%s'", name, value);
        }
        if (row->kind == OPTION_HELP && *index + 1 < argc && argv[*index + 1][0] != '-') {
            out->help_scenario = argv[++*index];
        }
        *(bool *)((char *)out + row->offset) = true;
        return true;
    }
    if (!has_inline) {
        if (*index + 1 >= argc || strncmp(argv[*index + 1], "--", 2) == 0) {
            if (row != NULL) { /* else the plan finds out whether the option exists at all */
                return ab_error_set(error, "--%s: needs a value: %s", name, row->value);
            }
        } else {
            value = argv[++*index];
        }
    }
    if (row != NULL) {
        return set(row, value, out, error) || name_option(name, error);
    }
    if (out->parameter_count == AB_ARGUMENTS_MAX) {
        return ab_error_set(error, "--%s: more than %d parameters", name, AB_ARGUMENTS_MAX);
    }
    ab_argument *parameter = &out->parameter[out->parameter_count++];
    snprintf(parameter->name, sizeof parameter->name, "%s", name);
    parameter->value = value;
    return true;
}

bool ab_options_parse(int argc, char **argv, ab_options *out, ab_error *error)
{
    *out = (ab_options){.pin = AB_PIN_DEFAULT, .argument_count = argc, .arguments = argv};
    for (size_t i = 0; i < TABLE_ROWS; i++) {
        if (table[i].initial != NULL && !set(&table[i], table[i].initial, out, error)) {
            return name_option(table[i].name, error);
        }
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-h") == 0) {
            out->help = true;
        } else if (strncmp(argv[i], "--", 2) == 0) {
            if (!take_option(argc, argv, &i, out, error)) {
                return false;
            }
        } else if (i > 1) {
            return ab_error_set(error, "'%.100s' belongs to no option; see --help", argv[i]);
        } else if (!take_verb(argv[i], out, error)) {
            return false;
        }
    }
    return true;
}
