/* SPDX-License-Identifier: MIT
 *
 * Starting a child: suspended, with a list of exactly the handles it may inherit, put into a job
 * object that ends it with us, then let run. An ab_child belongs to its caller.
 */
#include "process.h"

#include "command_win32.h"
#include "text_win32.h"

#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

enum { READ_END, WRITE_END, NULL_DEVICE, ERROR_STREAM, HANDED };

/* What the child gets, and our ends of its pipes. */
typedef struct setup {
    HANDLE handed[HANDED]; /* inheritable; NULL = none */
    HANDLE to, from;
    HANDLE job;
} setup;

static int last_error(void)
{
    int code = (int)GetLastError();
    return code != 0 ? code : ERROR_GEN_FAILURE;
}

static void close_handle(HANDLE *handle)
{
    if (*handle != NULL && *handle != INVALID_HANDLE_VALUE) {
        CloseHandle(*handle);
    }
    *handle = NULL;
}

static int make_handles(setup *made)
{
    SECURITY_ATTRIBUTES inheritable = {.nLength = sizeof inheritable, .bInheritHandle = TRUE};
    HANDLE self = GetCurrentProcess();
    HANDLE error_stream = GetStdHandle(STD_ERROR_HANDLE);

    if (!CreatePipe(&made->handed[READ_END], &made->to, NULL, 0) ||
        !CreatePipe(&made->from, &made->handed[WRITE_END], NULL, 0) ||
        !SetHandleInformation(made->handed[READ_END], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) ||
        !SetHandleInformation(made->handed[WRITE_END], HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT)) {
        return last_error();
    }
    made->handed[NULL_DEVICE] =
        CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                    &inheritable, OPEN_EXISTING, 0, NULL);
    if (made->handed[NULL_DEVICE] == INVALID_HANDLE_VALUE) {
        return last_error();
    }
    /* A program without a console may have no error stream; its children then have none either. */
    if (error_stream == NULL || error_stream == INVALID_HANDLE_VALUE ||
        !DuplicateHandle(self, error_stream, self, &made->handed[ERROR_STREAM], 0, TRUE,
                         DUPLICATE_SAME_ACCESS)) {
        made->handed[ERROR_STREAM] = NULL;
    }
    return 0;
}

static int make_job(setup *made)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};

    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    made->job = CreateJobObjectW(NULL, NULL);
    if (made->job == NULL || !SetInformationJobObject(made->job, JobObjectExtendedLimitInformation,
                                                      &limits, sizeof limits)) {
        return last_error();
    }
    return 0;
}

/* Creates the process with these attributes, in the job, and lets it run. */
static int create(const setup *made, LPPROC_THREAD_ATTRIBUTE_LIST attributes,
                  const wchar_t *program, wchar_t *command, wchar_t *environment, HANDLE *process)
{
    STARTUPINFOEXW start = {.lpAttributeList = attributes};
    PROCESS_INFORMATION created;

    start.StartupInfo.cb = sizeof start;
    start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    start.StartupInfo.hStdInput = made->handed[NULL_DEVICE];
    start.StartupInfo.hStdOutput = made->handed[NULL_DEVICE];
    start.StartupInfo.hStdError =
        made->handed[ERROR_STREAM] != NULL ? made->handed[ERROR_STREAM] : made->handed[NULL_DEVICE];
    if (!CreateProcessW(program, command, NULL, NULL, TRUE,
                        EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT, environment,
                        NULL, &start.StartupInfo, &created)) {
        return last_error();
    }
    close_handle(&created.hThread);
    *process = created.hProcess;
    return 0;
}

/* Wraps create() with the list of handles to inherit. */
static int create_with_list(setup *made, const wchar_t *program, wchar_t *command,
                            wchar_t *environment, HANDLE *process)
{
    size_t count = made->handed[ERROR_STREAM] != NULL ? HANDED : HANDED - 1;
    SIZE_T bytes = 0;

    InitializeProcThreadAttributeList(NULL, 2, 0, &bytes);
    LPPROC_THREAD_ATTRIBUTE_LIST attributes = calloc(1, bytes);
    if (attributes == NULL) {
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    int code = 0;
    if (!InitializeProcThreadAttributeList(attributes, 2, 0, &bytes)) {
        code = last_error();
    } else {
        if (!UpdateProcThreadAttribute(attributes, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                       made->handed, count * sizeof(HANDLE), NULL, NULL) ||
            !UpdateProcThreadAttribute(attributes, 0, PROC_THREAD_ATTRIBUTE_JOB_LIST, &made->job,
                                       sizeof made->job, NULL, NULL)) {
            code = last_error();
        } else {
            code = create(made, attributes, program, command, environment, process);
        }
        DeleteProcThreadAttributeList(attributes);
    }
    free(attributes);
    return code;
}

static int start_with(setup *made, const ab_child_spec *spec, HANDLE *process)
{
    char handles[64];

    (void)snprintf(handles, sizeof handles, "--handles=%llu,%llu",
                   (unsigned long long)(uintptr_t)made->handed[READ_END],
                   (unsigned long long)(uintptr_t)made->handed[WRITE_END]);
    wchar_t *program = ab_win32_wide(spec->program);
    wchar_t *command = ab_win32_command_line(spec, handles);
    wchar_t *environment = ab_win32_environment(spec->environment);
    int code = ERROR_NOT_ENOUGH_MEMORY;
    if (program != NULL && command != NULL && environment != NULL) {
        code = create_with_list(made, program, command, environment, process);
    }
    free(program);
    free(command);
    free(environment);
    return code;
}

int ab_child_start(ab_child *child, const ab_child_spec *spec)
{
    setup made = {0};
    HANDLE process = NULL;

    *child = (ab_child){.process = 0, .to = -1, .from = -1};
    int code = make_handles(&made);
    if (code == 0) {
        code = make_job(&made);
    }
    if (code == 0) {
        code = start_with(&made, spec, &process);
    }
    for (int i = 0; i < HANDED; i++) {
        close_handle(&made.handed[i]);
    }
    if (code != 0) {
        close_handle(&made.to);
        close_handle(&made.from);
        close_handle(&made.job);
        return code;
    }
    *child = (ab_child){.process = (intptr_t)process,
                        .to = (intptr_t)made.to,
                        .from = (intptr_t)made.from,
                        .job = (intptr_t)made.job};
    return 0;
}
