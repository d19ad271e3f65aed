/* SPDX-License-Identifier: MIT
 *
 * See help.h. All of it is generated from the tables that also do the work.
 */
#include "help.h"
#include "estimate.h"
#include "registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void ab_help_usage(ab_text *out)
{
    ab_text_add(out, "usage: allocbench [run] --scenario NAME[,NAME...]|all [options]\n"
                     "       allocbench doctor      what on this machine disturbs measurements\n"
                     "       allocbench selftest    how far measurements can be trusted here\n"
                     "Which way of getting memory is worth it on this machine?\n\n");
    for (size_t i = 0; i < ab_option_count(); i++) {
        ab_option_help option = ab_option_describe(i);
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", option.name, *option.value != '\0' ? " " : "",
                 option.value);
        if (strlen(left) > 32) {
            ab_text_add(out, "  %s\n  %-32s %s\n", left, "", option.help);
        } else {
            ab_text_add(out, "  %-32s %s\n", left, option.help);
        }
    }
    ab_text_add(out,
                "\nScenarios and their own parameters: --help SCENARIO.\n"
                "A library as a BACKEND: lib:PATH, lib:PREFIX@PATH or preload:PATH; no comma in "
                "PATH.\n"
                "Sizes and counts: 4096, 64K, 1GiB (binary); lists a,b; ranges A..B (doubling), "
                "A..B:xN, A..B:+N.\n"
                "Exit: 0 fine, 1 a cell failed, 2 usage, 4 output not written, 130/143 "
                "interrupted.\n");
}

const char *ab_help_kind(const ab_param *param)
{
    switch (param->domain.kind) {
    case AB_SIZE:
        return "SIZE";
    case AB_MIX:
        return "SIZE[+SIZE...]";
    case AB_CHOICE:
        return param->domain.choices;
    case AB_COUNT:
        break;
    }
    return "N";
}

static void add_range(ab_text *out, const ab_param *param)
{
    char low[24], high[24];

    if (param->domain.kind == AB_CHOICE) {
        return;
    }
    ab_size_print(param->domain.min, low, sizeof low);
    ab_size_print(param->domain.max, high, sizeof high);
    ab_text_add(out, ", %s to %s", low, high);
}

bool ab_help_scenario(const char *name, ab_text *out, ab_error *error)
{
    static const char *const scales[] = {"quick", "default", "published"};
    const ab_scenario *scenario = ab_scenario_named(name);

    if (scenario == NULL) {
        const char *names[32] = {0};
        for (size_t i = 0; i < 31 && ab_scenarios[i] != NULL; i++) {
            names[i] = ab_scenarios[i]->name;
        }
        const char *meant = ab_suggest(name, names);
        return ab_error_set(error, "--help: unknown scenario '%.60s'; %s%s%s", name,
                            meant != NULL ? "did you mean '" : "--list tells what there is",
                            meant != NULL ? meant : "", meant != NULL ? "'?" : "");
    }
    ab_text_add(out, "%s: %s\n\noperations:", scenario->name, scenario->summary);
    for (unsigned i = 0; i < scenario->operation_count; i++) {
        ab_text_add(out, " %s", scenario->operations[i].name);
    }
    ab_text_add(out,
                "\nbackends unless named (baseline first): %s\n\nparameters, each of which may "
                "be a list:\n",
                scenario->default_backends);
    for (size_t i = 0; i < scenario->param_count; i++) {
        const ab_param *param = &scenario->params[i];
        ab_text_add(out, "  --%s %s\n      %s (default %s", param->name, ab_help_kind(param),
                    param->help, *param->initial != '\0' ? param->initial : "derived");
        add_range(out, param);
        ab_text_add(out, ")%s%s\n", param->alias != NULL ? "; also --" : "",
                    param->alias != NULL ? param->alias : "");
    }
    ab_text_add(out, "\nscales:\n");
    for (int i = 0; i < AB_SCALES; i++) {
        const ab_scale *scale = &scenario->scale[i];
        ab_text_add(out, "  %-10s %s  (%u processes x %u rounds)\n", scales[i], scale->points,
                    scale->processes, scale->rounds);
    }
    return true;
}

static void add_backend_once(ab_text *out, const ab_scenario *scenario,
                             const ab_contender *contender)
{
    for (size_t i = 0; ab_scenarios[i] != NULL && ab_scenarios[i] != scenario; i++) {
        if (ab_contender_named(ab_scenarios[i], ab_contender_name(contender)) != NULL) {
            return;
        }
    }
    ab_text_add(out, "  %-15s %s\n", ab_contender_name(contender), ab_contender_summary(contender));
}

void ab_help_list(ab_text *out)
{
    ab_text_add(out, "scenarios:\n");
    for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
        ab_text_add(out, "  %-15s %s\n", ab_scenarios[i]->name, ab_scenarios[i]->summary);
    }
    ab_text_add(out, "\nbackends:\n");
    for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
        for (size_t j = 0; j < ab_scenarios[i]->contender_count; j++) {
            add_backend_once(out, ab_scenarios[i], &ab_scenarios[i]->contenders[j]);
        }
    }
    ab_text_add(out, "  %-15s %s\n", "preload", AB_HELP_PRELOAD);
}

void ab_help_dry_run(const ab_plan *plan, ab_text *out)
{
    char time[32];

    for (size_t i = 0; i < plan->group_count; i++) {
        const ab_group *group = &plan->groups[i];
        ab_key key = group->scenario->key(group->params.bytes);
        char size[32] = "-", variant[512];
        if (key.size_bytes != AB_NO_COUNT) {
            ab_size_print(key.size_bytes, size, sizeof size);
        }
        ab_group_variant(group, 0, variant, sizeof variant);
        ab_text_add(out, "%-12s %8s  %ux%u  ", group->scenario->name, size, group->processes,
                    group->rounds);
        if (key.threads > 1) {
            ab_text_add(out, "threads=%" PRIu64 " ", key.threads);
        }
        ab_text_add(out, "%s\n   ", variant);
        for (size_t j = 0; j < group->cell_count; j++) {
            const ab_cell *cell = &group->cells[j];
            ab_text_add(out, " %s%s%s", cell->name, cell->is_supported ? "" : " (unsupported: ",
                        cell->is_supported ? "" : cell->reason);
            ab_text_add(out, "%s", cell->is_supported ? "" : ")");
        }
        ab_text_add(out, "\n");
    }
    ab_duration_print(ab_plan_estimate_ns(plan), time, sizeof time);
    ab_text_add(out, "%zu groups, %zu cells, about %s\n", plan->group_count, plan->cell_count,
                time);
}
