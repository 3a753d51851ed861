/*
 * Suffix trees of base sequences (Ukkonen 1995), for MUM. All memory is the caller's.
 */
#ifndef MEMHELM_WORKLOAD_SUFFIX_TREE_H
#define MEMHELM_WORKLOAD_SUFFIX_TREE_H

#include <stdint.h>

enum {
    MH_SUFFIX_BASES = 5, /**< four and the end mark, whose value is 4 */
    MH_SUFFIX_ROOT = 1,
};

/** A node, and the edge that leads to it. Number 0 is none. */
struct mh_suffix_node {
    uint32_t start, end; /**< of the edge in the text; inclusive */
    uint32_t link;       /**< suffix link; the root's is the root */
    uint32_t child[MH_SUFFIX_BASES];
};

struct mh_suffix_tree {
    const uint8_t *text;         /**< values below MH_SUFFIX_BASES; the end mark is last and nowhere else */
    uint32_t length;             /**< of the text, with the end mark */
    struct mh_suffix_node *node; /**< room for 2 * length + 2 */
    uint32_t count;              /**< nodes in use, with number 0 */
    uint32_t unlinked;           /**< node that still needs a suffix link, while the tree is built */
};

/** Builds the tree of text[0 .. length - 1]; the nodes' memory need not be set. */
void mh_suffix_tree_build(struct mh_suffix_tree *t);

/** Numbers from the root down, level by level: id[node], the root's is 1. Both arrays have room for t->count. */
void mh_suffix_tree_number(const struct mh_suffix_tree *t, uint32_t *id, uint32_t *queue);

#endif
