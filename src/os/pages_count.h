/* SPDX-License-Identifier: MIT
 *
 * What the page layers of all platforms share: the checks of their contract, the injected faults
 * and the counting. Inline, without state.
 */
#ifndef AB_OS_PAGES_COUNT_H
#define AB_OS_PAGES_COUNT_H

#include "allocbench/pages.h"

static inline bool ab_pages_is_size(const ab_pages *pages, size_t bytes)
{
    return bytes > 0 && bytes % pages->info.page_bytes == 0;
}

static inline bool ab_pages_is_range(const ab_pages *pages, const ab_region *region, size_t offset,
                                     size_t bytes)
{
    return region->base != NULL && ab_pages_is_size(pages, bytes) &&
           offset % pages->info.page_bytes == 0 && offset <= region->bytes &&
           bytes <= region->bytes - offset;
}

/* Counts an OS call about to be made; true when a test wants it to fail. */
static inline bool ab_pages_next_call_fails(ab_pages *pages)
{
    uint64_t number = ++pages->counts.os_calls;
    return number == pages->fail_at || (pages->fail_every != 0 && number % pages->fail_every == 0);
}

static inline void ab_pages_count_reserve(ab_pages *pages, size_t bytes)
{
    ab_page_counts *counts = &pages->counts;
    counts->reserved_bytes += bytes;
    if (counts->reserved_bytes > counts->peak_reserved_bytes) {
        counts->peak_reserved_bytes = counts->reserved_bytes;
    }
}

static inline void ab_pages_count_commit(ab_pages *pages, ab_region *region, size_t offset,
                                         size_t bytes)
{
    ab_page_counts *counts = &pages->counts;
    size_t end = offset + bytes;
    size_t added = bytes;

    counts->pages_submitted += bytes / pages->info.page_bytes;
    if (offset <= region->prefix_bytes) {
        added = end > region->prefix_bytes ? end - region->prefix_bytes : 0;
        region->prefix_bytes += added;
    }
    if (added > region->bytes - region->committed_bytes) {
        added = region->bytes - region->committed_bytes;
    }
    region->committed_bytes += added;
    counts->committed_bytes += added;
    if (counts->committed_bytes > counts->peak_committed_bytes) {
        counts->peak_committed_bytes = counts->committed_bytes;
    }
}

static inline void ab_pages_count_decommit(ab_pages *pages, ab_region *region, size_t offset,
                                           size_t bytes)
{
    size_t removed = 0;

    if (offset < region->prefix_bytes) {
        size_t left = region->prefix_bytes - offset;
        removed = bytes < left ? bytes : left;
        region->prefix_bytes = offset;
    } else if (region->committed_bytes > region->prefix_bytes) {
        size_t scattered = region->committed_bytes - region->prefix_bytes;
        removed = bytes < scattered ? bytes : scattered;
    }
    region->committed_bytes -= removed;
    pages->counts.committed_bytes -= removed;
}

static inline void ab_pages_count_release(ab_pages *pages, ab_region *region)
{
    pages->counts.reserved_bytes -= region->bytes;
    pages->counts.committed_bytes -= region->committed_bytes;
    *region = (ab_region){0};
}

#endif
