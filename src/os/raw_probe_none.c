/* SPDX-License-Identifier: MIT
 *
 * A POSIX system that tells nothing about charges and mappings: see raw_probe.h. No state.
 */
#include "raw_probe.h"

uint64_t ab_raw_charged_bytes(void *base, size_t bytes)
{
    (void)base, (void)bytes;
    return AB_RAW_UNKNOWN;
}

void ab_raw_mappings_read(ab_raw_mappings *out)
{
    *out = (ab_raw_mappings){AB_RAW_UNKNOWN, AB_RAW_UNKNOWN, NULL};
}
