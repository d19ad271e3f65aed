/* SPDX-License-Identifier: MIT
 *
 * What on a Windows machine disturbs a measurement. No state.
 */
#include "findings.h"

#include "machine_win32.h"

#include <stdio.h>

static bool is_wine(char *what, size_t what_bytes)
{
    const char *version = ab_win32_wine_version();

    (void)snprintf(what, what_bytes, "this is Wine %s", version != NULL ? version : "");
    return version != NULL;
}

static bool is_virtual(char *what, size_t what_bytes)
{
    bool is_vm;

    (void)snprintf(what, what_bytes, "the CPU reports a hypervisor");
    return ab_win32_is_vm(&is_vm) && is_vm;
}

static bool is_on_battery(char *what, size_t what_bytes)
{
    (void)snprintf(what, what_bytes, "this runs on battery");
    return ab_win32_is_on_battery();
}

static const ab_finding findings[] = {
    {"wine", "page and heap calls are emulated, so times are not those of Windows",
     "measure on Windows", is_wine},
    {"vm", "page faults and mapping calls cost more than on hardware, and neighbours disturb",
     "compare ratios, not nanoseconds, with other machines", is_virtual},
    {"power", "the clock rate is kept low and moves, so times vary and ratios drift",
     "connect the power supply and choose the high-performance plan", is_on_battery},
};

const ab_finding *ab_findings(size_t *count)
{
    *count = sizeof findings / sizeof *findings;
    return findings;
}
