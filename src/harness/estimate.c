/* SPDX-License-Identifier: MIT
 *
 * See estimate.h.
 */
#include "estimate.h"
#include "stats.h"
#include "warmth.h"

#include "os/cpu.h"

#include <math.h>

enum { TRIALS = 5, REGIONS = 8, PAGES = 256 };

/* One trial: some regions are mapped; one of them is touched and released, as one of many pages,
 * since on a virtual machine the first page that a call gives back costs as much as hundreds. */
static bool try_prices(ab_pages *pages, ab_prices *out)
{
    size_t page = pages->info.page_bytes;
    ab_region region[REGIONS];
    uint64_t begin_ns = ab_clock_now_ns();
    unsigned mapped = 0;

    while (mapped < REGIONS && ab_pages_map(pages, PAGES * page, &region[mapped]) == 0) {
        mapped++;
    }
    uint64_t mapped_ns = ab_clock_now_ns();
    for (size_t offset = 0; mapped > 0 && offset < PAGES * page; offset += page) {
        *((volatile char *)region[0].base + offset) = 1;
    }
    if (mapped > 0) {
        ab_pages_release(pages, &region[0]);
    }
    out->call_ns = (double)(mapped_ns - begin_ns) / REGIONS;
    out->page_ns = (double)(ab_clock_now_ns() - mapped_ns) / PAGES;
    for (unsigned i = 1; i < mapped; i++) {
        ab_pages_release(pages, &region[i]);
    }
    return mapped == REGIONS;
}

ab_prices ab_prices_measure(void)
{
    const ab_prices nominal = {.call_ns = 1200, .page_ns = 700};
    double call_ns[TRIALS], page_ns[TRIALS];
    ab_pages pages;

    ab_pages_init(&pages);
    for (unsigned i = 0; i < TRIALS; i++) {
        ab_prices found;
        if (!try_prices(&pages, &found)) {
            return nominal;
        }
        call_ns[i] = found.call_ns;
        page_ns[i] = found.page_ns;
    }
    return (ab_prices){ab_median(call_ns, TRIALS), ab_median(page_ns, TRIALS)};
}

unsigned ab_step_count(const ab_group *group, ab_step step)
{
    switch (step) {
    case AB_STEP_COLD:
        return group->processes;
    case AB_STEP_WARM:
        return group->processes * (group->rounds - 1);
    default:
        return 1;
    }
}

/* One round without what is around it, of which `floor_ns` are timed at least. */
static double round_ns_of(const ab_plan *plan, const ab_group *group, const ab_cell *cell,
                          double floor_ns)
{
    const double over = 1.2, untimed = 4;
    const ab_scenario *scenario = group->scenario;
    double round_ns = scenario->estimate_ns(cell->contender, group->params.bytes, &plan->prices);
    double per_cpu = ceil((double)scenario->key(group->params.bytes).threads / ab_cpu_count());
    double share_ns = (double)plan->max_time_ns / ((double)group->processes * group->rounds) * over;

    round_ns *= per_cpu > 1 ? per_cpu : 1;
    round_ns = plan->max_time_ns > 0 && round_ns > share_ns ? share_ns : round_ns;
    if (scenario->is_single_pass) {
        return round_ns;
    }
    /* One part takes most of it; each of the others is repeated, and prepared anew each time. */
    return fmax(round_ns, floor_ns) + (scenario->part_count - 1) * untimed * floor_ns;
}

double ab_step_estimate_ns(const ab_plan *plan, const ab_group *group, const ab_cell *cell,
                           ab_step step)
{
    const double part_floor_ns = 1.2e6, process_ns = 7e6, proof_ns = 4e7;
    double least_ns = (double)ab_warm_up_ns(group->scenario, cell->contender, group->params.bytes);

    if (!cell->is_supported) {
        return 0;
    }
    if (step == AB_STEP_PROOF) {
        return fmax(proof_ns, round_ns_of(plan, group, cell, 0));
    }
    if (step == AB_STEP_COLD) {
        return process_ns + round_ns_of(plan, group, cell, part_floor_ns);
    }
    double round_ns =
        round_ns_of(plan, group, cell, fmax(part_floor_ns, AB_WARM_ROUND_LEAST * least_ns));
    double warm_up_ns =
        fmin(round_ns * AB_WARM_UP_PASSES / AB_PREROLL_SHARE, least_ns * AB_WARM_UP_MOST);
    return round_ns + fmax(warm_up_ns, least_ns);
}

double ab_plan_estimate_ns(const ab_plan *plan)
{
    double sum = 0;

    for (size_t i = 0; i < plan->group_count; i++) {
        const ab_group *group = &plan->groups[i];
        for (size_t j = 0; j < group->cell_count; j++) {
            for (ab_step step = 0; step < AB_STEPS; step++) {
                sum += ab_step_count(group, step) *
                       ab_step_estimate_ns(plan, group, &group->cells[j], step);
            }
        }
    }
    return sum;
}
