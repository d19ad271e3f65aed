/* SPDX-License-Identifier: MIT
 *
 * Libraries that export malloc and free: all are a list of freed objects per size over one static
 * block, and the BROKEN_* that CMake defines is what is wrong with one. It concerns objects of
 * ODD_BYTES alone where a process could not even start otherwise. The functions exist under their
 * names, for preload:, except on Windows, and with the prefix x_, for lib:.
 */
#include "allocbench/compiler.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 16, CLASSES = 8192, ODD_BYTES = 48 };
enum { ROOM = 1 << 29 }; /* address space; only what is used becomes memory */

typedef struct object {
    _Alignas(UNIT) size_t units; /* of it, this head excluded */
    struct object *next;
} object;

static _Alignas(UNIT) unsigned char room[ROOM];
static size_t used;
static object *freed[CLASSES];

static unsigned char *bytes_of(object *head)
{
    return (unsigned char *)(head + 1);
}

static void *take(size_t bytes)
{
    size_t units = bytes == 0 ? 1 : (bytes - 1) / UNIT + 1;
    object *head = units < CLASSES ? freed[units] : NULL;

    if (head != NULL) {
        freed[units] = head->next;
        return bytes_of(head);
    }
    if (units > (ROOM - used) / UNIT || (ROOM - used) / UNIT - units < sizeof *head / UNIT) {
        return NULL;
    }
    head = (object *)(void *)(room + used);
    used += sizeof *head + units * UNIT;
    head->units = units;
    return bytes_of(head);
}

static void give(void *p)
{
    object *head = p != NULL ? (object *)p - 1 : NULL;

    if (head != NULL && head->units < CLASSES) {
        head->next = freed[head->units];
        freed[head->units] = head;
    }
}

#if defined(BROKEN_OVERLAP)
/* Each object begins within the one before. */
static unsigned char *odd_next;
static size_t odd_left;
static void *take_odd(void)
{
    if (odd_left < ODD_BYTES) {
        odd_left = (size_t)1 << 16;
        odd_next = take(odd_left);
    }
    void *p = odd_next;
    odd_next += UNIT;
    odd_left -= UNIT;
    return p;
}
#define TAKE(bytes) ((bytes) == ODD_BYTES ? take_odd() : take(bytes))
#define GIVE(p) ((void)(p))
#elif defined(BROKEN_ALIGNMENT)
#define TAKE(bytes)                                                                                \
    ((bytes) == ODD_BYTES ? (void *)((char *)take((bytes) + UNIT) + 8) : take(bytes))
#define GIVE(p) give((void *)((size_t)(p) / UNIT * UNIT))
#elif defined(SLOW_FREE)
/* Not broken: what is freed is kept back for a while. */
enum { KEPT_BACK = 1 << 14 };
static void *kept[KEPT_BACK];
static size_t kept_count;
static void *swap(void *p)
{
    void **place = &kept[kept_count++ % KEPT_BACK], *before = *place;
    *place = p;
    return before;
}
#define TAKE(bytes) take(bytes)
#define GIVE(p) give(swap(p))
#elif defined(BROKEN_FREE)
#define TAKE(bytes) take(bytes)
#define GIVE(p) ((void)(p))
#else
#define TAKE(bytes) take(bytes)
#define GIVE(p) give(p)
#endif

AB_EXPORT void *x_malloc(size_t bytes);
AB_EXPORT void x_free(void *p);

void *x_malloc(size_t bytes)
{
    return TAKE(bytes);
}

void x_free(void *p)
{
    GIVE(p);
    (void)give;
}

#if defined(BROKEN_WHOLE) /* also in the place of the C library's */
AB_EXPORT void *calloc(size_t count, size_t bytes);

AB_EXPORT void *malloc(size_t bytes)
{
    return x_malloc(bytes);
}

AB_EXPORT void free(void *p)
{
    x_free(p);
}

AB_EXPORT void *calloc(size_t count, size_t bytes)
{
    unsigned char *p = bytes == 0 || count <= (size_t)-1 / bytes ? take(count * bytes) : NULL;

    for (size_t i = 0; p != NULL && i < count * bytes; i++) {
        p[i] = 0;
        AB_KEEP(p); /* no memset of a calloc that the compiler would see here */
    }
    return p;
}

AB_EXPORT void *realloc(void *p, size_t bytes)
{
    size_t had = p != NULL ? ((object *)p - 1)->units * UNIT : 0;
    void *grown = take(bytes);

    if (grown != NULL && p != NULL) {
        memcpy(grown, p, had < bytes ? had : bytes);
        give(p);
    }
    return grown;
}
#endif
