/* SPDX-License-Identifier: MIT
 *
 * getrusage. Of the thread or of the process: usage_unix.h on the include path says which. Kernels
 * that do not count page faults (some sandboxes) are found out by a probe at first use; whether
 * faults count is the only state and is set once.
 */
#include "usage.h"

#include "usage_unix.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static uint64_t ns_of(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* Whether touching a fresh page raises the count. */
static bool do_faults_count(void)
{
    struct rusage before;
    struct rusage after;
    size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);

    if (page == MAP_FAILED) {
        return true;
    }
    memset(&before, 0, sizeof before);
    memset(&after, 0, sizeof after);
    getrusage(UNIX_RUSAGE_WHO, &before);
    *(volatile char *)page = 1;
    getrusage(UNIX_RUSAGE_WHO, &after);
    munmap(page, bytes);
    return after.ru_minflt + after.ru_majflt > before.ru_minflt + before.ru_majflt;
}

static void read_usage(int who, ab_usage *out)
{
    static enum { UNTRIED, COUNTED, UNCOUNTED } faults = UNTRIED;
    struct rusage usage;

    if (faults == UNTRIED) {
        faults = do_faults_count() ? COUNTED : UNCOUNTED;
    }
    if (getrusage(who, &usage) != 0) {
        *out = (ab_usage){AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN, AB_UNKNOWN};
        return;
    }
    out->user_ns = ns_of(usage.ru_utime);
    out->sys_ns = ns_of(usage.ru_stime);
    out->minor_faults = faults == COUNTED ? (uint64_t)usage.ru_minflt : AB_UNKNOWN;
    out->major_faults = faults == COUNTED ? (uint64_t)usage.ru_majflt : AB_UNKNOWN;
    out->involuntary_switches = (uint64_t)usage.ru_nivcsw;
}

void ab_usage_read(ab_usage *out)
{
    read_usage(UNIX_RUSAGE_WHO, out);
}

void ab_usage_read_process(ab_usage *out)
{
    read_usage(RUSAGE_SELF, out);
}

uint64_t ab_usage_tick_ns(void)
{
    return unix_tick_ns();
}
