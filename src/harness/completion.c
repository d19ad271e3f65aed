/* SPDX-License-Identifier: MIT
 *
 * What bash completes, out of the tables. See documents.h. Each function prints words, one a line,
 * for the logic in scripts/completion.bash; an option it knows nothing about has no words.
 */
#include "documents.h"
#include "options.h"
#include "registry.h"

#include <string.h>

/* Whether a metavariable lists the very words that are meant: "auto|csv|table". */
static bool is_choices(const char *value)
{
    return strchr(value, '|') != NULL &&
           strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-|") == strlen(value);
}

static void add_words(ab_text *out, const char *choices)
{
    for (const char *at = choices; *at != '\0'; at++) {
        ab_text_add(out, "%c", *at == '|' ? ' ' : *at);
    }
}

/* The options that a verb takes, as a branch of a case. */
static void add_options_of(ab_text *out, const char *pattern, ab_verb verb)
{
    ab_text_add(out, "    %s) printf '%%s\\n'", pattern);
    for (size_t i = 0; i < ab_option_count(); i++) {
        ab_option_help option = ab_option_describe(i);
        if (verb == AB_VERB_RUN || (option.also >> verb & 1u) != 0) {
            ab_text_add(out, " --%s", option.name);
        }
    }
    ab_text_add(out, " ;;\n");
}

static void add_options(ab_text *out)
{
    ab_text_add(out, "_allocbench_options() {\n    case $1 in\n");
    add_options_of(out, "doctor", AB_VERB_DOCTOR);
    add_options_of(out, "selftest", AB_VERB_SELFTEST);
    add_options_of(out, "*", AB_VERB_RUN);
    ab_text_add(out, "    esac\n}\n");
    /* What kind of value an option takes: its metavariable, or `flag`. */
    ab_text_add(out, "_allocbench_value() {\n    case $1 in\n");
    for (size_t i = 0; i < ab_option_count(); i++) {
        ab_option_help option = ab_option_describe(i);
        ab_text_add(out, "    --%s) echo '%s' ;;\n", option.name,
                    *option.value == '\0' ? "flag" : option.value);
    }
    ab_text_add(out, "    esac\n}\n");
    ab_text_add(out, "_allocbench_choices() {\n    case $1 in\n");
    for (size_t i = 0; i < ab_option_count(); i++) {
        ab_option_help option = ab_option_describe(i);
        if (is_choices(option.value)) {
            ab_text_add(out, "    --%s) printf '%%s\\n' ", option.name);
            add_words(out, option.value);
            ab_text_add(out, " ;;\n");
        }
    }
    ab_text_add(out, "    esac\n}\n");
}

static void add_scenarios(ab_text *out)
{
    ab_text_add(out, "_allocbench_scenarios() {\n    printf '%%s\\n'");
    for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
        ab_text_add(out, " %s", ab_scenarios[i]->name);
    }
    ab_text_add(out, "\n}\n_allocbench_backends() {\n    case $1 in\n");
    for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
        const ab_scenario *scenario = ab_scenarios[i];
        ab_text_add(out, "    %s) printf '%%s\\n'", scenario->name);
        for (size_t j = 0; j < scenario->contender_count; j++) {
            ab_text_add(out, " %s", ab_contender_name(&scenario->contenders[j]));
        }
        ab_text_add(out, " ;;\n");
    }
    ab_text_add(out, "    esac\n}\n_allocbench_parameters() {\n    case $1 in\n");
    for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
        const ab_scenario *scenario = ab_scenarios[i];
        ab_text_add(out, "    %s) printf '%%s\\n'", scenario->name);
        for (size_t j = 0; j < scenario->param_count; j++) {
            ab_text_add(out, " --%s", scenario->params[j].name);
        }
        ab_text_add(out, " ;;\n");
    }
    ab_text_add(out, "    esac\n}\n_allocbench_parameter_choices() {\n    case $1 in\n");
    for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
        const ab_scenario *scenario = ab_scenarios[i];
        for (size_t j = 0; j < scenario->param_count; j++) {
            if (scenario->params[j].domain.kind == AB_CHOICE) {
                ab_text_add(out, "    %s--%s) printf '%%s\\n' ", scenario->name,
                            scenario->params[j].name);
                add_words(out, scenario->params[j].domain.choices);
                ab_text_add(out, " ;;\n");
            }
        }
    }
    ab_text_add(out, "    esac\n}\n");
}

void ab_completion(ab_text *out)
{
    ab_text_add(out, "# SPDX-License-Identifier: MIT\n"
                     "# bash completion of allocbench; generated with the program.\n");
    add_options(out);
    add_scenarios(out);
}
