/* SPDX-License-Identifier: MIT
 *
 * What every POSIX system can tell about memory: see raw_probe.h. No state.
 */
#include "raw_probe.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t ab_raw_resident_bytes(void *base, size_t bytes)
{
    enum { PAGES_AT_ONCE = 4096 };
    unsigned char is_resident[PAGES_AT_ONCE] = {0};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint64_t resident = 0;

    for (size_t done = 0; done < bytes;) {
        size_t part = bytes - done < page * PAGES_AT_ONCE ? bytes - done : page * PAGES_AT_ONCE;
        /* The table's type differs between systems. */
        if (mincore((char *)base + done, part, (void *)is_resident) == 0) {
            for (size_t i = 0; i < part / page; i++) {
                resident += (is_resident[i] & 1u) != 0 ? page : 0;
            }
        } else if (errno != ENOMEM) { /* ENOMEM: not mapped */
            return AB_RAW_UNKNOWN;
        }
        done += part;
    }
    return resident;
}

/* A pipe takes the byte from its address: an inaccessible one is an error and no signal. */
ab_raw_answer ab_raw_faults(void *address)
{
    int ends[2];

    if (pipe(ends) != 0) {
        return AB_RAW_DONT_KNOW;
    }
    ssize_t written = write(ends[1], address, 1);
    int code = written == 1 ? 0 : errno;
    close(ends[0]);
    close(ends[1]);
    return code == 0 ? AB_RAW_NO : code == EFAULT ? AB_RAW_YES : AB_RAW_DONT_KNOW;
}
