/* SPDX-License-Identifier: MIT
 *
 * Single properties of a Windows machine, shared by its facts and its findings. No heap, no state.
 */
#ifndef AB_OS_MACHINE_WIN32_H
#define AB_OS_MACHINE_WIN32_H

#include <stdbool.h>

/* NULL on real Windows. */
const char *ab_win32_wine_version(void);
bool ab_win32_is_vm(bool *is_vm); /* false: it cannot be told */
bool ab_win32_is_on_battery(void);

#endif
