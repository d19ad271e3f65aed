/* SPDX-License-Identifier: MIT
 *
 * Splits the command line by the rules of the C library (a program gets one string on Windows; see
 * "Parsing C command-line arguments" of Microsoft's C documentation). Not by CommandLineToArgvW:
 * that would load the graphical shell into every worker. The list belongs to the process.
 */
#include "arguments.h"

#include "text_win32.h"

#include <stdbool.h>
#include <stdlib.h>
#include <windows.h>

static bool is_blank(wchar_t unit)
{
    return unit == L' ' || unit == L'\t';
}

/* The program's name: no escapes, quotes only group. */
static const wchar_t *split_program(const wchar_t *from, wchar_t *to)
{
    bool is_quoted = false;

    for (; *from != L'\0' && (is_quoted || !is_blank(*from)); from++) {
        if (*from == L'"') {
            is_quoted = !is_quoted;
        } else {
            *to++ = *from;
        }
    }
    *to = L'\0';
    return from;
}

/* One argument. 2n backslashes before a quote are n of them, one more makes the quote literal; two
 * quotes within quotes are one. */
static const wchar_t *split_argument(const wchar_t *from, wchar_t *to)
{
    bool is_quoted = false;

    while (*from != L'\0' && (is_quoted || !is_blank(*from))) {
        size_t backslashes = 0;
        while (*from == L'\\') {
            from++;
            backslashes++;
        }
        size_t kept = *from == L'"' ? backslashes / 2 : backslashes;
        for (size_t i = 0; i < kept; i++) {
            *to++ = L'\\';
        }
        if (*from == L'"' && backslashes % 2 == 0) {
            if (is_quoted && from[1] == L'"') {
                *to++ = L'"';
                from++;
            } else {
                is_quoted = !is_quoted;
            }
            from++;
        } else if (*from != L'\0' && (is_quoted || !is_blank(*from))) {
            *to++ = *from++;
        }
    }
    *to = L'\0';
    return from;
}

char **ab_arguments(int *argc, char **argv)
{
    const wchar_t *from = GetCommandLineW();
    size_t units = wcslen(from) + 1;
    wchar_t *word = calloc(units, sizeof *word);
    char **list = calloc(units / 2 + 3, sizeof *list); /* an argument takes two units or more */
    int count = 0;

    (void)argv;
    if (word == NULL || list == NULL) {
        return NULL;
    }
    for (from = split_program(from, word);; from = split_argument(from, word)) {
        list[count] = ab_win32_utf8(word);
        if (list[count++] == NULL) {
            return NULL;
        }
        while (is_blank(*from)) {
            from++;
        }
        if (*from == L'\0') {
            break;
        }
    }
    free(word);
    *argc = count;
    return list;
}
