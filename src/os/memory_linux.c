/* SPDX-License-Identifier: MIT
 *
 * Memory figures of this process and of the machine from /proc and the control groups, without heap
 * or stdio. No state.
 */
#include "usage.h"

#include "cgroup_linux.h"
#include "files_linux.h"

#include <sys/resource.h>

/* "VmRSS:     1234 kB" */
static uint64_t kilobytes(const char *text, const char *name)
{
    uint64_t value;
    const char *field = ab_linux_field(text, name);

    if (field == NULL || !ab_linux_number(field, &value) || value > UINT64_MAX / 1024) {
        return AB_UNKNOWN;
    }
    return value * 1024;
}

void ab_memory_read(ab_memory *out)
{
    char text[4096];

    (void)ab_linux_read("/proc/self/status", text, sizeof text);
    out->resident_bytes = kilobytes(text, "VmRSS:");
    out->peak_resident_bytes = kilobytes(text, "VmHWM:");
    out->mapped_bytes = kilobytes(text, "VmSize:");
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t ab_memory_available_bytes(void)
{
    char text[8192];
    ab_cgroup cgroup;
    ab_memory memory;
    struct rlimit limit;
    uint64_t available = AB_UNKNOWN;

    if (ab_linux_read("/proc/meminfo", text, sizeof text) > 0) {
        available = kilobytes(text, "MemAvailable:");
    }
    ab_cgroup_read(&cgroup);
    available = least(available, cgroup.memory_left_bytes);
    ab_memory_read(&memory);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        memory.mapped_bytes != AB_UNKNOWN) {
        uint64_t bytes = (uint64_t)limit.rlim_cur;
        available = least(available, bytes > memory.mapped_bytes ? bytes - memory.mapped_bytes : 0);
    }
    return available;
}
