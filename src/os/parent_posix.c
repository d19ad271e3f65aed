/* SPDX-License-Identifier: MIT
 *
 * The worker's side of process.h: finding the pipe ends, tying its life to its parent's, and
 * reading and writing. Neither heap nor stdio is touched, since the heap may be under test. No
 * state.
 */
#include "process.h"

#include "deathguard.h"
#include "io_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* "READ,WRITE,PARENT" */
static bool parse_handles(const char *text, long numbers[3])
{
    for (int i = 0; i < 3; i++) {
        char *end;
        if (*text < '0' || *text > '9') {
            return false;
        }
        errno = 0;
        numbers[i] = strtol(text, &end, 10);
        if (errno != 0 || numbers[i] > INT_MAX || *end != (i < 2 ? ',' : '\0')) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

int ab_parent_attach(ab_parent *parent, const char *handles)
{
    const struct rlimit no_core = {0, 0};
    struct pollfd files[2] = {{.fd = -1}, {.fd = -1}};
    long numbers[3];

    *parent = (ab_parent){-1, -1};
    if (!parse_handles(handles, numbers)) {
        return EINVAL;
    }
    files[0].fd = (int)numbers[0];
    files[1].fd = (int)numbers[1];
    if (poll(files, 2, 0) < 0 || (files[0].revents & POLLNVAL) != 0 ||
        (files[1].revents & POLLNVAL) != 0) {
        return EBADF;
    }
    /* What the worker may start must not hold these open. */
    fcntl(files[0].fd, F_SETFD, FD_CLOEXEC);
    fcntl(files[1].fd, F_SETFD, FD_CLOEXEC);
    signal(SIGINT, SIG_IGN);
    setrlimit(RLIMIT_CORE, &no_core);
    ab_die_first_without_memory();
    int code = ab_die_with_parent(files[1].fd, numbers[2]);
    if (code == 0) {
        *parent = (ab_parent){files[0].fd, files[1].fd};
    }
    return code;
}

int ab_parent_read(ab_parent *parent, void *data, size_t bytes, size_t *got)
{
    *got = 0;
    for (;;) {
        ssize_t length = read((int)parent->from, data, bytes);
        if (length >= 0) {
            *got = (size_t)length;
            return length > 0 ? 0 : AB_PIPE_END;
        }
        if (errno != EINTR) {
            return errno;
        }
    }
}

int ab_parent_write(ab_parent *parent, const void *data, size_t bytes)
{
    return ab_write_all((int)parent->to, data, bytes);
}
