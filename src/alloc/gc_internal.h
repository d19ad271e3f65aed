/* SPDX-License-Identifier: MIT
 *
 * What the two halves of the collector share: where an object's header is and how long it is.
 * Inline, without state.
 */
#ifndef AB_ALLOC_GC_INTERNAL_H
#define AB_ALLOC_GC_INTERNAL_H

#include "allocbench/gc.h"

static inline ab_gc_header *gc_header_of(void *payload)
{
    return (ab_gc_header *)payload - 1;
}

static inline size_t gc_total_bytes(const ab_gc_header *header)
{
    return sizeof *header + header->payload_bytes;
}

static inline bool gc_is_within(const ab_gc_header *header, const void *base, size_t bytes)
{
    return (uintptr_t)header - (uintptr_t)base < bytes;
}

static inline size_t gc_young_bytes(const ab_gc *gc)
{
    return (size_t)(gc->top - (char *)gc->nursery.base);
}

static inline bool gc_is_young(const ab_gc *gc, const ab_gc_header *header)
{
    return gc_is_within(header, gc->nursery.base, gc->nursery.bytes);
}

/* 0 when the sum does not fit. */
static inline size_t gc_round_up(size_t bytes, size_t unit)
{
    return bytes > SIZE_MAX - (unit - 1) ? 0 : (bytes + unit - 1) / unit * unit;
}

#endif
