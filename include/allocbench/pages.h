/* SPDX-License-Identifier: MIT
 *
 * The page layer: address space and storage from the operating system, one verb per OS operation.
 * Contract: sizes and offsets are multiples of the page size, sizes are > 0, ranges lie inside the
 * region; every call returns 0 or a positive OS error code (errno, GetLastError) and leaves the
 * region usable when it fails; nothing prints or exits. A region remembers its base and its
 * reserved size, since Windows releases whole reservations only. An ab_pages belongs to its caller,
 * is used by one thread at a time, and counts what went through it; regions belong to the caller.
 */
#ifndef ALLOCBENCH_PAGES_H
#define ALLOCBENCH_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a platform can do; a missing bit makes a plan row `unsupported`. */
enum {
    AB_PAGES_CAN_PURGE = 1u << 0,     /* purge is lazy (MADV_FREE, MEM_RESET), not a decommit */
    AB_PAGES_CAN_POPULATE = 1u << 1,  /* populate is one OS call, not a touch per page */
    AB_PAGES_CAN_HUGE = 1u << 2,      /* advise_huge has an effect */
    AB_PAGES_CAN_BOUND = 1u << 3,     /* ab_pages_bound works */
    AB_PAGES_CAN_BOUND_SPAN = 1u << 4 /* ... and can also make the bounded space one span */
};

typedef struct ab_page_info {
    size_t page_bytes;        /* unit of commit, decommit, protection */
    size_t granularity_bytes; /* alignment of what reserve returns; 64 KiB on Windows */
    size_t huge_bytes;        /* large-page size, 0 where there is none */
    uint32_t can;             /* AB_PAGES_CAN_* */
} ab_page_info;

/* One contiguous reservation. base is NULL after release and after a failed reserve or map. */
typedef struct ab_region {
    void *base;
    size_t bytes;           /* reserved; a multiple of the page size */
    size_t prefix_bytes;    /* [0, prefix) is known to be committed */
    size_t committed_bytes; /* exact while commits extend the prefix or do not overlap and
                               what is decommitted was committed; else an estimate, never above
                               bytes */
} ab_region;

/* Counters of what went through the layer. All start at zero. */
typedef struct ab_page_counts {
    uint64_t os_calls;        /* calls made to the operating system, failed ones included */
    uint64_t pages_submitted; /* pages named in commit, map and populate calls that succeeded */
    size_t reserved_bytes, peak_reserved_bytes;
    size_t committed_bytes, peak_committed_bytes;
} ab_page_counts;

/* A page layer in use: what the OS told, the counters, and (for tests) the faults to inject. */
typedef struct ab_pages {
    ab_page_info info;
    ab_page_counts counts;
    uint64_t fail_at; /* the OS call with this number (1 = first) fails with no memory; 0: none */
    uint64_t fail_every; /* every N-th OS call fails with no memory; 0: none */
    void *bound;         /* state of ab_pages_bound, NULL when unbounded; the platform's own */
} ab_pages;

/* Asks the OS once and sets all counters to zero. Cannot fail. */
void ab_pages_init(ab_pages *pages);

/* Address space without storage: access faults. */
int ab_pages_reserve(ab_pages *pages, size_t bytes, ab_region *out);
/* reserve + commit of the whole region in one OS call. */
int ab_pages_map(ab_pages *pages, size_t bytes, ab_region *out);
/* Makes [offset, offset + bytes) readable and writable; zero on first touch. Committing again keeps
 * the contents. */
int ab_pages_commit(ab_pages *pages, ab_region *region, size_t offset, size_t bytes);
/* Gives the storage back; access faults; zero after the next commit. Decommitting what was never
 * committed succeeds. */
int ab_pages_decommit(ab_pages *pages, ab_region *region, size_t offset, size_t bytes);
/* The contents of a committed range may vanish (become zero) from now on; it stays accessible, and
 * a page that is written again keeps what is written. */
int ab_pages_purge(ab_pages *pages, ab_region *region, size_t offset, size_t bytes);
/* Faults a committed range in now; keeps contents. */
int ab_pages_populate(ab_pages *pages, ab_region *region, size_t offset, size_t bytes);
/* Asks for large pages in a range; a hint. Unsupported on Windows (ERROR_NOT_SUPPORTED). */
int ab_pages_advise_huge(ab_pages *pages, ab_region *region, size_t offset, size_t bytes);
/* The whole region goes; *region becomes all zero. */
int ab_pages_release(ab_pages *pages, ab_region *region);

/* From here on this process cannot reserve more than about `bytes` of address space in all (what it
 * uses already included), until ab_pages_unbound. With span, that space is moreover one contiguous
 * range, so that it can be fragmented. POSIX: RLIMIT_AS; for span, every other free range is
 * occupied by inaccessible mappings. Windows: reservations must end below address `bytes` (a span
 * by nature). *limit_bytes gets the limit in force, which an inherited hard limit may have lowered.
 * No other thread may allocate meanwhile. Fails with the code for "not supported" where
 * AB_PAGES_CAN_BOUND or AB_PAGES_CAN_BOUND_SPAN is missing. */
int ab_pages_bound(ab_pages *pages, size_t bytes, bool span, size_t *limit_bytes);
void ab_pages_unbound(ab_pages *pages);

/* Whether an error code of this layer means that memory, address space or mappings ran out. */
bool ab_is_out_of_memory(int code);
/* The error codes of this OS that mean that memory has run out, and that an argument is wrong. */
int ab_out_of_memory_code(void);
int ab_invalid_code(void);

#endif
