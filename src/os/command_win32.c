/* SPDX-License-Identifier: MIT
 *
 * See command_win32.h. A buffer grows as it is written and remembers that it could not. No state.
 */
#include "command_win32.h"

#include "text_win32.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <windows.h>

typedef struct buffer {
    wchar_t *text;
    size_t used, size;
    bool is_broken;
} buffer;

static void put(buffer *out, wchar_t unit)
{
    if (out->used == out->size) {
        size_t size = out->size < 512 ? 512 : out->size * 2;
        wchar_t *text =
            size <= SIZE_MAX / sizeof *text ? realloc(out->text, size * sizeof *text) : NULL;
        if (text == NULL) {
            out->is_broken = true;
            return;
        }
        out->text = text;
        out->size = size;
    }
    out->text[out->used++] = unit;
}

static wchar_t *finish(buffer *out)
{
    put(out, L'\0');
    if (out->is_broken) {
        free(out->text);
        return NULL;
    }
    return out->text;
}

/* Always in quotes. Backslashes count double before a quote, the closing one included, and
 * themselves elsewhere. */
static void put_argument(buffer *out, const char *argument)
{
    wchar_t *wide = ab_win32_wide(argument);
    size_t backslashes = 0;

    if (wide == NULL) {
        out->is_broken = true;
        return;
    }
    put(out, L'"');
    for (const wchar_t *c = wide; *c != L'\0'; c++) {
        if (*c == L'"') {
            for (size_t i = 0; i < backslashes + 1; i++) {
                put(out, L'\\');
            }
        }
        backslashes = *c == L'\\' ? backslashes + 1 : 0;
        put(out, *c);
    }
    for (size_t i = 0; i < backslashes; i++) {
        put(out, L'\\');
    }
    put(out, L'"');
    free(wide);
}

wchar_t *ab_win32_command_line(const ab_child_spec *spec, const char *last)
{
    buffer out = {0};

    put_argument(&out, spec->program);
    for (size_t i = 0; spec->arguments != NULL && spec->arguments[i] != NULL; i++) {
        put(&out, L' ');
        put_argument(&out, spec->arguments[i]);
    }
    put(&out, L' ');
    put_argument(&out, last);
    return finish(&out);
}

/* Length of a variable's name. Windows keeps variables such as "=C:", so the first unit counts. */
static size_t name_length(const wchar_t *variable)
{
    size_t length = variable[0] != L'\0' ? 1 : 0;
    while (variable[length] != L'\0' && variable[length] != L'=') {
        length++;
    }
    return length;
}

static bool is_replaced(const wchar_t *variable, wchar_t *const *extra)
{
    size_t length = name_length(variable);

    for (size_t i = 0; extra[i] != NULL; i++) {
        if (name_length(extra[i]) == length &&
            CompareStringOrdinal(variable, (int)length, extra[i], (int)length, TRUE) ==
                CSTR_EQUAL) {
            return true;
        }
    }
    return false;
}

static void put_variable(buffer *out, const wchar_t *variable)
{
    for (; *variable != L'\0'; variable++) {
        put(out, *variable);
    }
    put(out, L'\0');
}

static void free_list(wchar_t **list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
        free(list[i]);
    }
    free((void *)list);
}

static wchar_t **wide_list(const char *const *list)
{
    size_t count = 0;

    while (list != NULL && list[count] != NULL) {
        count++;
    }
    wchar_t **wide = calloc(count + 1, sizeof *wide);
    for (size_t i = 0; wide != NULL && i < count; i++) {
        wide[i] = ab_win32_wide(list[i]);
        if (wide[i] == NULL) {
            free_list(wide);
            return NULL;
        }
    }
    return wide;
}

wchar_t *ab_win32_environment(const char *const *extra)
{
    buffer out = {0};
    wchar_t **added = wide_list(extra);
    wchar_t *ours = GetEnvironmentStringsW();

    out.is_broken = added == NULL || ours == NULL;
    if (!out.is_broken) {
        for (const wchar_t *variable = ours; *variable != L'\0'; variable += wcslen(variable) + 1) {
            if (!is_replaced(variable, added)) {
                put_variable(&out, variable);
            }
        }
        for (size_t i = 0; added[i] != NULL; i++) {
            put_variable(&out, added[i]);
        }
        if (out.used == 0) {
            put(&out, L'\0'); /* an empty block has two ends */
        }
    }
    free_list(added);
    if (ours != NULL) {
        FreeEnvironmentStringsW(ours);
    }
    return finish(&out);
}
