/* SPDX-License-Identifier: MIT
 *
 * How a library is put before all others on macOS.
 */
#ifndef AB_LIBRARY_UNIX_H
#define AB_LIBRARY_UNIX_H

#include <stdbool.h>
#include <stddef.h>

#define UNIX_PRELOAD_NAME "DYLD_INSERT_LIBRARIES"
#define UNIX_PRELOAD_SEPARATORS ":"
#define UNIX_PRELOAD_SEPARATORS_NAMED "colon"

static inline bool unix_open_variable(char *out, size_t out_bytes)
{
    (void)out, (void)out_bytes;
    return false;
}

#endif
