/* SPDX-License-Identifier: MIT
 *
 * See files_linux.h. Memory is the caller's.
 */
#include "files_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

size_t ab_linux_read(const char *path, char *out, size_t out_bytes)
{
    size_t got = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    while (file >= 0 && got + 1 < out_bytes) {
        ssize_t more = read(file, out + got, out_bytes - 1 - got);
        if (more < 0 && errno == EINTR) {
            continue;
        }
        if (more <= 0) {
            break;
        }
        got += (size_t)more;
    }
    if (file >= 0) {
        close(file);
    }
    out[got] = '\0';
    return got;
}

bool ab_linux_read_line(const char *path, char *out, size_t out_bytes)
{
    if (ab_linux_read(path, out, out_bytes) == 0) {
        return false;
    }
    out[strcspn(out, "\n")] = '\0';
    return out[0] != '\0';
}

bool ab_linux_number(const char *text, uint64_t *out)
{
    uint64_t value = 0;

    if (*text < '0' || *text > '9') {
        return false;
    }
    for (; *text >= '0' && *text <= '9'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool ab_linux_read_number(const char *path, uint64_t *out)
{
    char text[64];
    return ab_linux_read(path, text, sizeof text) > 0 && ab_linux_number(text, out);
}

const char *ab_linux_field(const char *text, const char *name)
{
    size_t length = strlen(name);

    for (const char *line = text; line != NULL && *line != '\0';) {
        if (strncmp(line, name, length) == 0) {
            const char *value = line + length;
            value += strspn(value, " \t");
            value += *value == ':' ? 1 : 0;
            return value + strspn(value, " \t");
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return NULL;
}
