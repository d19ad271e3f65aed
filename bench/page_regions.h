/* SPDX-License-Identifier: MIT
 *
 * Many regions of one size that go through the phases of their life together. Every phase goes on
 * until one call fails and returns that call's code, and `done` says how many regions it has dealt
 * with. The regions belong to the page_regions from page_regions_reserve to page_regions_release,
 * which releases whatever there is; the table of bases is the caller's.
 */
#ifndef AB_BENCH_PAGE_REGIONS_H
#define AB_BENCH_PAGE_REGIONS_H

#include "primitives.h"
#include "touch.h"

#include "os/raw_probe.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct page_regions {
    const page_primitive *primitive;
    ab_pages *pages; /* for touching by populate, and for what is known of the system */
    ab_touch touch;
    size_t bytes;  /* of a region */
    size_t most;   /* regions that are wanted */
    bool is_board; /* they are every other range of one reservation: a checkerboard */
    void **base;   /* [most] */
    size_t count;  /* regions that there are */
    size_t done;   /* by the last phase */
    void *board;   /* the one reservation */
} page_regions;

static inline size_t page_board_bytes(const page_regions *r)
{
    return 2 * r->most * r->bytes;
}

static inline int page_reserve(const page_primitive *primitive, const ab_page_info *info,
                               size_t bytes, void **out)
{
    return primitive->is_large ? ab_raw_map_aligned(bytes, info->huge_bytes, out)
                               : primitive->reserve(bytes, out);
}

static inline int page_regions_reserve_board(page_regions *r)
{
    int code = r->primitive->reserve(page_board_bytes(r), &r->board);

    for (size_t i = 0; code == 0 && i < r->most; i++) {
        r->base[i] = (char *)r->board + 2 * i * r->bytes;
        r->count++;
    }
    return code;
}

static inline int page_regions_reserve(page_regions *r)
{
    int code = 0;

    r->count = r->done = 0;
    if (r->is_board) {
        return page_regions_reserve_board(r);
    }
    while (r->count < r->most && code == 0) {
        code = page_reserve(r->primitive, &r->pages->info, r->bytes, &r->base[r->count]);
        r->count += code == 0;
        r->done = r->count;
    }
    return code;
}

/* One call for every region. */
static inline int page_regions_call(page_regions *r, ab_raw_call *call)
{
    int code = 0;

    r->done = 0;
    while (call != NULL && r->done < r->count && code == 0) {
        code = call(r->base[r->done], r->bytes);
        r->done += code == 0;
    }
    return code;
}

static inline int page_regions_commit(page_regions *r)
{
    return page_regions_call(r, r->primitive->commit);
}

static inline void page_regions_touch(const page_regions *r)
{
    for (size_t i = 0; i < r->count; i++) {
        ab_touch_block(r->touch, r->pages, r->base[i], r->bytes);
    }
}

static inline int page_regions_decommit(page_regions *r)
{
    int code = 0;

    r->done = 0;
    while (r->done < r->count && code == 0) {
        code = page_primitive_decommit(r->primitive, r->base[r->done], r->bytes);
        r->done += code == 0;
    }
    return code;
}

/* With what the primitive has to do before. */
static inline int page_regions_touch_again(page_regions *r)
{
    int code = page_regions_call(r, r->primitive->recommit);

    if (code == 0) {
        page_regions_touch(r);
    }
    return code;
}

/* Releases all of them even if one cannot be; the first failure's code. */
static inline int page_regions_release(page_regions *r)
{
    int code = 0;

    r->done = 0;
    if (r->board != NULL) {
        code = ab_raw_release(r->board, page_board_bytes(r));
    }
    for (size_t i = 0; i < r->count && !r->is_board; i++) {
        int one = ab_raw_release(r->base[i], r->bytes);
        code = code != 0 ? code : one;
    }
    r->board = NULL;
    r->count = 0;
    return code;
}

/* After a call that failed: which limit on mappings was met, "" if there are far fewer than it
 * allows. */
static inline void page_limit_met(char *out, size_t out_bytes)
{
    const uint64_t margin = 16;
    ab_raw_mappings mappings;

    ab_raw_mappings_read(&mappings);
    out[0] = '\0';
    if (mappings.limit_name != NULL && mappings.count != AB_RAW_UNKNOWN &&
        mappings.count + margin >= mappings.limit) {
        snprintf(out, out_bytes, ": there are %" PRIu64 " mappings and %s is %" PRIu64,
                 mappings.count, mappings.limit_name, mappings.limit);
    }
}

#endif
