/* SPDX-License-Identifier: MIT
 *
 * POSIX systems without a death signal: the pipe to the parent raises SIGIO when anything happens
 * to it, and the handler asks whether nobody can read it any more. (The pipe from the parent would
 * not do: the parent may hang that up and still wait for the last answer.) State: the pipe, set
 * once for the handler.
 */
#include "deathguard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int watched = -1;

static void end_if_alone(void)
{
    struct pollfd file = {.fd = watched, .events = 0};

    /* An answer that is read raises the signal as well. A pipe without readers is an error on some
     * systems and a hang-up on others. */
    if (poll(&file, 1, 0) > 0 && (file.revents & (POLLERR | POLLHUP)) != 0) {
        _exit(1);
    }
}

static void on_pipe(int number)
{
    int saved = errno;

    (void)number;
    end_if_alone();
    errno = saved;
}

int ab_die_with_parent(int to, long parent)
{
    struct sigaction action;

    watched = to;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_pipe;
    action.sa_flags = SA_RESTART;
    if (sigaction(SIGIO, &action, NULL) != 0) {
        return errno;
    }
    /* Where pipes cannot do this, a busy worker lives until it reads or writes. */
    int flags = fcntl(to, F_GETFL);
    if (flags >= 0 && fcntl(to, F_SETOWN, getpid()) == 0) {
        fcntl(to, F_SETFL, flags | O_ASYNC);
    }
    /* The signal comes only for an end after the call above. */
    if (getppid() != parent) {
        _exit(1);
    }
    return 0;
}

void ab_die_first_without_memory(void)
{
}
