/* SPDX-License-Identifier: MIT
 *
 * What /proc tells about this process's mappings: see raw_probe.h. Files are read in pieces into
 * the stack, so that no memory is mapped meanwhile. No state.
 */
#include "raw_probe.h"

#include "files_linux.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct reader {
    int file;
    size_t at, used;
    char bytes[4096];
} reader;

static bool next_byte(reader *r, char *out)
{
    if (r->at == r->used) {
        ssize_t got = read(r->file, r->bytes, sizeof r->bytes);
        r->at = 0;
        r->used = got > 0 ? (size_t)got : 0;
        if (got <= 0) {
            return false;
        }
    }
    *out = r->bytes[r->at++];
    return true;
}

/* The next line without its LF, cut where it is too long; false at the end. */
static bool next_line(reader *r, char *out, size_t out_bytes)
{
    size_t used = 0;
    char c;

    while (next_byte(r, &c)) {
        if (c == '\n') {
            out[used] = '\0';
            return true;
        }
        if (used < out_bytes - 1) {
            out[used++] = c;
        }
    }
    return false;
}

/* "7f0000000000-7f0000001000 rw-p ..." */
static bool is_range(const char *line, uintptr_t *low, uintptr_t *high)
{
    char *end;

    *low = (uintptr_t)strtoull(line, &end, 16);
    if (end == line || *end != '-') {
        return false;
    }
    line = end + 1;
    *high = (uintptr_t)strtoull(line, &end, 16);
    return end != line && *end == ' ';
}

static uint64_t overlap(uintptr_t low, uintptr_t high, uintptr_t begin, uintptr_t end)
{
    low = low > begin ? low : begin;
    high = high < end ? high : end;
    return high > low ? high - low : 0;
}

/* Mappings with the flag "ac" are accountable. */
uint64_t ab_raw_charged_bytes(void *base, size_t bytes)
{
    reader r = {.file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC)};
    uintptr_t begin = (uintptr_t)base, low = 0, high = 0, next_low, next_high;
    uint64_t charged = 0;
    bool has_flags = false;
    char line[256];

    if (r.file < 0) {
        return AB_RAW_UNKNOWN;
    }
    while (next_line(&r, line, sizeof line)) {
        if (is_range(line, &next_low, &next_high)) {
            low = next_low;
            high = next_high;
        } else if (strncmp(line, "VmFlags:", 8) == 0) {
            has_flags = true;
            charged += strstr(line, " ac") != NULL ? overlap(low, high, begin, begin + bytes) : 0;
        }
    }
    close(r.file);
    return has_flags ? charged : AB_RAW_UNKNOWN;
}

void ab_raw_mappings_read(ab_raw_mappings *out)
{
    reader r = {.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    char c;

    *out = (ab_raw_mappings){AB_RAW_UNKNOWN, AB_RAW_UNKNOWN, NULL};
    if (ab_linux_read_number("/proc/sys/vm/max_map_count", &out->limit)) {
        out->limit_name = "vm.max_map_count";
    }
    if (r.file < 0) {
        return;
    }
    out->count = 0;
    while (next_byte(&r, &c)) {
        out->count += c == '\n';
    }
    close(r.file);
}
