/* SPDX-License-Identifier: MIT
 *
 * See faulty.h. The pipe's number is the second one of --handles=READ,WRITE,PARENT; where the
 * command line cannot be read, nothing is written.
 */
#include "faulty.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void faulty_sleep(void)
{
    sleep(3600);
}

void faulty_answer(const void *data, size_t bytes)
{
    static const char option[] = "--handles=";
    char line[8192];
    int file = open("/proc/self/cmdline", O_RDONLY);
    ssize_t length = file < 0 ? -1 : read(file, line, sizeof line - 1);

    if (length <= 0) {
        return;
    }
    line[length] = '\0';
    for (char *at = line; at < line + length; at += strlen(at) + 1) {
        char *comma = strchr(at, ',');
        if (strncmp(at, option, sizeof option - 1) == 0 && comma != NULL) {
            ssize_t wrote = write((int)strtol(comma + 1, NULL, 10), data, bytes);
            (void)wrote;
        }
    }
    close(file);
}
