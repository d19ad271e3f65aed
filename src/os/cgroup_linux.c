/* SPDX-License-Identifier: MIT
 *
 * Walks from this process's control group up to the root, since a limit anywhere above binds as
 * well. The paths in /proc/self/cgroup may lie above what a container sees mounted; then the walk
 * finds no files until it reaches the mount's root, which is the container's own group.
 */
#include "cgroup_linux.h"

#include "files_linux.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

/* Version 1 writes "no limit" as the largest page multiple below 2^63. */
#define NO_LIMIT_V1 (UINT64_C(1) << 62)

static bool read_in(const char *folder, const char *name, char *out, size_t out_bytes)
{
    char path[PATH_BYTES + 64];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length > 0 && (size_t)length < sizeof path && ab_linux_read_line(path, out, out_bytes);
}

/* Names of one version's files, and of lines of memory.stat with the blank behind them. */
typedef struct memory_names {
    const char *limit, *usage, *inactive_cache, *active_cache;
} memory_names;

static uint64_t figure(const char *text, const char *name)
{
    const char *field = ab_linux_field(text, name);
    uint64_t bytes;

    return field != NULL && ab_linux_number(field, &bytes) ? bytes : 0;
}

/* What counts as used, and would be given back before memory runs out: pages of files. */
static uint64_t cache_bytes(const char *folder, const memory_names *names)
{
    char path[PATH_BYTES + 64], text[8192];
    int length = snprintf(path, sizeof path, "%s/memory.stat", folder);

    if (length <= 0 || (size_t)length >= sizeof path ||
        ab_linux_read(path, text, sizeof text) == 0) {
        return 0;
    }
    return figure(text, names->inactive_cache) + figure(text, names->active_cache);
}

static void apply_memory(ab_cgroup *out, const char *folder, const memory_names *names)
{
    char text[64];
    uint64_t limit;
    uint64_t usage = 0;

    if (!read_in(folder, names->limit, text, sizeof text) || !ab_linux_number(text, &limit) ||
        limit >= NO_LIMIT_V1) {
        return;
    }
    if (read_in(folder, names->usage, text, sizeof text)) {
        (void)ab_linux_number(text, &usage);
    }
    uint64_t cache = cache_bytes(folder, names);
    usage = usage > cache ? usage - cache : 0;
    uint64_t left = limit > usage ? limit - usage : 0;
    if (limit < out->memory_limit_bytes) {
        out->memory_limit_bytes = limit;
    }
    if (left < out->memory_left_bytes) {
        out->memory_left_bytes = left;
    }
}

static void apply_quota(ab_cgroup *out, uint64_t quota_us, uint64_t period_us)
{
    if (quota_us == 0 || period_us == 0) {
        return;
    }
    double cpus = (double)quota_us / (double)period_us;
    if (out->cpu_quota <= 0 || cpus < out->cpu_quota) {
        out->cpu_quota = cpus;
    }
}

static void apply_v2(ab_cgroup *out, const char *folder)
{
    char text[64];
    uint64_t quota;
    uint64_t period;

    static const memory_names names = {"memory.max", "memory.current", "inactive_file ",
                                       "active_file "};

    apply_memory(out, folder, &names);
    /* "max 100000" or "50000 100000" */
    if (read_in(folder, "cpu.max", text, sizeof text) && ab_linux_number(text, &quota)) {
        const char *blank = strchr(text, ' ');
        if (blank != NULL && ab_linux_number(blank + 1, &period)) {
            apply_quota(out, quota, period);
        }
    }
}

static void apply_v1_memory(ab_cgroup *out, const char *folder)
{
    static const memory_names names = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                       "total_inactive_file ", "total_active_file "};

    apply_memory(out, folder, &names);
}

static void apply_v1_cpu(ab_cgroup *out, const char *folder)
{
    char text[64];
    uint64_t quota;
    uint64_t period;

    /* "-1" means none and is no number here. */
    if (read_in(folder, "cpu.cfs_quota_us", text, sizeof text) && ab_linux_number(text, &quota) &&
        read_in(folder, "cpu.cfs_period_us", text, sizeof text) && ab_linux_number(text, &period)) {
        apply_quota(out, quota, period);
    }
}

typedef void apply_fn(ab_cgroup *out, const char *folder);

/* Applies to mount/group, its parent, ... and mount itself. */
static void walk_up(ab_cgroup *out, apply_fn *apply, const char *mount, const char *group,
                    size_t group_length)
{
    char folder[PATH_BYTES];
    size_t root = strlen(mount);
    int length = snprintf(folder, sizeof folder, "%s%.*s", mount, (int)group_length, group);

    if (length <= 0 || (size_t)length >= sizeof folder) {
        return;
    }
    for (;;) {
        apply(out, folder);
        char *slash = strrchr(folder + root, '/');
        if (slash == NULL) {
            return;
        }
        *slash = '\0';
    }
}

/* Whether `name` is one of the comma-separated words of a controller list. */
static bool is_listed(const char *list, size_t list_length, const char *name)
{
    size_t length = strlen(name);

    for (size_t at = 0; at + length <= list_length; at++) {
        bool begins = at == 0 || list[at - 1] == ',';
        bool ends = at + length == list_length || list[at + length] == ',';
        if (begins && ends && memcmp(list + at, name, length) == 0) {
            return true;
        }
    }
    return false;
}

void ab_cgroup_read(ab_cgroup *out)
{
    char text[4096];

    *out = (ab_cgroup){UINT64_MAX, UINT64_MAX, 0};
    if (ab_linux_read("/proc/self/cgroup", text, sizeof text) == 0) {
        return;
    }
    /* Lines "0::/group" (version 2) or "4:cpu,cpuacct:/group" (version 1). */
    for (const char *line = text; line != NULL && *line != '\0';) {
        const char *controllers = strchr(line, ':');
        const char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL) {
            return;
        }
        controllers++;
        group++;
        size_t list_length = (size_t)(group - 1 - controllers);
        size_t group_length = strcspn(group, "\n");
        if (list_length == 0) {
            walk_up(out, apply_v2, "/sys/fs/cgroup", group, group_length);
            walk_up(out, apply_v2, "/sys/fs/cgroup/unified", group, group_length);
        }
        if (is_listed(controllers, list_length, "memory")) {
            walk_up(out, apply_v1_memory, "/sys/fs/cgroup/memory", group, group_length);
        }
        if (is_listed(controllers, list_length, "cpu")) {
            walk_up(out, apply_v1_cpu, "/sys/fs/cgroup/cpu", group, group_length);
        }
        line = strchr(group, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
}
