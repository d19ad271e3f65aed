/* SPDX-License-Identifier: MIT
 *
 * What the operating system says about a range of this process's memory, without touching it: for
 * the truth about what page calls did. Bases and sizes are multiples of the page size. Figures that
 * a system cannot give are AB_RAW_UNKNOWN. No state.
 */
#ifndef AB_OS_RAW_PROBE_H
#define AB_OS_RAW_PROBE_H

#include <stddef.h>
#include <stdint.h>

#define AB_RAW_UNKNOWN UINT64_MAX

/* Bytes of the range that are in memory; 0 for one that is not mapped. */
uint64_t ab_raw_resident_bytes(void *base, size_t bytes);
/* Bytes of the range that count against the system's commit limit. */
uint64_t ab_raw_charged_bytes(void *base, size_t bytes);
/* Whether reading the byte faults, found out by letting the OS read it. */
typedef enum ab_raw_answer { AB_RAW_NO, AB_RAW_YES, AB_RAW_DONT_KNOW } ab_raw_answer;
ab_raw_answer ab_raw_faults(void *address);

typedef struct ab_raw_mappings {
    uint64_t count;         /* that this process has */
    uint64_t limit;         /* that it may have */
    const char *limit_name; /* of the setting; NULL: no such limit is known */
} ab_raw_mappings;
void ab_raw_mappings_read(ab_raw_mappings *out);

#endif
