/* SPDX-License-Identifier: MIT
 *
 * How a library is put before all others on Linux, and what glibc needs to open one that was built
 * to be there from the start: jemalloc keeps its thread's data in the block that is laid out at the
 * start, of which glibc leaves 512 bytes to latecomers. Other C libraries ignore the variable.
 */
#ifndef AB_LIBRARY_UNIX_H
#define AB_LIBRARY_UNIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define UNIX_PRELOAD_NAME "LD_PRELOAD"
#define UNIX_PRELOAD_SEPARATORS " :"
#define UNIX_PRELOAD_SEPARATORS_NAMED "space or colon"

static inline bool unix_open_variable(char *out, size_t out_bytes)
{
    const char *others = getenv("GLIBC_TUNABLES");
    bool has_others = others != NULL && *others != '\0';
    int length = snprintf(out, out_bytes, "GLIBC_TUNABLES=%s%sglibc.rtld.optional_static_tls=16384",
                          has_others ? others : "", has_others ? ":" : "");

    return length > 0 && (size_t)length < out_bytes;
}

#endif
