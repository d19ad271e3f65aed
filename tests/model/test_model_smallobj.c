/* SPDX-License-Identifier: MIT
 *
 * The small-object allocator against the shadow model, with and without failures, and directed
 * cases: every size, orders of free, what is kept and what is given up, double frees and foreign
 * pointers, memory given back.
 */
#include "allocbench/smallobj.h"
#include "model.h"

static model m;
static ab_smallobj so;
static ab_pages pages;

static void open_fresh(uint64_t seed)
{
    ab_pages_init(&pages);
    model_init(&m, seed);
    ab_smallobj_init(&so, &pages);
}

static void free_slot(size_t slot)
{
    model_object object = m.slot[slot];
    model_free(&m, slot);
    ab_smallobj_free(&so, object.p, object.bytes);
}

static void alloc_slot(size_t slot, size_t bytes)
{
    model_allocated(&m, slot, ab_smallobj_alloc(&so, bytes), bytes, _Alignof(max_align_t));
}

static void free_all(void)
{
    for (size_t i = 0; i < MODEL_SLOTS; i++) {
        if (m.slot[i].p != NULL) {
            free_slot(i);
        }
    }
}

static void close_all(void)
{
    while (ab_smallobj_close(&so) != 0) {
    }
    CHECK_EQ(pages.counts.reserved_bytes, 0);
    CHECK_EQ(pages.counts.committed_bytes, 0);
    CHECK_EQ(ab_smallobj_close(&so), 0);
}

static void run_random(uint64_t operations, size_t least, size_t most, uint64_t fail_every)
{
    uint64_t period = operations / 32 + 1;

    open_fresh(most);
    pages.fail_every = fail_every;
    for (uint64_t i = 0; i < operations; i++) {
        size_t slot = model_random(&m, MODEL_SLOTS);
        if (m.slot[slot].p != NULL) {
            free_slot(slot);
        } else {
            alloc_slot(slot, least + model_random(&m, most - least + 1));
        }
        if (i % period == 0) {
            CHECK_SOUND(ab_smallobj_check(&so));
            model_check(&m);
        }
        if (i % period == period / 2) { /* so that chunks become empty */
            free_all();
            CHECK_SOUND(ab_smallobj_check(&so));
        }
    }
    CHECK(fail_every != 0 || m.refused == 0);
    free_all();
    CHECK_SOUND(ab_smallobj_check(&so));
    close_all();
}

TEST(random_all_sizes)
{
    run_random(model_operations(), 1, AB_SMALLOBJ_MAX_BYTES, 0);
}

TEST(random_one_size)
{
    static const size_t sizes[] = {1, 4, 8, 20, 64, 252, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run_random(model_operations() / 7, sizes[i], sizes[i], 0);
    }
}

TEST(random_with_failures)
{
    run_random(model_operations() / 4, 1, AB_SMALLOBJ_MAX_BYTES, 2);
    run_random(model_operations() / 4, 1, AB_SMALLOBJ_MAX_BYTES, 3);
}

TEST(sizes_out_of_range)
{
    open_fresh(1);
    CHECK(ab_smallobj_alloc(&so, 0) == NULL);
    CHECK(ab_smallobj_alloc(&so, AB_SMALLOBJ_MAX_BYTES + 1) == NULL);
    CHECK(ab_smallobj_alloc(&so, SIZE_MAX) == NULL);
    CHECK_EQ(pages.counts.os_calls, 0);
    CHECK_SOUND(ab_smallobj_check(&so));
    close_all();
}

TEST(every_size)
{
    open_fresh(1);
    for (size_t i = 0; i < MODEL_SLOTS; i++) {
        alloc_slot(i, 1 + i % AB_SMALLOBJ_MAX_BYTES);
        CHECK(m.slot[i].p != NULL);
    }
    model_check(&m);
    CHECK_SOUND(ab_smallobj_check(&so));
    for (size_t i = 0; i < AB_SMALLOBJ_SIZES; i++) {
        const ab_smallobj_fixed *fixed = &so.fixed[i];
        CHECK_EQ(fixed->block_bytes, 4 * (i + 1));
        CHECK(fixed->blocks >= 8 && fixed->blocks <= 255);
        CHECK(fixed->block_bytes * fixed->blocks <= AB_SMALLOBJ_CHUNK_BYTES);
        CHECK(fixed->chunk_count > 0);
    }
    free_all();
    CHECK_SOUND(ab_smallobj_check(&so));
    close_all();
}

static size_t chunk_count(size_t bytes)
{
    return so.fixed[(bytes - 1) / AB_SMALLOBJ_STEP_BYTES].chunk_count;
}

/* One empty chunk is kept, the others are given up and used again, whatever the order of the free.
 */
TEST(empty_chunks_are_reused)
{
    for (int order = 0; order < 3; order++) {
        open_fresh(1);
        size_t extent_bytes = 0;
        for (int pass = 0; pass < 4; pass++) {
            for (size_t i = 0; i < MODEL_SLOTS; i++) {
                alloc_slot(i, 64);
            }
            CHECK_EQ(chunk_count(64), MODEL_SLOTS / 64);
            for (size_t i = 0; i < MODEL_SLOTS; i++) {
                size_t k = order == 0 ? i : order == 1 ? MODEL_SLOTS - 1 - i : i * 1237;
                free_slot(k % MODEL_SLOTS);
                if (i % 256 == 0) {
                    CHECK_SOUND(ab_smallobj_check(&so));
                }
            }
            CHECK_EQ(chunk_count(64), 1);
            CHECK_SOUND(ab_smallobj_check(&so));
            CHECK(pass == 0 || so.extent_bytes == extent_bytes);
            extent_bytes = so.extent_bytes;
        }
        close_all();
    }
}

TEST(failed_growth_then_recovery)
{
    for (uint64_t n = 1; n < 16; n++) {
        open_fresh(n);
        pages.fail_at = n;
        for (size_t i = 0; i < MODEL_SLOTS; i++) {
            alloc_slot(i, 200);
        }
        CHECK(m.refused <= 1);
        CHECK_SOUND(ab_smallobj_check(&so));
        model_check(&m);
        pages.fail_every = 1;
        size_t refused = 0;
        for (int i = 0; i < 20000 && refused == 0; i++) {
            refused += ab_smallobj_alloc(&so, 256) == NULL;
        }
        CHECK_EQ(refused, 1);
        CHECK_SOUND(ab_smallobj_check(&so));
        pages.fail_every = 0;
        CHECK(ab_smallobj_alloc(&so, 256) != NULL);
        free_all();
        CHECK_SOUND(ab_smallobj_check(&so));
        close_all();
    }
}

TEST(foreign_pointers_are_found)
{
    unsigned char outside[64] = {0};

    open_fresh(1);
    ab_smallobj_free(&so, outside, 16); /* no chunk yet */
    CHECK(ab_smallobj_check(&so) != NULL);
    close_all();
    alloc_slot(0, 16);
    ab_smallobj_free(&so, outside, 16);
    CHECK(ab_smallobj_check(&so) != NULL);
    close_all();
    alloc_slot(0, 16);
    ab_smallobj_free(&so, m.slot[0].p, 20); /* another size's */
    CHECK(ab_smallobj_check(&so) != NULL);
    close_all();
}

TEST(double_free_is_found)
{
#ifdef NDEBUG
    SKIP("double frees are noticed in debug builds");
#else
    open_fresh(1);
    for (size_t i = 0; i < 8; i++) {
        alloc_slot(i, 24);
    }
    ab_smallobj_free(&so, m.slot[3].p, 24);
    ab_smallobj_free(&so, m.slot[5].p, 24);
    CHECK_SOUND(ab_smallobj_check(&so));
    ab_smallobj_free(&so, m.slot[3].p, 24);
    CHECK(ab_smallobj_check(&so) != NULL);
    close_all();
    alloc_slot(0, 24);
    ab_smallobj_free(&so, m.slot[0].p + 4, 24); /* inside an object */
    CHECK(ab_smallobj_check(&so) != NULL);
    close_all();
#endif
}

TEST(torn_list_is_found)
{
    open_fresh(1);
    alloc_slot(0, 4);
    alloc_slot(1, 4);
    CHECK_SOUND(ab_smallobj_check(&so));
    so.fixed[0].chunks[0].first = 255;
    CHECK(ab_smallobj_check(&so) != NULL);
    close_all();
}
