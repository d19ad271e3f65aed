/* SPDX-License-Identifier: MIT
 *
 * What spawn_posix.c needs to know of systems without pipe2. Included there alone.
 */
#ifndef AB_OS_PIPE_UNIX_H
#define AB_OS_PIPE_UNIX_H

#include <fcntl.h>
#include <unistd.h>

/* Children are started by one thread, so nothing can start between the two calls. 0 or -1 with
 * errno. */
static int unix_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        return -1;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

#endif
