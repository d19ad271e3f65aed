/* SPDX-License-Identifier: MIT
 *
 * Printing and parsing of what a worker says: see protocol.h.
 */
#include "protocol.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static size_t print_count(char *out, size_t out_bytes, uint64_t count)
{
    int n = count == AB_NO_COUNT ? snprintf(out, out_bytes, " -")
                                 : snprintf(out, out_bytes, " %" PRIu64, count);
    return (size_t)n;
}

static size_t print_counts(char *out, const uint64_t *counts, size_t count)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        used += print_count(out + used, AB_LINE_MAX - 40 - used, counts[i]);
    }
    return used;
}

/* A text that goes to the end of the line must hold neither LF nor CR. */
static void flatten(char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ') {
            *text = ' ';
        }
    }
}

size_t ab_said_print(const ab_said *said, char out[AB_LINE_MAX])
{
    int n = 0;

    switch (said->kind) {
    case AB_SAID_SAMPLE: {
        const ab_sample *s = &said->sample;
        const uint64_t counts[] = {
            s->ops,    s->passes,       s->wall_ns,      s->user_ns,
            s->sys_ns, s->minor_faults, s->major_faults, s->involuntary_switches};
        n = snprintf(out, AB_LINE_MAX, "s %u", said->operation);
        n += (int)print_counts(out + n, counts, sizeof counts / sizeof counts[0]);
        break;
    }
    case AB_SAID_LATENCY: {
        const ab_latencies *l = &said->latency;
        const uint64_t counts[] = {l->p50_ns, l->p99_ns, l->p999_ns, l->max_ns};
        n = snprintf(out, AB_LINE_MAX, "l %u", said->operation);
        n += (int)print_counts(out + n, counts, sizeof counts / sizeof counts[0]);
        break;
    }
    case AB_SAID_MEMORY: {
        const ab_ladder *m = &said->memory;
        const uint64_t counts[] = {m->requested_bytes, m->reserved_bytes, m->committed_bytes,
                                   m->resident_bytes};
        n = snprintf(out, AB_LINE_MAX, "m");
        n += (int)print_counts(out + n, counts, sizeof counts / sizeof counts[0]);
        break;
    }
    case AB_SAID_FAILURE:
        n = snprintf(out, AB_LINE_MAX, "f %u %s %s", said->operation, ab_status_name(said->status),
                     said->text);
        break;
    case AB_SAID_EXTRA:
        n = snprintf(out, AB_LINE_MAX, "x %u %s %s", said->operation, said->name, said->text);
        break;
    case AB_SAID_DIGEST:
        n = snprintf(out, AB_LINE_MAX, "d %u %s", said->operation, said->text);
        break;
    case AB_SAID_OPERATIONS:
        n = snprintf(out, AB_LINE_MAX, "o %" PRIu32, said->operations);
        break;
    case AB_SAID_END:
        n = snprintf(out, AB_LINE_MAX, ".");
        break;
    }
    flatten(out);
    size_t length = (size_t)n < AB_LINE_MAX - 2 ? (size_t)n : AB_LINE_MAX - 2;
    out[length] = '\n';
    out[length + 1] = '\0';
    return length + 1;
}

/* The next word of *at, up to a space or the end. */
static bool take_word(const char **at, char *out, size_t out_bytes)
{
    size_t width = strcspn(*at, " ");

    if (width == 0 || width >= out_bytes) {
        return false;
    }
    memcpy(out, *at, width);
    out[width] = '\0';
    *at += width + ((*at)[width] == ' ');
    return true;
}

static bool take_count(const char **at, uint64_t *out)
{
    char word[24];
    ab_error ignored;

    if (!take_word(at, word, sizeof word)) {
        return false;
    }
    if (strcmp(word, "-") == 0) {
        *out = AB_NO_COUNT;
        return true;
    }
    return strspn(word, "0123456789") == strlen(word) && ab_size_parse(word, out, &ignored);
}

static bool take_counts(const char *at, size_t count, uint64_t *const *out)
{
    for (size_t i = 0; i < count; i++) {
        if (!take_count(&at, out[i])) {
            return false;
        }
    }
    return *at == '\0';
}

static bool parse_sample(const char *at, ab_sample *s)
{
    uint64_t *const fields[] = {
        &s->ops,    &s->passes,       &s->wall_ns,      &s->user_ns,
        &s->sys_ns, &s->minor_faults, &s->major_faults, &s->involuntary_switches};

    return take_counts(at, sizeof fields / sizeof fields[0], fields) && s->ops != AB_NO_COUNT &&
           s->passes != AB_NO_COUNT && s->wall_ns != AB_NO_COUNT;
}

static bool parse_memory(const char *at, ab_ladder *m)
{
    uint64_t *const fields[] = {&m->requested_bytes, &m->reserved_bytes, &m->committed_bytes,
                                &m->resident_bytes};

    return take_counts(at, sizeof fields / sizeof fields[0], fields);
}

static bool parse_latency(const char *at, ab_latencies *l)
{
    uint64_t *const fields[] = {&l->p50_ns, &l->p99_ns, &l->p999_ns, &l->max_ns};

    return take_counts(at, sizeof fields / sizeof fields[0], fields) && l->p50_ns != AB_NO_COUNT &&
           l->p99_ns != AB_NO_COUNT && l->p999_ns != AB_NO_COUNT && l->max_ns != AB_NO_COUNT;
}

static bool parse_operations(const char *at, unsigned operation_count, uint32_t *out)
{
    uint64_t set;
    bool is_set = take_count(&at, &set) && *at == '\0' && set > 0 && set >> operation_count == 0;

    *out = is_set ? (uint32_t)set : 0;
    return is_set;
}

static bool take_rest(const char *at, char *out, size_t out_bytes)
{
    int n = snprintf(out, out_bytes, "%s", at);
    return n > 0 && (size_t)n < out_bytes;
}

/* What ab_said_print replaces: no honest worker says it, and it must not get into a file. */
static bool has_controls(const char *line)
{
    while (*line != '\0' && (unsigned char)*line >= ' ') {
        line++;
    }
    return *line != '\0';
}

bool ab_said_parse(const char *line, unsigned operation_count, ab_said *out)
{
    char kind[4], word[40];
    uint64_t operation;

    *out = (ab_said){0};
    if (has_controls(line)) {
        return false;
    }
    if (strcmp(line, ".") == 0) {
        out->kind = AB_SAID_END;
        return true;
    }
    if (!take_word(&line, kind, sizeof kind) || kind[1] != '\0') {
        return false;
    }
    if (kind[0] == 'm') {
        out->kind = AB_SAID_MEMORY;
        return parse_memory(line, &out->memory);
    }
    if (kind[0] == 'o') {
        out->kind = AB_SAID_OPERATIONS;
        return parse_operations(line, operation_count, &out->operations);
    }
    if (!take_count(&line, &operation) || operation >= operation_count) {
        return false;
    }
    out->operation = (unsigned)operation;
    switch (kind[0]) {
    case 's':
        out->kind = AB_SAID_SAMPLE;
        return parse_sample(line, &out->sample);
    case 'l':
        out->kind = AB_SAID_LATENCY;
        return parse_latency(line, &out->latency);
    case 'f':
        out->kind = AB_SAID_FAILURE;
        out->status = take_word(&line, word, sizeof word) ? ab_status_named(word) : AB_STATUS_COUNT;
        return out->status != AB_STATUS_COUNT && out->status != AB_STATUS_OK &&
               take_rest(line, out->text, sizeof out->text);
    case 'x':
        out->kind = AB_SAID_EXTRA;
        return take_word(&line, out->name, sizeof out->name) &&
               strpbrk(out->name, "=;,\"") == NULL && strpbrk(line, ";,\"") == NULL &&
               take_rest(line, out->text, sizeof out->text);
    case 'd':
        out->kind = AB_SAID_DIGEST;
        return strlen(line) == 16 && strspn(line, "0123456789abcdef") == 16 &&
               take_rest(line, out->text, sizeof out->text);
    default:
        return false;
    }
}

bool ab_line_take(ab_line_buffer *buffer, char out[AB_LINE_MAX], bool *is_too_long)
{
    const char *end = memchr(buffer->bytes, '\n', buffer->used);

    *is_too_long = (end == NULL ? buffer->used : (size_t)(end - buffer->bytes)) >= AB_LINE_MAX;
    if (end == NULL || *is_too_long) {
        return false;
    }
    size_t length = (size_t)(end - buffer->bytes);
    memcpy(out, buffer->bytes, length);
    out[length > 0 && out[length - 1] == '\r' ? length - 1 : length] = '\0';
    buffer->used -= length + 1;
    memmove(buffer->bytes, end + 1, buffer->used);
    return true;
}
