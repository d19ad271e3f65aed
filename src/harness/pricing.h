/* SPDX-License-Identifier: MIT
 *
 * --max-time: how many operations a group can afford. The stream is shortened to a prefix, the same
 * one for every cell, before the first sample is taken.
 */
#ifndef AB_HARNESS_PRICING_H
#define AB_HARNESS_PRICING_H

#include "coordinator.h"

/* Fixes group->ops_limit by what the slowest cell can afford; runs short trials. Does nothing
 * without the plan's max_time_ns, or where the scenario has no operations to shorten. */
void ab_price(ab_coordinator *coordinator, ab_group *group, const ab_group_result *result);

#endif
