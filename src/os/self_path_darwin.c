/* SPDX-License-Identifier: MIT
 *
 * The running program's path on macOS. No state.
 */
#include "process.h"

#include <errno.h>
#include <limits.h>
#include <mach-o/dyld.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int ab_self_path(char *out, size_t out_bytes)
{
    char started[PATH_MAX];
    char resolved[PATH_MAX];
    uint32_t size = sizeof started;

    if (_NSGetExecutablePath(started, &size) != 0) {
        return ENAMETOOLONG;
    }
    if (realpath(started, resolved) == NULL) {
        return errno;
    }
    size_t length = strlen(resolved);
    if (length >= out_bytes) {
        return ENAMETOOLONG;
    }
    memcpy(out, resolved, length + 1);
    return 0;
}
