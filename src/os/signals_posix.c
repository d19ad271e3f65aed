/* SPDX-License-Identifier: MIT
 *
 * SIGINT and SIGTERM of the coordinator. The handler records the first one and makes a pipe of our
 * own readable, so that a poll that includes the pipe cannot miss it between a check and its wait.
 * State: the recorded signal, and the pipe, which is set once by ab_signals_install.
 */
#include "process.h"
#include "signals_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t pending;
static int wake_read = -1;
static int wake_write = -1;

static void on_signal(int number)
{
    int saved = errno;

    if (pending != 0) {
        /* Takes effect when this handler returns. */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    pending = number;
    if (write(wake_write, "", 1) < 0) {
        /* Full or not there: readable already, or nobody waits. */
    }
    errno = saved;
}

void ab_signals_install(void)
{
    struct sigaction action;
    int ends[2];

    if (wake_read < 0 && pipe(ends) == 0) {
        for (int i = 0; i < 2; i++) {
            fcntl(ends[i], F_SETFD, FD_CLOEXEC);
            fcntl(ends[i], F_SETFL, O_NONBLOCK);
        }
        wake_read = ends[0];
        wake_write = ends[1];
    }
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* Where it is ignored, as it may be since before our start, nobody learns how a child ended. */
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

int ab_signal_pending(void)
{
    return pending;
}

int ab_signal_wake_file(void)
{
    return wake_read;
}
