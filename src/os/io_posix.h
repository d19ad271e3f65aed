/* SPDX-License-Identifier: MIT
 *
 * What both ends of a pipe share. Inline, without state.
 */
#ifndef AB_OS_IO_POSIX_H
#define AB_OS_IO_POSIX_H

#include "process.h"

#include <errno.h>
#include <unistd.h>

/* 0, AB_PIPE_END when nobody can read any more, or a code. */
static inline int ab_write_all(int file, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t wrote = write(file, data, bytes);
        if (wrote == 0) {
            return EIO; /* not of a pipe; it would go on for ever */
        }
        if (wrote < 0 && errno != EINTR) {
            return errno == EPIPE ? AB_PIPE_END : errno;
        }
        if (wrote > 0) {
            data += wrote;
            bytes -= (size_t)wrote;
        }
    }
    return 0;
}

#endif
