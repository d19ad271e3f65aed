/* SPDX-License-Identifier: MIT
 *
 * One row of results, generated from columns.def. Not available is NULL, AB_NO_COUNT or NaN, never
 * 0. Texts belong to whoever made the row.
 */
#ifndef AB_HARNESS_ROW_H
#define AB_HARNESS_ROW_H

#include <stddef.h>
#include <stdint.h>

#define AB_NO_COUNT UINT64_MAX

#define AB_ROW_TYPE_TEXT const char *
#define AB_ROW_TYPE_COUNT uint64_t
#define AB_ROW_TYPE_REAL double
typedef struct ab_row {
#define AB_COLUMN(kind, name, meaning) AB_ROW_TYPE_##kind name;
#include "columns.def"
#undef AB_COLUMN
} ab_row;

typedef enum ab_column_kind { AB_COLUMN_TEXT, AB_COLUMN_COUNT, AB_COLUMN_REAL } ab_column_kind;
typedef struct ab_column {
    const char *name;
    const char *meaning;
    ab_column_kind kind;
    size_t offset; /* in ab_row */
} ab_column;
extern const ab_column ab_columns[];
extern const size_t ab_column_count;

/* A row in which nothing is available. */
ab_row ab_row_empty(void);

typedef enum ab_status {
#define AB_STATUS(id, name) AB_STATUS_##id,
#include "status.def"
#undef AB_STATUS
    AB_STATUS_COUNT
} ab_status;
const char *ab_status_name(ab_status status);
/* The status of that name; AB_STATUS_COUNT if there is none. */
ab_status ab_status_named(const char *name);

#endif
