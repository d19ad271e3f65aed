/* SPDX-License-Identifier: MIT
 *
 * DLLs. See library.h. Windows binds every function to the DLL that it was linked with, so that
 * nothing can be put before it.
 */
#include "library.h"

#include "output.h"
#include "text_win32.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

const char *ab_library_cannot_open(void)
{
    return NULL;
}

const char *ab_library_cannot_preload(void)
{
    return "Windows cannot preload a library; use lib:";
}

bool ab_library_preload_variable(const char *path, char *out, size_t out_bytes)
{
    (void)path, (void)out, (void)out_bytes;
    return false;
}

bool ab_library_open_variable(char *out, size_t out_bytes)
{
    (void)out, (void)out_bytes;
    return false;
}

bool ab_library_open(ab_library *out, const char *path, char *why, size_t why_bytes)
{
    wchar_t *wide = ab_win32_wide(path);

    *out = (ab_library){0};
    if (wide == NULL || GetFileAttributesW(wide) == INVALID_FILE_ATTRIBUTES) {
        ab_os_error_text(wide == NULL ? ERROR_INVALID_NAME : (int)GetLastError(), why, why_bytes);
        free(wide);
        return false;
    }
    /* What the DLL needs may lie beside it. */
    out->handle = (void *)LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    DWORD code = GetLastError();
    free(wide);
    if (out->handle != NULL) {
        return true;
    }
    if (code == ERROR_BAD_EXE_FORMAT) { /* its text has a gap for the name */
        (void)snprintf(why, why_bytes, "it is no DLL, or one for another architecture");
    } else {
        ab_os_error_text((int)code, why, why_bytes);
    }
    return false;
}

bool ab_library_preloaded(ab_library *out, const char *path, char *why, size_t why_bytes)
{
    (void)path;
    *out = (ab_library){0};
    (void)snprintf(why, why_bytes, "%s", ab_library_cannot_preload());
    return false;
}

ab_function *ab_library_function(const ab_library *library, const char *name)
{
    FARPROC found = GetProcAddress((HMODULE)library->handle, name);
    ab_function *function;

    memcpy(&function, &found, sizeof function);
    return function;
}
