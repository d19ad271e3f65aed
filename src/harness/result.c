/* SPDX-License-Identifier: MIT
 *
 * Storage of samples and statuses: see result.h.
 */
#include "result.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ab_group_result_make(const ab_group *group, ab_group_result *out)
{
    size_t samples = (size_t)group->processes * group->rounds;

    out->group = group;
    out->cell = calloc(group->cell_count, sizeof *out->cell);
    if (out->cell == NULL) {
        return false;
    }
    for (size_t i = 0; i < group->cell_count; i++) {
        out->cell[i].memory = (ab_ladder){AB_NO_COUNT, AB_NO_COUNT, AB_NO_COUNT, AB_NO_COUNT};
        out->cell[i].operations = group->cells[i].operations;
        for (unsigned j = 0; j < group->scenario->operation_count; j++) {
            out->cell[i].operation[j].taken = calloc(samples, sizeof(ab_taken));
            if (out->cell[i].operation[j].taken == NULL) {
                ab_group_result_free(out);
                return false;
            }
        }
    }
    return true;
}

void ab_group_result_free(ab_group_result *result)
{
    for (size_t i = 0; result->cell != NULL && i < result->group->cell_count; i++) {
        for (unsigned j = 0; j < AB_OPERATIONS_MAX; j++) {
            free(result->cell[i].operation[j].taken);
        }
    }
    free(result->cell);
    *result = (ab_group_result){0};
}

const ab_taken *ab_taken_at(const ab_group_result *result, size_t cell, unsigned operation,
                            unsigned process, unsigned round)
{
    return &result->cell[cell]
                .operation[operation]
                .taken[(size_t)process * result->group->rounds + round];
}

void ab_result_extra(ab_operation_result *operation, const char *name, const char *value)
{
    size_t used = strlen(operation->extra);

    if (used + strlen(name) + strlen(value) + 3 < sizeof operation->extra) {
        snprintf(operation->extra + used, sizeof operation->extra - used, "%s%s=%s",
                 used == 0 ? "" : ";", name, value);
    }
}

void ab_cell_result_end(ab_group_result *result, size_t cell, ab_status status, const char *format,
                        ...)
{
    char reason[sizeof result->cell->operation->reason];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    result->cell[cell].is_over = true;
    for (unsigned i = 0; i < result->group->scenario->operation_count; i++) {
        ab_operation_result *operation = &result->cell[cell].operation[i];
        if (operation->status == AB_STATUS_OK) {
            operation->status = status;
            snprintf(operation->reason, sizeof operation->reason, "%s", reason);
        }
    }
}
