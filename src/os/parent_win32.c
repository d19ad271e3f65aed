/* SPDX-License-Identifier: MIT
 *
 * The worker's side on Windows: its pipe ends, and an end without dialogs or debuggers. The job
 * object that its parent holds ends it together with the parent. No state.
 */
#include "process.h"

#include <signal.h>
#include <stdlib.h>
#include <windows.h>

/* What the C library's abort ends with in newer versions; the older one prints and returns 3. */
#define ABORTED 0xC0000409u

static LONG WINAPI on_exception(EXCEPTION_POINTERS *exception)
{
    TerminateProcess(GetCurrentProcess(), exception->ExceptionRecord->ExceptionCode);
    return EXCEPTION_EXECUTE_HANDLER;
}

static void on_abort(int number)
{
    (void)number;
    TerminateProcess(GetCurrentProcess(), ABORTED);
}

/* Ctrl-C and Ctrl-Break are the parent's business. */
static BOOL WINAPI on_event(DWORD event)
{
    return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

/* "READ,WRITE" */
static bool parse_handles(const char *text, uintptr_t numbers[2])
{
    for (int i = 0; i < 2; i++) {
        char *end;
        if (*text < '0' || *text > '9') {
            return false;
        }
        unsigned long long number = strtoull(text, &end, 10);
        if (number > UINTPTR_MAX || *end != (i < 1 ? ',' : '\0')) {
            return false;
        }
        numbers[i] = (uintptr_t)number;
        text = end + 1;
    }
    return true;
}

int ab_parent_attach(ab_parent *parent, const char *handles)
{
    uintptr_t numbers[2];
    /* Room for the exception filter when it is the stack that ran out. */
    ULONG reserve_bytes = 16 * 1024;

    *parent = (ab_parent){-1, -1};
    if (!parse_handles(handles, numbers)) {
        return ERROR_INVALID_PARAMETER;
    }
    for (int i = 0; i < 2; i++) {
        HANDLE handle = (HANDLE)numbers[i];
        if (GetFileType(handle) != FILE_TYPE_PIPE ||
            !SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0)) {
            return ERROR_INVALID_HANDLE;
        }
    }
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    SetThreadStackGuarantee(&reserve_bytes);
    SetUnhandledExceptionFilter(on_exception);
    signal(SIGABRT, on_abort);
    SetConsoleCtrlHandler(on_event, TRUE);
    *parent = (ab_parent){(intptr_t)numbers[0], (intptr_t)numbers[1]};
    return 0;
}
