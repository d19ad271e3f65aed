/* SPDX-License-Identifier: MIT
 *
 * What the fuzz targets share. A target is one function that libFuzzer calls with arbitrary bytes;
 * what it must not do is crash, read or write out of bounds, leak, or fail a FUZZ_CHECK.
 */
#ifndef AB_TESTS_FUZZ_H
#define AB_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The bytes as a string of exactly their length, so that reading behind it is found. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    FUZZ_CHECK(text != NULL);
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    return text;
}

/* Whether an error says something and ends where it must. */
static inline bool fuzz_is_line(const char *text, size_t room)
{
    return text[0] != '\0' && memchr(text, '\0', room) != NULL;
}

#endif
