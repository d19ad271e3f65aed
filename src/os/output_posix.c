/* SPDX-License-Identifier: MIT
 *
 * Result files by unbuffered write(2), so that what was reported as written is with the kernel.
 * After a failed write a regular file ends where the last whole write ended. An ab_output belongs
 * to its caller.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ab_output_open(ab_output *out, const char *path)
{
    struct stat status;

    *out = (ab_output){.handle = -1};
    /* Exclusive creation first is what tells whether the file is ours to remove. */
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    out->is_created = file >= 0;
    if (file < 0 && errno == EEXIST) {
        file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    }
    if (file < 0) {
        int code = errno;
        out->is_created = false;
        return code;
    }
    out->handle = file;
    /* Not knowing what it is would mean not to empty it. */
    if (fstat(file, &status) != 0) {
        int code = errno;
        ab_output_abandon(out, path);
        return code;
    }
    out->is_regular = S_ISREG(status.st_mode);
    return 0;
}

void ab_output_standard(ab_output *out, bool error_stream)
{
    /* Never cut back, even when redirected to a file: what stands before our text is not ours. */
    *out = (ab_output){.handle = error_stream ? STDERR_FILENO : STDOUT_FILENO, .is_standard = true};
}

void ab_output_guard_standard(void)
{
    int file;

    do {
        file = open("/dev/null", O_RDONLY);
    } while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0) {
        close(file);
    }
}

bool ab_output_is_same(const ab_output *a, const ab_output *b)
{
    struct stat one;
    struct stat other;

    if (fstat((int)a->handle, &one) != 0 || fstat((int)b->handle, &other) != 0) {
        return false;
    }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

int ab_output_begin(ab_output *out)
{
    if (!out->is_regular) {
        return 0;
    }
    out->bytes = 0;
    if (ftruncate((int)out->handle, 0) != 0 || lseek((int)out->handle, 0, SEEK_SET) < 0) {
        return errno;
    }
    return 0;
}

void ab_output_abandon(ab_output *out, const char *path)
{
    if (out->handle >= 0 && out->is_created) {
        unlink(path);
    }
    (void)ab_output_close(out);
}

int ab_output_write(ab_output *out, const void *data, size_t bytes)
{
    const char *text = data;
    size_t done = 0;
    int code = 0;

    while (done < bytes) {
        ssize_t wrote = write((int)out->handle, text + done, bytes - done);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0 && errno == EAGAIN) { /* whoever shares it made it non-blocking */
            struct pollfd room = {.fd = (int)out->handle, .events = POLLOUT};
            if (poll(&room, 1, -1) > 0 || errno == EINTR) {
                continue;
            }
        }
        if (wrote <= 0) {
            code = wrote < 0 ? errno : ENOSPC;
            break;
        }
        done += (size_t)wrote;
    }
    if (code == 0) {
        out->bytes += bytes;
    } else if (out->is_regular && done > 0) {
        off_t whole = (off_t)out->bytes;
        if (ftruncate((int)out->handle, whole) == 0) {
            (void)lseek((int)out->handle, whole, SEEK_SET);
        }
    }
    return code;
}

int ab_output_close(ab_output *out)
{
    int code = 0;

    if (out->handle >= 0 && !out->is_standard && close((int)out->handle) != 0 && errno != EINTR) {
        code = errno;
    }
    out->handle = -1;
    return code;
}

const char *ab_environment(const char *name)
{
    return getenv(name);
}

void ab_os_error_text(int code, char *out, size_t out_bytes)
{
    if (out_bytes == 0) {
        return;
    }
    const char *text = strerror(code);
    size_t length = strlen(text);
    if (length >= out_bytes) {
        length = out_bytes - 1;
    }
    memcpy(out, text, length);
    out[length] = '\0';
}
