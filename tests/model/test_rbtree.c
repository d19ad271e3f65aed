/* SPDX-License-Identifier: MIT
 *
 * The red-black tree of the map scenario: its invariants under ascending, descending, random and
 * repeated inserts, over backends that free one object and that drop all, and with an allocator
 * that fails. `program CASE 100000000` runs that many inserts.
 */
#include "backends/autofree.h"
#include "backends/scope.h"
#include "backends/scope_shared.h"
#include "scenarios/rbtree.h"
#include "test.h"

enum { SMALL = 3000 };

/* Counts what goes out and comes back over the C library's heap. */
typedef struct counting_heap {
    size_t live, fail_at, allocations;
} counting_heap;

static void *counting_alloc(ab_heap *heap, size_t bytes)
{
    counting_heap *self = (counting_heap *)heap;
    if (++self->allocations == self->fail_at) {
        return NULL;
    }
    self->live++;
    return malloc(bytes);
}

static void counting_free(ab_heap *heap, void *p, size_t bytes)
{
    CHECK_EQ(bytes, sizeof(ab_rb_node));
    ((counting_heap *)heap)->live--;
    free(p);
}

static const ab_backend counting = {.alloc = counting_alloc, .free = counting_free};

static uint64_t insert_count(uint64_t otherwise)
{
    return ab_test_argument(0) != NULL ? strtoull(ab_test_argument(0), NULL, 10) : otherwise;
}

static void check(const ab_rb_tree *tree, size_t count)
{
    const char *broken = ab_rb_check(tree);
    if (broken != NULL) {
        FAIL("%s", broken);
    }
    CHECK_EQ(tree->count, count);
}

TEST(node_is_the_standard_library_s)
{
    CHECK_EQ(sizeof(ab_rb_node), sizeof(void *) == 8 ? 40 : 24);
}

TEST(ascending_and_descending)
{
    for (int step = -1; step <= 1; step += 2) {
        counting_heap heap = {0};
        ab_rb_tree tree;
        ab_rb_init(&tree);
        check(&tree, 0);
        for (int i = 1; i <= SMALL; i++) {
            CHECK(ab_rb_insert(&tree, i * step, i * step, &counting, (ab_heap *)&heap));
            if (i < 300 || i % 100 == 0) {
                check(&tree, (size_t)i);
            }
        }
        CHECK_EQ(heap.live, SMALL);
        ab_rb_destroy(&tree, &counting, (ab_heap *)&heap);
        CHECK_EQ(heap.live, 0);
        check(&tree, 0);
    }
}

/* A key that is there already costs no node and keeps its value. */
TEST(random_with_repeats)
{
    static bool is_in[1 << 16];
    counting_heap heap = {0};
    ab_rb_tree tree;
    uint32_t state = 1;
    size_t count = 0;

    ab_rb_init(&tree);
    for (uint64_t i = 0, n = insert_count(1000000); i < n; i++) {
        state = state * 1664525u + 1013904223u;
        int key = (int)(state >> 16);
        CHECK(ab_rb_insert(&tree, key - 32768, is_in[key] ? 1 : key - 32768, &counting,
                           (ab_heap *)&heap));
        count += !is_in[key];
        is_in[key] = true;
        if (i < 2000 ? i % 10 == 0 : i % 20011 == 0) {
            check(&tree, count);
        }
    }
    check(&tree, count);
    CHECK_EQ(heap.live, count);
    ab_rb_destroy(&tree, &counting, (ab_heap *)&heap);
    CHECK_EQ(heap.live, 0);
}

TEST(failing_allocation)
{
    for (size_t fail_at = 1; fail_at < 200; fail_at++) {
        counting_heap heap = {.fail_at = fail_at};
        ab_rb_tree tree;
        ab_rb_init(&tree);
        for (int i = 0; i < 200; i++) {
            int key = i * 77 % 200;
            if (!ab_rb_insert(&tree, key, key, &counting, (ab_heap *)&heap)) {
                CHECK_EQ(i + 1, fail_at);
                check(&tree, (size_t)i);
                CHECK(ab_rb_insert(&tree, key, key, &counting, (ab_heap *)&heap));
            }
        }
        check(&tree, 200);
        ab_rb_destroy(&tree, &counting, (ab_heap *)&heap);
        CHECK_EQ(heap.live, 0);
    }
}

static AB_ALWAYS_INLINE void over_a_region(const ab_backend *const be)
{
    ab_pages pages;
    ab_heap *heap;
    ab_rb_tree tree;

    ab_pages_init(&pages);
    CHECK(be->open(&(ab_backend_config){.pages = &pages, .block_bytes = 1}, &heap) > 0);
    CHECK(heap == NULL && pages.counts.reserved_bytes == 0);
    CHECK_EQ(be->open(&(ab_backend_config){.pages = &pages, .block_bytes = 2048}, &heap), 0);
    ab_rb_init(&tree);
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < 20000; i++) {
            CHECK(ab_rb_insert(&tree, i, i, be, heap));
        }
        check(&tree, 20000);
        CHECK(be->check(heap) == NULL);
        ab_rb_destroy(&tree, be, heap);
        be->reset(heap);
        CHECK(be->check(heap) == NULL);
    }
    be->close(heap);
    CHECK_EQ(pages.counts.reserved_bytes, 0);
}

TEST(over_regions)
{
    over_a_region(&autofree_backend);
    over_a_region(&scope_backend);
    over_a_region(&scope_shared_backend);
}

TEST(check_finds_damage)
{
    counting_heap heap = {0};
    ab_rb_tree tree;
    ab_rb_init(&tree);
    for (int i = 0; i < 100; i++) {
        CHECK(ab_rb_insert(&tree, i, i, &counting, (ab_heap *)&heap));
    }
    ab_rb_node *node = (ab_rb_node *)tree.header.left;
    node->key = 50;
    CHECK(ab_rb_check(&tree) != NULL);
    node->key = 0;
    node->value = 7;
    CHECK(ab_rb_check(&tree) != NULL);
    node->value = 0;
    node->link.color = !node->link.color;
    CHECK(ab_rb_check(&tree) != NULL);
    node->link.color = !node->link.color;
    tree.count--;
    CHECK(ab_rb_check(&tree) != NULL);
    tree.count++;
    check(&tree, 100);
    ab_rb_destroy(&tree, &counting, (ab_heap *)&heap);
}
