/* SPDX-License-Identifier: MIT
 *
 * The tables behind row.h: columns and statuses, each from its one list.
 */
#include "row.h"

#include <math.h>
#include <string.h>

const ab_column ab_columns[] = {
#define AB_COLUMN(kind, name, meaning) {#name, meaning, AB_COLUMN_##kind, offsetof(ab_row, name)},
#include "columns.def"
#undef AB_COLUMN
};
const size_t ab_column_count = sizeof ab_columns / sizeof ab_columns[0];

#define EMPTY_TEXT NULL
#define EMPTY_COUNT AB_NO_COUNT
#define EMPTY_REAL NAN
ab_row ab_row_empty(void)
{
    return (ab_row){
#define AB_COLUMN(kind, name, meaning) .name = EMPTY_##kind,
#include "columns.def"
#undef AB_COLUMN
    };
}

static const char *const status_names[] = {
#define AB_STATUS(id, name) name,
#include "status.def"
#undef AB_STATUS
};

const char *ab_status_name(ab_status status)
{
    return status_names[status];
}

ab_status ab_status_named(const char *name)
{
    int i = 0;

    while (i < AB_STATUS_COUNT && strcmp(status_names[i], name) != 0) {
        i++;
    }
    return (ab_status)i;
}
