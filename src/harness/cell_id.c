/* SPDX-License-Identifier: MIT
 *
 * A cell as text, so that a worker can be told what to measure, and the column `variant`, which is
 * the same text without the key columns. See plan.h.
 */
#include "plan.h"
#include "registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_MAX = 200, BACKEND_MAX = 3 * AB_PATH_MAX + AB_PREFIX_MAX + 16 };

/* Operations as the worker is to do them. */
static void print_ops(const ab_group *group, const ab_cell *cell, char *out, size_t out_bytes)
{
    uint64_t ops = group->ops_limit;

    if (ops == 0) {
        memcpy(&ops, group->params.bytes + group->scenario->ops_offset, sizeof ops);
    }
    snprintf(out, out_bytes, "%" PRIu64, ops + ops / 100 * cell->more_ops_pct);
}

bool ab_cell_id_write(const ab_group *group, const ab_cell *cell, uint64_t seed, char *out,
                      size_t out_bytes)
{
    char library[BACKEND_MAX];
    const char *backend = ab_contender_name(cell->contender);

    if (cell->foreign != NULL) {
        if (!ab_foreign_print(cell->foreign, library, sizeof library)) {
            return false;
        }
        backend = library;
    }
    int n = snprintf(out, out_bytes, "scenario=%s;backend=%s;seed=%" PRIu64, group->scenario->name,
                     backend, seed);
    size_t used = n > 0 ? (size_t)n : out_bytes;

    for (size_t i = 0; i < group->scenario->param_count && used < out_bytes; i++) {
        const ab_param *param = &group->scenario->params[i];
        char value[VALUE_MAX];
        ab_param_print(param, group->params.bytes, value, sizeof value);
        if (param->offset == group->scenario->ops_offset) {
            print_ops(group, cell, value, sizeof value);
        }
        n = snprintf(out + used, out_bytes - used, ";%s=%s", param->name, value);
        used += n > 0 ? (size_t)n : out_bytes;
    }
    return used < out_bytes;
}

/* Copies the next "name=value" of *text and moves on; false at the end or when it is malformed. */
static bool take_pair(const char **text, char *name, size_t name_bytes, char *value,
                      size_t value_bytes)
{
    size_t width = strcspn(*text, ";");
    size_t middle = strcspn(*text, "=");

    if (middle >= width || middle == 0 || middle >= name_bytes ||
        width - middle - 1 >= value_bytes) {
        return false;
    }
    memcpy(name, *text, middle);
    name[middle] = '\0';
    memcpy(value, *text + middle + 1, width - middle - 1);
    value[width - middle - 1] = '\0';
    *text += width + ((*text)[width] == ';');
    return true;
}

static bool read_param(ab_cell_id *out, const char *name, const char *value, ab_error *error)
{
    const ab_param *param = ab_param_named(out->scenario, name);
    ab_value parsed;

    if (param == NULL) {
        return ab_error_set(error, "unknown parameter '%s'", name);
    }
    if (!ab_value_parse(value, &param->domain, &parsed, error)) {
        return false;
    }
    ab_param_set(param, out->params.bytes, &parsed);
    return true;
}

static bool read_backend(ab_cell_id *out, const char *value, ab_error *error)
{
    const char *contender = value;

    if (ab_is_foreign(value)) {
        if (!ab_foreign_read(value, &out->foreign, error)) {
            return false;
        }
        contender = ab_foreign_contender(&out->foreign);
    }
    out->contender = ab_contender_named(out->scenario, contender);
    return out->contender != NULL || ab_error_set(error, "no backend '%.60s'", value);
}

/* What the text leaves out is zero, which not every parameter may be. One that complete() derives
 * may. */
static bool has_all(const ab_cell_id *id, ab_error *error)
{
    for (size_t i = 0; i < id->scenario->param_count; i++) {
        const ab_param *param = &id->scenario->params[i];
        uint64_t number;
        memcpy(&number, id->params.bytes + param->offset, sizeof number); /* of a mix: its count */
        if (number == 0 && *param->initial != '\0' && param->domain.kind != AB_CHOICE &&
            param->domain.min > 0) {
            return ab_error_set(error, "--%s is missing", param->name);
        }
    }
    return true;
}

bool ab_cell_id_read(const char *text, ab_cell_id *out, ab_error *error)
{
    char name[64], value[BACKEND_MAX];
    ab_error ignored;

    *out = (ab_cell_id){0};
    while (*text != '\0') {
        if (!take_pair(&text, name, sizeof name, value, sizeof value)) {
            return ab_error_set(error, "malformed at '%.40s'", text);
        }
        if (out->scenario == NULL) {
            out->scenario = strcmp(name, "scenario") == 0 ? ab_scenario_named(value) : NULL;
            if (out->scenario == NULL) {
                return ab_error_set(error, "no scenario '%s'", value);
            }
        } else if (out->contender == NULL) {
            if (strcmp(name, "backend") != 0) {
                return ab_error_set(error, "no backend but '%s'", name);
            }
            if (!read_backend(out, value, error)) {
                return false;
            }
        } else if (strcmp(name, "seed") == 0) {
            if (!ab_size_parse(value, &out->seed, error)) {
                return false;
            }
        } else if (!read_param(out, name, value, error)) {
            return false;
        }
    }
    if (out->contender == NULL) {
        return ab_error_set(error, "no scenario and backend");
    }
    if (!has_all(out, error)) {
        return false;
    }
    ab_pages pages;
    ab_pages_init(&pages);
    return out->scenario->complete(out->params.bytes, &pages.info, &ignored) ||
           ab_error_set(error, "%s", ignored.text);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void ab_group_variant(const ab_group *group, unsigned repeat, char *out, size_t out_bytes)
{
    char pairs[32][VALUE_MAX + 64];
    const char *sorted[32];
    size_t count = 0;

    for (size_t i = 0; i < group->scenario->param_count && count < 31; i++) {
        const ab_param *param = &group->scenario->params[i];
        char value[VALUE_MAX];
        ab_mix mix = {0};
        if (param->domain.kind == AB_MIX) {
            memcpy(&mix, group->params.bytes + param->offset, sizeof mix);
        }
        ab_param_print(param, group->params.bytes, value, sizeof value);
        if (mix.count > 1) { /* no key column can hold it */
            snprintf(pairs[count], sizeof pairs[count], "mix=%s", value);
        } else if (param->place == AB_IN_VARIANT) {
            snprintf(pairs[count], sizeof pairs[count], "%s=%s", param->name, value);
        } else {
            continue;
        }
        sorted[count] = pairs[count];
        count++;
    }
    if (repeat > 0) {
        snprintf(pairs[count], sizeof pairs[count], "repeat=%u", repeat);
        sorted[count] = pairs[count];
        count++;
    }
    qsort(sorted, count, sizeof sorted[0], by_name);
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < count && used < out_bytes; i++) {
        int n = snprintf(out + used, out_bytes - used, "%s%s", i == 0 ? "" : ";", sorted[i]);
        used += n > 0 ? (size_t)n : out_bytes;
    }
}
