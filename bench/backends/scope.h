/* SPDX-License-Identifier: MIT
 *
 * Backend `scope`: a region over a block pool of its own. Reset is the end of the scope together
 * with its pool, whose blocks go back to the extents.
 */
#ifndef AB_BACKENDS_SCOPE_H
#define AB_BACKENDS_SCOPE_H

#include "backends/region_heap.h"

static void scope_backend_reset(ab_heap *heap)
{
    region_heap_reset(heap);
    ab_block_pool_clear(&((region_heap *)heap)->pool);
}

static const ab_backend scope_backend = {
    REGION_HEAP_TABLE,
    .name = "scope",
    .summary = "region over a block pool of its own, dropped as a whole",
    .open = region_heap_open_with_pool,
    .reset = scope_backend_reset,
};

#endif
