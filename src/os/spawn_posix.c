/* SPDX-License-Identifier: MIT
 *
 * Starting a child by posix_spawn, never by fork. Every pipe end is close-on-exec from its birth
 * and lies above the numbers the child uses, so that a child gets its own two ends and no
 * sibling's. An ab_child belongs to its caller.
 */
#include "process.h"

#include "pipe_unix.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHILD_READ = 3, /* numbers of the pipe ends in the child */
    CHILD_WRITE = 4,
    FIRST_FREE = 10 /* our own ends lie at or above this */
};

extern char **environ;

/* A pipe whose two ends are close-on-exec and numbered FIRST_FREE or above: a dup2 onto the same
 * number would leave close-on-exec set, one onto a sibling's number would close that. */
static int make_pipe(int ends[2])
{
    int low[2];

    ends[0] = ends[1] = -1;
    if (unix_pipe(low) != 0) {
        return errno;
    }
    int code = 0;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, FIRST_FREE);
        if (ends[i] < 0 && code == 0) {
            code = errno == EINVAL ? EMFILE : errno; /* FIRST_FREE itself is beyond the limit */
        }
        close(low[i]);
    }
    return code;
}

static void close_pipe(const int ends[2])
{
    for (int i = 0; i < 2; i++) {
        if (ends[i] >= 0) {
            close(ends[i]);
        }
    }
}

static size_t count_of(const char *const *list)
{
    size_t count = 0;
    while (list != NULL && list[count] != NULL) {
        count++;
    }
    return count;
}

/* The program's name, the arguments, the handles, NULL. */
static char **make_arguments(const ab_child_spec *spec, const char *handles)
{
    size_t count = count_of(spec->arguments);
    const char **list = calloc(count + 3, sizeof *list);

    if (list != NULL) {
        list[0] = spec->program;
        for (size_t i = 0; i < count; i++) {
            list[i + 1] = spec->arguments[i];
        }
        list[count + 1] = handles;
    }
    return (char **)(void *)list;
}

static bool is_replaced(const char *variable, const char *const *extra)
{
    size_t length = strcspn(variable, "=");

    for (size_t i = 0; extra[i] != NULL; i++) {
        if (strcspn(extra[i], "=") == length && memcmp(extra[i], variable, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Our environment without what the extra variables replace, and these. */
static char **make_environment(const char *const *extra)
{
    static const char *const nothing[] = {NULL};
    const char *const *added = extra != NULL ? extra : nothing;
    size_t ours = count_of((const char *const *)environ);
    const char **list = calloc(ours + count_of(added) + 1, sizeof *list);
    size_t used = 0;

    if (list == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < ours; i++) {
        if (!is_replaced(environ[i], added)) {
            list[used++] = environ[i];
        }
    }
    for (size_t i = 0; added[i] != NULL; i++) {
        list[used++] = added[i];
    }
    return (char **)(void *)list;
}

static int add_files(posix_spawn_file_actions_t *files, int child_read, int child_write)
{
    int code = posix_spawn_file_actions_adddup2(files, child_read, CHILD_READ);
    if (code == 0) {
        code = posix_spawn_file_actions_adddup2(files, child_write, CHILD_WRITE);
    }
    if (code == 0) {
        code = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    if (code == 0) {
        code = posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    }
    return code;
}

/* No blocked signals and no ignored ones, whatever we do with SIGPIPE or were started with. */
static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t all;

    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    int code = posix_spawnattr_setsigmask(attributes, &none);
    if (code == 0) {
        code = posix_spawnattr_setsigdefault(attributes, &all);
    }
    if (code == 0) {
        code = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    return code;
}

static int spawn(pid_t *process, const ab_child_spec *spec, int child_read, int child_write)
{
    char handles[64];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;

    (void)snprintf(handles, sizeof handles, "--handles=%d,%d,%ld", CHILD_READ, CHILD_WRITE,
                   (long)getpid());
    int code = posix_spawn_file_actions_init(&files);
    if (code != 0) {
        return code;
    }
    code = posix_spawnattr_init(&attributes);
    if (code != 0) {
        posix_spawn_file_actions_destroy(&files);
        return code;
    }
    char **arguments = make_arguments(spec, handles);
    char **variables = make_environment(spec->environment);
    code = arguments == NULL || variables == NULL ? ENOMEM : 0;
    if (code == 0) {
        code = add_files(&files, child_read, child_write);
    }
    if (code == 0) {
        code = set_signals(&attributes);
    }
    if (code == 0) {
        code = posix_spawn(process, spec->program, &files, &attributes, arguments, variables);
    }
    free((void *)arguments);
    free((void *)variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return code;
}

int ab_child_start(ab_child *child, const ab_child_spec *spec)
{
    int commands[2] = {-1, -1};
    int answers[2] = {-1, -1};
    pid_t process = 0;

    *child = (ab_child){.process = 0, .to = -1, .from = -1};
    int code = make_pipe(commands);
    if (code == 0) {
        code = make_pipe(answers);
    }
    if (code == 0) {
        code = spawn(&process, spec, commands[0], answers[1]);
    }
    if (code != 0) {
        close_pipe(commands);
        close_pipe(answers);
        return code;
    }
    close(commands[0]);
    close(answers[1]);
    *child = (ab_child){.process = process, .to = commands[1], .from = answers[0]};
    return 0;
}
