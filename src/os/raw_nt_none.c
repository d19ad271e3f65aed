/* SPDX-License-Identifier: MIT
 *
 * A system without ntdll: see raw_nt.h. No state.
 */
#include "raw_nt.h"

#include <errno.h>

int ab_raw_nt_find(void)
{
    return ENOSYS;
}

int ab_raw_nt_commit(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return ENOSYS;
}
