/* SPDX-License-Identifier: MIT
 *
 * The contents check of scenario.h. Objects of one size that overlap share an end of at least one
 * of them, so patterns at both ends find every overlap by the time the object is freed.
 */
#include "scenario.h"

#include <inttypes.h>

enum { END_BYTES = 64 };

static unsigned char pattern_byte(uint64_t tag, size_t i)
{
    return (unsigned char)(((tag + 1) * UINT64_C(0x9e3779b97f4a7c15) >> (i % 8 * 8)) + i);
}

/* The next index that carries the pattern: both ends, not the middle. */
static size_t next_index(size_t i, size_t bytes)
{
    return i + 1 == END_BYTES && bytes > 2 * END_BYTES ? bytes - END_BYTES : i + 1;
}

static void write_pattern(unsigned char *object, size_t bytes, uint64_t tag)
{
    for (size_t i = 0; i < bytes; i = next_index(i, bytes)) {
        object[i] = pattern_byte(tag, i);
    }
}

static bool is_intact(const unsigned char *object, size_t bytes, uint64_t tag)
{
    for (size_t i = 0; i < bytes; i = next_index(i, bytes)) {
        if (object[i] != pattern_byte(tag, i)) {
            return false;
        }
    }
    return true;
}

static bool is_aligned(const ab_backend *backend, const void *object, size_t bytes)
{
    size_t own = bytes & (~bytes + 1); /* largest power of two that divides the size */
    size_t wanted = own < backend->alignment ? own : backend->alignment;

    return ((uintptr_t)object & (wanted - 1)) == 0;
}

bool ab_contents_alloc(ab_contents *contents, size_t slot, size_t bytes)
{
    ab_run *run = contents->run;
    const ab_backend *backend = run->contender->backend;
    void *object = backend->alloc(contents->heap, bytes);
    uint64_t step = contents->step++;

    if (object == NULL) {
        ab_fail(run, contents->operation, AB_STATUS_NOMEM,
                "proof: operation %" PRIu64 " got no memory", step);
        return false;
    }
    if (!is_aligned(backend, object, bytes)) {
        ab_fail(run, contents->operation, AB_STATUS_FAILED,
                "proof: operation %" PRIu64 " got a misaligned pointer", step);
        return false;
    }
    contents->slot[slot] = object;
    contents->tag[slot] = step;
    write_pattern(object, bytes, step);
    return true;
}

bool ab_contents_verify(ab_contents *contents, size_t slot, size_t bytes)
{
    if (is_intact(contents->slot[slot], bytes, contents->tag[slot])) {
        return true;
    }
    ab_fail(contents->run, contents->operation, AB_STATUS_FAILED,
            "proof: operation %" PRIu64 " found the object of operation %" PRIu64 " overwritten",
            contents->step, contents->tag[slot]);
    return false;
}

bool ab_contents_free(ab_contents *contents, size_t slot, size_t bytes)
{
    ab_run *run = contents->run;
    bool ok = ab_contents_verify(contents, slot, bytes);

    run->contender->backend->free(contents->heap, contents->slot[slot], bytes);
    contents->slot[slot] = NULL;
    contents->step++;
    return ok;
}
