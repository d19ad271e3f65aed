/* SPDX-License-Identifier: MIT
 *
 * See doctor.h. The findings of the machine come from src/os/, those of the program from here.
 */
#include "doctor.h"
#include "run_facts.h"

#include "os/clock.h"
#include "os/cpu.h"
#include "os/findings.h"

#include <stdio.h>
#include <string.h>

static bool is_build_slow(char *what, size_t what_bytes)
{
    snprintf(what, what_bytes, "this program is a %s build", ab_version_build());
    return strcmp(ab_version_build(), "optimised") != 0;
}

static bool is_clock_coarse(char *what, size_t what_bytes)
{
    const double fine_ns = 1000;
    double step_ns = ab_clock_measure().step_ns;

    snprintf(what, what_bytes, "the clock steps by %.0f ns", step_ns);
    return step_ns > fine_ns;
}

static bool is_pinning_missing(char *what, size_t what_bytes)
{
    snprintf(what, what_bytes, "processes cannot be pinned to a CPU");
    return ab_cpu_default() < 0;
}

static const ab_finding own_findings[] = {
    {"build", "the harness and the allocators cost more than they should", "use the preset release",
     is_build_slow},
    {"clock", "rounds get longer, and latencies of single operations are coarse",
     "choose a finer clock source in the system's settings", is_clock_coarse},
    {"pinning", "workers move between CPUs and lose their caches", "none on this platform",
     is_pinning_missing},
};

static size_t add_findings(ab_text *out, const ab_finding *findings, size_t count, size_t number)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        char what[128];
        if (findings[i].is_present(what, sizeof what)) {
            found++;
            ab_text_add(out, "\n%zu. %s\n   effect: %s\n   change: %s\n", number + found, what,
                        findings[i].effect, findings[i].remedy);
        }
    }
    return found;
}

size_t ab_doctor(ab_text *out)
{
    size_t count = 0;
    const ab_finding *findings = ab_findings(&count);
    ab_text list = {0};

    size_t found = add_findings(&list, findings, count, 0);
    found += add_findings(&list, own_findings, sizeof own_findings / sizeof own_findings[0], found);
    ab_text_add(out,
                found == 0
                    ? "This machine is ready to measure on: nothing was found that disturbs.\n"
                    : "%zu thing%s on this machine disturb%s measurements.\n",
                found, found == 1 ? "" : "s", found == 1 ? "s" : "");
    ab_text_add(out, "%s", list.bytes != NULL ? list.bytes : "");
    out->is_short = out->is_short || list.is_short;
    if (found > 0) {
        ab_text_add(out,
                    "\nPaired ratios and their intervals allow for all of this; they get wider. "
                    "`allocbench selftest` tells by how much.\n");
    }
    ab_text_free(&list);
    return found;
}
