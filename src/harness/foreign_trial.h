/* SPDX-License-Identifier: MIT
 *
 * Before a group is measured, each library in it is tried out in a worker of its own, which ends
 * with it: what is broken becomes the cell's status, and the heaps that are measured start clean.
 */
#ifndef AB_HARNESS_FOREIGN_TRIAL_H
#define AB_HARNESS_FOREIGN_TRIAL_H

#include "coordinator.h"

void ab_foreign_try(ab_coordinator *coordinator, ab_group_result *result);

#endif
