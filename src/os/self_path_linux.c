/* SPDX-License-Identifier: MIT
 *
 * The running program's path on Linux. No state.
 */
#include "process.h"

#include <errno.h>
#include <unistd.h>

int ab_self_path(char *out, size_t out_bytes)
{
    if (out_bytes == 0) {
        return ENAMETOOLONG;
    }
    ssize_t length = readlink("/proc/self/exe", out, out_bytes);
    if (length < 0) {
        return errno;
    }
    if ((size_t)length >= out_bytes) {
        return ENAMETOOLONG;
    }
    out[length] = '\0';
    return 0;
}
