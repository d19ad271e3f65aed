/* SPDX-License-Identifier: MIT
 *
 * The one file of src/ that looks into bench/: it reads the list of scenarios. See registry.h.
 */
#include "registry.h"

#include <string.h>

#define AB_SCENARIO(id) extern const ab_scenario ab_scenario_##id;
#include "scenarios.def"
#undef AB_SCENARIO

const ab_scenario *const ab_scenarios[] = {
#define AB_SCENARIO(id) &ab_scenario_##id,
#include "scenarios.def"
#undef AB_SCENARIO
    NULL,
};

const ab_scenario *ab_scenario_named(const char *name)
{
    const ab_scenario *const *scenario = ab_scenarios;

    while (*scenario != NULL && strcmp((*scenario)->name, name) != 0) {
        scenario++;
    }
    return *scenario;
}

const ab_contender *ab_contender_named(const ab_scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->contender_count; i++) {
        if (strcmp(ab_contender_name(&scenario->contenders[i]), name) == 0) {
            return &scenario->contenders[i];
        }
    }
    return NULL;
}

const ab_param *ab_param_named(const ab_scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->param_count; i++) {
        const ab_param *param = &scenario->params[i];
        if (strcmp(param->name, name) == 0 ||
            (param->alias != NULL && strcmp(param->alias, name) == 0)) {
            return param;
        }
    }
    return NULL;
}

void ab_param_print(const ab_param *param, const void *params, char *out, size_t out_bytes)
{
    ab_value value = {0};
    size_t bytes = param->domain.kind == AB_MIX ? sizeof value.mix : sizeof value.number;

    memcpy(&value, (const char *)params + param->offset, bytes);
    ab_value_print(&value, &param->domain, out, out_bytes);
}

void ab_param_set(const ab_param *param, void *params, const ab_value *value)
{
    size_t bytes = param->domain.kind == AB_MIX ? sizeof value->mix : sizeof value->number;

    memcpy((char *)params + param->offset, value, bytes);
}
