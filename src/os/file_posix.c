/* SPDX-License-Identifier: MIT
 *
 * See file.h.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ab_file_with_folder(const char *path, char *out, size_t out_bytes)
{
    int length = snprintf(out, out_bytes, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);

    return length >= 0 && (size_t)length < out_bytes ? 0 : ENAMETOOLONG;
}

int ab_file_resolve(const char *path, char *out, size_t out_bytes)
{
    char *resolved = realpath(path, NULL);

    if (resolved == NULL) {
        return errno;
    }
    size_t length = strlen(resolved);
    int code = length < out_bytes ? 0 : ENAMETOOLONG;
    if (code == 0) {
        memcpy(out, resolved, length + 1);
    }
    free(resolved);
    return code;
}

int ab_file_read(const char *path, ab_file_fn *take, void *context)
{
    char piece[16384];
    struct stat status;
    int code = 0;
    /* A pipe without a writer would block. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (file < 0) {
        return errno;
    }
    if (fstat(file, &status) != 0) {
        code = errno;
    } else if (!S_ISREG(status.st_mode)) {
        code = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    }
    while (code == 0) {
        ssize_t got = read(file, piece, sizeof piece);
        if (got > 0) {
            take(context, piece, (size_t)got);
        } else if (got == 0) {
            break;
        } else if (errno != EINTR) {
            code = errno;
        }
    }
    close(file);
    return code;
}
