/* SPDX-License-Identifier: MIT
 *
 * Between signals_posix.c and process_posix.c.
 */
#ifndef AB_OS_SIGNALS_POSIX_H
#define AB_OS_SIGNALS_POSIX_H

/* Becomes readable, for good, once ab_signal_pending is non-zero; -1 before ab_signals_install. */
int ab_signal_wake_file(void);

#endif
