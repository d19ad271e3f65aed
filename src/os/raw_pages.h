/* SPDX-License-Identifier: MIT
 *
 * Bare page calls of the operating system, for benchmarks that measure them without a layer
 * between: each function is one OS call unless it says otherwise, counts nothing and checks
 * nothing. Bases and sizes are multiples of the page size. Every call returns 0 or a positive OS
 * error code; one that this system does not have returns a code for which ab_raw_is_absent is true.
 * Memory is the caller's.
 */
#ifndef AB_OS_RAW_PAGES_H
#define AB_OS_RAW_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* What is done to a range of pages. */
typedef int ab_raw_call(void *base, size_t bytes);

int ab_raw_reserve(size_t bytes, void **out); /* access faults */
int ab_raw_map(size_t bytes, void **out);     /* readable and writable at once */
/* ab_raw_map at a multiple of alignment, a power of two: up to three OS calls. */
int ab_raw_map_aligned(size_t bytes, size_t alignment, void **out);
ab_raw_call ab_raw_commit;       /* readable and writable */
ab_raw_call ab_raw_protect_none; /* access faults, contents stay */
ab_raw_call ab_raw_release;      /* a whole reservation or map */

/* POSIX */
ab_raw_call ab_raw_dontneed;     /* MADV_DONTNEED */
ab_raw_call ab_raw_free_lazy;    /* MADV_FREE */
ab_raw_call ab_raw_remap_none;   /* a new inaccessible mapping in its place */
ab_raw_call ab_raw_populate;     /* MADV_POPULATE_WRITE */
ab_raw_call ab_raw_advise_large; /* MADV_HUGEPAGE */
/* mremap, which may move; *base changes when it does. */
int ab_raw_remap(void **base, size_t old_bytes, size_t new_bytes);

/* Windows */
ab_raw_call ab_raw_decommit;   /* MEM_DECOMMIT */
ab_raw_call ab_raw_reset;      /* MEM_RESET */
ab_raw_call ab_raw_reset_undo; /* MEM_RESET_UNDO */

bool ab_raw_is_absent(int code);

/* Rough time of committing an accessible page again, per page; 0 where the OS skips such pages. For
 * estimates alone. */
double ab_raw_recommit_page_ns(void);

#endif
