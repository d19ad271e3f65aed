/* SPDX-License-Identifier: MIT
 *
 * The man page: see documents.h. What tables hold is walked; what no table holds is said here,
 * once.
 */
#include "documents.h"
#include "help.h"
#include "options.h"
#include "registry.h"
#include "run_facts.h"

/* Text in a man page: a backslash would be an escape, a dash a hyphen, and a dot or an apostrophe
 * at the start of a line a request. */
static void add_escaped(ab_text *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\\') {
            ab_text_add(out, "\\e");
        } else if (*at == '-') {
            ab_text_add(out, "\\-");
        } else if ((*at == '.' || *at == '\'') && (at == text || at[-1] == '\n')) {
            ab_text_add(out, "\\&%c", *at);
        } else {
            /* Long lists may be broken after these. */
            ab_text_add(out, *at == '|' || *at == ',' ? "%c\\:" : "%c", *at);
        }
    }
}

static void add_tag(ab_text *out, const char *dashes, const char *name, const char *value)
{
    ab_text_add(out, ".TP\n\\fB");
    add_escaped(out, dashes);
    add_escaped(out, name);
    ab_text_add(out, "\\fR");
    if (*value != '\0') {
        ab_text_add(out, " \\fI");
        add_escaped(out, value);
        ab_text_add(out, "\\fR");
    }
    ab_text_add(out, "\n");
}

static void add_entry(ab_text *out, const char *name, const char *text)
{
    add_tag(out, "", name, "");
    add_escaped(out, text);
    ab_text_add(out, "\n");
}

static void add_head(ab_text *out)
{
    ab_text_add(out, ".\\\" SPDX-License-Identifier: MIT\n.TH ALLOCBENCH 1 \"\" \"allocbench ");
    add_escaped(out, ab_version_number());
    ab_text_add(
        out,
        "\" \"User Commands\"\n.ad l\n.nh\n.SH NAME\n"
        "allocbench \\- which way of getting memory is worth it on this machine\n.SH SYNOPSIS\n"
        ".B allocbench\n.RB [ run ]\n.B \\-\\-scenario\n"
        ".IR NAME [, NAME \\&...]| all\n.RI [ options ]\n.br\n"
        ".B allocbench doctor\n.br\n.B allocbench selftest\n.SH DESCRIPTION\n"
        "Runs allocators side by side over the same streams of operations, each in a process of "
        "its own, taking turns, and tells times, ratios with confidence intervals, verdicts, and "
        "for every row a proof that the work was the same.\n.PP\n"
        "Without \\fB\\-\\-out\\fR, standard output gets a table on a terminal and CSV otherwise; "
        "with it, the CSV goes to the file and the table to standard output. Progress and "
        "warnings go to standard error.\n.SH COMMANDS\n");
    add_entry(out, "run", "Measures; the word may be left out.");
    add_entry(
        out, "doctor",
        "Tells what on this machine disturbs measurements, what that does to results, and how "
        "to change it. Changes nothing. Exits 1 if there is something.");
    add_entry(out, "selftest",
              "Measures malloc against itself: how often a difference is reported "
              "that is not there, and which is the smallest that can be seen.");
}

static void add_options(ab_text *out)
{
    ab_text_add(out, ".SH OPTIONS\n");
    for (size_t i = 0; i < ab_option_count(); i++) {
        ab_option_help option = ab_option_describe(i);
        add_tag(out, "--", option.name, option.value);
        add_escaped(out, option.help);
        ab_text_add(out, "\n");
    }
    ab_text_add(out, ".SH VALUES\n");
    add_escaped(out,
                "Sizes and counts are whole numbers with an optional binary unit: 4096, 64K, "
                "1GiB. Durations need a unit: 250ms, 5s, 10m. Every parameter of a scenario may "
                "be a list (4,8) or a range: A..B doubles, A..B:xN multiplies by N, A..B:+N "
                "adds N.\n");
}

static void add_parameter(ab_text *out, const ab_param *param)
{
    char low[24], high[24];

    add_tag(out, "--", param->name, ab_help_kind(param));
    add_escaped(out, param->help);
    ab_text_add(out, " (default ");
    add_escaped(out, *param->initial != '\0' ? param->initial : "derived");
    if (param->domain.kind != AB_CHOICE) {
        ab_size_print(param->domain.min, low, sizeof low);
        ab_size_print(param->domain.max, high, sizeof high);
        ab_text_add(out, ", %s to %s", low, high);
    }
    ab_text_add(out, ")%s", param->alias != NULL ? "; also \\-\\-" : "");
    add_escaped(out, param->alias != NULL ? param->alias : "");
    ab_text_add(out, "\n");
}

static void add_scenarios(ab_text *out)
{
    ab_text_add(out, ".SH SCENARIOS\n");
    for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
        const ab_scenario *scenario = ab_scenarios[i];
        ab_text_add(out, ".SS %s\n", scenario->name);
        add_escaped(out, scenario->summary);
        ab_text_add(out, ".\n.PP\nOperations:");
        for (unsigned j = 0; j < scenario->operation_count; j++) {
            ab_text_add(out, " ");
            add_escaped(out, scenario->operations[j].name);
        }
        ab_text_add(out, ".\n.br\nBackends unless named, baseline first: ");
        add_escaped(out, scenario->default_backends);
        ab_text_add(out, ".\n");
        for (size_t j = 0; j < scenario->param_count; j++) {
            add_parameter(out, &scenario->params[j]);
        }
    }
}

static void add_backends(ab_text *out)
{
    ab_text_add(out, ".SH BACKENDS\n");
    for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
        for (size_t j = 0; j < ab_scenarios[i]->contender_count; j++) {
            const ab_contender *contender = &ab_scenarios[i]->contenders[j];
            bool is_told = false;
            for (size_t k = 0; k < i; k++) {
                is_told = is_told ||
                          ab_contender_named(ab_scenarios[k], ab_contender_name(contender)) != NULL;
            }
            if (!is_told) {
                add_entry(out, ab_contender_name(contender), ab_contender_summary(contender));
            }
        }
    }
    add_entry(out, "preload", AB_HELP_PRELOAD);
}

static void add_rest(ab_text *out)
{
    ab_text_add(out,
                ".SH CSV\n"
                "Lines that begin with # before the header are facts about the run. What is not "
                "available is an empty field. Columns:\n");
    for (size_t i = 0; i < ab_column_count; i++) {
        add_entry(out, ab_columns[i].name, ab_columns[i].meaning);
    }
    ab_text_add(out, ".SH EXIT STATUS\n");
    add_entry(out, "0", "Every planned cell is ok or unsupported.");
    add_entry(out, "1", "A cell failed, crashed, timed out or ran out of memory.");
    add_entry(out, "2", "Usage; nothing has run.");
    add_entry(out, "4", "The output could not be written; what was written is kept.");
    add_entry(out, "130, 143", "Interrupted; finished cells are kept.");
    ab_text_add(out, ".SH ENVIRONMENT\n");
    add_entry(out, "NO_COLOR", "No colours, if set.");
    add_entry(out, "TERM", "If dumb, neither colours nor progress.");
    ab_text_add(out, ".SH EXAMPLES\n.nf\n");
    add_escaped(out, "allocbench --scenario churn\n"
                     "allocbench --scenario churn,batch --scale quick --out run.csv\n"
                     "allocbench --scenario churn --size 16..256:x2 --backend malloc,pool,gc\n"
                     "allocbench-compare before.csv after.csv\n");
    ab_text_add(out, ".fi\n.SH SEE ALSO\n");
    add_escaped(out, "allocbench-tables --help, allocbench-compare --help, allocbench-plot --help, "
                     "allocbench-record --help; README.md in the documentation folder\n");
}

void ab_manual(ab_text *out)
{
    add_head(out);
    add_options(out);
    add_scenarios(out);
    add_backends(out);
    add_rest(out);
}
