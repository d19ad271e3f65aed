/* SPDX-License-Identifier: MIT
 *
 * Shared by the two files of foreign_use.h.
 */
#ifndef AB_HARNESS_FOREIGN_INTERNAL_H
#define AB_HARNESS_FOREIGN_INTERNAL_H

#include "scenario.h"

/* Every operation that has none yet gets this status. */
void ab_foreign_fail(ab_run *run, ab_status status, const char *format, ...) AB_PRINTF(3, 4);

#endif
