/* SPDX-License-Identifier: MIT
 *
 * The command line and the environment of a child in the forms that CreateProcessW takes. Results
 * are the caller's to free().
 */
#ifndef AB_OS_COMMAND_WIN32_H
#define AB_OS_COMMAND_WIN32_H

#include "process.h"

#include <wchar.h>

/* The program's name, the arguments and `last`, quoted so that a C program's main sees them
 * unchanged. NULL when memory runs out or something is no UTF-8. */
wchar_t *ab_win32_command_line(const ab_child_spec *spec, const char *last);
/* Our environment with the extra variables in place of those of the same name. NULL as above. */
wchar_t *ab_win32_environment(const char *const *extra);

#endif
