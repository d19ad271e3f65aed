/* SPDX-License-Identifier: MIT
 *
 * Where a built-in backend's heap struct lies: in pages of its own, so that opening a heap takes
 * nothing from any heap under test. The struct begins with an ab_place.
 */
#ifndef AB_BACKENDS_PLACE_H
#define AB_BACKENDS_PLACE_H

#include "allocbench/pages.h"

typedef struct ab_place {
    ab_pages *pages;
    ab_region region;
} ab_place;

/* Bytes rounded up to whole pages; false when that overflows or bytes is 0. */
static inline bool ab_place_round(const ab_pages *pages, size_t bytes, size_t *out)
{
    size_t page = pages->info.page_bytes;

    *out = (bytes + page - 1) / page * page;
    return bytes > 0 && bytes <= SIZE_MAX - page;
}

/* Zeroed memory for a struct that begins with an ab_place. 0 or a positive OS error code. */
static inline int ab_place_make(ab_pages *pages, size_t bytes, void **out)
{
    ab_region region;
    size_t whole = 0;

    ab_place_round(pages, bytes, &whole);
    int code = ab_pages_map(pages, whole, &region);
    if (code == 0) {
        *(ab_place *)region.base = (ab_place){pages, region};
    }
    *out = region.base;
    return code;
}

/* The struct is gone afterwards. */
static inline void ab_place_free(ab_place *place)
{
    ab_place own = *place;

    ab_pages_release(own.pages, &own.region);
}

#endif
