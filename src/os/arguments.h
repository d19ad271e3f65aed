/* SPDX-License-Identifier: MIT
 *
 * The arguments of main. Windows gives them in its code page and with wildcards expanded; here they
 * are UTF-8 and as they were typed, everywhere.
 */
#ifndef AB_OS_ARGUMENTS_H
#define AB_OS_ARGUMENTS_H

/* Takes main's own; argv itself on POSIX. On Windows a list that lives as long as the process, with
 * *argc adjusted; NULL when memory runs out. NULL-terminated. */
char **ab_arguments(int *argc, char **argv);

#endif
