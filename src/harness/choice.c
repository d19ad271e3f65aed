/* SPDX-License-Identifier: MIT
 *
 * Names that the user gave, matched against the registry: see choice.h. An unknown one gets a
 * suggestion.
 */
#include "choice.h"
#include "capability.h"
#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUGGESTIONS_MAX = 128 };

/* "--option: unknown WHAT 'name'" with the nearest of the names, or all of them. */
static bool unknown(const char *option, const char *what, const char *name,
                    const char *const *names, ab_error *error)
{
    const char *meant = ab_suggest(name, names);
    char all[200] = "";
    size_t used = 0;

    if (meant != NULL) {
        return ab_error_set(error, "--%s: unknown %s '%.60s'; did you mean '%s'?", option, what,
                            name, meant);
    }
    for (; *names != NULL && used < sizeof all; names++) {
        used += (size_t)snprintf(all + used, sizeof all - used, " %s", *names);
    }
    return ab_error_set(error, "--%s: unknown %s '%.60s'; there are:%s", option, what, name, all);
}

/* Copies the item at *list, which commas separate, and moves on; false: too long or empty. */
static bool take_item(const char **list, char *out, size_t out_bytes)
{
    size_t width = strcspn(*list, ",");

    bool is_cut_off = (*list)[width] == ',' && (*list)[width + 1] == '\0';

    if (width == 0 || width >= out_bytes || is_cut_off) {
        return false;
    }
    memcpy(out, *list, width);
    out[width] = '\0';
    *list += width + ((*list)[width] == ',');
    return true;
}

static bool add_scenario(ab_choice *out, const char *name, ab_error *error)
{
    const char *names[AB_SCENARIOS_MAX + 2] = {"all"};
    const ab_scenario *scenario = ab_scenario_named(name);

    if (strcmp(name, "all") == 0) {
        return ab_error_set(error, "--scenario: 'all' stands alone or not at all");
    }
    if (scenario == NULL) {
        for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
            names[i + 1] = ab_scenarios[i]->name;
        }
        return unknown("scenario", "scenario", name, names, error);
    }
    for (size_t i = 0; i < out->scenario_count; i++) {
        if (out->scenario[i] == scenario) {
            return ab_error_set(error, "--scenario: '%s' stands there twice", name);
        }
    }
    out->scenario[out->scenario_count++] = scenario;
    return true;
}

static bool choose_scenarios(const ab_options *options, ab_choice *out, ab_error *error)
{
    const char *list = options->scenarios;

    if (list == NULL) {
        return ab_error_set(error, "--scenario is missing; --list tells what there is");
    }
    if (strcmp(list, "all") == 0) {
        for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
            out->scenario[out->scenario_count++] = ab_scenarios[i];
        }
        return true;
    }
    do {
        char name[AB_NAME_MAX];
        if (!take_item(&list, name, sizeof name)) {
            return ab_error_set(error,
                                "--scenario: '%.100s' is not a list of names such as "
                                "churn,map",
                                options->scenarios);
        }
        if (!add_scenario(out, name, error)) {
            return false;
        }
    } while (*list != '\0');
    return true;
}

/* An option that neither the general table nor a chosen scenario has. */
static bool unknown_parameter(const ab_choice *choice, const char *name, ab_error *error)
{
    const char *names[SUGGESTIONS_MAX];
    size_t count = 0;

    for (size_t i = 0; ab_scenarios[i] != NULL; i++) {
        if (ab_param_named(ab_scenarios[i], name) != NULL) {
            return ab_error_set(error, "--%s: no chosen scenario has it; %s has", name,
                                ab_scenarios[i]->name);
        }
    }
    for (size_t i = 0; i < ab_option_count() && count < SUGGESTIONS_MAX - 1; i++) {
        names[count++] = ab_option_describe(i).name;
    }
    for (size_t i = 0; i < choice->scenario_count; i++) {
        const ab_scenario *scenario = choice->scenario[i];
        for (size_t j = 0; j < scenario->param_count && count < SUGGESTIONS_MAX - 1; j++) {
            names[count++] = scenario->params[j].name;
        }
    }
    names[count] = NULL;
    const char *meant = ab_suggest(name, names);
    return meant != NULL
               ? ab_error_set(error, "--%s: unknown option; did you mean --%s?", name, meant)
               : ab_error_set(error, "--%s: unknown option; see --help", name);
}

static bool check_parameters(const ab_options *options, const ab_choice *choice, ab_error *error)
{
    for (size_t i = 0; i < options->parameter_count; i++) {
        const char *name = options->parameter[i].name;
        bool is_known = false;
        for (size_t j = 0; j < choice->scenario_count && !is_known; j++) {
            is_known = ab_param_named(choice->scenario[j], name) != NULL;
        }
        if (!is_known) {
            return unknown_parameter(choice, name, error);
        }
    }
    bool can_shorten = options->max_time_ns == 0;
    for (size_t j = 0; j < choice->scenario_count; j++) {
        can_shorten = can_shorten || choice->scenario[j]->ops_offset != SIZE_MAX;
    }
    return can_shorten ||
           ab_error_set(error,
                        "--max-time: no chosen scenario has a number of operations to shorten");
}

const ab_argument *ab_choice_parameter(const ab_options *options, const ab_param *param)
{
    for (size_t i = options->parameter_count; i > 0; i--) {
        const ab_argument *said = &options->parameter[i - 1];
        if (strcmp(said->name, param->name) == 0 ||
            (param->alias != NULL && strcmp(said->name, param->alias) == 0)) {
            return said;
        }
    }
    return NULL;
}

static bool is_backend_known(const ab_choice *choice, const char *backend)
{
    for (size_t i = 0; i < choice->scenario_count; i++) {
        if (ab_contender_named(choice->scenario[i], backend) != NULL) {
            return true;
        }
    }
    return false;
}

static bool unknown_backend(const ab_choice *choice, const char *backend, ab_error *error)
{
    const char *names[SUGGESTIONS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < choice->scenario_count; i++) {
        const ab_scenario *scenario = choice->scenario[i];
        for (size_t j = 0; j < scenario->contender_count && count < SUGGESTIONS_MAX - 1; j++) {
            names[count++] = ab_contender_name(&scenario->contenders[j]);
        }
    }
    names[count] = NULL;
    return unknown("backend", "backend", backend, names, error);
}

static bool is_name(const char *text)
{
    return *text != '\0' &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
               strlen(text);
}

/* A library of the user's: its storage, and the contender that it takes the place of. */
static bool add_foreign(ab_choice *out, const char *text, ab_named_backend *named, ab_error *error)
{
    if (out->foreign == NULL) {
        out->foreign = calloc(AB_CELLS_MAX, sizeof *out->foreign);
    }
    if (out->foreign == NULL) {
        return ab_error_set(error, "out of memory");
    }
    ab_foreign *foreign = &out->foreign[out->foreign_count];
    ab_error inner;
    if (!ab_foreign_parse(text, foreign, &inner)) {
        return ab_error_set(error, "--backend: %.250s", inner.text);
    }
    snprintf(named->backend, sizeof named->backend, "%s", ab_foreign_contender(foreign));
    if (!is_backend_known(out, named->backend)) {
        return ab_error_set(error, "--backend: no chosen scenario can measure '%.150s'", text);
    }
    ab_foreign_make_name(foreign);
    named->foreign = foreign;
    out->foreign_count++;
    return true;
}

/* One of this program's own backends, or strategies. */
static bool add_own(const ab_choice *out, const char *backend, ab_named_backend *named,
                    ab_error *error)
{
    if (strcmp(backend, "lib") == 0 || strcmp(backend, "preload") == 0) {
        return ab_error_set(error, "--backend: '%s' needs a library: write %s:PATH", backend,
                            backend);
    }
    if (!is_backend_known(out, backend)) {
        return out->foreign_count > 0 && strpbrk(backend, "/\\") != NULL
                   ? ab_error_set(error,
                                  "--backend: unknown backend '%.60s'; a library's path cannot "
                                  "hold a comma here",
                                  backend)
                   : unknown_backend(out, backend, error);
    }
    snprintf(named->backend, sizeof named->backend, "%.*s", AB_NAME_MAX - 1, backend);
    return true;
}

/* "[NAME=]BACKEND" */
static bool add_backend(ab_choice *out, const char *item, ab_error *error)
{
    size_t name_width = strcspn(item, "=");
    bool has_name = item[name_width] == '=' && !ab_is_foreign(item);
    const char *backend = has_name ? item + name_width + 1 : item;
    bool is_foreign = ab_is_foreign(backend);

    if (out->backend_count == AB_CELLS_MAX) {
        return ab_error_set(error, "--backend: more than %d backends", AB_CELLS_MAX);
    }
    ab_named_backend *named = &out->backend[out->backend_count];
    if (!(is_foreign ? add_foreign(out, backend, named, error)
                     : add_own(out, backend, named, error))) {
        return false;
    }
    const char *name = has_name || !is_foreign ? item : named->foreign->name;
    /* A library that was added has a name. */
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
    name_width = has_name ? name_width : strlen(name);
    if (name_width >= sizeof named->name) {
        return ab_error_set(error, "--backend: '%.*s' is longer than %d letters", (int)name_width,
                            name, AB_NAME_MAX - 1);
    }
    memcpy(named->name, name, name_width);
    named->name[name_width] = '\0';
    if (!is_name(named->name)) {
        return ab_error_set(error, "--backend: '%s' is not a name of letters, digits and - _ .",
                            named->name);
    }
    for (size_t i = 0; i < out->backend_count; i++) {
        if (strcmp(out->backend[i].name, named->name) == 0) {
            return ab_error_set(
                error, "--backend: two are named '%s'; write NAME=%.150s to tell them apart",
                named->name, backend);
        }
    }
    if (is_foreign) {
        memcpy(named->foreign->name, named->name, sizeof named->name);
    }
    out->backend_count++;
    return true;
}

static bool choose_backends(const char *list, ab_choice *out, ab_error *error)
{
    const char *all = list;

    while (list != NULL && *list != '\0') {
        char item[4 * AB_PATH_MAX]; /* a path that is too long gets an error of its own */
        if (!take_item(&list, item, sizeof item)) {
            return ab_error_set(error, "--backend: '%.100s' is not a list such as malloc,x=pool",
                                all);
        }
        if (!add_backend(out, item, error)) {
            return false;
        }
    }
    return true;
}

bool ab_choice_make(const ab_options *options, ab_choice *out, ab_error *error)
{
    *out = (ab_choice){0};
    return choose_scenarios(options, out, error) && check_parameters(options, out, error) &&
           choose_backends(options->backends, out, error);
}

bool ab_choice_cells(const ab_options *options, const ab_choice *choice, ab_group *group,
                     const ab_page_info *info, ab_error *error)
{
    ab_choice own = {.scenario = {group->scenario}, .scenario_count = 1};
    bool is_named = choice->backend_count > 0;
    const ab_choice *chosen = is_named ? choice : &own;

    if (!is_named && !choose_backends(group->scenario->default_backends, &own, error)) {
        return false;
    }
    /* A list is never empty. NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI) */
    group->cells = calloc(chosen->backend_count, sizeof *group->cells);
    if (group->cells == NULL) {
        return ab_error_set(error, "out of memory");
    }
    for (size_t i = 0; i < chosen->backend_count; i++) {
        const ab_named_backend *named = &chosen->backend[i];
        const ab_contender *contender = ab_contender_named(group->scenario, named->backend);
        ab_cell *cell = &group->cells[group->cell_count];
        if (contender == NULL) {
            continue; /* another chosen scenario knows it */
        }
        *cell = (ab_cell){.contender = contender};
        snprintf(cell->name, sizeof cell->name, "%s", named->name);
        cell->operations = group->scenario->operations_of(contender, group->params.bytes);
        cell->foreign = named->foreign;
        cell->is_supported = ab_can_serve(group->scenario, contender, group->params.bytes, info,
                                          cell->reason, sizeof cell->reason);
        if (named->foreign != NULL && ab_foreign_refuses(named->foreign) != NULL) {
            cell->is_supported = false;
            snprintf(cell->reason, sizeof cell->reason, "%s", ab_foreign_refuses(named->foreign));
        }
        if (cell->is_supported || is_named) {
            group->cell_count++;
        }
    }
    group->baseline = group->cell_count;
    for (size_t i = group->cell_count; i > 0; i--) {
        bool is_asked =
            options->baseline != NULL && strcmp(group->cells[i - 1].name, options->baseline) == 0;
        if (is_asked && group->cells[i - 1].is_supported) {
            group->baseline = i - 1;
            return true;
        }
        if (group->cells[i - 1].is_supported) {
            group->baseline = i - 1;
        }
    }
    return true;
}

bool ab_choice_baseline(const ab_options *options, const ab_plan *plan, ab_error *error)
{
    const char *names[SUGGESTIONS_MAX];
    size_t count = 0;

    if (options->baseline == NULL) {
        return true;
    }
    for (size_t i = 0; i < plan->group_count; i++) {
        const ab_group *group = &plan->groups[i];
        for (size_t j = 0; j < group->cell_count; j++) {
            if (strcmp(group->cells[j].name, options->baseline) == 0) {
                return true;
            }
            if (i == 0 && count < SUGGESTIONS_MAX - 1) {
                names[count++] = group->cells[j].name;
            }
        }
    }
    names[count] = NULL;
    return unknown("baseline", "backend", options->baseline, names, error);
}
