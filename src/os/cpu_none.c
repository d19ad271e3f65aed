/* SPDX-License-Identifier: MIT
 *
 * A system on which a thread cannot be pinned to a CPU. No state.
 */
#include "cpu.h"

#include <errno.h>
#include <unistd.h>

int ab_cpu_default(void)
{
    return -1;
}

int ab_cpu_next(int cpu)
{
    (void)cpu;
    return -1;
}

int ab_cpu_count(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

int ab_cpu_pin(int cpu)
{
    (void)cpu;
    return ENOTSUP;
}

int ab_cpu_try(int cpu)
{
    return ab_cpu_pin(cpu);
}
