/* SPDX-License-Identifier: MIT
 *
 * From options to groups of cells: see plan.h. What the user named is checked against the chosen
 * scenarios first (choice.c), then every scenario's sets of points are multiplied out here.
 */
#include "plan.h"
#include "choice.h"
#include "estimate.h"
#include "registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a set of points is made from: one list of values per parameter. */
typedef struct point_set {
    ab_list list[32];
} point_set;

static void free_set(const ab_scenario *scenario, point_set *set)
{
    for (size_t i = 0; i < scenario->param_count; i++) {
        ab_list_free(&set->list[i]);
    }
}

/* The text that a set such as "size=4..1024:x4 ops=65536" holds for a parameter; false: none. */
static bool find_in_set(const char *set, size_t set_width, const char *name, char *out,
                        size_t out_bytes)
{
    size_t length = strlen(name);
    const char *at = set;
    const char *end = set + set_width;

    while (at < end) {
        size_t width = strcspn(at, " ;");
        if (width > length && at[length] == '=' && strncmp(at, name, length) == 0) {
            snprintf(out, out_bytes, "%.*s", (int)(width - length - 1), at + length + 1);
            return true;
        }
        at += width + 1;
    }
    return false;
}

/* The text of a parameter's values: the user's, else the set's, else its default. false with an
 * error when the user gave the option without a value that it needs. */
static bool find_text(const ab_argument *argument, const ab_param *param, const char *set,
                      size_t set_width, char *out, size_t out_bytes, ab_error *error)
{
    bool is_flag =
        param->domain.choices != NULL && strcmp(param->domain.choices, AB_FLAG_CHOICES) == 0;

    if (argument != NULL && argument->value == NULL && !is_flag) {
        return ab_error_set(error, "needs a value");
    }
    if (argument != NULL) {
        const char *value = argument->value != NULL ? argument->value : "yes";
        return (size_t)snprintf(out, out_bytes, "%s", value) < out_bytes ||
               ab_error_set(error, "'%.40s...' is too long", value);
    }
    if (!find_in_set(set, set_width, param->name, out, out_bytes)) {
        snprintf(out, out_bytes, "%s", param->initial);
    }
    return true;
}

static bool fill_set(const ab_options *options, const ab_scenario *scenario, const char *text,
                     size_t width, point_set *set, ab_error *error)
{
    *set = (point_set){0};
    for (size_t i = 0; i < scenario->param_count; i++) {
        const ab_param *param = &scenario->params[i];
        const ab_argument *argument = ab_choice_parameter(options, param);
        char values[4096];
        bool ok = find_text(argument, param, text, width, values, sizeof values, error);
        if (ok && argument == NULL && *values == '\0') {
            set->list[i] = (ab_list){1, calloc(1, sizeof(ab_value))}; /* left to complete() */
            if (set->list[i].item == NULL) {
                return ab_error_set(error, "out of memory");
            }
        } else if (!ok || !ab_list_parse(values, &param->domain, &set->list[i], error)) {
            ab_error inner = *error;
            return ab_error_set(error, "--%s: %.250s",
                                argument != NULL ? argument->name : param->name, inner.text);
        }
    }
    return true;
}

static bool is_known_point(const ab_plan *plan, const ab_scenario *scenario, const void *params)
{
    for (size_t i = 0; i < plan->group_count; i++) {
        if (plan->groups[i].scenario == scenario &&
            memcmp(plan->groups[i].params.bytes, params, scenario->params_bytes) == 0) {
            return true;
        }
    }
    return false;
}

static bool append_group(ab_plan *plan, const ab_group *group, ab_error *error)
{
    if (plan->group_count % 64 == 0) {
        size_t room = plan->group_count + 64;
        ab_group *grown = realloc(plan->groups, room * sizeof *grown);
        if (grown == NULL) {
            return ab_error_set(error, "out of memory");
        }
        plan->groups = grown;
    }
    if (plan->group_count == 4096) {
        return ab_error_set(error, "the lists multiply to more than 4096 points");
    }
    plan->groups[plan->group_count++] = *group;
    return true;
}

/* Where rounds are a parameter of the scenario, --rounds is another word for it. */
static bool take_rounds(const ab_options *options, ab_group *group, ab_error *error)
{
    const ab_scenario *scenario = group->scenario;
    const ab_param *param = scenario->params;
    uint64_t rounds;
    ab_value value;
    ab_error range;
    char text[24];

    if (scenario->rounds_offset == SIZE_MAX) {
        return true;
    }
    while (param->offset != scenario->rounds_offset) {
        param++;
    }
    if (options->rounds != 0) {
        snprintf(text, sizeof text, "%" PRIu64, options->rounds);
        if (!ab_value_parse(text, &param->domain, &value, &range)) {
            return ab_error_set(error, "--rounds: %s", range.text);
        }
        ab_param_set(param, group->params.bytes, &value);
    }
    memcpy(&rounds, group->params.bytes + scenario->rounds_offset, sizeof rounds);
    group->rounds = (unsigned)rounds;
    return true;
}

/* One point: its cells, unless it is there already. */
static bool add_point(const ab_options *options, const ab_choice *choice, ab_group *group,
                      const ab_page_info *info, ab_plan *plan, ab_error *error)
{
    const ab_scenario *scenario = group->scenario;

    if (!take_rounds(options, group, error)) {
        return false;
    }
    if (!scenario->complete(group->params.bytes, info, error)) {
        return false;
    }
    if (is_known_point(plan, scenario, group->params.bytes)) {
        return true;
    }
    if (!ab_choice_cells(options, choice, group, info, error)) {
        return false;
    }
    if (group->cell_count == 0) {
        free(group->cells);
        return true;
    }
    if (!append_group(plan, group, error)) {
        free(group->cells);
        return false;
    }
    return true;
}

/* Multiplies the lists out; the first parameter varies slowest. */
static bool add_points(const ab_options *options, const ab_choice *choice, const point_set *set,
                       const ab_group *model, const ab_page_info *info, ab_plan *plan,
                       ab_error *error)
{
    const ab_scenario *scenario = model->scenario;
    size_t index[32] = {0};

    for (;;) {
        ab_group group = *model;
        for (size_t i = 0; i < scenario->param_count; i++) {
            ab_param_set(&scenario->params[i], group.params.bytes, &set->list[i].item[index[i]]);
        }
        if (!add_point(options, choice, &group, info, plan, error)) {
            return false;
        }
        size_t i = scenario->param_count;
        while (i > 0 && ++index[i - 1] == set->list[i - 1].count) {
            index[--i] = 0;
        }
        if (i == 0) {
            return true;
        }
    }
}

static bool add_scenario(const ab_options *options, const ab_choice *choice,
                         const ab_scenario *scenario, const ab_page_info *info, ab_plan *plan,
                         ab_error *error)
{
    const ab_scale *scale = &scenario->scale[options->scale];
    const char *text = scale->points;
    ab_group model = {.scenario = scenario};

    model.processes = options->processes != 0 ? (unsigned)options->processes : scale->processes;
    model.rounds = options->rounds != 0 ? (unsigned)options->rounds : scale->rounds;
    for (;;) {
        size_t width = strcspn(text, ";");
        point_set set;
        bool ok = fill_set(options, scenario, text, width, &set, error) &&
                  add_points(options, choice, &set, &model, info, plan, error);
        free_set(scenario, &set);
        if (!ok || text[width] == '\0') {
            return ok;
        }
        text += width + 1 + strspn(text + width + 1, " ");
    }
}

bool ab_plan_make(const ab_options *options, ab_plan *out, ab_error *error)
{
    ab_choice choice;
    ab_pages pages;

    *out = (ab_plan){.max_time_ns = options->max_time_ns, .prices = ab_prices_measure()};
    ab_pages_init(&pages);
    bool ok = ab_choice_make(options, &choice, error);
    out->foreign = choice.foreign;
    out->foreign_count = choice.foreign_count;
    for (size_t i = 0; ok && i < choice.scenario_count; i++) {
        ok = add_scenario(options, &choice, choice.scenario[i], &pages.info, out, error);
        if (!ok) {
            ab_error inner = *error;
            ab_error_set(error, "%.270s (scenario %s)", inner.text, choice.scenario[i]->name);
        }
    }
    ok = ok && ab_choice_baseline(options, out, error);
    if (!ok) {
        ab_plan_free(out);
        return false;
    }
    for (size_t i = 0; i < out->group_count; i++) {
        for (size_t j = 0; j < out->groups[i].cell_count; j++) {
            out->cell_count += out->groups[i].cells[j].is_supported;
        }
    }
    return true;
}

void ab_plan_free(ab_plan *plan)
{
    for (size_t i = 0; i < plan->group_count; i++) {
        free(plan->groups[i].cells);
    }
    free(plan->groups);
    free(plan->foreign);
    *plan = (ab_plan){0};
}
