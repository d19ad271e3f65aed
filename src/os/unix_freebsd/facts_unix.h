/* SPDX-License-Identifier: MIT
 *
 * What facts_posix.c needs to know of FreeBSD. Included there alone.
 */
#ifndef AB_OS_FACTS_UNIX_H
#define AB_OS_FACTS_UNIX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/sysctl.h>

static bool unix_cpu_name(char *out, size_t out_bytes)
{
    size_t length = out_bytes;
    return sysctlbyname("hw.model", out, &length, NULL, 0) == 0 && length > 1;
}

#endif
