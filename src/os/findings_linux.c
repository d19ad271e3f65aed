/* SPDX-License-Identifier: MIT
 *
 * What on a Linux machine disturbs a measurement. No state.
 */
#include "findings.h"

#include "cgroup_linux.h"
#include "cpu.h"
#include "machine_linux.h"

#include <stdio.h>
#include <string.h>

static bool is_governed(char *what, size_t what_bytes)
{
    char governor[64];

    if (!ab_linux_governor(governor, sizeof governor) || strcmp(governor, "performance") == 0) {
        return false;
    }
    (void)snprintf(what, what_bytes, "the CPU frequency governor is %s", governor);
    return true;
}

static bool is_turbo_on(char *what, size_t what_bytes)
{
    bool is_on;

    (void)snprintf(what, what_bytes, "turbo is on");
    return ab_linux_turbo(&is_on) && is_on;
}

static bool is_loaded(char *what, size_t what_bytes)
{
    double load;

    if (!ab_linux_load(&load) || load <= 0.5) {
        return false;
    }
    (void)snprintf(what, what_bytes, "the load is %.2f on %d CPUs", load, ab_cpu_count());
    return true;
}

static bool is_stolen_from(char *what, size_t what_bytes)
{
    double pct;

    if (!ab_linux_steal(&pct) || pct < 0.1) {
        return false;
    }
    (void)snprintf(what, what_bytes, "the host took %.1f%% of the CPU time", pct);
    return true;
}

static bool is_limited(char *what, size_t what_bytes)
{
    ab_cgroup cgroup;

    ab_cgroup_read(&cgroup);
    if (cgroup.cpu_quota <= 0) {
        return false;
    }
    (void)snprintf(what, what_bytes, "a control group limits this process to %.2f CPUs",
                   cgroup.cpu_quota);
    return true;
}

static bool is_virtual(char *what, size_t what_bytes)
{
    bool is_vm;

    (void)snprintf(what, what_bytes, "this is a virtual machine");
    return ab_linux_is_vm(&is_vm) && is_vm;
}

static bool is_thp_always(char *what, size_t what_bytes)
{
    char thp[64];

    (void)snprintf(what, what_bytes, "transparent large pages are always on");
    return ab_linux_thp(thp, sizeof thp) && strcmp(thp, "always") == 0;
}

static const ab_finding findings[] = {
    {"governor", "the clock rate moves while it measures, so times vary and ratios drift",
     "cpupower frequency-set -g performance", is_governed},
    {"turbo", "the clock rate depends on temperature and on other cores, so times vary",
     "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or "
     "echo 0 > /sys/devices/system/cpu/cpufreq/boost",
     is_turbo_on},
    {"load", "other processes take CPU time and caches, so intervals widen and maxima rise",
     "stop other work, or wait", is_loaded},
    {"steal", "pauses that no process here causes are counted as time of the allocator",
     "measure on a dedicated machine", is_stolen_from},
    {"cgroup_cpu_quota",
     "it is stopped for the rest of a period when that is used up, so single "
     "times can be 100 ms too long",
     "run outside the control group, or without its cpu.max", is_limited},
    {"vm", "page faults and mapping calls cost more than on hardware, and neighbours disturb",
     "compare ratios, not nanoseconds, with other machines", is_virtual},
    {"thp", "first touch can fault 2 MiB at once, so touch and footprint depend on alignment",
     "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled", is_thp_always},
};

const ab_finding *ab_findings(size_t *count)
{
    *count = sizeof findings / sizeof *findings;
    return findings;
}
