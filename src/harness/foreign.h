/* SPDX-License-Identifier: MIT
 *
 * Backends that are no part of this program, as the user names them: "preload:PATH", a library that
 * stands in for malloc in its worker, and "lib:PATH" or "lib:PREFIX@PATH", one that the worker
 * opens. Here they are text and files; nothing is loaded. Plain values.
 */
#ifndef AB_HARNESS_FOREIGN_H
#define AB_HARNESS_FOREIGN_H

#include "text.h"
#include "values.h"

enum { AB_NAME_MAX = 40, AB_PATH_MAX = 1024, AB_PREFIX_MAX = 32 };

typedef enum ab_foreign_kind {
    AB_FOREIGN_NONE,
    AB_FOREIGN_PRELOAD,
    AB_FOREIGN_LIB
} ab_foreign_kind;

typedef struct ab_foreign {
    ab_foreign_kind kind;
    char name[AB_NAME_MAX];     /* in the column backend */
    char prefix[AB_PREFIX_MAX]; /* of malloc and free; "": none */
    char path[AB_PATH_MAX];     /* as given, with a folder in it */
} ab_foreign;

/* Whether the text begins as a foreign backend does. */
bool ab_is_foreign(const char *text);
/* Everything but the name; false with an error for the user. The file need not be there. */
bool ab_foreign_parse(const char *text, ab_foreign *out, ab_error *error);
/* A name from the file's: libjemalloc.so.2 makes jemalloc. "" when nothing is left. */
void ab_foreign_make_name(ab_foreign *foreign);

/* The contender of a scenario that the library takes the place of. */
const char *ab_foreign_contender(const ab_foreign *foreign);
/* NULL, or why this platform has no such backends. */
const char *ab_foreign_refuses(const ab_foreign *foreign);
/* The variable for the worker's environment; false: it needs none. */
bool ab_foreign_variable(const ab_foreign *foreign, char *out, size_t out_bytes);

/* As a value of a cell id, in which = ; and % stand as %XX; ab_foreign_read takes it back. */
bool ab_foreign_print(const ab_foreign *foreign, char *out, size_t out_bytes);
bool ab_foreign_read(const char *text, ab_foreign *out, ab_error *error);

/* "# backend NAME: preload:/resolved/path (720 KiB, fnv1a 0123456789abcdef)" */
void ab_foreign_add_fact(const ab_foreign *foreign, ab_text *facts);

#endif
