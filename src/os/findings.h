/* SPDX-License-Identifier: MIT
 *
 * Settings of a machine that disturb a measurement, as a table: what it is, what it does to
 * results, and how its owner would change it. Read, never changed. One table per platform; no
 * state.
 */
#ifndef AB_OS_FINDINGS_H
#define AB_OS_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ab_finding {
    const char *name;   /* [a-z_]+, the fact it is about */
    const char *effect; /* a clause that follows "WHAT: " in a warning */
    const char *remedy; /* a command or an advice */
    /* Whether it is so here and now; then what is a short text about it, such as "load is 1.20". */
    bool (*is_present)(char *what, size_t what_bytes);
} ab_finding;

/* The platform's table; *count gets its length. */
const ab_finding *ab_findings(size_t *count);

#endif
