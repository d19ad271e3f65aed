/* SPDX-License-Identifier: MIT
 *
 * Talking to children over anonymous pipes, and their end. Such a pipe cannot be waited on with a
 * limit, so it is looked at: eagerly at first, since the hand-over between lockstep workers is
 * short, then once per millisecond. An ab_child belongs to its caller.
 */
#include "process.h"

#include "clock.h"

#include <stdio.h>
#include <windows.h>

#define EAGER_NS 200000u

static int write_all(intptr_t pipe, const char *data, size_t bytes)
{
    const size_t most = 1u << 20;

    while (bytes > 0) {
        DWORD part = (DWORD)(bytes < most ? bytes : most);
        DWORD wrote = 0;
        if (!WriteFile((HANDLE)pipe, data, part, &wrote, NULL)) {
            DWORD code = GetLastError();
            bool is_end = code == ERROR_NO_DATA || code == ERROR_BROKEN_PIPE;
            return is_end ? AB_PIPE_END : (int)code;
        }
        data += wrote;
        bytes -= wrote;
    }
    return 0;
}

static int read_some(intptr_t pipe, void *data, size_t bytes, size_t *got)
{
    const size_t most = 1u << 20;
    DWORD length = 0;

    *got = 0;
    if (!ReadFile((HANDLE)pipe, data, (DWORD)(bytes < most ? bytes : most), &length, NULL)) {
        DWORD code = GetLastError();
        return code == ERROR_BROKEN_PIPE || code == ERROR_HANDLE_EOF ? AB_PIPE_END : (int)code;
    }
    *got = length;
    return length > 0 ? 0 : AB_PIPE_END;
}

int ab_child_write(ab_child *child, const void *data, size_t bytes)
{
    return child->to == -1 ? AB_PIPE_END : write_all(child->to, data, bytes);
}

int ab_child_read(ab_child *child, void *data, size_t bytes, uint64_t timeout_ns, size_t *got)
{
    const uint64_t start = ab_clock_now_ns();

    *got = 0;
    if (child->from == -1) {
        return AB_PIPE_END;
    }
    for (;;) {
        DWORD available = 0;
        if (ab_signal_pending() != 0) {
            return AB_PIPE_SIGNAL;
        }
        if (!PeekNamedPipe((HANDLE)child->from, NULL, 0, NULL, &available, NULL)) {
            DWORD code = GetLastError();
            return code == ERROR_BROKEN_PIPE ? AB_PIPE_END : (int)code;
        }
        if (available > 0) {
            return read_some(child->from, data, bytes, got);
        }
        uint64_t waited = ab_clock_now_ns() - start;
        if (waited >= timeout_ns) {
            return AB_PIPE_TIMEOUT;
        }
        if (waited >= EAGER_NS) {
            Sleep(1);
        } else if (!SwitchToThread()) {
            Sleep(0);
        }
    }
}

ab_exit ab_child_wait(ab_child *child, uint64_t timeout_ns)
{
    ab_exit end = {.kind = AB_EXIT_RUNNING, .text = "running"};
    uint64_t timeout_ms = timeout_ns / 1000000u + (timeout_ns % 1000000u != 0 ? 1 : 0);
    DWORD value = 0;

    if (child->process == 0) {
        return (ab_exit){.kind = AB_EXIT_CODE, .text = "no process"};
    }
    /* The exit code says STILL_ACTIVE (259) to an early question, so the wait comes first. */
    if (WaitForSingleObject((HANDLE)child->process,
                            timeout_ms < INFINITE ? (DWORD)timeout_ms : INFINITE) !=
            WAIT_OBJECT_0 ||
        !GetExitCodeProcess((HANDLE)child->process, &value)) {
        return end;
    }
    end.value = value;
    /* The two upper bits of an exception code are its severity: 0xC.. error, 0x8.. warning. */
    end.kind = value >= 0x80000000u ? AB_EXIT_SIGNAL : AB_EXIT_CODE;
    (void)snprintf(end.text, sizeof end.text,
                   end.kind == AB_EXIT_SIGNAL ? "exception 0x%08lX" : "exit code %lu",
                   (unsigned long)value);
    CloseHandle((HANDLE)child->process);
    child->process = 0;
    return end;
}

void ab_child_kill(ab_child *child)
{
    if (child->process != 0) {
        TerminateProcess((HANDLE)child->process, 1);
        WaitForSingleObject((HANDLE)child->process, INFINITE);
        CloseHandle((HANDLE)child->process);
        child->process = 0;
    }
}

void ab_child_hang_up(ab_child *child)
{
    if (child->to != -1) {
        CloseHandle((HANDLE)child->to);
        child->to = -1;
    }
}

void ab_child_close(ab_child *child)
{
    ab_child_hang_up(child);
    if (child->from != -1) {
        CloseHandle((HANDLE)child->from);
    }
    if (child->job != 0) {
        CloseHandle((HANDLE)child->job);
    }
    if (child->process != 0) {
        CloseHandle((HANDLE)child->process);
    }
    *child = (ab_child){.process = 0, .to = -1, .from = -1};
}

int ab_parent_read(ab_parent *parent, void *data, size_t bytes, size_t *got)
{
    return read_some(parent->from, data, bytes, got);
}

int ab_parent_write(ab_parent *parent, const void *data, size_t bytes)
{
    return write_all(parent->to, data, bytes);
}
