/* SPDX-License-Identifier: MIT
 *
 * Is this machine fit to measure on? What stands in the way, what it does to results, and what
 * would change it. Looks, and never changes anything.
 */
#ifndef AB_HARNESS_DOCTOR_H
#define AB_HARNESS_DOCTOR_H

#include "text.h"

/* Adds one screen of text; the number of findings. */
size_t ab_doctor(ab_text *out);

#endif
