/*
 * B+Tree: look-ups in a B+ tree, one for every 100 keys, Rodinia's b+tree (cuda, findK): a block of 256 threads per
 * query goes down the tree, a thread comparing one key of the node; the thread that finds the key's interval names the
 * next node. The tree is what the source builds from the keys 0 .. n - 1 in ascending order: of a node that overflows,
 * 128 keys (or 128 children) stay, so every node but the last of a level is exactly half full. Unused keys of a node
 * are greater than any (ours). Nodes lie in the source's order, breadth first. Gaps count the source's operations as
 * LLVM IR would, or clang 14's PTX for sm_20.
 */
#include "workload/gen.h"

enum { ORDER = 256, HALF = ORDER / 2, PER_QUERY = 100, WORD = 4, LONG = 8 };
/* struct knode: location, indices[ORDER + 1], keys[ORDER + 1], is_leaf, num_keys. */
enum { NODE_INDICES = WORD, NODE_KEYS = WORD + (ORDER + 1) * WORD, NODE_BYTES = NODE_KEYS + (ORDER + 1) * WORD + 8 };
enum { RECORDS, NODES, CURRENT, OFFSET, KEYS, ANSWERS }; /* buffers, in the source's order */
enum { LEVELS };                                         /* p[]: nodes from root to leaf */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_START  MH_GAP(6, 24) /* ids, loop test, extend, address */
#define GAP_KEY    MH_GAP(5, 4)  /* product, sum, extend, address */
#define GAP_QUERY  MH_GAP(1, 0)  /* address */
#define GAP_SECOND MH_GAP(5, 3)  /* compare, branch, sum, extend, address */
#define GAP_INSIDE MH_GAP(3, 2)  /* compare, branch, address */
#define GAP_CHILD  MH_GAP(4, 3)  /* product, sum, address */
#define GAP_BOUND  MH_GAP(3, 2)  /* extend, compare, branch */
#define GAP_BRANCH 2             /* thid == 0 */
#define GAP_LOOP   3             /* i++, compare, branch */
#define GAP_RECORD 2             /* extend, address */

/* Keys below a node of level `level`, leaves being the last level: HALF to the power of levels under it. */
static uint64_t span_of(const struct mh_gen *g, uint32_t level)
{
    uint64_t span = 1;

    for (uint64_t l = level; l < g->p[LEVELS]; l++)
        span *= HALF;
    return span;
}

/* How many nodes a level has. The last one takes what is left, up to one short of a full node. */
static uint64_t nodes_in(const struct mh_gen *g, uint32_t level)
{
    const uint64_t nodes = g->n / span_of(g, level);

    return nodes ? nodes : 1;
}

/* A node on the way of a query: which one of all, and the first of its keys' intervals. */
struct visit {
    uint64_t node;     /* number in the array */
    uint64_t first;    /* least key below it */
    uint64_t step;     /* keys between two of its keys */
    uint64_t children; /* children, or keys of a leaf */
    uint64_t slot;     /* thread that finds its interval */
};

static struct visit visit_of(const struct mh_gen *g, uint64_t key, uint32_t level)
{
    const uint64_t span = span_of(g, level), nodes = nodes_in(g, level);
    uint64_t index = key / span, before = 0, below;
    struct visit v;

    index = index < nodes ? index : nodes - 1;
    for (uint32_t l = 0; l < level; l++)
        before += nodes_in(g, l);
    v.node = before + index;
    v.first = index * span;
    v.step = span / HALF;
    below = level + 1 < g->p[LEVELS] ? nodes_in(g, level + 1) : g->n;
    v.children = index + 1 < nodes ? HALF : below - index * HALF;
    v.slot = (key - v.first) / v.step;
    v.slot = v.slot < v.children ? v.slot : v.children - 1;
    return v;
}

static uint64_t key_of(const struct mh_gen *g, uint32_t query)
{
    return mh_random(g->seed, query) % g->n;
}

/* Lanes of the threads 0 .. last. */
static uint64_t threads_to(uint64_t last, uint64_t tid, uint32_t lanes)
{
    return mh_mask_below(tid, last + 1, lanes);
}

/* c->v[0]: level; the leaf is searched like the others, but finds a record. */
static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes, all = mh_mask_first(g->lanes), key = key_of(g, c->cta);
    const uint32_t last = (uint32_t)g->p[LEVELS] - 1, level = c->v[0] < last ? (uint32_t)c->v[0] : last;
    const struct visit v = visit_of(g, key, level);
    const uint64_t node = g->base[NODES] + v.node * NODE_BYTES, keys = node + NODE_KEYS + tid * WORD;
    const uint64_t current = g->base[CURRENT] + c->cta * LONG, offset = g->base[OFFSET] + c->cta * LONG;
    const uint64_t query = g->base[KEYS] + c->cta * WORD, children = node + NODE_INDICES + tid * WORD;
    const uint64_t not_above = threads_to(v.slot, tid, g->lanes);
    const uint64_t hit = not_above & ~threads_to(v.slot - 1, tid, g->lanes), first = tid == 0;

    switch (c->state) {
    case 0:
        for (; c->v[0] < last; c->v[0]++) {
            MH_LOAD(1, LONG, c->v[0] ? GAP_LOOP : GAP_START, false, all, current, 0);
            MH_LOAD(2, WORD, GAP_KEY, true, all, keys, WORD);
            MH_LOAD(3, WORD, GAP_QUERY, false, all, query, 0);
            MH_LOAD(4, WORD, GAP_SECOND, true, not_above, keys + WORD, WORD);
            MH_LOAD(5, LONG, GAP_INSIDE, true, hit, offset, 0);
            MH_LOAD(6, WORD, GAP_CHILD, true, hit, children, WORD);
            MH_STORE(7, LONG, GAP_BOUND, true, hit, offset, 0);
            MH_BARRIER(8, hit ? MH_GAP(0, 1) : 2, !hit); /* compare, branch */
            MH_LOAD(9, LONG, GAP_BRANCH, false, first, offset, 0);
            MH_STORE(10, LONG, 0, true, first, current, 0);
            MH_BARRIER(11, first ? MH_GAP(0, 1) : MH_GAP(GAP_BRANCH, 1), false);
        }
        MH_LOAD(12, LONG, MH_GAP(GAP_LOOP, 5), false, all, current, 0);
        MH_LOAD(13, WORD, GAP_KEY, true, all, keys, WORD);
        MH_LOAD(14, WORD, 1, false, all, query, 0);
        MH_LOAD(15, WORD, MH_GAP(GAP_INSIDE, 6), true, hit, children, WORD);
        MH_LOAD(16, WORD, GAP_RECORD, true, hit, g->base[RECORDS] + key * WORD, 0);
        MH_STORE(17, WORD, 1, true, hit, g->base[ANSWERS] + c->cta * WORD, 0);
        MH_END(hit ? 1 : GAP_BRANCH + 1, !hit);
    }
}

static void build(struct mh_gen *g)
{
    uint64_t nodes = 0, queries;

    queries = g->n / PER_QUERY;
    /* The root is split when it holds ORDER keys or children: a level more for every factor of HALF beyond that. */
    g->p[LEVELS] = 1;
    for (uint64_t top = g->n; top >= ORDER; top /= HALF)
        g->p[LEVELS]++;
    for (uint32_t l = 0; l < g->p[LEVELS]; l++)
        nodes += nodes_in(g, l);
    MH_BUFFERS(g, g->n * WORD, nodes * NODE_BYTES, queries * LONG, queries * LONG, queries * WORD, queries * WORD);
    mh_gen_launch(g, (struct mh_launch){"findK", (uint32_t)queries, ORDER, 16 /* ours */, 0}, body);
}

const struct mh_kernel mh_kernel_btree = {
    .name = "B+Tree",
    .suite = "Rodinia",
    .summary = "look-ups in a B+ tree of order 256; a block per query reads a node's keys, two barriers a level",
    /* Rodinia's mil.txt, with 10000 queries in its run script */
    MH_SIZE("keys in the tree", 1000000, 256, (uint64_t)1 << 28),
    .build = build,
};
