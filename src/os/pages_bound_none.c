/* SPDX-License-Identifier: MIT
 *
 * A system whose address space cannot be bounded. No state.
 */
#include "allocbench/pages.h"

#include <errno.h>

int ab_pages_bound(ab_pages *pages, size_t bytes, bool span, size_t *limit_bytes)
{
    (void)pages;
    (void)bytes;
    (void)span;
    *limit_bytes = 0;
    return ENOTSUP;
}

void ab_pages_unbound(ab_pages *pages)
{
    (void)pages;
}
