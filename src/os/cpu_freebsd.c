/* SPDX-License-Identifier: MIT
 *
 * CPU affinity on FreeBSD. The mask of the calling thread is what cpuset(1) left us. No state.
 */
#include "cpu.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/param.h>
#include <sys/cpuset.h>

static bool read_mask(cpuset_t *mask)
{
    return cpuset_getaffinity(CPU_LEVEL_WHICH, CPU_WHICH_TID, -1, sizeof *mask, mask) == 0;
}

int ab_cpu_next(int cpu)
{
    cpuset_t mask;
    int highest = -1;

    if (!read_mask(&mask)) {
        return -1;
    }
    for (int other = CPU_SETSIZE - 1; other >= 0; other--) {
        if (CPU_ISSET(other, &mask)) {
            highest = highest < 0 ? other : highest;
            if (other < cpu) {
                return other;
            }
        }
    }
    return highest;
}

int ab_cpu_count(void)
{
    cpuset_t mask;
    int count = 0;

    if (!read_mask(&mask)) {
        return 1;
    }
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        count += CPU_ISSET(cpu, &mask) ? 1 : 0;
    }
    return count > 0 ? count : 1;
}

int ab_cpu_pin(int cpu)
{
    cpuset_t mask;

    if (cpu < 0 || cpu >= CPU_SETSIZE) {
        return EINVAL;
    }
    CPU_ZERO(&mask);
    CPU_SET(cpu, &mask);
    return cpuset_setaffinity(CPU_LEVEL_WHICH, CPU_WHICH_TID, -1, sizeof mask, &mask) != 0 ? errno
                                                                                           : 0;
}

int ab_cpu_try(int cpu)
{
    cpuset_t before;

    if (!read_mask(&before)) {
        return errno;
    }
    int code = ab_cpu_pin(cpu);
    if (code == 0) {
        cpuset_setaffinity(CPU_LEVEL_WHICH, CPU_WHICH_TID, -1, sizeof before, &before);
    }
    return code;
}

int ab_cpu_default(void)
{
    int cpu = ab_cpu_next(0);
    return ab_cpu_try(cpu) == 0 ? cpu : -1;
}
