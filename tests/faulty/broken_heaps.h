/* SPDX-License-Identifier: MIT
 *
 * Backends that break the promises of allocbench/backend.h, each in its own way. All of them hand
 * out memory of one static block, so that their heap is nothing but a count of objects.
 */
#ifndef AB_BROKEN_HEAPS_H
#define AB_BROKEN_HEAPS_H

#include "allocbench/backend.h"

extern const ab_backend broken_overlapping; /* every object begins within the one before */
extern const ab_backend broken_misaligned;  /* the third object lies 4 bytes off */
extern const ab_backend
    broken_overwriting;                    /* the fourth allocation writes into the second object */
extern const ab_backend broken_exhausted;  /* the third allocation gets nothing */
extern const ab_backend broken_unopenable; /* open answers with an error */

#endif
