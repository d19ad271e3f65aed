/* SPDX-License-Identifier: MIT
 *
 * See faulty.h. The pipe's handle is the second number of --handles=READ,WRITE.
 */
#include "faulty.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

void faulty_sleep(void)
{
    Sleep(3600 * 1000);
}

void faulty_answer(const void *data, size_t bytes)
{
    const char *at = strstr(GetCommandLineA(), "--handles=");
    const char *comma = at != NULL ? strchr(at, ',') : NULL;
    DWORD wrote;

    if (comma != NULL) {
        WriteFile((HANDLE)(uintptr_t)strtoull(comma + 1, NULL, 10), data, (DWORD)bytes, &wrote,
                  NULL);
    }
}
