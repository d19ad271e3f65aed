/* SPDX-License-Identifier: MIT
 *
 * See file.h. Links are not followed.
 */
#include "file.h"

#include "text_win32.h"

#include <stdlib.h>
#include <string.h>
#include <windows.h>

static int last_error(void)
{
    int code = (int)GetLastError();
    return code != 0 ? code : ERROR_GEN_FAILURE;
}

int ab_file_with_folder(const char *path, char *out, size_t out_bytes)
{
    wchar_t *wide = ab_win32_wide(path);
    wchar_t full[1024];
    DWORD length =
        wide != NULL ? GetFullPathNameW(wide, sizeof full / sizeof full[0], full, NULL) : 0;
    int code = wide == NULL ? ERROR_INVALID_NAME : length == 0 ? last_error() : 0;

    free(wide);
    if (code != 0 || length >= sizeof full / sizeof full[0]) {
        return code != 0 ? code : ERROR_FILENAME_EXCED_RANGE;
    }
    char *text = ab_win32_utf8(full);
    if (text == NULL) {
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    size_t bytes = strlen(text) + 1;
    if (bytes <= out_bytes) {
        memcpy(out, text, bytes);
    }
    free(text);
    return bytes <= out_bytes ? 0 : ERROR_FILENAME_EXCED_RANGE;
}

int ab_file_resolve(const char *path, char *out, size_t out_bytes)
{
    return ab_file_with_folder(path, out, out_bytes);
}

int ab_file_read(const char *path, ab_file_fn *take, void *context)
{
    char piece[16384];
    wchar_t *wide = ab_win32_wide(path);
    int code = 0;

    if (wide == NULL) {
        return ERROR_INVALID_NAME;
    }
    HANDLE file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, 0, NULL);
    free(wide);
    if (file == INVALID_HANDLE_VALUE) {
        return last_error();
    }
    if (GetFileType(file) != FILE_TYPE_DISK) { /* a console or a pipe would keep us waiting */
        CloseHandle(file);
        return ERROR_BAD_FILE_TYPE;
    }
    for (;;) {
        DWORD got = 0;
        if (!ReadFile(file, piece, sizeof piece, &got, NULL)) {
            code = last_error();
            break;
        }
        if (got == 0) {
            break;
        }
        take(context, piece, got);
    }
    CloseHandle(file);
    return code;
}
