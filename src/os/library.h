/* SPDX-License-Identifier: MIT
 *
 * Shared libraries that are no part of this program: opened by it, or put before its C library's
 * malloc when it is started. Meant for a worker, since a library may do anything as soon as it is
 * loaded. A library is never closed again. Reasons are one line without the library's own path.
 */
#ifndef AB_OS_LIBRARY_H
#define AB_OS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL, or why this platform or this build cannot do it at all. */
const char *ab_library_cannot_open(void);
const char *ab_library_cannot_preload(void);

/* The variable ("NAME=value") in whose environment a child has to be started, so that the library
 * is loaded before all others. false: there is none for this path. */
bool ab_library_preload_variable(const char *path, char *out, size_t out_bytes);
/* The same for a child that is to open libraries, so that it has room for all they need. false:
 * none is needed. */
bool ab_library_open_variable(char *out, size_t out_bytes);

typedef struct ab_library {
    void *handle;
    uint64_t file[2]; /* which file it is, as the OS tells files apart */
} ab_library;

/* false with the reason. */
bool ab_library_open(ab_library *out, const char *path, char *why, size_t why_bytes);
/* The library that was preloaded into this process: malloc and free are its. Else false with the
 * reason, for which it may be opened. */
bool ab_library_preloaded(ab_library *out, const char *path, char *why, size_t why_bytes);

/* A function of the library's own; NULL when it has none of this name, even if a library that it
 * needs has one. */
typedef void ab_function(void);
ab_function *ab_library_function(const ab_library *library, const char *name);

#endif
