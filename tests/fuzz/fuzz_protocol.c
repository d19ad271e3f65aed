/* SPDX-License-Identifier: MIT
 *
 * What coordinator and worker say: bytes arrive in pieces, become lines, and lines become answers.
 * The first byte draws the sizes of the pieces. Commands go through the same buffer. What is
 * understood is printed as a line that is understood again, to the same line.
 */
#include "fuzz.h"

#include "harness/protocol.h"

static void check_line(const char *line)
{
    char first[AB_LINE_MAX], second[AB_LINE_MAX];
    ab_said said, again;

    if (!ab_said_parse(line, 8, &said)) {
        return;
    }
    FUZZ_CHECK(said.operation < 8);
    FUZZ_CHECK(said.kind != AB_SAID_FAILURE || said.status < AB_STATUS_COUNT);
    size_t length = ab_said_print(&said, first);
    FUZZ_CHECK(length > 0 && length < AB_LINE_MAX && first[length - 1] == '\n');
    first[length - 1] = '\0';
    FUZZ_CHECK(strchr(first, '\n') == NULL);
    FUZZ_CHECK(ab_said_parse(first, 8, &again));
    length = ab_said_print(&again, second);
    second[length - 1] = '\0';
    FUZZ_CHECK(strcmp(first, second) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ab_line_buffer lines = {.used = 0};
    char line[AB_LINE_MAX];
    bool is_too_long = false;

    if (size == 0) {
        return 0;
    }
    uint32_t draw = *data++ + 1u;
    for (size_t at = 0, left = size - 1; left > 0 && !is_too_long;) {
        size_t room = sizeof lines.bytes - lines.used;
        draw = draw * 1103515245u + 12345u;
        size_t piece = draw >> 16 & 1023u;
        piece = piece < 1 ? 1 : piece;
        piece = piece < left ? piece : left;
        piece = piece < room ? piece : room;
        FUZZ_CHECK(piece > 0); /* else a reader would wait for ever */
        memcpy(lines.bytes + lines.used, data + at, piece);
        lines.used += piece;
        at += piece;
        left -= piece;
        while (ab_line_take(&lines, line, &is_too_long)) {
            FUZZ_CHECK(memchr(line, '\0', sizeof line) != NULL);
            check_line(line);
        }
    }
    return 0;
}
