/* SPDX-License-Identifier: MIT
 *
 * Backend `autofree`: a region whose blocks come straight from the extents, freed as a whole.
 */
#ifndef AB_BACKENDS_AUTOFREE_H
#define AB_BACKENDS_AUTOFREE_H

#include "backends/region_heap.h"

static int autofree_backend_open(const ab_backend_config *config, ab_heap **out)
{
    return region_heap_open(config, false, out);
}

static const ab_backend autofree_backend = {
    REGION_HEAP_TABLE,
    .name = "autofree",
    .summary = "region with blocks straight from the page layer, freed as a whole",
    .open = autofree_backend_open,
    .reset = region_heap_reset,
};

#endif
