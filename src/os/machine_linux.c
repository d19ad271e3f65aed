/* SPDX-License-Identifier: MIT
 *
 * See machine_linux.h: /proc and /sys, each file read when asked.
 */
#include "machine_linux.h"

#include "cpu.h"
#include "files_linux.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ab_linux_governor(char *out, size_t out_bytes)
{
    char path[96];
    int cpu = ab_cpu_default();

    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
                   cpu > 0 ? cpu : 0);
    return ab_linux_read_line(path, out, out_bytes);
}

bool ab_linux_turbo(bool *is_on)
{
    uint64_t value;

    if (ab_linux_read_number("/sys/devices/system/cpu/intel_pstate/no_turbo", &value)) {
        *is_on = value == 0;
        return true;
    }
    if (ab_linux_read_number("/sys/devices/system/cpu/cpufreq/boost", &value)) {
        *is_on = value != 0;
        return true;
    }
    return false;
}

bool ab_linux_load(double *load)
{
    char text[64];
    char *end;

    if (!ab_linux_read_line("/proc/loadavg", text, sizeof text)) {
        return false;
    }
    *load = strtod(text, &end);
    return end != text;
}

bool ab_linux_steal(double *pct)
{
    char text[512];
    uint64_t sum = 0;
    uint64_t steal = 0;

    if (!ab_linux_read_line("/proc/stat", text, sizeof text)) {
        return false;
    }
    const char *next = ab_linux_field(text, "cpu ");
    /* user nice system idle iowait irq softirq steal; guest times are contained in user. */
    for (int i = 0; i < 8; i++) {
        if (next == NULL || !ab_linux_number(next, &steal)) {
            return false;
        }
        sum += steal;
        next = strchr(next, ' ');
        next = next != NULL ? next + 1 : NULL;
    }
    *pct = sum > 0 ? 100.0 * (double)steal / (double)sum : 0;
    return true;
}

bool ab_linux_thp(char *out, size_t out_bytes)
{
    char text[64];

    /* "always [madvise] never" */
    if (!ab_linux_read_line("/sys/kernel/mm/transparent_hugepage/enabled", text, sizeof text)) {
        return false;
    }
    char *begin = strchr(text, '[');
    char *end = begin != NULL ? strchr(begin, ']') : NULL;
    if (end == NULL || (size_t)(end - begin) > out_bytes) {
        return false;
    }
    size_t length = (size_t)(end - begin) - 1;
    memcpy(out, begin + 1, length);
    out[length] = '\0';
    return true;
}

bool ab_linux_is_vm(bool *is_vm)
{
    char text[8192];
    char line[32];

    *is_vm = true;
    if (ab_linux_read_line("/sys/hypervisor/type", line, sizeof line)) {
        return true;
    }
    (void)ab_linux_read("/proc/cpuinfo", text, sizeof text);
    const char *flags = ab_linux_field(text, "flags");
    if (flags == NULL) {
        return false;
    }
    const char *flag = strstr(flags, " hypervisor");
    *is_vm = flag != NULL && flag < flags + strcspn(flags, "\n");
    return true;
}

bool ab_linux_cpu_name(char *out, size_t out_bytes)
{
    static const char *const names[] = {"model name", "Model", "Processor", "uarch", "cpu"};
    char text[8192];

    (void)ab_linux_read("/proc/cpuinfo", text, sizeof text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *name = ab_linux_field(text, names[i]);
        if (name != NULL) {
            size_t length = strcspn(name, "\n");
            length = length < out_bytes ? length : out_bytes - 1;
            memcpy(out, name, length);
            out[length] = '\0';
            return length > 0;
        }
    }
    return false;
}
