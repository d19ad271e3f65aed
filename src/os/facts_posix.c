/* SPDX-License-Identifier: MIT
 *
 * What every POSIX system tells of the machine. No state.
 */
#include "facts_emit.h"

#include "cpu.h"
#include "facts_unix.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

void ab_platform_facts(ab_fact_fn *fact, void *context)
{
    char text[256];
    struct utsname name;
    double load;

    if (uname(&name) >= 0) {
        ab_fact_emit(fact, context, "os", "%s", name.sysname);
        ab_fact_emit(fact, context, "kernel", "%s %s", name.release, name.machine);
    }
    if (unix_cpu_name(text, sizeof text)) {
        ab_fact_emit(fact, context, "cpu", "%s", text);
    }
    ab_fact_emit(fact, context, "cpus", "%d", ab_cpu_count());
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0) {
        ab_fact_emit(fact, context, "memory_bytes", "%" PRIu64,
                     (uint64_t)pages * (uint64_t)page_bytes);
    }
    if (getloadavg(&load, 1) == 1) {
        ab_fact_emit(fact, context, "load", "%.2f", load);
    }
}
