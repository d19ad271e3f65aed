/* SPDX-License-Identifier: MIT
 *
 * The ordered map of the scenario `map`: a red-black tree from int to int that costs what the
 * standard library's std::map<int, int> costs: the same node (40 bytes with 64-bit pointers, 24
 * with 32-bit ones), the same header node, the same comparisons per insert, rebalancing out of
 * line. Insertion and destruction are templates over the allocator, which owns the nodes.
 * Invariant: see ab_rb_check. Balancing after Cormen, Leiserson, Rivest, Stein, Introduction to
 * Algorithms.
 */
#ifndef AB_SCENARIO_RBTREE_H
#define AB_SCENARIO_RBTREE_H

#include "allocbench/backend.h"

enum { AB_RB_RED, AB_RB_BLACK };

typedef struct ab_rb_link ab_rb_link;
struct ab_rb_link {
    int color;
    ab_rb_link *parent, *left, *right;
};

typedef struct ab_rb_node {
    ab_rb_link link;
    int key, value;
} ab_rb_node;

/* header.parent is the root, whose parent is the header; left and right are the outermost nodes, or
 * the header itself. The header is red, which tells it from the root. */
typedef struct ab_rb_tree {
    ab_rb_link header;
    size_t count;
} ab_rb_tree;

/* A path holds at most 2 log2(count + 1) nodes, and count is below 2^(bits of a pointer - 3). */
enum { AB_RB_DEPTH_MAX = 2 * 8 * sizeof(void *) };

static inline void ab_rb_init(ab_rb_tree *tree)
{
    tree->header = (ab_rb_link){AB_RB_RED, NULL, &tree->header, &tree->header};
    tree->count = 0;
}

static AB_ALWAYS_INLINE int ab_rb_key(const ab_rb_link *link)
{
    return ((const ab_rb_node *)link)->key;
}

/* The node before this one in order; the header is after the last one. */
static AB_NOINLINE ab_rb_link *ab_rb_previous(ab_rb_link *x)
{
    /* A red node has a parent. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    if (x->color == AB_RB_RED && x->parent->parent == x) {
        return x->right; /* the header */
    }
    if (x->left != NULL) {
        for (x = x->left; x->right != NULL; x = x->right) {
        }
        return x;
    }
    ab_rb_link *y = x->parent;
    /* The head is an ancestor of every node. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    while (x == y->left) {
        x = y;
        y = y->parent;
    }
    return y;
}

/* y, a child of x, takes the place of x below x's parent. */
static AB_ALWAYS_INLINE void ab_rb_replace(ab_rb_link *x, ab_rb_link *y, ab_rb_link **root)
{
    y->parent = x->parent;
    if (x == *root) {
        *root = y;
    } else if (x == x->parent->left) {
        x->parent->left = y;
    } else {
        x->parent->right = y;
    }
}

static AB_ALWAYS_INLINE void ab_rb_rotate_left(ab_rb_link *x, ab_rb_link **root)
{
    ab_rb_link *y = x->right;

    x->right = y->left;
    if (y->left != NULL) {
        y->left->parent = x;
    }
    ab_rb_replace(x, y, root);
    y->left = x;
    x->parent = y;
}

static AB_ALWAYS_INLINE void ab_rb_rotate_right(ab_rb_link *x, ab_rb_link **root)
{
    ab_rb_link *y = x->left;

    x->left = y->right;
    if (y->right != NULL) {
        y->right->parent = x;
    }
    ab_rb_replace(x, y, root);
    y->right = x;
    x->parent = y;
}

/* Hangs x below parent, then repairs what a red node below a red one breaks. */
static AB_NOINLINE void ab_rb_insert_and_rebalance(ab_rb_link *header, ab_rb_link *x,
                                                   ab_rb_link *parent, bool is_left)
{
    ab_rb_link **root = &header->parent;

    *x = (ab_rb_link){AB_RB_RED, parent, NULL, NULL};
    if (is_left) {
        parent->left = x; /* of the header: the leftmost node */
        if (parent == header) {
            header->parent = header->right = x;
        } else if (parent == header->left) {
            header->left = x;
        }
    } else {
        parent->right = x;
        if (parent == header->right) {
            header->right = x;
        }
    }
    while (x != *root && x->parent->color == AB_RB_RED) {
        ab_rb_link *above = x->parent->parent;
        bool is_parent_left = x->parent == above->left;
        ab_rb_link *uncle = is_parent_left ? above->right : above->left;

        if (uncle != NULL && uncle->color == AB_RB_RED) {
            x->parent->color = uncle->color = AB_RB_BLACK;
            above->color = AB_RB_RED;
            x = above;
        } else if (is_parent_left) {
            if (x == x->parent->right) {
                x = x->parent;
                ab_rb_rotate_left(x, root);
            }
            x->parent->color = AB_RB_BLACK;
            above->color = AB_RB_RED;
            ab_rb_rotate_right(above, root);
        } else {
            if (x == x->parent->left) {
                x = x->parent;
                ab_rb_rotate_right(x, root);
            }
            x->parent->color = AB_RB_BLACK;
            above->color = AB_RB_RED;
            ab_rb_rotate_left(above, root);
        }
    }
    (*root)->color = AB_RB_BLACK;
}

/* True when the tree holds the key afterwards (a value that is there already stays), false when
 * memory has run out: the tree is as before. */
static AB_ALWAYS_INLINE bool ab_rb_insert(ab_rb_tree *tree, int key, int value,
                                          const ab_backend *const be, ab_heap *heap)
{
    ab_rb_link *parent = &tree->header;
    bool is_less = true;

    for (ab_rb_link *x = tree->header.parent; x != NULL;) {
        parent = x;
        is_less = key < ab_rb_key(x);
        x = is_less ? x->left : x->right;
    }
    ab_rb_link *before = parent;
    if (is_less) {
        before = parent == tree->header.left ? NULL : ab_rb_previous(parent);
    }
    if (before != NULL && !(ab_rb_key(before) < key)) {
        return true;
    }
    bool is_left = parent == &tree->header || key < ab_rb_key(parent);
    ab_rb_node *node = be->alloc(heap, sizeof *node);
    if (AB_UNLIKELY(node == NULL)) {
        return false;
    }
    node->key = key;
    node->value = value;
    ab_rb_insert_and_rebalance(&tree->header, &node->link, parent, is_left);
    tree->count++;
    return true;
}

/* Frees each node without rebalancing, the right subtree first: the order of the standard library's
 * recursion, with the path on a stack of its own because a template cannot call itself. */
static AB_ALWAYS_INLINE void ab_rb_destroy(ab_rb_tree *tree, const ab_backend *const be,
                                           ab_heap *heap)
{
    ab_rb_link *path[AB_RB_DEPTH_MAX];
    size_t depth = 0;
    ab_rb_link *x = tree->header.parent;

    for (;;) {
        for (; x != NULL; x = x->right) {
            path[depth++] = x;
        }
        if (depth == 0) {
            break;
        }
        ab_rb_link *gone = path[--depth];
        x = gone->left;
        be->free(heap, gone, sizeof(ab_rb_node));
    }
    ab_rb_init(tree);
}

/* Walks the tree: NULL when the keys ascend strictly, every value is its key (as the scenario
 * inserts them), parents and children agree, red nodes have black children, all paths hold equally
 * many black nodes, and the header and the count are right; else what is broken. */
static inline const char *ab_rb_check(const ab_rb_tree *tree)
{
    const ab_rb_link *header = &tree->header, *x = header->parent, *last = NULL;
    const ab_rb_link *path[AB_RB_DEPTH_MAX];
    size_t depth = 0, count = 0, black_all = 0;
    size_t black[AB_RB_DEPTH_MAX + 1] = {0}; /* black nodes on the path to depth i */

    if (x == NULL) {
        return header->left != header || header->right != header || tree->count != 0
                   ? "the header of an empty tree is wrong"
                   : NULL;
    }
    if (header->color != AB_RB_RED || x->color != AB_RB_BLACK || x->parent != header) {
        return "the root is wrong";
    }
    for (size_t blacks = 0;;) {
        for (; x != NULL; x = x->left) {
            if (depth == AB_RB_DEPTH_MAX) {
                return "a path is too long";
            }
            for (int side = 0; side < 2; side++) {
                const ab_rb_link *child = side == 0 ? x->left : x->right;
                if (child != NULL && child->parent != x) {
                    return "a child has another parent";
                }
                if (child != NULL && x->color == AB_RB_RED && child->color == AB_RB_RED) {
                    return "a red node has a red child";
                }
            }
            blacks += x->color == AB_RB_BLACK;
            black[depth] = blacks;
            path[depth++] = x;
        }
        if (black_all != 0 && blacks != black_all) {
            return "paths hold different numbers of black nodes";
        }
        black_all = blacks;
        if (depth == 0) {
            break;
        }
        x = path[--depth];
        blacks = black[depth];
        if (last == NULL ? x != header->left : ab_rb_key(last) >= ab_rb_key(x)) {
            return "the order is wrong";
        }
        if (((const ab_rb_node *)x)->value != ab_rb_key(x)) {
            return "a value is wrong";
        }
        last = x;
        count++;
        x = x->right;
    }
    return last != header->right  ? "the last node is wrong"
           : count != tree->count ? "the count is wrong"
                                  : NULL;
}

#endif
