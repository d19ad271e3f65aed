/* SPDX-License-Identifier: MIT
 *
 * Text that grows. Owned by the caller; when memory runs out it stays as it is, whatever is added,
 * and says so. Numbers come out in the C locale, since nothing in this program calls setlocale.
 */
#ifndef AB_HARNESS_TEXT_H
#define AB_HARNESS_TEXT_H

#include "allocbench/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ab_text {
    char *bytes; /* NUL-terminated, or NULL while empty */
    size_t length;
    size_t room;
    bool is_short; /* memory ran out */
} ab_text;

void ab_text_add(ab_text *text, const char *format, ...) AB_PRINTF(2, 3);
void ab_text_free(ab_text *text);

/* Bytes that are no UTF-8, as a path or an argument may hold, become '?'. */
void ab_text_make_utf8(ab_text *text);

/* A CSV field: quoted where it holds a comma, a quote or a line break. */
void ab_text_add_field(ab_text *text, const char *field);

#endif
