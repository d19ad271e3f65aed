/* SPDX-License-Identifier: MIT
 *
 * A shadow model for allocators: a table of slots that knows each live object, its size and the
 * pattern it was filled with. Two objects that overlap spoil each other's pattern, so filling at
 * the allocation and looking at the free finds overlap, loss and writes of the allocator itself.
 * The table is a static array of the test program; nothing is allocated.
 */
#ifndef AB_TESTS_MODEL_H
#define AB_TESTS_MODEL_H

#include "allocbench/pages.h"
#include "test.h"

#include <stdint.h>

enum { MODEL_SLOTS = 4096 };

typedef struct model_object {
    unsigned char *p; /* NULL: the slot is free */
    size_t bytes;
    uint32_t pattern;
} model_object;

typedef struct model {
    model_object slot[MODEL_SLOTS];
    size_t live;
    uint64_t random;
    uint64_t allocs, frees, refused;
} model;

void model_init(model *m, uint64_t seed);
/* Equally distributed below n. */
size_t model_random(model *m, size_t n);
/* What alloc gave: checks the alignment and fills the object; NULL counts as refused. */
void model_allocated(model *m, size_t slot, void *p, size_t bytes, size_t max_alignment);
/* The object is about to be freed: checks its contents and forgets it. */
void model_free(model *m, size_t slot);
/* Contents of every live object. */
void model_check(const model *m);
/* Operations a random test runs: its first argument, else a million. */
uint64_t model_operations(void);

/* Ends the case when an allocator's checker finds something. */
#define CHECK_SOUND(verdict)                                                                       \
    do {                                                                                           \
        const char *verdict_ = (verdict);                                                          \
        if (verdict_ != NULL) {                                                                    \
            FAIL("%s", verdict_);                                                                  \
        }                                                                                          \
    } while (0)

#endif
