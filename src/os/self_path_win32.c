/* SPDX-License-Identifier: MIT
 *
 * The running program's path on Windows. No state.
 */
#include "process.h"

#include "text_win32.h"

#include <windows.h>

int ab_self_path(char *out, size_t out_bytes)
{
    wchar_t path[4096];
    const DWORD size = sizeof path / sizeof *path;

    DWORD length = GetModuleFileNameW(NULL, path, size);
    if (length == 0) {
        return (int)GetLastError();
    }
    int bytes = WideCharToMultiByte(CP_UTF8, 0, path, -1, NULL, 0, NULL, NULL);
    if (length >= size || bytes <= 0 || (size_t)bytes > out_bytes) {
        return ERROR_FILENAME_EXCED_RANGE;
    }
    (void)ab_win32_utf8_into(path, out, out_bytes);
    return 0;
}
