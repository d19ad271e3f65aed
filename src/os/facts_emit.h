/* SPDX-License-Identifier: MIT
 *
 * Between facts.c and the platforms' facts. No state.
 */
#ifndef AB_OS_FACTS_EMIT_H
#define AB_OS_FACTS_EMIT_H

#include "allocbench/compiler.h"

#include "facts.h"

/* Formats one value, blanks out control characters, trims, and leaves empty values out. */
AB_PRINTF(4, 5)
void ab_fact_emit(ab_fact_fn *fact, void *context, const char *key, const char *format, ...);

/* Everything but the warnings. */
void ab_platform_facts(ab_fact_fn *fact, void *context);

#endif
