#include "workload/suffix_tree.h"

#include <stdbool.h>

/* Where Ukkonen's algorithm stands: `length` bases down the edge of `node` that begins with text[edge]. */
struct active {
    uint32_t node, edge, length, pending;
};

static uint32_t add_node(struct mh_suffix_tree *t, uint32_t start, uint32_t end)
{
    t->node[t->count] = (struct mh_suffix_node){.start = start, .end = end};
    return t->count++;
}

static void link_to(struct mh_suffix_tree *t, uint32_t node)
{
    if (t->unlinked)
        t->node[t->unlinked].link = node;
    t->unlinked = node;
}

/* Cuts the edge to `next` after `length` bases and hangs a leaf that begins with text[i] there. */
static uint32_t split(struct mh_suffix_tree *t, uint32_t parent, uint32_t next, uint32_t length, uint32_t i)
{
    const uint32_t start = t->node[next].start, middle = add_node(t, start, start + length - 1);
    const uint32_t leaf = add_node(t, i, t->length - 1);

    t->node[parent].child[t->text[start]] = middle;
    t->node[middle].child[t->text[i]] = leaf;
    t->node[next].start += length;
    t->node[middle].child[t->text[start + length]] = next;
    return middle;
}

/* One base more: false when the tree has all suffixes that it can have now. */
static bool extend(struct mh_suffix_tree *t, struct active *a, uint32_t i)
{
    uint32_t *child, next, length;

    if (a->length == 0)
        a->edge = i;
    child = &t->node[a->node].child[t->text[a->edge]];
    next = *child;
    if (next == 0) {
        const uint32_t leaf = add_node(t, i, t->length - 1);

        t->node[a->node].child[t->text[a->edge]] = leaf;
        link_to(t, a->node);
    } else {
        length = t->node[next].end - t->node[next].start + 1;
        if (a->length >= length) { /* walk down */
            a->edge += length;
            a->length -= length;
            a->node = next;
            return true;
        }
        if (t->text[t->node[next].start + a->length] == t->text[i]) {
            a->length++;
            link_to(t, a->node);
            return false;
        }
        link_to(t, split(t, a->node, next, a->length, i));
    }
    a->pending--;
    if (a->node == MH_SUFFIX_ROOT && a->length > 0) {
        a->length--;
        a->edge = i - a->pending + 1;
    } else if (a->node != MH_SUFFIX_ROOT) {
        a->node = t->node[a->node].link ? t->node[a->node].link : MH_SUFFIX_ROOT;
    }
    return true;
}

void mh_suffix_tree_build(struct mh_suffix_tree *t)
{
    struct active a = {.node = MH_SUFFIX_ROOT};

    t->count = MH_SUFFIX_ROOT;
    add_node(t, 0, 0);
    for (uint32_t i = 0; i < t->length; i++) {
        t->unlinked = 0;
        a.pending++;
        while (a.pending > 0 && extend(t, &a, i))
            ;
    }
    t->node[MH_SUFFIX_ROOT].link = MH_SUFFIX_ROOT;
}

void mh_suffix_tree_number(const struct mh_suffix_tree *t, uint32_t *id, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;

    id[0] = 0;
    queue[tail++] = MH_SUFFIX_ROOT;
    while (head < tail) {
        const uint32_t node = queue[head++];

        id[node] = head;
        for (int b = 0; b < MH_SUFFIX_BASES; b++)
            if (t->node[node].child[b])
                queue[tail++] = t->node[node].child[b];
    }
}
