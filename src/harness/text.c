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

/* Length of the character that starts there; 0: it is none (RFC 3629). */
static size_t utf8_length(const unsigned char *at, size_t left)
{
    unsigned char low = 0x80, high = 0xbf;
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;

    if (at[0] > 0xf4 || length > left) {
        return 0;
    }
    low = at[0] == 0xe0 ? 0xa0 : at[0] == 0xf0 ? 0x90 : low;   /* no longer than it must be */
    high = at[0] == 0xed ? 0x9f : at[0] == 0xf4 ? 0x8f : high; /* no surrogate, not too large */
    for (size_t i = 1; i < length; i++) {
        if (at[i] < low || at[i] > high) {
            return 0;
        }
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

void ab_text_make_utf8(ab_text *text)
{
    unsigned char *bytes = (unsigned char *)text->bytes;

    for (size_t i = 0; i < text->length;) {
        size_t length = utf8_length(bytes + i, text->length - i);
        if (length == 0) {
            bytes[i] = '?';
        }
        i += length > 0 ? length : 1;
    }
}
