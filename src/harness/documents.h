/* SPDX-License-Identifier: MIT
 *
 * The man page and the bash completion, generated from the tables that also do the work. They are
 * linked into a program of their own, which runs during the build: see documents.c.
 */
#ifndef AB_HARNESS_DOCUMENTS_H
#define AB_HARNESS_DOCUMENTS_H

#include "text.h"

/* allocbench(1), in the man macros. */
void ab_manual(ab_text *out);
/* The functions of the completion that say what the tables hold; scripts/completion.bash calls
 * them. */
void ab_completion(ab_text *out);

#endif
