/* SPDX-License-Identifier: MIT
 *
 * See text_win32.h. No state.
 */
#include "text_win32.h"

#include <stdlib.h>
#include <windows.h>

wchar_t *ab_win32_wide(const char *utf8)
{
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, utf8, -1, NULL, 0);
    wchar_t *wide = length > 0 ? calloc((size_t)length, sizeof *wide) : NULL;

    if (wide != NULL) {
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, utf8, -1, wide, length);
    }
    return wide;
}

char *ab_win32_utf8(const wchar_t *wide)
{
    int length = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *utf8 = length > 0 ? calloc((size_t)length, 1) : NULL;

    if (utf8 != NULL) {
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, utf8, length, NULL, NULL);
    }
    return utf8;
}

size_t ab_win32_utf8_into(const wchar_t *wide, char *out, size_t out_bytes)
{
    size_t used = 0;

    for (; *wide != L'\0'; wide++) {
        wchar_t unit[2] = {wide[0], 0};
        char text[8];
        int units = 1;
        if (IS_HIGH_SURROGATE(wide[0]) && IS_LOW_SURROGATE(wide[1])) {
            unit[1] = wide[1];
            units = 2;
        }
        int bytes = WideCharToMultiByte(CP_UTF8, 0, unit, units, text, sizeof text, NULL, NULL);
        if (bytes <= 0 || used + (size_t)bytes >= out_bytes) {
            break;
        }
        for (int i = 0; i < bytes; i++) {
            out[used++] = text[i];
        }
        wide += units - 1;
    }
    if (out_bytes > 0) {
        out[used] = '\0';
    }
    return used;
}
