/* SPDX-License-Identifier: MIT
 *
 * Whether a growing region keeps what was written to it: every 512th byte and the last one of each
 * step get a value that follows from their offset. Marks lie in the region itself; no other memory.
 */
#ifndef AB_BENCH_GROWTH_CONTENTS_H
#define AB_BENCH_GROWTH_CONTENTS_H

#include "growth.h"

enum { GROWTH_MARK_PITCH = 512 };

static inline unsigned char growth_mark(size_t offset)
{
    uint64_t mixed = ((uint64_t)offset + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned char)(mixed >> 56 | 1); /* never the zero of a lost page */
}

static inline size_t growth_first_mark(size_t from)
{
    return (from + GROWTH_MARK_PITCH - 1) / GROWTH_MARK_PITCH * GROWTH_MARK_PITCH;
}

/* Marks [from, bytes). */
static inline void growth_mark_new(growth *g, size_t from)
{
    unsigned char *base = g->base;

    for (size_t i = growth_first_mark(from); i < g->bytes; i += GROWTH_MARK_PITCH) {
        base[i] = growth_mark(i);
    }
    base[g->bytes - 1] = growth_mark(g->bytes - 1);
}

/* Whether the marks of [from, to) are all there. */
static inline bool growth_is_intact(const growth *g, size_t from, size_t to)
{
    const volatile unsigned char *base = g->base;

    for (size_t i = growth_first_mark(from); i < to; i += GROWTH_MARK_PITCH) {
        if (base[i] != growth_mark(i)) {
            return false;
        }
    }
    return true;
}

/* Grows by `step` to the total and verifies: before each mark the step's predecessor, and
 * everything where the size has doubled and at the end. 0, or an OS error code with g->bytes grown.
 * *is_intact becomes false when something was lost. */
static inline int growth_prove_steps(const growth_strategy *s, growth *g, size_t total, size_t step,
                                     bool *is_intact)
{
    size_t verified = step;

    for (size_t before = 0; before < total; before = g->bytes) {
        size_t next = total - before > step ? before + step : total;
        int code = growth_grow(s, g, next);
        if (code != 0) {
            return code;
        }
        if (before > 0) {
            const unsigned char *base = g->base;
            *is_intact = *is_intact && base[before - 1] == growth_mark(before - 1);
        }
        growth_mark_new(g, before);
        if (next >= 2 * verified || next == total) {
            *is_intact = *is_intact && growth_is_intact(g, 0, next);
            verified = next;
        }
    }
    return 0;
}

/* Doubles from one byte to `most` and halves back to one byte, verifying everything at every step.
 */
static inline int growth_prove_doubling(const growth_strategy *s, growth *g, size_t most,
                                        bool *is_intact)
{
    int code = growth_grow(s, g, 1);

    if (code == 0) {
        growth_mark_new(g, 0);
    }
    while (code == 0 && g->bytes < most) {
        size_t before = g->bytes;
        code = growth_grow(s, g, most / 2 < before ? most : before * 2);
        if (code == 0) {
            *is_intact = *is_intact && growth_is_intact(g, 0, before);
            growth_mark_new(g, before);
        }
    }
    while (code == 0 && g->bytes > 1) {
        code = growth_shrink(s, g, g->bytes / 2);
        *is_intact = *is_intact && growth_is_intact(g, 0, g->bytes);
    }
    return code;
}

#endif
