/* SPDX-License-Identifier: MIT
 *
 * How a library is put before all others, on systems with the usual linker.
 */
#ifndef AB_LIBRARY_UNIX_H
#define AB_LIBRARY_UNIX_H

#include <stdbool.h>
#include <stddef.h>

#define UNIX_PRELOAD_NAME "LD_PRELOAD"
#define UNIX_PRELOAD_SEPARATORS " :"
#define UNIX_PRELOAD_SEPARATORS_NAMED "space or colon"

static inline bool unix_open_variable(char *out, size_t out_bytes)
{
    (void)out, (void)out_bytes;
    return false;
}

#endif
