/* SPDX-License-Identifier: MIT
 *
 * Which CPU this process runs on. No state.
 */
#ifndef AB_OS_CPU_H
#define AB_OS_CPU_H

#include <stdint.h>

/* The highest-numbered CPU this process may run on (interrupts tend to the lowest), or -1 where the
 * platform cannot pin. */
int ab_cpu_default(void);
/* Number of CPUs this process may use, at least 1. */
int ab_cpu_count(void);
/* Pins the calling thread. 0 or a positive OS error code (not supported, not allowed). */
int ab_cpu_pin(int cpu);

#endif
