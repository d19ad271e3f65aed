/* SPDX-License-Identifier: MIT
 *
 * The page primitives that the scenario `pages` holds against each other: which bare OS call each
 * phase of a region's life is. Const tables without state; a phase that a primitive does not have
 * is NULL. Calls go through these tables: a call of the operating system takes hundreds of
 * nanoseconds, an indirect call one.
 */
#ifndef AB_BENCH_PRIMITIVES_H
#define AB_BENCH_PRIMITIVES_H

#include "allocbench/pages.h"
#include "os/raw_pages.h"

#include <stdio.h>

typedef struct page_primitive {
    const char *name, *summary;
    int (*reserve)(size_t bytes, void **out);
    ab_raw_call *commit;      /* NULL: reserve has made it accessible */
    ab_raw_call *decommit[2]; /* in this order; NULL: nothing is given back before release */
    ab_raw_call *recommit;    /* what touching again needs first; NULL: nothing */
    ab_raw_call *probe;       /* the call that not every system has; NULL: all have it */
    bool is_lazy;             /* the OS takes the storage when it likes */
    bool is_large;            /* of large pages: aligned to them */
} page_primitive;

/* --- the primitives: PAGE_PRIMITIVE(id, name, summary, members...); Windows has the last four ---
 */

#define PAGE_PRIMITIVES                                                                            \
    PAGE_PRIMITIVE(mapped, "map",                                                                  \
                   "reserve and commit in one call; nothing is given back before release",         \
                   .reserve = ab_raw_map)                                                          \
    PAGE_PRIMITIVE(reserve_commit, "reserve-commit",                                               \
                   "reserve, then commit; decommit only forbids access",                           \
                   .reserve = ab_raw_reserve, .commit = ab_raw_commit,                             \
                   .decommit = {ab_raw_protect_none}, .recommit = ab_raw_commit)                   \
    PAGE_PRIMITIVE(dontneed, "dontneed", "decommit is MADV_DONTNEED; the range stays accessible",  \
                   .reserve = ab_raw_map, .decommit = {ab_raw_dontneed}, .probe = ab_raw_dontneed) \
    PAGE_PRIMITIVE(dontneed_protect, "dontneed-protect",                                           \
                   "decommit is MADV_DONTNEED, then no access", .reserve = ab_raw_reserve,         \
                   .commit = ab_raw_commit, .decommit = {ab_raw_dontneed, ab_raw_protect_none},    \
                   .recommit = ab_raw_commit, .probe = ab_raw_dontneed)                            \
    PAGE_PRIMITIVE(                                                                                \
        remap_none, "remap-none", "decommit is a new inaccessible mapping in place of the old",    \
        .reserve = ab_raw_reserve, .commit = ab_raw_commit, .decommit = {ab_raw_remap_none},       \
        .recommit = ab_raw_commit, .probe = ab_raw_remap_none)                                     \
    PAGE_PRIMITIVE(free_lazy, "free-lazy",                                                         \
                   "decommit is MADV_FREE: the storage goes when memory is short",                 \
                   .reserve = ab_raw_map, .decommit = {ab_raw_free_lazy},                          \
                   .probe = ab_raw_free_lazy, .is_lazy = true)                                     \
    PAGE_PRIMITIVE(                                                                                \
        populate, "populate", "commit and every later touch begin with MADV_POPULATE_WRITE",       \
        .reserve = ab_raw_map, .commit = ab_raw_populate, .decommit = {ab_raw_dontneed},           \
        .recommit = ab_raw_populate, .probe = ab_raw_populate)                                     \
    PAGE_PRIMITIVE(huge, "huge", "commit is MADV_HUGEPAGE; the region is aligned to large pages",  \
                   .reserve = ab_raw_map, .commit = ab_raw_advise_large,                           \
                   .decommit = {ab_raw_dontneed}, .probe = ab_raw_advise_large, .is_large = true)  \
    PAGE_PRIMITIVE(commit, "commit",                                                               \
                   "MEM_RESERVE, then MEM_COMMIT; nothing is given back before release",           \
                   .reserve = ab_raw_reserve, .commit = ab_raw_commit, .probe = ab_raw_decommit)   \
    PAGE_PRIMITIVE(decommit, "decommit", "decommit is MEM_DECOMMIT", .reserve = ab_raw_reserve,    \
                   .commit = ab_raw_commit, .decommit = {ab_raw_decommit},                         \
                   .recommit = ab_raw_commit, .probe = ab_raw_decommit)                            \
    PAGE_PRIMITIVE(                                                                                \
        reset, "reset", "decommit is MEM_RESET: the contents may go when memory is short",         \
        .reserve = ab_raw_map, .decommit = {ab_raw_reset}, .probe = ab_raw_reset, .is_lazy = true) \
    PAGE_PRIMITIVE(reset_undo, "reset-undo",                                                       \
                   "decommit is MEM_RESET, touching again begins with MEM_RESET_UNDO",             \
                   .reserve = ab_raw_map, .decommit = {ab_raw_reset},                              \
                   .recommit = ab_raw_reset_undo, .probe = ab_raw_reset_undo, .is_lazy = true)

#define PAGE_PRIMITIVE(id, name_, summary_, ...)                                                   \
    static const page_primitive page_##id = {.name = name_, .summary = summary_, __VA_ARGS__};
PAGE_PRIMITIVES
#undef PAGE_PRIMITIVE

/* Tries the probe on a page: NULL when this system has the call, else why not, in `text`. */
static inline const char *page_primitive_lack(const page_primitive *primitive,
                                              const ab_page_info *info, char *text,
                                              size_t text_bytes)
{
    void *page;

    if (primitive->probe == NULL || ab_raw_map(info->page_bytes, &page) != 0) {
        return NULL;
    }
    /* What is to be undone has to be done before. */
    int code = primitive->decommit[0] != NULL ? primitive->decommit[0](page, info->page_bytes) : 0;
    code = code == 0 ? primitive->probe(page, info->page_bytes) : code;
    ab_raw_release(page, info->page_bytes);
    if (code == 0) {
        return NULL;
    }
    if (ab_raw_is_absent(code)) {
        return "this system has no such call";
    }
    snprintf(text, text_bytes, "this system refuses the call: OS error %d", code);
    return text;
}

/* All calls of decommit. */
static inline int page_primitive_decommit(const page_primitive *primitive, void *base, size_t bytes)
{
    int code = primitive->decommit[0](base, bytes);

    return code == 0 && primitive->decommit[1] != NULL ? primitive->decommit[1](base, bytes) : code;
}

#endif
