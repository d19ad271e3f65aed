/* SPDX-License-Identifier: MIT
 *
 * A library in the worker that measures it: taken into use, tried out, and what it tells of itself.
 * Owned by the worker; the run keeps pointers into it.
 */
#ifndef AB_HARNESS_FOREIGN_USE_H
#define AB_HARNESS_FOREIGN_USE_H

#include "foreign.h"
#include "scenario.h"

#include "os/library.h"

typedef struct ab_foreign_use {
    const ab_foreign *foreign;
    ab_library library;
    ab_lib_calls calls;
    ab_contender contender; /* of a plug-in; backend NULL: it is none */
} ab_foreign_use;

/* Opens the library, or makes sure that it is in effect, and makes it the run's contender. false
 * after the operations got their status. */
bool ab_foreign_use_begin(ab_foreign_use *use, const ab_foreign *foreign, ab_run *run);
/* Whether the run's open heap serves single objects as it must: contents, alignment, no overlap,
 * and memory that comes back. Else the operations get their status. */
void ab_foreign_use_check(ab_run *run);
/* Whether figures, which may be a plug-in's, are as many as there may be and have names that a line
 * of the protocol can hold. */
bool ab_backend_stats_are_sound(const ab_backend_stats *stats);
/* Version and dispatch, into `extra`. */
void ab_foreign_use_tell(const ab_foreign_use *use, ab_run *run);

#endif
