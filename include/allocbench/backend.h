/* SPDX-License-Identifier: MIT
 *
 * The interface between an allocator and the scenarios, for the built-in backends and for plug-ins
 * alike. A backend is a const table of functions; a heap is one instance of it, made by open and
 * owned by the caller until close. Functions never print or exit; alloc answers NULL when memory
 * has run out and leaves the heap usable. One thread uses a heap at a time unless the backend says
 * AB_BACKEND_THREAD_SAFE; different heaps may be opened, used and closed by several threads at
 * once.
 *
 * A plug-in is a shared library or DLL that exports
 *
 *     AB_EXPORT const ab_backend *allocbench_backend(void);
 *
 * which answers with its table, the same at every call. It is loaded into a worker alone and
 * measured by
 * "--backend lib:PATH", every call through the table. It may use the C library and this header; the
 * page layer's functions are not there for it.
 */
#ifndef ALLOCBENCH_BACKEND_H
#define ALLOCBENCH_BACKEND_H

#include "allocbench/compiler.h"
#include "allocbench/pages.h"

#define AB_BACKEND_ABI 1u

typedef struct ab_heap ab_heap; /* the backend's own */

/* What a backend can do. A scenario says what it needs; a mismatch is an `unsupported` row. */
enum {
    AB_BACKEND_FREES_ONE = 1u << 0,    /* free returns one object for reuse */
    AB_BACKEND_RESETS = 1u << 1,       /* reset drops all objects at once */
    AB_BACKEND_ANY_SIZE = 1u << 2,     /* one heap serves any size up to max_object_bytes */
    AB_BACKEND_COLLECTS = 1u << 3,     /* objects are reclaimed and moved by looking at the slots */
    AB_BACKEND_THREAD_SAFE = 1u << 4,  /* one heap may be used, and objects freed, by any thread */
    AB_BACKEND_NO_MEMORY = 1u << 5,    /* hands out no usable memory (`none`): contents unchecked */
    AB_BACKEND_HONOURS_HUGE = 1u << 6, /* config.huge has an effect */
    AB_BACKEND_SHARED_HEAP = 1u << 7,  /* every heap is the process's one heap (malloc): close keeps
                                          its memory */
    AB_BACKEND_MAPS_OBJECTS = 1u << 8, /* every object is a region of the page layer of its own */
    AB_BACKEND_ABSENT = 1u << 9,       /* does not exist on this platform: open fails */
    AB_BACKEND_MALLOC_ALIGNS = 1u << 10 /* aligned as malloc's objects are: to `alignment` or to the
                                           largest power of two not above the size */
};

/* What a plug-in must not claim: it has no page layer, and its memory is to be checked. */
#define AB_BACKEND_NOT_FOR_PLUG_INS                                                                \
    (AB_BACKEND_NO_MEMORY | AB_BACKEND_MAPS_OBJECTS | AB_BACKEND_HONOURS_HUGE |                    \
     AB_BACKEND_MALLOC_ALIGNS)

/* The functions of a shared library that backend `lib` calls. */
typedef struct ab_lib_calls {
    void *(*malloc)(size_t bytes);
    void (*free)(void *p);
} ab_lib_calls;

/* What the scenario tells a heap when it opens it. Fields that mean nothing to a backend are
 * ignored by it. */
typedef struct ab_backend_config {
    ab_pages *pages;       /* page layer to take memory from; outlives the heap */
    size_t object_bytes;   /* the size of every object, or the largest one */
    uint64_t live_objects; /* most objects alive at a time */
    bool decommit_on_free; /* pages backends: decommit before release */
    bool huge;             /* ask for large pages where the page layer has them */
    size_t block_bytes;    /* region backends: bytes of a block; 0 = the backend's default */
    size_t nursery_bytes;  /* collectors: bytes of the nursery; 0 = the backend's default */
    void **slots;          /* collectors: the root set, rewritten when objects move */
    size_t slot_count;
    const ab_lib_calls *calls; /* lib: what to call; outlives the heap */
} ab_backend_config;

/* Named figures of a heap; names are static strings of [a-z0-9_]. */
enum { AB_BACKEND_STATS_MAX = 12 };
typedef struct ab_backend_stats {
    size_t count;
    struct {
        const char *name;
        uint64_t value;
    } item[AB_BACKEND_STATS_MAX];
} ab_backend_stats;

typedef struct ab_backend {
    uint32_t abi;            /* AB_BACKEND_ABI */
    uint32_t can;            /* AB_BACKEND_* bits */
    const char *name;        /* short and stable: [a-z0-9-] */
    const char *summary;     /* one line for --list */
    size_t max_object_bytes; /* largest object; SIZE_MAX when only memory limits it */
    uint32_t typical_ns; /* rough time of an alloc and a free together, for estimates; 0: unknown */
    /* So many live bytes make that a nanosecond longer in a random order, where a free searches,
     * objects are copied or caches are cold: for estimates; 0: about none. */
    uint32_t typical_bytes_per_ns;
    size_t alignment; /* every object is aligned to this, or to the largest power of two that
                            divides its size, whichever is less */
    /* 0 or a positive OS error code; *out is NULL then. */
    int (*open)(const ab_backend_config *config, ab_heap **out);
    /* NULL when memory has run out. bytes > 0, <= max_object_bytes, and == config.object_bytes
     * without AB_BACKEND_ANY_SIZE. */
    void *(*alloc)(ab_heap *heap, size_t bytes);
    /* p and bytes as they were given and got. Never called with NULL. Does nothing in collectors
     * and without AB_BACKEND_FREES_ONE. */
    void (*free)(ab_heap *heap, void *p, size_t bytes);
    /* Drops all objects; may keep the memory. Never called, and may be NULL, without
     * AB_BACKEND_RESETS. */
    void (*reset)(ab_heap *heap);
    void (*close)(ab_heap *heap);
    /* May be NULL. */
    void (*stats)(const ab_heap *heap, ab_backend_stats *out);
    /* Walks the invariants: NULL when sound, else a static string that says what is broken.
     * May be NULL. */
    const char *(*check)(const ab_heap *heap);
} ab_backend;

#define AB_BACKEND_ENTRY "allocbench_backend"
typedef const ab_backend *ab_backend_entry(void);

static inline void ab_backend_stat(ab_backend_stats *out, const char *name, uint64_t value)
{
    if (out->count < AB_BACKEND_STATS_MAX) {
        out->item[out->count].name = name;
        out->item[out->count].value = value;
        out->count++;
    }
}

#endif
