/* SPDX-License-Identifier: MIT
 *
 * Single settings of a Linux machine, shared by its facts and its findings. Text results go into
 * the caller's buffer; false means that it cannot be read. No heap, no state.
 */
#ifndef AB_OS_MACHINE_LINUX_H
#define AB_OS_MACHINE_LINUX_H

#include <stdbool.h>
#include <stddef.h>

bool ab_linux_governor(char *out, size_t out_bytes);
bool ab_linux_turbo(bool *is_on);
bool ab_linux_load(double *load); /* mean of the last minute */
bool ab_linux_steal(double *pct); /* of all CPU time since boot */
bool ab_linux_thp(char *out, size_t out_bytes);
bool ab_linux_is_vm(bool *is_vm);
bool ab_linux_cpu_name(char *out, size_t out_bytes);

#endif
