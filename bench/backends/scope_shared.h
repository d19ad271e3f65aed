/* SPDX-License-Identifier: MIT
 *
 * Backend `scope-shared`: a region over a block pool that outlives it. The end of the scope leaves
 * the blocks in the pool, where the next scope finds them, the last one on top.
 */
#ifndef AB_BACKENDS_SCOPE_SHARED_H
#define AB_BACKENDS_SCOPE_SHARED_H

#include "backends/region_heap.h"

static const ab_backend scope_shared_backend = {
    REGION_HEAP_TABLE,
    .name = "scope-shared",
    .summary = "region over a block pool that outlives it",
    .open = region_heap_open_with_pool,
    .reset = region_heap_reset,
};

#endif
