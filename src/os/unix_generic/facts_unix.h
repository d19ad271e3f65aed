/* SPDX-License-Identifier: MIT
 *
 * What facts_posix.c needs to know of systems nobody described. Included there alone.
 */
#ifndef AB_OS_FACTS_UNIX_H
#define AB_OS_FACTS_UNIX_H

#include <stdbool.h>
#include <stddef.h>

static bool unix_cpu_name(char *out, size_t out_bytes)
{
    (void)out;
    (void)out_bytes;
    return false;
}

#endif
