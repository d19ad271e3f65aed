/* SPDX-License-Identifier: MIT
 *
 * The shadow model: see model.h. Patterns are words of a counter hashed, so that no two live
 * objects have the same one; small objects are filled whole, large ones at both ends.
 */
#include "model.h"

enum { END_BYTES = 128 };

void model_init(model *m, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    m->random = seed * 2 + 1;
}

size_t model_random(model *m, size_t n)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (size_t)((m->random >> 32) * n >> 32);
}

static unsigned char byte_at(uint32_t pattern, size_t offset)
{
    return (unsigned char)(pattern >> (offset % 4 * 8));
}

/* Fills, or says whether the contents are as filled. */
static bool visit(const model_object *object, bool fill)
{
    for (size_t i = 0; i < object->bytes; i++) {
        if (i == END_BYTES && object->bytes > 2 * END_BYTES) {
            i = object->bytes - END_BYTES;
        }
        if (fill) {
            object->p[i] = byte_at(object->pattern, i);
        } else if (object->p[i] != byte_at(object->pattern, i)) {
            return false;
        }
    }
    return true;
}

void model_allocated(model *m, size_t slot, void *p, size_t bytes, size_t max_alignment)
{
    size_t alignment = bytes & (~bytes + 1);
    model_object *object = &m->slot[slot];

    if (p == NULL) {
        m->refused++;
        return;
    }
    alignment = alignment < max_alignment ? alignment : max_alignment;
    CHECK((uintptr_t)p % alignment == 0);
    m->allocs++;
    m->live++;
    object->p = p;
    object->bytes = bytes;
    object->pattern = (uint32_t)m->allocs * 2654435761u;
    (void)visit(object, true);
}

void model_free(model *m, size_t slot)
{
    model_object *object = &m->slot[slot];

    CHECK(visit(object, false));
    m->frees++;
    m->live--;
    object->p = NULL;
}

void model_check(const model *m)
{
    size_t live = 0;
    for (size_t i = 0; i < MODEL_SLOTS; i++) {
        if (m->slot[i].p != NULL) {
            CHECK(visit(&m->slot[i], false));
            live++;
        }
    }
    CHECK_EQ(live, m->live);
}

uint64_t model_operations(void)
{
    const char *argument = ab_test_argument(0);
    unsigned long long operations = argument != NULL ? strtoull(argument, NULL, 10) : 0;
    return operations != 0 ? operations : 1000000;
}
