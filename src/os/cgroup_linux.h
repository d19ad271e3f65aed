/* SPDX-License-Identifier: MIT
 *
 * What the control groups of this process, version 2 or 1, allow it. No heap, no state.
 */
#ifndef AB_OS_CGROUP_LINUX_H
#define AB_OS_CGROUP_LINUX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ab_cgroup {
    uint64_t memory_limit_bytes; /* the tightest on the way to the root; UINT64_MAX: none */
    /* The least of limit minus usage on that way, pages of files not counted as used, since they
     * would be given back; UINT64_MAX: no limit. */
    uint64_t memory_left_bytes;
    double cpu_quota; /* CPUs' worth of time, the tightest; 0: no quota */
} ab_cgroup;

void ab_cgroup_read(ab_cgroup *out);

#endif
