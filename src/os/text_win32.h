/* SPDX-License-Identifier: MIT
 *
 * UTF-8 inside, UTF-16 at the Windows API. Converted text is the caller's to free().
 */
#ifndef AB_OS_TEXT_WIN32_H
#define AB_OS_TEXT_WIN32_H

#include <stddef.h>
#include <wchar.h>

/* NULL when memory runs out or the text is no UTF-8. */
wchar_t *ab_win32_wide(const char *utf8);
char *ab_win32_utf8(const wchar_t *wide);

/* Into a caller's buffer, cut where it does not fit. Number of bytes without NUL. */
size_t ab_win32_utf8_into(const wchar_t *wide, char *out, size_t out_bytes);

#endif
