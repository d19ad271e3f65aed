/* SPDX-License-Identifier: MIT
 *
 * What spawn_posix.c needs to know of Linux. Included there alone.
 */
#ifndef AB_OS_PIPE_UNIX_H
#define AB_OS_PIPE_UNIX_H

#include <fcntl.h>
#include <unistd.h>

/* A pipe that no child started meanwhile by another thread can inherit. 0 or -1 with errno. */
static int unix_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

#endif
