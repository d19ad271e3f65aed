/* SPDX-License-Identifier: MIT
 *
 * Preloaded into allocbench by a test: makes one call of a function fail, in the coordinator or in
 * some workers, and tells how many calls there were and what a process holds at its end. glibc
 * only. It is told by the environment:
 *
 * - FAILING_CALL: names of functions, joined by commas; their calls are counted together
 * - FAILING_IN: text that the command line of a worker must hold; empty: the coordinator is meant
 * - FAILING_AT: number of the call that fails, from 1; 0: none does
 * - FAILING_FROM: "1": those that follow fail too
 * - FAILING_HOW: the error's number; "short": one byte is transferred instead of all
 * - FAILING_REPORT: file; a process appends "fired" when a call fails, and at its end the numbers
 *   of calls, of blocks of the heap and of open files: "calls N N N"
 *
 * Calls count from the end of the loader's work on, and only those that go through the program's
 * import table: what the C library calls within itself is out of reach, except for its heap.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);
void __libc_free(void *p);

enum { LINE_BYTES = 16384 };

static bool is_meant; /* this process, and the loader has done its work */
static const char *calls = "", *report = "";
static long at, how;
static bool has_from, is_short;
static atomic_long counted, blocks;

/* --- telling, by bare system calls --- */

static void tell(const char *text)
{
    long file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND, 0666);

    if (file >= 0) {
        syscall(SYS_write, (int)file, text, strlen(text));
        syscall(SYS_close, (int)file);
    }
}

/* Whether the list holds the name. */
static bool is_listed(const char *name)
{
    size_t length = strlen(name);

    for (const char *item = calls; *item != '\0';) {
        size_t width = strcspn(item, ",");
        if (width == length && memcmp(item, name, width) == 0) {
            return true;
        }
        item += width + (item[width] == ',');
    }
    return false;
}

/* Whether this call of a listed function is to fail. */
static bool fails(signed char *listed, const char *name)
{
    if (!is_meant) {
        return false;
    }
    if (*listed == 0) {
        *listed = is_listed(name) ? 1 : -1;
    }
    if (*listed < 0) {
        return false;
    }
    long number = atomic_fetch_add(&counted, 1) + 1;
    if (at == 0 || (has_from ? number < at : number != at)) {
        return false;
    }
    tell("fired\n");
    errno = (int)how;
    return true;
}

#define FAILS(name)                                                                                \
    (__extension__({                                                                               \
        static signed char listed;                                                                 \
        fails(&listed, #name);                                                                     \
    }))

/* The function that this one stands before. */
static void *behind(const char *name)
{
    int before = errno;
    void *found = dlsym(RTLD_NEXT, name);

    errno = before;
    return found;
}

#define REAL(type, name, parameters)                                                               \
    static type(*real) parameters;                                                                 \
    if (real == NULL) {                                                                            \
        void *found = behind(#name);                                                               \
        memcpy(&real, &found, sizeof real);                                                        \
    }

/* A function whose failure is this value, with errno set. */
#define STAND_BEFORE(type, failed, name, parameters, arguments)                                    \
    type name parameters                                                                           \
    {                                                                                              \
        REAL(type, name, parameters)                                                               \
        return FAILS(name) ? (failed) : real arguments;                                            \
    }

STAND_BEFORE(void *, MAP_FAILED, mmap, (void *p, size_t n, int pr, int fl, int fd, off_t o),
             (p, n, pr, fl, fd, o))
STAND_BEFORE(int, -1, munmap, (void *p, size_t n), (p, n))
STAND_BEFORE(int, -1, mprotect, (void *p, size_t n, int pr), (p, n, pr))
STAND_BEFORE(int, -1, madvise, (void *p, size_t n, int advice), (p, n, advice))
STAND_BEFORE(int, -1, mincore, (void *p, size_t n, unsigned char *out), (p, n, out))
STAND_BEFORE(int, -1, pipe, (int ends[2]), (ends))
STAND_BEFORE(int, -1, pipe2, (int ends[2], int flags), (ends, flags))
STAND_BEFORE(int, -1, poll, (struct pollfd * files, nfds_t n, int ms), (files, n, ms))
STAND_BEFORE(int, -1, fstat, (int file, struct stat *out), (file, out))
STAND_BEFORE(int, -1, ftruncate, (int file, off_t n), (file, n))
STAND_BEFORE(off_t, -1, lseek, (int file, off_t n, int from), (file, n, from))
STAND_BEFORE(ssize_t, -1, readlink, (const char *path, char *out, size_t n), (path, out, n))
STAND_BEFORE(pid_t, -1, waitpid, (pid_t process, int *status, int flags), (process, status, flags))
STAND_BEFORE(int, -1, clock_gettime, (clockid_t clock, struct timespec *out), (clock, out))
STAND_BEFORE(int, -1, nanosleep, (const struct timespec *t, struct timespec *left), (t, left))
STAND_BEFORE(int, -1, setrlimit, (__rlimit_resource_t what, const struct rlimit *l), (what, l))
STAND_BEFORE(int, -1, getrlimit, (__rlimit_resource_t what, struct rlimit *out), (what, out))
STAND_BEFORE(int, -1, getrusage, (__rusage_who_t who, struct rusage *out), (who, out))
STAND_BEFORE(int, -1, sched_getaffinity, (pid_t p, size_t n, cpu_set_t *out), (p, n, out))
STAND_BEFORE(int, -1, sched_setaffinity, (pid_t p, size_t n, const cpu_set_t *set), (p, n, set))
STAND_BEFORE(long, -1, sysconf, (int name), (name))
STAND_BEFORE(int, (int)how, posix_spawn,
             (pid_t * out, const char *path, const posix_spawn_file_actions_t *files,
              const posix_spawnattr_t *attributes, char *const *argv, char *const *env),
             (out, path, files, attributes, argv, env))
STAND_BEFORE(int, (int)how, pthread_create,
             (pthread_t * out, const pthread_attr_t *attributes, void *(*body)(void *), void *arg),
             (out, attributes, body, arg))
STAND_BEFORE(int, (int)how, pthread_mutex_init,
             (pthread_mutex_t * mutex, const pthread_mutexattr_t *attributes), (mutex, attributes))

/* The descriptor is gone even so, as on Linux. */
int close(int file)
{
    REAL(int, close, (int))
    bool is_failing = FAILS(close);
    int code = real(file);

    errno = is_failing ? (int)how : errno;
    return is_failing ? -1 : code;
}

ssize_t read(int file, void *data, size_t bytes)
{
    REAL(ssize_t, read, (int, void *, size_t))
    bool is_failing = FAILS(read);

    return is_failing && !is_short ? -1 : real(file, data, is_failing && bytes > 0 ? 1 : bytes);
}

ssize_t write(int file, const void *data, size_t bytes)
{
    REAL(ssize_t, write, (int, const void *, size_t))
    bool is_failing = FAILS(write);

    return is_failing && !is_short ? -1 : real(file, data, is_failing && bytes > 0 ? 1 : bytes);
}

int open(const char *path, int flags, ...)
{
    REAL(int, open, (const char *, int, ...))
    va_list rest;

    va_start(rest, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return FAILS(open) ? -1 : real(path, flags, mode);
}

int fcntl(int file, int command, ...)
{
    REAL(int, fcntl, (int, int, ...))
    va_list rest;

    va_start(rest, command);
    long value = va_arg(rest, long); /* whatever it is, it fits */
    va_end(rest);
    return FAILS(fcntl) ? -1 : real(file, command, value);
}

int prctl(int option, ...)
{
    REAL(int, prctl, (int, ...))
    va_list rest;

    va_start(rest, option);
    unsigned long value = va_arg(rest, unsigned long);
    va_end(rest);
    return FAILS(prctl) ? -1 : real(option, value);
}

void *mremap(void *base, size_t bytes, size_t wanted, int flags, ...)
{
    REAL(void *, mremap, (void *, size_t, size_t, int, ...))
    return FAILS(mremap) ? MAP_FAILED : real(base, bytes, wanted, flags);
}

/* --- the heap, whose own functions have other names too --- */

static void *taken(void *p)
{
    atomic_fetch_add(&blocks, p != NULL);
    return p;
}

void *malloc(size_t bytes)
{
    return FAILS(malloc) ? NULL : taken(__libc_malloc(bytes));
}

void *calloc(size_t number, size_t bytes)
{
    return FAILS(calloc) ? NULL : taken(__libc_calloc(number, bytes));
}

void *realloc(void *p, size_t bytes)
{
    if (FAILS(realloc)) {
        return NULL;
    }
    return p == NULL ? taken(__libc_malloc(bytes)) : __libc_realloc(p, bytes);
}

void free(void *p)
{
    atomic_fetch_sub(&blocks, p != NULL);
    __libc_free(p);
}

/* --- beginning and end --- */

static const char *told(const char *name)
{
    const char *value = getenv(name);

    return value != NULL ? value : "";
}

/* Whether the command line holds the text, its arguments being joined by spaces. */
static bool is_called_with(const char *text)
{
    static char line[LINE_BYTES];
    long file = syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY);
    long got = file >= 0 ? syscall(SYS_read, (int)file, line, sizeof line - 1) : 0;

    for (long i = 0; i + 1 < got; i++) {
        line[i] = line[i] == '\0' ? ' ' : line[i];
    }
    syscall(SYS_close, (int)file);
    return strstr(line, text) != NULL;
}

__attribute__((constructor)) static void begin(void)
{
    const char *in = told("FAILING_IN");
    bool is_worker = is_called_with(" --handles=");

    calls = told("FAILING_CALL");
    report = told("FAILING_REPORT");
    at = strtol(told("FAILING_AT"), NULL, 10);
    has_from = strcmp(told("FAILING_FROM"), "1") == 0;
    is_short = strcmp(told("FAILING_HOW"), "short") == 0;
    how = strtol(told("FAILING_HOW"), NULL, 10);
    is_meant = *in == '\0' ? !is_worker : is_worker && is_called_with(in);
}

__attribute__((destructor)) static void end(void)
{
    char line[96];
    long files = 0;

    if (!is_meant) {
        return;
    }
    is_meant = false;
    for (int file = 0; file < 256; file++) {
        files += syscall(SYS_fcntl, file, F_GETFD) >= 0;
    }
    snprintf(line, sizeof line, "calls %ld %ld %ld\n", atomic_load(&counted), atomic_load(&blocks),
             files);
    tell(line);
}
