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

/* What the time of a cell consists of. */
typedef enum ab_step {
    AB_STEP_COLD,  /* the first round of a process, its start and end included */
    AB_STEP_WARM,  /* another round, with its warm-up */
    AB_STEP_PROOF, /* what is asked of the first process after its rounds */
    AB_STEPS
} ab_step;

/* Rough time of one step of a cell; 0 of a cell that does not run. Under --max-time no more than
 * the cell's share of that, or than a round takes at least. */
double ab_step_estimate_ns(const ab_plan *plan, const ab_group *group, const ab_cell *cell,
                           ab_step step);
/* How many of them each cell of a group takes. */
unsigned ab_step_count(const ab_group *group, ab_step step);
double ab_plan_estimate_ns(const ab_plan *plan);

#endif
