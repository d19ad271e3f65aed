/* SPDX-License-Identifier: MIT
 *
 * Whether a contender can serve a scenario at a point: asked by the plan, and by a worker about a
 * plug-in that only the worker knows. Pure.
 */
#ifndef AB_HARNESS_CAPABILITY_H
#define AB_HARNESS_CAPABILITY_H

#include "scenario.h"

/* false with the reason. */
bool ab_can_serve(const ab_scenario *scenario, const ab_contender *contender, const void *params,
                  const ab_page_info *info, char *reason, size_t reason_bytes);

#endif
