/* SPDX-License-Identifier: MIT
 *
 * Linux: the kernel kills the worker when the thread that started it ends. No state.
 */
#include "deathguard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

int ab_die_with_parent(int to, long parent)
{
    (void)to;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
        return errno;
    }
    /* The signal comes only for an end after the call above. */
    if (getppid() != parent) {
        _exit(1);
    }
    return 0;
}

void ab_die_first_without_memory(void)
{
    static const char most[] = "1000";
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

    if (file >= 0) {
        if (write(file, most, sizeof most - 1) < 0) {
            /* Not allowed: then the kernel chooses by size alone. */
        }
        close(file);
    }
}
