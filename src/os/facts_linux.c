/* SPDX-License-Identifier: MIT
 *
 * What a Linux machine is. No state.
 */
#include "facts_emit.h"

#include "cgroup_linux.h"
#include "cpu.h"
#include "files_linux.h"
#include "machine_linux.h"

#include <inttypes.h>
#include <stdint.h>
#include <sys/utsname.h>
#include <unistd.h>

static void system_facts(ab_fact_fn *fact, void *context)
{
    char text[256];
    struct utsname name;

    if (uname(&name) == 0) {
        ab_fact_emit(fact, context, "os", "%s", name.sysname);
        ab_fact_emit(fact, context, "kernel", "%s %s", name.release, name.machine);
    }
    if (ab_linux_cpu_name(text, sizeof text)) {
        ab_fact_emit(fact, context, "cpu", "%s", text);
    }
    ab_fact_emit(fact, context, "cpus", "%d", ab_cpu_count());
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0) {
        ab_fact_emit(fact, context, "memory_bytes", "%" PRIu64,
                     (uint64_t)pages * (uint64_t)page_bytes);
    }
    /* "glibc 2.36"; other C libraries do not tell. */
    size_t length = confstr(_CS_GNU_LIBC_VERSION, text, sizeof text);
    if (length > 0 && length <= sizeof text) {
        ab_fact_emit(fact, context, "libc", "%s", text);
    }
}

static void file_fact(ab_fact_fn *fact, void *context, const char *key, const char *path)
{
    char text[64];
    if (ab_linux_read_line(path, text, sizeof text)) {
        ab_fact_emit(fact, context, key, "%s", text);
    }
}

static void setting_facts(ab_fact_fn *fact, void *context)
{
    char text[64];
    bool is_on;

    if (ab_linux_governor(text, sizeof text)) {
        ab_fact_emit(fact, context, "governor", "%s", text);
    }
    if (ab_linux_turbo(&is_on)) {
        ab_fact_emit(fact, context, "turbo", "%s", is_on ? "on" : "off");
    }
    if (ab_linux_thp(text, sizeof text)) {
        ab_fact_emit(fact, context, "thp", "%s", text);
    }
    file_fact(fact, context, "overcommit", "/proc/sys/vm/overcommit_memory");
    file_fact(fact, context, "aslr", "/proc/sys/kernel/randomize_va_space");
}

void ab_platform_facts(ab_fact_fn *fact, void *context)
{
    ab_cgroup cgroup;
    double value;
    bool is_vm;

    system_facts(fact, context);
    setting_facts(fact, context);
    if (ab_linux_load(&value)) {
        ab_fact_emit(fact, context, "load", "%.2f", value);
    }
    if (ab_linux_steal(&value)) {
        ab_fact_emit(fact, context, "steal", "%.2f%%", value);
    }
    if (ab_linux_is_vm(&is_vm)) {
        ab_fact_emit(fact, context, "vm", "%s", is_vm ? "yes" : "no");
    }
    ab_cgroup_read(&cgroup);
    if (cgroup.cpu_quota > 0) {
        ab_fact_emit(fact, context, "cgroup_cpu_quota", "%.2f", cgroup.cpu_quota);
    }
    if (cgroup.memory_limit_bytes != UINT64_MAX) {
        ab_fact_emit(fact, context, "cgroup_memory_limit", "%" PRIu64, cgroup.memory_limit_bytes);
    }
}
