/* SPDX-License-Identifier: MIT
 *
 * See foreign.h.
 */
#include "foreign.h"
#include "digest.h"

#include "os/file.h"
#include "os/library.h"
#include "os/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char preload_word[] = "preload:";
static const char lib_word[] = "lib:";

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

static bool begins_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

bool ab_is_foreign(const char *text)
{
    return begins_with(text, preload_word) || begins_with(text, lib_word);
}

/* "PREFIX@" where there is one: what precedes the first @, if it could begin a name in C. A path
 * with an @ of its own has a slash or a point before it, or gets one. */
static bool take_prefix(const char **at, ab_foreign *out, ab_error *error)
{
    size_t width = strcspn(*at, "@");

    if ((*at)[width] == '\0' || strspn(*at, LETTERS DIGITS "_") != width) {
        return true;
    }
    if (width == 0) {
        return ab_error_set(error,
                            "'lib:%.100s' has an empty prefix; write lib:PREFIX@PATH or "
                            "lib:PATH",
                            *at);
    }
    if (width >= sizeof out->prefix) {
        return ab_error_set(error, "the prefix '%.*s' is longer than %d letters", (int)width, *at,
                            AB_PREFIX_MAX - 1);
    }
    memcpy(out->prefix, *at, width);
    out->prefix[width] = '\0';
    *at += width + 1;
    return true;
}

bool ab_foreign_parse(const char *text, ab_foreign *out, ab_error *error)
{
    bool is_preload = begins_with(text, preload_word);
    const char *at = text + (is_preload ? sizeof preload_word : sizeof lib_word) - 1;

    *out = (ab_foreign){.kind = is_preload ? AB_FOREIGN_PRELOAD : AB_FOREIGN_LIB};
    if (!is_preload && !take_prefix(&at, out, error)) {
        return false;
    }
    if (*at == '\0') {
        return ab_error_set(error,
                            "'%s' names no library; write preload:PATH, lib:PATH or "
                            "lib:PREFIX@PATH",
                            text);
    }
    int code = ab_file_with_folder(at, out->path, sizeof out->path);
    if (code != 0) {
        char reason[120];
        ab_os_error_text(code, reason, sizeof reason);
        return ab_error_set(error, "'%.100s' is no path: %s", at, reason);
    }
    return true;
}

/* Where the ending begins: ".so", ".so.2", ".dll", ".dylib". */
static size_t stem_width(const char *file)
{
    static const char *const endings[] = {".so", ".dll", ".DLL", ".dylib"};
    size_t length = strlen(file);

    for (size_t i = 1; i < length; i++) {
        for (size_t j = 0; j < sizeof endings / sizeof endings[0]; j++) {
            size_t width = strlen(endings[j]);
            if (begins_with(file + i, endings[j]) &&
                (file[i + width] == '\0' || file[i + width] == '.')) {
                return i;
            }
        }
    }
    return length;
}

void ab_foreign_make_name(ab_foreign *foreign)
{
    const char *file = foreign->path;

    for (const char *c = foreign->path; *c != '\0'; c++) {
        file = *c == '/' || *c == '\\' ? c + 1 : file;
    }
    file += begins_with(file, "lib") && stem_width(file) > 3 ? 3 : 0;
    size_t width = stem_width(file);
    width = width < sizeof foreign->name ? width : sizeof foreign->name - 1;
    for (size_t i = 0; i < width; i++) {
        foreign->name[i] = file[i];
        if (strchr(LETTERS DIGITS "-_.", file[i]) == NULL) {
            foreign->name[i] = '_';
        }
    }
    foreign->name[width] = '\0';
}

const char *ab_foreign_contender(const ab_foreign *foreign)
{
    return foreign->kind == AB_FOREIGN_PRELOAD ? "malloc" : "lib";
}

const char *ab_foreign_refuses(const ab_foreign *foreign)
{
    return foreign->kind == AB_FOREIGN_PRELOAD ? ab_library_cannot_preload()
                                               : ab_library_cannot_open();
}

bool ab_foreign_variable(const ab_foreign *foreign, char *out, size_t out_bytes)
{
    return foreign->kind == AB_FOREIGN_PRELOAD
               ? ab_library_preload_variable(foreign->path, out, out_bytes)
               : ab_library_open_variable(out, out_bytes);
}

/* --- in a cell id --- */

bool ab_foreign_print(const ab_foreign *foreign, char *out, size_t out_bytes)
{
    int n = snprintf(out, out_bytes, "%s%s%s",
                     foreign->kind == AB_FOREIGN_PRELOAD ? preload_word : lib_word, foreign->prefix,
                     foreign->prefix[0] != '\0' ? "@" : "");
    size_t used = n > 0 ? (size_t)n : out_bytes;

    for (const char *c = foreign->path; *c != '\0' && used < out_bytes; c++) {
        bool is_special = strchr("%;=", *c) != NULL || (unsigned char)*c < ' ';
        n = snprintf(out + used, out_bytes - used, is_special ? "%%%02X" : "%c", (unsigned char)*c);
        used += n > 0 ? (size_t)n : out_bytes;
    }
    return used < out_bytes;
}

static int hex_value(char digit)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *found = digit != '\0' ? strchr(digits, digit) : NULL;

    return found != NULL ? (int)(found - digits) : -1;
}

bool ab_foreign_read(const char *text, ab_foreign *out, ab_error *error)
{
    char plain[AB_PATH_MAX + AB_PREFIX_MAX + sizeof preload_word] = "";
    size_t used = 0;

    for (const char *c = text; *c != '\0' && used < sizeof plain - 1; c++) {
        plain[used] = *c;
        if (*c == '%') {
            int high = hex_value(c[1]), low = high < 0 ? -1 : hex_value(c[2]);
            if (low < 0) {
                return ab_error_set(error, "malformed at '%.40s'", c);
            }
            plain[used] = (char)(high * 16 + low);
            c += 2;
        }
        used++;
    }
    plain[used] = '\0';
    return ab_is_foreign(plain) && ab_foreign_parse(plain, out, error);
}

/* --- in the facts --- */

typedef struct contents {
    uint64_t bytes;
    ab_stream stream;
} contents;

static void take_contents(void *context, const void *data, size_t bytes)
{
    contents *sum = context;

    for (size_t i = 0; i < bytes; i++) {
        ab_stream_bytes(&sum->stream, ((const unsigned char *)data)[i], 1);
    }
    sum->bytes += bytes;
}

void ab_foreign_add_fact(const ab_foreign *foreign, ab_text *facts)
{
    contents sum = {0, ab_stream_start()};
    char resolved[AB_PATH_MAX], reason[120];
    int code = ab_file_resolve(foreign->path, resolved, sizeof resolved);

    code = code != 0 ? code : ab_file_read(resolved, take_contents, &sum);
    ab_text_add(facts, "# backend %s: %s%s%s", foreign->name,
                foreign->kind == AB_FOREIGN_PRELOAD ? preload_word : lib_word, foreign->prefix,
                foreign->prefix[0] != '\0' ? "@" : "");
    for (const char *c = code == 0 ? resolved : foreign->path; *c != '\0'; c++) {
        ab_text_add(facts, "%c", (unsigned char)*c < ' ' ? '?' : *c);
    }
    if (code == 0) {
        ab_text_add(facts, " (%" PRIu64 " KiB, fnv1a %016" PRIx64 ")\n", (sum.bytes + 1023) / 1024,
                    sum.stream.hash);
    } else {
        ab_os_error_text(code, reason, sizeof reason);
        ab_text_add(facts, " (cannot be read: %s)\n", reason);
    }
}
