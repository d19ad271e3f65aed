/* SPDX-License-Identifier: MIT
 *
 * Reading the small text files of /proc and /sys: by open and read into the caller's buffer, so
 * that no heap and no stdio is touched in a process whose heap is being measured. No state.
 */
#ifndef AB_OS_FILES_LINUX_H
#define AB_OS_FILES_LINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads at most out_bytes - 1 bytes and ends them with NUL. Number of bytes, 0 if unreadable. */
size_t ab_linux_read(const char *path, char *out, size_t out_bytes);
/* The first line of a file without its LF; false if unreadable or empty. */
bool ab_linux_read_line(const char *path, char *out, size_t out_bytes);
/* A file that begins with a decimal number; false for anything else, such as "max". */
bool ab_linux_read_number(const char *path, uint64_t *out);
/* The text after `name` at the beginning of a line of `text`, blanks and one ':' skipped; NULL if
 * no line begins so. Points into text. */
const char *ab_linux_field(const char *text, const char *name);
/* A decimal number at the beginning of text; false if there is none or it overflows. */
bool ab_linux_number(const char *text, uint64_t *out);

#endif
