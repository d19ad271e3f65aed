/* SPDX-License-Identifier: MIT
 *
 * What the kernel did for this thread or process, and how much memory this process holds. Figures
 * that a platform cannot give are AB_UNKNOWN, never 0. No state.
 */
#ifndef AB_OS_USAGE_H
#define AB_OS_USAGE_H

#include <stdint.h>

#define AB_UNKNOWN UINT64_MAX

typedef struct ab_usage {
    uint64_t user_ns, sys_ns;
    uint64_t minor_faults, major_faults;
    uint64_t involuntary_switches;
} ab_usage;

/* Of the calling thread where the OS can tell (Linux), else of the process. One system call. */
void ab_usage_read(ab_usage *out);
/* Of the process, all its threads together. */
void ab_usage_read_process(ab_usage *out);
/* Step of user_ns and sys_ns in nanoseconds (the OS's accounting tick). */
uint64_t ab_usage_tick_ns(void);

typedef struct ab_memory {
    uint64_t resident_bytes;
    uint64_t peak_resident_bytes; /* of this process's own life, not inherited */
    uint64_t mapped_bytes;        /* address space in use */
} ab_memory;
void ab_memory_read(ab_memory *out);

/* Bytes that this process could still get: the least of what the machine has available, what its
 * cgroup leaves and what RLIMIT_AS leaves; AB_UNKNOWN if nothing can be told. */
uint64_t ab_memory_available_bytes(void);

#endif
