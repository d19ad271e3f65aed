/* SPDX-License-Identifier: MIT
 *
 * How long a plan will take, before and while it runs. What the OS asks for a call and for a page
 * differs tenfold between machines (a virtual machine pays for every change of a page table), so
 * both prices are measured at the start; the rest is nominal. Nothing here changes what is
 * measured.
 */
#ifndef AB_HARNESS_ESTIMATE_H
#define AB_HARNESS_ESTIMATE_H

#include "plan.h"

/* Measures the prices; takes some milliseconds. Nominal ones where there is no memory. */
ab_prices ab_prices_measure(void);

/* Rough time of one round of a cell, its share of starting the process included; 0 of a cell that
 * does not run. Under --max-time no more than the cell's share of that, or than a round takes at
 * least. */
double ab_round_estimate_ns(const ab_plan *plan, const ab_group *group, const ab_cell *cell);
/* The same of a whole cell, and of the whole plan. */
double ab_cell_estimate_ns(const ab_plan *plan, const ab_group *group, const ab_cell *cell);
double ab_plan_estimate_ns(const ab_plan *plan);

#endif
