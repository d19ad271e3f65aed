/* SPDX-License-Identifier: MIT
 *
 * Result files by unbuffered WriteFile, others may read them meanwhile. After a failed write a
 * regular file ends where the last whole write ended. A console gets UTF-16, so that its code page
 * does not matter. An ab_output belongs to its caller.
 */
#include "output.h"

#include "text_win32.h"

#include <stdlib.h>
#include <windows.h>

static HANDLE handle_of(const ab_output *out)
{
    return (HANDLE)out->handle;
}

int ab_output_open(ab_output *out, const char *path)
{
    *out = (ab_output){.handle = -1};
    wchar_t *wide = ab_win32_wide(path);
    if (wide == NULL) {
        return ERROR_INVALID_NAME;
    }
    /* Exclusive creation first is what tells whether the file is ours to remove. */
    HANDLE file = CreateFileW(wide, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    int code = file == INVALID_HANDLE_VALUE ? (int)GetLastError() : 0;
    out->is_created = code == 0;
    if (code != 0) {
        /* There already, or a device such as NUL, which cannot be created. */
        file = CreateFileW(wide, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                           OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_NOT_FOUND) {
            code = (int)GetLastError();
        }
    }
    free(wide);
    if (file == INVALID_HANDLE_VALUE) {
        return code;
    }
    out->handle = (intptr_t)file;
    out->is_regular = GetFileType(file) == FILE_TYPE_DISK;
    out->is_created = out->is_created && out->is_regular;
    return 0;
}

void ab_output_standard(ab_output *out, bool error_stream)
{
    HANDLE file = GetStdHandle(error_stream ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE);
    *out = (ab_output){.handle = file != NULL ? (intptr_t)file : -1, .is_standard = true};
}

void ab_output_guard_standard(void)
{
    /* A standard handle is no number that the next file could get. */
}

bool ab_output_is_same(const ab_output *a, const ab_output *b)
{
    BY_HANDLE_FILE_INFORMATION one;
    BY_HANDLE_FILE_INFORMATION other;

    if (GetFileType(handle_of(a)) != FILE_TYPE_DISK ||
        GetFileType(handle_of(b)) != FILE_TYPE_DISK) {
        return a->handle == b->handle;
    }
    if (!GetFileInformationByHandle(handle_of(a), &one) ||
        !GetFileInformationByHandle(handle_of(b), &other)) {
        return false;
    }
    return one.dwVolumeSerialNumber == other.dwVolumeSerialNumber &&
           one.nFileIndexHigh == other.nFileIndexHigh && one.nFileIndexLow == other.nFileIndexLow;
}

static int cut_at(const ab_output *out, uint64_t bytes)
{
    LARGE_INTEGER end = {.QuadPart = (LONGLONG)bytes};

    if (!SetFilePointerEx(handle_of(out), end, NULL, FILE_BEGIN) || !SetEndOfFile(handle_of(out))) {
        return (int)GetLastError();
    }
    return 0;
}

int ab_output_begin(ab_output *out)
{
    if (!out->is_regular) {
        return 0;
    }
    out->bytes = 0;
    return cut_at(out, 0);
}

int ab_output_close(ab_output *out)
{
    int code = 0;

    if (out->handle != -1 && !out->is_standard && !CloseHandle(handle_of(out))) {
        code = (int)GetLastError();
    }
    out->handle = -1;
    return code;
}

void ab_output_abandon(ab_output *out, const char *path)
{
    bool is_ours = out->handle != -1 && out->is_created;

    (void)ab_output_close(out);
    wchar_t *wide = is_ours ? ab_win32_wide(path) : NULL;
    if (wide != NULL) {
        DeleteFileW(wide);
        free(wide);
    }
}

/* Length of the longest start of text, at most `most`, that ends between two characters. */
static size_t whole_characters(const char *text, size_t bytes, size_t most)
{
    if (bytes <= most) {
        return bytes;
    }
    size_t length = most;
    while (length > 1 && ((unsigned char)text[length] & 0xC0) == 0x80) {
        length--;
    }
    return length;
}

static int write_console(const ab_output *out, const char *text, size_t bytes)
{
    wchar_t wide[1024];

    while (bytes > 0) {
        size_t part = whole_characters(text, bytes, sizeof wide / sizeof *wide);
        int units = MultiByteToWideChar(CP_UTF8, 0, text, (int)part, wide,
                                        (int)(sizeof wide / sizeof *wide));
        DWORD wrote;
        if (units <= 0 || !WriteConsoleW(handle_of(out), wide, (DWORD)units, &wrote, NULL)) {
            return (int)GetLastError();
        }
        text += part;
        bytes -= part;
    }
    return 0;
}

static int write_file(ab_output *out, const char *text, size_t bytes)
{
    const size_t most = 1u << 30;
    size_t done = 0;
    int code = 0;

    while (done < bytes) {
        DWORD part = (DWORD)(bytes - done < most ? bytes - done : most);
        DWORD wrote = 0;
        if (!WriteFile(handle_of(out), text + done, part, &wrote, NULL) || wrote == 0) {
            code = wrote == 0 && GetLastError() == 0 ? ERROR_DISK_FULL : (int)GetLastError();
            break;
        }
        done += wrote;
    }
    if (code != 0 && out->is_regular && done > 0) {
        (void)cut_at(out, out->bytes);
    }
    return code;
}

int ab_output_write(ab_output *out, const void *data, size_t bytes)
{
    DWORD mode;
    bool is_console = out->is_standard && GetConsoleMode(handle_of(out), &mode);

    SetLastError(0);
    int code = is_console ? write_console(out, data, bytes) : write_file(out, data, bytes);
    if (code == 0) {
        out->bytes += bytes;
    }
    return code;
}
