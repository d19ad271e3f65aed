/* SPDX-License-Identifier: MIT
 *
 * What a worker asks of its platform when it attaches to its parent: to die with it even while
 * busy, and to be the kernel's first choice when memory runs out. No state.
 */
#ifndef AB_OS_DEATHGUARD_H
#define AB_OS_DEATHGUARD_H

/* to is the write end of the pipe to the parent, parent the process id it had when it started this
 * process. If that parent is gone already, this process ends here. 0 or a positive OS error
 * code. */
int ab_die_with_parent(int to, long parent);
/* A hint; failure does not matter. */
void ab_die_first_without_memory(void);

#endif
