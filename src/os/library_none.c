/* SPDX-License-Identifier: MIT
 *
 * For programs without a dynamic linker. See library.h.
 */
#include "library.h"

#include <stdio.h>

static const char reason[] = "this build has no dynamic linker";

const char *ab_library_cannot_open(void)
{
    return reason;
}

const char *ab_library_cannot_preload(void)
{
    return reason;
}

bool ab_library_preload_variable(const char *path, char *out, size_t out_bytes)
{
    (void)path, (void)out, (void)out_bytes;
    return false;
}

bool ab_library_open_variable(char *out, size_t out_bytes)
{
    (void)out, (void)out_bytes;
    return false;
}

bool ab_library_open(ab_library *out, const char *path, char *why, size_t why_bytes)
{
    (void)path;
    *out = (ab_library){0};
    (void)snprintf(why, why_bytes, "%s", reason);
    return false;
}

bool ab_library_preloaded(ab_library *out, const char *path, char *why, size_t why_bytes)
{
    return ab_library_open(out, path, why, why_bytes);
}

ab_function *ab_library_function(const ab_library *library, const char *name)
{
    (void)library, (void)name;
    return NULL;
}
