/* SPDX-License-Identifier: MIT
 *
 * Bounding the address space. Plain: RLIMIT_AS. As one span: a window is reserved, all other free
 * address space is occupied by inaccessible mappings (blockers), and the window is given back, so
 * that the kernel itself searches a bounded contiguous range and its fragmentation is real. The
 * state with the table of blockers is mapped before the bound, belongs to this file and lives until
 * ab_pages_unbound.
 */
#include "allocbench/pages.h"

#include "allocbench/compiler.h"
#include "map_unix.h"
#include "usage.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* A gap between two mappings takes at most two blockers per power of two; processes with hundreds
 * of mappings that are apart are beyond us, and get an error. */
enum { MOST_BLOCKERS = 8192 };

typedef struct blocker {
    void *base;
    size_t bytes;
} blocker;

typedef struct bound {
    struct rlimit before;
    size_t blocker_count;
    blocker blockers[MOST_BLOCKERS];
} bound;

static void *occupy(size_t bytes)
{
    void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | UNIX_MAP_NORESERVE,
                      UNIX_MAP_FD, 0);
    return base != MAP_FAILED ? base : NULL;
}

/* The stack needs room to grow, and its room is about to be occupied. */
static AB_NOINLINE void grow_stack(size_t page_bytes)
{
    volatile char room[256 * 1024];

    for (size_t i = 0; i < sizeof room; i += page_bytes) {
        room[sizeof room - 1 - i] = 0;
    }
}

static void free_blockers(bound *state)
{
    while (state->blocker_count > 0) {
        const blocker *last = &state->blockers[--state->blocker_count];
        munmap(last->base, last->bytes);
    }
}

/* Until not even one page can be had. 0 or a code, then with all blockers freed. */
static int occupy_all(bound *state, size_t page_bytes)
{
    for (size_t bytes = SIZE_MAX / 2 + 1; bytes >= page_bytes; bytes /= 2) {
        void *base;
        while ((base = occupy(bytes)) != NULL) {
            if (state->blocker_count == MOST_BLOCKERS) {
                munmap(base, bytes);
                free_blockers(state);
                return ENOMEM;
            }
            state->blockers[state->blocker_count++] = (blocker){base, bytes};
        }
    }
    return 0;
}

/* A plain limit that is in force would end the blockers early, and leave space outside the window.
 */
static int lift_limit(const bound *state)
{
    struct rlimit none = state->before;

    if (none.rlim_cur == RLIM_INFINITY) {
        return 0;
    }
    if (none.rlim_max != RLIM_INFINITY) {
        return EPERM;
    }
    none.rlim_cur = none.rlim_max;
    return setrlimit(RLIMIT_AS, &none) != 0 ? errno : 0;
}

static int bound_span(ab_pages *pages, bound *state, size_t bytes, size_t *limit_bytes)
{
    const size_t page_bytes = pages->info.page_bytes;
    ab_memory memory;

    int code = lift_limit(state);
    if (code != 0) {
        return code;
    }
    grow_stack(page_bytes);
    ab_memory_read(&memory);
    if (memory.mapped_bytes == AB_UNKNOWN) {
        return ENOTSUP;
    }
    if (memory.mapped_bytes >= bytes || bytes - memory.mapped_bytes < page_bytes) {
        return ENOMEM;
    }
    size_t window_bytes = bytes - (size_t)memory.mapped_bytes;
    window_bytes -= window_bytes % page_bytes;
    void *window = occupy(window_bytes);
    if (window == NULL) {
        return errno;
    }
    code = occupy_all(state, page_bytes);
    munmap(window, window_bytes);
    *limit_bytes = (size_t)memory.mapped_bytes + window_bytes;
    return code;
}

static rlim_t lower(rlim_t a, rlim_t b)
{
    if (a == RLIM_INFINITY || b == RLIM_INFINITY) {
        return a == RLIM_INFINITY ? b : a;
    }
    return a < b ? a : b;
}

static int bound_plain(const bound *state, size_t bytes, size_t *limit_bytes)
{
    struct rlimit limit = state->before;
    ab_memory memory;

    limit.rlim_cur = lower((rlim_t)bytes, lower(limit.rlim_cur, limit.rlim_max));
    ab_memory_read(&memory);
    if (memory.mapped_bytes != AB_UNKNOWN && memory.mapped_bytes >= limit.rlim_cur) {
        return ENOMEM;
    }
    if (setrlimit(RLIMIT_AS, &limit) != 0) {
        return errno;
    }
    *limit_bytes = (size_t)limit.rlim_cur;
    return 0;
}

int ab_pages_bound(ab_pages *pages, size_t bytes, bool span, size_t *limit_bytes)
{
    *limit_bytes = 0;
    if ((pages->info.can & (span ? AB_PAGES_CAN_BOUND_SPAN : AB_PAGES_CAN_BOUND)) == 0) {
        return ENOTSUP;
    }
    if (pages->bound != NULL) {
        return EBUSY;
    }
    bound *state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                        UNIX_MAP_FD, 0);
    if (state == MAP_FAILED) {
        return errno;
    }
    int code = getrlimit(RLIMIT_AS, &state->before) != 0 ? errno : 0;
    if (code == 0) {
        code = span ? bound_span(pages, state, bytes, limit_bytes)
                    : bound_plain(state, bytes, limit_bytes);
    }
    pages->bound = state;
    if (code != 0) {
        *limit_bytes = 0;
        ab_pages_unbound(pages);
    }
    return code;
}

void ab_pages_unbound(ab_pages *pages)
{
    bound *state = pages->bound;

    if (state != NULL) {
        free_blockers(state);
        setrlimit(RLIMIT_AS, &state->before);
        munmap(state, sizeof *state);
        pages->bound = NULL;
    }
}
