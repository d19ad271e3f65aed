/* SPDX-License-Identifier: MIT
 *
 * The trial of a library's memory: see foreign_use.h. The contents check of the proof runs over a
 * few objects, so that a heap that hands out the same bytes twice is told before a tree is built in
 * them. Then one object after another is taken and given back, until an address comes again. An
 * allocator may keep freed memory back for a while, and one that unmaps it need not use an address
 * twice; a free that does nothing is one after which addresses are always new and resident memory
 * grows by what was used.
 */
#include "foreign_internal.h"
#include "foreign_use.h"
#include "sampler.h"

#include "os/usage.h"

#include <inttypes.h>
#include <string.h>

enum { OBJECTS = 64 };
/* Addresses that are waited for, and the places of the table that holds them. */
enum { WAITED_FOR = 1024, PLACES = 4096 };
/* Of an object, at most so much is written; it counts as the least that any allocator takes for
 * one; and so much of all together comes before the verdict. */
enum { WRITTEN_BYTES = 1 << 16, LEAST_BYTES = 16, VOLUME_BYTES = 1 << 26 };

/* --- contents --- */

static bool check_contents(ab_run *run, ab_heap *heap, size_t bytes)
{
    const ab_backend *backend = run->contender->backend;
    uint64_t live = run->config.live_objects;
    size_t count = live < OBJECTS ? (size_t)live : OBJECTS;
    void **slot = ab_scratch(run, OBJECTS * sizeof *slot);
    ab_contents contents;

    if (slot == NULL || !ab_contents_open(&contents, run, 0, slot, OBJECTS)) {
        ab_scratch_free(run, slot);
        ab_fail(run, 0, AB_STATUS_NOMEM, "no memory for the check of the library");
        return false;
    }
    bool ok = true;
    contents.heap = heap;
    for (size_t i = 0; i < count && ok; i++) {
        ok = ab_contents_alloc(&contents, i, bytes);
    }
    ok = ok && ab_contents_are_apart(&contents);
    for (size_t i = 0; i < count && ok; i++) {
        ok = (backend->can & AB_BACKEND_FREES_ONE) != 0 ? ab_contents_free(&contents, i)
                                                        : ab_contents_verify(&contents, i);
    }
    if (ok && (backend->can & AB_BACKEND_FREES_ONE) == 0) {
        backend->reset(heap);
    }
    ab_contents_close(&contents);
    ab_scratch_free(run, slot);
    return ok;
}

/* --- memory that comes back --- */

/* The first addresses, in a table with open addressing. */
typedef struct addresses {
    uintptr_t place[PLACES]; /* 0: free */
    size_t count;
} addresses;

/* Whether the address is there already; it is added while there is room. */
static bool comes_again(addresses *known, const void *p)
{
    uintptr_t address = (uintptr_t)p;
    size_t at = (size_t)((uint64_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 52); /* 12 bits */

    while (known->place[at] != 0 && known->place[at] != address) {
        at = (at + 1) % PLACES;
    }
    if (known->place[at] == 0 && known->count < WAITED_FOR) {
        known->place[at] = address;
        known->count++;
        return false;
    }
    return known->place[at] == address;
}

/* Takes objects and gives them back until an address comes again. */
typedef enum outcome { CAME_AGAIN, ALWAYS_NEW, RAN_OUT } outcome;
static outcome use_and_free(ab_run *run, ab_heap *heap, size_t bytes, addresses *known,
                            uint64_t *objects)
{
    const ab_backend *backend = run->contender->backend;
    size_t written = bytes < WRITTEN_BYTES ? bytes : WRITTEN_BYTES;
    uint64_t most = VOLUME_BYTES / (written > LEAST_BYTES ? written : LEAST_BYTES);

    for (*objects = 0; *objects < most; ++*objects) {
        void *object = backend->alloc(heap, bytes);
        if (object == NULL) {
            return RAN_OUT;
        }
        memset(object, 0x5a, written);
        AB_KEEP(object);
        bool is_known = comes_again(known, object);
        backend->free(heap, object, bytes);
        if (is_known) {
            return CAME_AGAIN;
        }
    }
    return ALWAYS_NEW;
}

static void check_reuse(ab_run *run, ab_heap *heap, size_t bytes)
{
    addresses *known = ab_scratch(run, sizeof *known);
    ab_memory before, after;
    uint64_t objects;

    if (known == NULL) {
        ab_foreign_fail(run, AB_STATUS_NOMEM, "no memory for the check of the library");
        return;
    }
    ab_memory_read(&before);
    outcome found = use_and_free(run, heap, bytes, known, &objects);
    ab_memory_read(&after);
    ab_scratch_free(run, known);
    if (found == RAN_OUT) {
        ab_foreign_fail(run, AB_STATUS_FAILED,
                        "free gives nothing back: memory ran out after %" PRIu64
                        " objects, each of them freed before the next",
                        objects);
    }
    if (found != ALWAYS_NEW) {
        return;
    }
    uint64_t written = objects * (bytes < WRITTEN_BYTES ? bytes : WRITTEN_BYTES);
    bool is_told = before.peak_resident_bytes != AB_UNKNOWN;
    uint64_t grown = is_told ? after.peak_resident_bytes - before.peak_resident_bytes : written;
    if (grown >= written / 2) {
        ab_foreign_fail(run, AB_STATUS_FAILED,
                        "free gives nothing back: %" PRIu64 " objects, each freed before the next, "
                        "had new addresses and took %" PRIu64 " MiB",
                        objects, grown >> 20);
    }
}

void ab_foreign_use_check(ab_run *run)
{
    uint32_t can = run->contender->backend->can;
    size_t bytes = run->config.object_bytes;

    if (run->heap_count == 0 || (can & AB_BACKEND_COLLECTS) != 0) {
        return; /* a collector's roots are the scenario's, whose proof will do */
    }
    ab_heap *heap = run->heap[run->heap_count - 1]; /* the one that config.object_bytes is of */
    if (!check_contents(run, heap, bytes)) {
        ab_foreign_fail(run, run->meter->operation[0].status, "%s",
                        run->meter->operation[0].reason);
    } else if ((can & AB_BACKEND_FREES_ONE) != 0) {
        check_reuse(run, heap, bytes);
    }
}
