/* SPDX-License-Identifier: MIT
 *
 * Which CPU this process runs on. No state.
 */
#ifndef AB_OS_CPU_H
#define AB_OS_CPU_H

#include <stdint.h>

/* The highest-numbered CPU this process may run on (interrupts tend to the lowest), or -1 where it
 * cannot be pinned. */
int ab_cpu_default(void);
/* The highest-numbered CPU below this one that the calling thread may run on, or where there is
 * none the highest-numbered of all; -1 where the platform cannot pin. */
int ab_cpu_next(int cpu);
/* Number of CPUs this process may use, at least 1. */
int ab_cpu_count(void);
/* Pins the calling thread. 0 or a positive OS error code (not supported, not allowed). */
int ab_cpu_pin(int cpu);
/* Whether ab_cpu_pin would work, without staying there: its result. */
int ab_cpu_try(int cpu);

#endif
