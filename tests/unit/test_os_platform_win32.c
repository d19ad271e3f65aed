/* SPDX-License-Identifier: MIT
 *
 * See test_os_platform.h.
 */
#include "test_os_platform.h"

#include <stddef.h>
#include <windows.h>

uint64_t test_process_id(void)
{
    return GetCurrentProcessId();
}

bool test_is_process_running(uint64_t id)
{
    HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)id);

    if (process == NULL) {
        return false;
    }
    bool is_running = WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
    CloseHandle(process);
    return is_running;
}

bool test_interrupt_self(void)
{
    return false; /* a console event reaches every process of the console */
}

bool test_limit_file_size(uint64_t bytes)
{
    (void)bytes;
    return false;
}

const char *test_null_device(void)
{
    return "NUL";
}
