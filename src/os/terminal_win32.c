/* SPDX-License-Identifier: MIT
 *
 * The console, the environment and the error texts of Windows. Values of environment variables are
 * converted once per call and live as long as the process.
 */
#include "output.h"

#include "text_win32.h"

#include <stdlib.h>
#include <string.h>
#include <windows.h>

static HANDLE handle_of(bool error_stream)
{
    return GetStdHandle(error_stream ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE);
}

bool ab_terminal_is_terminal(bool error_stream)
{
    DWORD mode;
    return GetConsoleMode(handle_of(error_stream), &mode) != 0;
}

bool ab_terminal_is_smart(bool error_stream)
{
    HANDLE console = handle_of(error_stream);
    DWORD mode;
    const char *kind = ab_environment("TERM");

    if (!GetConsoleMode(console, &mode) || (kind != NULL && strcmp(kind, "dumb") == 0)) {
        return false;
    }
    return (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0 ||
           SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

int ab_terminal_columns(bool error_stream)
{
    CONSOLE_SCREEN_BUFFER_INFO info;

    if (!GetConsoleScreenBufferInfo(handle_of(error_stream), &info)) {
        return 80;
    }
    int columns = info.srWindow.Right - info.srWindow.Left + 1;
    return columns > 0 ? columns : 80;
}

const char *ab_environment(const char *name)
{
    wchar_t *wide = ab_win32_wide(name);
    char *value = NULL;

    if (wide == NULL) {
        return NULL;
    }
    SetLastError(0);
    DWORD units = GetEnvironmentVariableW(wide, NULL, 0);
    wchar_t *text = units > 0 ? calloc(units, sizeof *text) : NULL;
    if (text != NULL && GetEnvironmentVariableW(wide, text, units) < units) {
        value = ab_win32_utf8(text);
    }
    free(text);
    free(wide);
    return value;
}

void ab_os_error_text(int code, char *out, size_t out_bytes)
{
    wchar_t text[256] = L"unknown error";

    FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, (DWORD)code, 0,
                   text, sizeof text / sizeof *text, NULL);
    text[wcscspn(text, L"\r\n")] = L'\0';
    (void)ab_win32_utf8_into(text, out, out_bytes);
}
