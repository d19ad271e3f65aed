/* SPDX-License-Identifier: MIT
 *
 * A system that does not tell a program its path. No state.
 */
#include "process.h"

#include <errno.h>

int ab_self_path(char *out, size_t out_bytes)
{
    (void)out;
    (void)out_bytes;
    return ENOTSUP;
}
