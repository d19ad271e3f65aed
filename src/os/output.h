/* SPDX-License-Identifier: MIT
 *
 * Result files and the terminal. A file is opened before anything runs, but an existing one keeps
 * its contents until ab_output_begin: a usage error destroys nothing. Text goes out as it is (LF,
 * no translation). An ab_output belongs to the caller.
 */
#ifndef AB_OS_OUTPUT_H
#define AB_OS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ab_output {
    intptr_t handle;  /* -1 = closed */
    bool is_regular;  /* can be cut back */
    bool is_created;  /* made by ab_output_open */
    bool is_standard; /* stdout or stderr: not closed */
    uint64_t bytes;   /* whole writes so far */
} ab_output;

/* Opens for writing without truncating. 0 or a positive OS error code (a directory is one). */
int ab_output_open(ab_output *out, const char *path);
void ab_output_standard(ab_output *out, bool error_stream);
/* Call it before anything is opened: where stdin, stdout or stderr is closed, no other file gets
 * its number; to write there remains an error. */
void ab_output_guard_standard(void);
/* Whether two outputs are the same file. */
bool ab_output_is_same(const ab_output *a, const ab_output *b);
/* Empties a regular file. 0 or a code. */
int ab_output_begin(ab_output *out);
/* Undoes ab_output_open: removes the file if it was created (path as given there), closes. */
void ab_output_abandon(ab_output *out, const char *path);
/* Writes all bytes or, after an error, cuts a regular file back to what was whole. 0 or a code. */
int ab_output_write(ab_output *out, const void *data, size_t bytes);
/* Closes; reports what the OS only now tells (full disk). 0 or a code. */
int ab_output_close(ab_output *out);

/* Whether stdout / stderr is a terminal that understands colours and repainting (a console, TERM
 * not "dumb"). On Windows this also switches escape sequences on where the console has them. */
bool ab_terminal_is_smart(bool error_stream);
bool ab_terminal_is_terminal(bool error_stream);
/* Columns of the terminal, 80 where unknown. */
int ab_terminal_columns(bool error_stream);

/* Environment variable in UTF-8, or NULL. */
const char *ab_environment(const char *name);

/* Text of an OS error code, one line. */
void ab_os_error_text(int code, char *out, size_t out_bytes);

#endif
