/* SPDX-License-Identifier: MIT
 *
 * What every POSIX system tells that disturbs a measurement. No state.
 */
#include "findings.h"

#include "cpu.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_loaded(char *what, size_t what_bytes)
{
    double load;

    if (getloadavg(&load, 1) != 1 || load <= 0.5) {
        return false;
    }
    (void)snprintf(what, what_bytes, "the load is %.2f on %d CPUs", load, ab_cpu_count());
    return true;
}

static const ab_finding findings[] = {
    {"load", "other processes take CPU time and caches, so intervals widen and maxima rise",
     "stop other work, or wait", is_loaded},
};

const ab_finding *ab_findings(size_t *count)
{
    *count = sizeof findings / sizeof *findings;
    return findings;
}
