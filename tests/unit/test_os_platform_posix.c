/* SPDX-License-Identifier: MIT
 *
 * See test_os_platform.h.
 */
#include "test_os_platform.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

uint64_t test_process_id(void)
{
    return (uint64_t)getpid();
}

bool test_is_process_running(uint64_t id)
{
    char text[512];
    char path[64];

    if (kill((pid_t)id, 0) != 0) {
        return false;
    }
    /* Where /proc exists it tells zombies, which nobody may ever collect: "PID (name) Z ..." */
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)id);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return kill((pid_t)id, 0) == 0;
    }
    size_t got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[got] = '\0';
    const char *state = strrchr(text, ')');
    return state != NULL && strncmp(state, ") Z", 3) != 0 && strncmp(state, ") X", 3) != 0;
}

bool test_interrupt_self(void)
{
    return raise(SIGINT) == 0;
}

bool test_limit_file_size(uint64_t bytes)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) {
        return false;
    }
    limit.rlim_cur = bytes < limit.rlim_max ? (rlim_t)bytes : limit.rlim_max;
    return setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

const char *test_null_device(void)
{
    return "/dev/null";
}
