/* SPDX-License-Identifier: MIT
 *
 * Files that the user named and that are only read: where they are, and what they hold. Paths are
 * UTF-8. No state.
 */
#ifndef AB_OS_FILE_H
#define AB_OS_FILE_H

#include <stddef.h>

/* The same path with a folder in it, so that no search for the bare name finds another file. The
 * file need not be there. 0 or a positive OS error code. */
int ab_file_with_folder(const char *path, char *out, size_t out_bytes);

/* The absolute path of an existing file, links followed where the OS does that. 0 or a code. */
int ab_file_resolve(const char *path, char *out, size_t out_bytes);

/* Hands the contents of a regular file over piece by piece. 0 or a code (a directory is one). */
typedef void ab_file_fn(void *context, const void *data, size_t bytes);
int ab_file_read(const char *path, ab_file_fn *take, void *context);

#endif
