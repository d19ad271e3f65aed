/* SPDX-License-Identifier: MIT
 *
 * CPU affinity on Linux. The mask of the calling thread is what a container or taskset left us. The
 * sets are large enough for any kernel (8192 CPUs), since the small cpu_set_t fails on big
 * machines.
 */
#include "cpu.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <unistd.h>

enum { SETS = 8 };

static bool is_in(const cpu_set_t *sets, int cpu)
{
    return CPU_ISSET_S((size_t)cpu, SETS * sizeof *sets, sets);
}

int ab_cpu_next(int cpu)
{
    cpu_set_t sets[SETS];
    int highest = -1;

    CPU_ZERO_S(sizeof sets, sets);
    if (sched_getaffinity(0, sizeof sets, sets) != 0) {
        return -1;
    }
    for (int other = SETS * CPU_SETSIZE - 1; other >= 0; other--) {
        if (is_in(sets, other)) {
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
    cpu_set_t sets[SETS];
    CPU_ZERO_S(sizeof sets, sets);
    if (sched_getaffinity(0, sizeof sets, sets) == 0) {
        int count = CPU_COUNT_S(sizeof sets, sets);
        return count > 0 ? count : 1;
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

int ab_cpu_pin(int cpu)
{
    cpu_set_t sets[SETS];
    if (cpu < 0 || cpu >= SETS * CPU_SETSIZE) {
        return EINVAL;
    }
    CPU_ZERO_S(sizeof sets, sets);
    CPU_SET_S((size_t)cpu, sizeof sets, sets);
    return sched_setaffinity(0, sizeof sets, sets) != 0 ? errno : 0;
}

int ab_cpu_try(int cpu)
{
    cpu_set_t before[SETS];
    CPU_ZERO_S(sizeof before, before);
    if (sched_getaffinity(0, sizeof before, before) != 0) {
        return errno;
    }
    int code = ab_cpu_pin(cpu);
    if (code == 0) {
        sched_setaffinity(0, sizeof before, before);
    }
    return code;
}

int ab_cpu_default(void)
{
    int cpu = ab_cpu_next(0);
    return ab_cpu_try(cpu) == 0 ? cpu : -1;
}
