/* SPDX-License-Identifier: MIT
 *
 * Talking to children over pipes, and their end. A write to a dead child is a result and never a
 * signal. An ab_child belongs to its caller; a child that was waited for is
 * forgotten (process = 0), so that no other process of that number is ever signalled.
 */
#include "process.h"

#include "clock.h"
#include "io_posix.h"
#include "signals_posix.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int ab_child_write(ab_child *child, const void *data, size_t bytes)
{
    sigset_t broken_pipe;
    sigset_t pending;
    sigset_t before;

    if (child->to < 0) {
        return AB_PIPE_END;
    }
    /* The program may not have called ab_signals_install: hold SIGPIPE back and take it away if our
     * write raised it. */
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    sigemptyset(&pending);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    int code = ab_write_all((int)child->to, data, bytes);
    if (code == AB_PIPE_END && !was_pending) {
        int number;
        sigpending(&pending);
        if (sigismember(&pending, SIGPIPE) == 1) {
            sigwait(&broken_pipe, &number);
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

/* The moment after a span from now, saturated. */
static uint64_t deadline_after(uint64_t timeout_ns)
{
    uint64_t now = ab_clock_now_ns();
    return timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
}

/* What poll takes: milliseconds, rounded up so that it never spins at the end. */
static int milliseconds_until(uint64_t deadline)
{
    uint64_t now = ab_clock_now_ns();
    uint64_t left = now < deadline ? (deadline - now) / 1000000u : 0;

    if (now < deadline && left < INT_MAX) {
        left++;
    }
    return left < INT_MAX ? (int)left : INT_MAX;
}

int ab_child_read(ab_child *child, void *data, size_t bytes, uint64_t timeout_ns, size_t *got)
{
    const uint64_t deadline = deadline_after(timeout_ns);
    struct pollfd files[2] = {{.fd = (int)child->from, .events = POLLIN},
                              {.fd = ab_signal_wake_file(), .events = POLLIN}};

    *got = 0;
    if (child->from < 0) {
        return AB_PIPE_END;
    }
    for (;;) {
        if (ab_signal_pending() != 0) {
            return AB_PIPE_SIGNAL;
        }
        int ready = poll(files, 2, milliseconds_until(deadline));
        if (ready < 0 && errno != EINTR) {
            return errno;
        }
        if (ready > 0 && files[1].revents != 0) {
            return AB_PIPE_SIGNAL;
        }
        if (ready > 0 && files[0].revents != 0) {
            ssize_t length = read((int)child->from, data, bytes);
            if (length >= 0) {
                *got = (size_t)length;
                return length > 0 ? 0 : AB_PIPE_END;
            }
            if (errno != EINTR) {
                return errno;
            }
        }
        if (ready <= 0 && ab_clock_now_ns() >= deadline) {
            return AB_PIPE_TIMEOUT;
        }
    }
}

/* The signals a worker can plausibly die of. */
static const char *signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGABRT, "SIGABRT"}, {SIGALRM, "SIGALRM"}, {SIGBUS, "SIGBUS"},
                 {SIGFPE, "SIGFPE"},   {SIGHUP, "SIGHUP"},   {SIGILL, "SIGILL"},
                 {SIGINT, "SIGINT"},   {SIGKILL, "SIGKILL"}, {SIGPIPE, "SIGPIPE"},
                 {SIGQUIT, "SIGQUIT"}, {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},
                 {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGXCPU, "SIGXCPU"}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].number == number) {
            return names[i].name;
        }
    }
    return NULL;
}

static ab_exit exit_of(int status)
{
    ab_exit end = {.kind = AB_EXIT_CODE};

    if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        const char *name = signal_name(number);
        end.kind = AB_EXIT_SIGNAL;
        end.value = (uint32_t)number;
        end.was_killed = number == SIGKILL;
        (void)snprintf(end.text, sizeof end.text, name != NULL ? "signal %d (%s)" : "signal %d%s",
                       number, name != NULL ? name : "");
    } else {
        end.value = (uint32_t)WEXITSTATUS(status);
        (void)snprintf(end.text, sizeof end.text, "exit code %u", (unsigned)end.value);
    }
    return end;
}

ab_exit ab_child_wait(ab_child *child, uint64_t timeout_ns)
{
    const uint64_t deadline = deadline_after(timeout_ns);
    uint64_t pause_ns = 20000;
    int status = 0;

    if (child->process == 0) {
        return (ab_exit){.kind = AB_EXIT_CODE, .text = "no process"};
    }
    /* POSIX has no wait with a limit; a child that was asked to end does so within microseconds. */
    for (;;) {
        pid_t ended = waitpid((pid_t)child->process, &status, WNOHANG);
        if (ended == child->process) {
            child->process = 0;
            return exit_of(status);
        }
        if (ended < 0 && errno != EINTR) {
            child->process = 0;
            return (ab_exit){.kind = AB_EXIT_CODE, .text = "no process"};
        }
        uint64_t now = ab_clock_now_ns();
        if (now >= deadline) {
            return (ab_exit){.kind = AB_EXIT_RUNNING, .text = "running"};
        }
        ab_sleep_ns(pause_ns < deadline - now ? pause_ns : deadline - now);
        pause_ns = pause_ns < 2000000 ? pause_ns * 2 : pause_ns;
    }
}

void ab_child_kill(ab_child *child)
{
    if (child->process != 0) {
        kill((pid_t)child->process, SIGKILL);
        while (waitpid((pid_t)child->process, NULL, 0) < 0 && errno == EINTR) {
        }
        child->process = 0;
    }
}

void ab_child_hang_up(ab_child *child)
{
    if (child->to >= 0) {
        close((int)child->to);
        child->to = -1;
    }
}

void ab_child_close(ab_child *child)
{
    ab_child_hang_up(child);
    if (child->from >= 0) {
        close((int)child->from);
    }
    *child = (ab_child){.process = child->process, .to = -1, .from = -1};
}
