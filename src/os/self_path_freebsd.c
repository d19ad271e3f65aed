/* SPDX-License-Identifier: MIT
 *
 * The running program's path on FreeBSD. No state.
 */
#include "process.h"

#include <errno.h>
#include <sys/types.h>
#include <sys/sysctl.h>

int ab_self_path(char *out, size_t out_bytes)
{
    const int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1};
    size_t length = out_bytes;

    return sysctl(name, 4, out, &length, NULL, 0) != 0 ? errno : 0;
}
