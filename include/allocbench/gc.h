/* SPDX-License-Identifier: MIT
 *
 * A generational copying collector in the manner of the .NET workstation collector, for objects
 * without pointers whose only roots are a table of slots. Allocation bumps through a nursery, out
 * of quanta that are zeroed as a whole; a collection promotes what the slots reach into the old
 * space; when that exceeds its budget it is compacted by sliding. Objects move, and the slots are
 * rewritten. Invariant: see ab_gc_check. All memory is the collector's, from the page layer; the
 * slots are the caller's, who frees an object by overwriting its slot.
 *
 * Source: the .NET runtime's documentation ("Garbage Collection Design") and its published tuning.
 * Modelled: the header of a 32-bit int[n] (12 + 4n bytes in all), 8 KiB allocation quanta,
 * promotion of all survivors, the budget of the oldest generation and of large objects as a
 * function of what survived, objects of 85,000 bytes and more apart, released by full collections.
 * Not modelled: the middle generation (survivors go to the oldest one), cards (all slots are looked
 * at, as random stores into a large table dirty all of them), the choice to sweep into free lists
 * where compaction gains little (every full collection compacts), concurrent collection, the
 * dependence of the nursery on the cache (its size is a parameter).
 */
#ifndef ALLOCBENCH_GC_H
#define ALLOCBENCH_GC_H

#include "allocbench/compiler.h"
#include "allocbench/pages.h"
#include "allocbench/poison.h"

enum {
    AB_GC_ALIGN = 4,            /* of an object and of its payload, as on 32-bit .NET */
    AB_GC_LARGE_BYTES = 85000,  /* header included: from here on an object lives apart */
    AB_GC_QUANTUM_BYTES = 8192, /* handed out and zeroed at a time */
    AB_GC_NURSERY_BYTES_DEFAULT = 1 << 20,
    AB_GC_NURSERY_BYTES_MIN = 128 << 10, /* more than the largest object that is not large */
    AB_GC_NURSERY_BYTES_MAX = 1 << 30,
    AB_GC_OBJECT_BYTES_MAX = 0x7fff0000 /* payload */
};

/* Directly before each payload. */
typedef struct ab_gc_header {
    uint32_t mark; /* 0 outside a collection; else the number of the slot that holds it, plus 1 */
    uint32_t kind; /* AB_GC_KIND, in the place of the method table */
    uint32_t payload_bytes; /* a multiple of AB_GC_ALIGN */
} ab_gc_header;
#define AB_GC_KIND 0xab6c0de5u

/* A large object: one mapping with this at its start. */
typedef struct ab_gc_large ab_gc_large;
struct ab_gc_large {
    ab_region region;
    ab_gc_large *next;
    ab_gc_header *header;
};

/* How full a space may become before a full collection. */
typedef struct ab_gc_budget {
    size_t limit_bytes;
    size_t growth_bytes_min;
} ab_gc_budget;

typedef struct ab_gc {
    char *top;   /* the next object */
    char *limit; /* end of the zeroed part of the nursery */
    char *nursery_end;
    ab_pages *pages;
    void **slots;
    size_t slot_count;
    ab_region nursery;
    ab_region old; /* contiguous: replaced by a larger one when it is too small */
    size_t old_used_bytes;
    ab_gc_budget old_budget;
    ab_gc_large *large; /* each its own mapping */
    size_t large_bytes;
    ab_gc_budget large_budget;
    bool stress; /* tests: a collection before every allocation, every eighth a full one */
    uint64_t gcs, gcs_full; /* all collections; the full ones among them */
    uint64_t bytes_zeroed;  /* by the collector itself, not by the OS */
    uint64_t bytes_copied;  /* promoted, slid or moved into a larger space */
} ab_gc;

/* nursery_bytes in [AB_GC_NURSERY_BYTES_MIN, AB_GC_NURSERY_BYTES_MAX] is rounded up to pages; 0 is
 * the default. old_bytes is the address space to begin with; less is taken when that is absurd or
 * not to be had. The slots (NULL or objects of this collector, none twice) outlive it. 0 or an OS
 * error code. */
int ab_gc_init(ab_gc *gc, ab_pages *pages, void **slots, size_t slot_count, size_t nursery_bytes,
               size_t old_bytes);
/* Releases all memory; objects that the slots still name are gone. */
void ab_gc_close(ab_gc *gc);
/* Collects now. When memory for the survivors is not to be had nothing is lost: the objects stay
 * where they are and the OS error code is returned. */
int ab_gc_collect(ab_gc *gc, bool is_full);
/* Walks the invariants (not const: it uses the marks): NULL when sound, else what is broken. */
const char *ab_gc_check(ab_gc *gc);

AB_COLD void *ab_gc_alloc_slow(ab_gc *gc, size_t bytes);

/* An object of up to AB_GC_OBJECT_BYTES_MAX bytes (0 included), zero all over, that lives until a
 * collection finds it in no slot: store it before the next allocation. NULL when memory has run
 * out; the collector stays usable. */
static AB_ALWAYS_INLINE void *ab_gc_alloc(ab_gc *gc, size_t bytes)
{
    size_t payload_bytes = (bytes + (AB_GC_ALIGN - 1)) & ~(size_t)(AB_GC_ALIGN - 1);
    size_t total = sizeof(ab_gc_header) + payload_bytes;

    if (AB_UNLIKELY(bytes > AB_GC_LARGE_BYTES || total > (size_t)(gc->limit - gc->top))) {
        return ab_gc_alloc_slow(gc, bytes);
    }
    ab_gc_header *header = (ab_gc_header *)(void *)gc->top;
    gc->top += total;
    header->kind = AB_GC_KIND;
    header->payload_bytes = (uint32_t)payload_bytes;
    return header + 1;
}

#endif
