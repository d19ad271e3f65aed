/* SPDX-License-Identifier: MIT
 *
 * See text.h.
 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(ab_text *text, size_t more)
{
    size_t need = text->length + more + 1;

    if (text->is_short) {
        return false;
    }
    if (need <= text->room) {
        return true;
    }
    size_t room = need * 2 > 1024 ? need * 2 : 1024;
    char *grown = realloc(text->bytes, room);
    if (grown == NULL) {
        text->is_short = true;
        return false;
    }
    text->bytes = grown;
    text->room = room;
    return true;
}

void ab_text_add(ab_text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    text->is_short = text->is_short || length < 0;
    if (!make_room(text, (size_t)length)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void ab_text_free(ab_text *text)
{
    free(text->bytes);
    *text = (ab_text){0};
}

void ab_text_add_field(ab_text *text, const char *field)
{
    if (strpbrk(field, ",\"\r\n") == NULL) {
        ab_text_add(text, "%s", field);
        return;
    }
    ab_text_add(text, "\"");
    for (; *field != '\0'; field++) {
        ab_text_add(text, *field == '"' ? "\"\"" : "%c", *field);
    }
    ab_text_add(text, "\"");
}
