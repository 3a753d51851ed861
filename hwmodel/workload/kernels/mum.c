/*
 * MUM: MUMmerGPU 1.0: maximal matches of short DNA reads in a reference's suffix tree. A thread per read, 64 a block,
 * walks down from the root for the read's first suffix and from suffix links for the following ones, comparing along
 * edges, and stores a match of 20 bases or more. Nodes (edge, suffix link) and children are 16 bytes each.
 *
 * The tree is a real one (Ukkonen 1995) of random bases, numbered from the root down level by level as the source does;
 * reads are 25 bases from anywhere in the reference, each wrong with probability 1/16. Sizes are those of the GPGPU-Sim
 * suite (20 000 bases, 50 000 reads), the data ours. The source keeps the tree and the reference in textures, which are
 * loads from linear arrays here. Gaps count the source's operations as LLVM IR would.
 */
#include "workload/gen.h"
#include "workload/suffix_tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 64,
    READ = 25,
    RECORD = READ + 2, /* bytes: a mark before the read, a zero behind it */
    MIN_MATCH = 20,
    STARTS = READ - MIN_MATCH + 1,
    ERROR_RATE = 16, /* one in */
    WORD = 4,
    NODE = 16,
    MATCH = 8,
};
enum { MATCHES, READS, OFFSETS, LENGTHS, NODES, CHILDREN, REFERENCE }; /* buffers */
enum { READ_COUNT };                                                   /* p[] */

enum {
    GAP_START = 8,   /* ids, bounds, address */
    GAP_READ = 8,    /* result pointer, last start, loop test */
    GAP_SUFFIX = 8,  /* loop test, test for the root, address */
    GAP_NODE = 3,    /* loop test, address */
    GAP_CHILD = 8,   /* choice by base, test, address */
    GAP_EDGE = 8,    /* unpacking, edge length, how much is known to match, address */
    GAP_COMPARE = 4, /* loop tests, address */
    GAP_MATCHED = 4, /* compare, branch, two increments, address */
    GAP_RESULT = 5,  /* test, position, address */
    GAP_NEXT = 5,    /* what must match, length, address */
};

/* One node on a read's way. */
struct hop {
    uint32_t from, to;  /* node, and its child; 0 if the read's base has none */
    uint32_t reference; /* first position compared */
    uint8_t read;       /* base of the read after what is known to match */
    uint8_t compares;   /* with the reference along the edge */
    uint8_t matched;    /* of these */
};

/* The way of one suffix of a read. */
struct way {
    uint32_t first; /* hop */
    uint8_t hops;
    uint8_t read; /* base to begin with */
    bool found;   /* a match to store */
};

struct ways {
    struct hop *hop;
    struct way way[]; /* STARTS of each read */
};

/* Way of a lane's read at its present suffix. */
static const struct way *way_of(const struct mh_gen *g, const struct mh_cursor *c, unsigned lane)
{
    const struct ways *w = g->data;

    return &w->way[(mh_thread(g, c, BLOCK) + lane) * STARTS + c->v[0]];
}

static const struct hop *hop_of(const struct mh_gen *g, const struct mh_cursor *c, unsigned lane)
{
    return &((const struct ways *)g->data)->hop[way_of(g, c, lane)->first + c->v[1]];
}

enum question { HOPPING, CHILD, COMPARING, MATCHING, FOUND };

/* Of `mask`, the lanes that are still at it: at hop c->v[1], comparison c->v[2]. */
static uint64_t lanes_at(const struct mh_gen *g, const struct mh_cursor *c, uint64_t mask, enum question q)
{
    uint64_t yes = 0;

    for (uint64_t m = mask; m; m &= m - 1) {
        const unsigned l = (unsigned)__builtin_ctzll(m);
        const struct way *w = way_of(g, c, l);
        const struct hop *h = q == HOPPING || q == FOUND ? NULL : hop_of(g, c, l);
        const bool is = q == HOPPING     ? c->v[1] < w->hops
                        : q == FOUND     ? w->found
                        : q == CHILD     ? h->to != 0
                        : q == COMPARING ? c->v[2] < h->compares
                                         : c->v[2] < h->matched;

        yes |= (uint64_t)is << l;
    }
    return yes;
}

/* Addresses of one access; what it is stands in op->pc. */
enum access { FIRST_BASE = 3, TO_CHILD, TO_NODE, NEXT_BASE, REFERENCE_BASE, EDGE_BASE, LAST_NODE };

static void list(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t reads = g->base[READS] + (mh_thread(g, c, BLOCK)) * RECORD + c->v[0];

    op->list = true;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        const unsigned l = (unsigned)__builtin_ctzll(m);
        const struct way *w = way_of(g, c, l);
        const struct hop *h = hop_of(g, c, l);

        switch ((enum access)op->pc) {
        case FIRST_BASE:
            addr[l] = reads + l * RECORD + w->read;
            break;
        case TO_CHILD:
            addr[l] = g->base[CHILDREN] + (uint64_t)h->from * NODE;
            break;
        case TO_NODE:
            addr[l] = g->base[NODES] + (uint64_t)h->to * NODE;
            break;
        case NEXT_BASE:
            addr[l] = reads + l * RECORD + h->read;
            break;
        case REFERENCE_BASE:
            addr[l] = g->base[REFERENCE] + h->reference + c->v[2];
            break;
        case EDGE_BASE:
            addr[l] = reads + l * RECORD + h->read + c->v[2] + 1;
            break;
        default: /* back to the parent, for its suffix link */
            addr[l] =
                g->base[NODES] + (uint64_t)((const struct ways *)g->data)->hop[w->first + w->hops - 1u].from * NODE;
        }
    }
}

#define MH_LIST(pc, bytes, gap, mask)                                                                                  \
    do {                                                                                                               \
        if (mask) {                                                                                                    \
            mh_op_affine(op, MH_OP_LOAD, pc, bytes, gap, true, mask, 0, 0);                                            \
            list(g, c, op, addr);                                                                                      \
            MH_YIELD;                                                                                                  \
        }                                                                                                              \
    } while (0)

/* c->v[0]: suffix of the read; v[1]: hop; v[2]: comparison; v[3], v[4], v[5]: lanes in these loops and those matching
 */
static void match(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t first = mh_thread(g, c, BLOCK);
    const uint64_t mask = mh_mask_below(first, g->p[READ_COUNT], g->lanes);
    const uint64_t result = g->base[MATCHES] + (first * STARTS + c->v[0]) * MATCH;

    switch (c->state) {
    case 0:
        MH_LOAD(1, WORD, GAP_START, false, mask, g->base[LENGTHS] + first * WORD, WORD);
        MH_LOAD(2, WORD, 2, false, mask, g->base[OFFSETS] + first * WORD, WORD);
        for (; mask && c->v[0] < STARTS; c->v[0]++) {
            c->v[1] = 0;
            MH_LIST(FIRST_BASE, 1, c->v[0] ? GAP_SUFFIX : GAP_READ + GAP_SUFFIX, mask);
            for (c->v[3] = lanes_at(g, c, mask, HOPPING); c->v[3];) {
                MH_LIST(TO_CHILD, NODE, GAP_NODE, c->v[3]);
                c->v[4] = lanes_at(g, c, c->v[3], CHILD);
                MH_LIST(TO_NODE, NODE, GAP_CHILD, c->v[4]);
                MH_LIST(NEXT_BASE, 1, GAP_EDGE, c->v[4]);
                c->v[2] = 0;
                for (c->v[4] = lanes_at(g, c, c->v[4], COMPARING); c->v[4];) {
                    MH_LIST(REFERENCE_BASE, 1, GAP_COMPARE, c->v[4]);
                    c->v[4] = lanes_at(g, c, c->v[4], MATCHING);
                    MH_LIST(EDGE_BASE, 1, GAP_MATCHED, c->v[4]);
                    c->v[2]++;
                    c->v[4] = lanes_at(g, c, c->v[4], COMPARING);
                }
                c->v[1]++;
                c->v[3] = lanes_at(g, c, c->v[3], HOPPING);
            }
            c->v[1] = 0;
            MH_STORE(20, WORD, GAP_RESULT, true, lanes_at(g, c, mask, FOUND), result, STARTS * MATCH);
            MH_STORE(21, WORD, 1, false, lanes_at(g, c, mask, FOUND), result + WORD, STARTS * MATCH);
            MH_LIST(LAST_NODE, NODE, GAP_NEXT, mask);
        }
        MH_END(GAP_SUFFIX, false);
    }
}

/* ---- the reads' ways ---- */

enum { END = 255 };

struct walk {
    const struct mh_suffix_tree *tree;
    const uint32_t *id;
    struct hop *hop;
    uint32_t hops, room;
    uint32_t node, known, at; /* present node (0: begin anew), bases known to match below it, base of the read */
};

static struct hop *add_hop(struct walk *w)
{
    if (w->hops == w->room) {
        const uint32_t room = w->room ? 2 * w->room : 65536;
        struct hop *hop = realloc(w->hop, room * sizeof *hop);

        if (!hop)
            return NULL;
        w->hop = hop;
        w->room = room;
    }
    w->hop[w->hops] = (struct hop){0};
    return &w->hop[w->hops++];
}

/* Down the edge to `node`: skips what is known to match, compares the rest; false at a difference. `read` is 1-based.
 * Returns with w->known as the bases of the edge that match. */
static bool follow(struct walk *w, struct hop *h, const uint8_t *read, const struct mh_suffix_node *node)
{
    const uint32_t edge = node->end - node->start + 1;
    uint32_t done = w->known == 0 ? 1 : w->known < edge ? w->known : edge;

    w->at += done;
    w->known -= w->known ? done : 0;
    h->reference = node->start + done;
    h->read = (uint8_t)w->at;
    for (; done < edge && read[w->at] != END; done++, w->at++) {
        h->compares++;
        if (w->tree->text[node->start + done] != read[w->at]) {
            w->known = done;
            return false;
        }
        h->matched++;
    }
    if (read[w->at] == END)
        w->known = done;
    return true;
}

/* One suffix of the read: fills in the way and leaves the walk where the next suffix begins. */
static bool walk_suffix(struct walk *w, const uint8_t *read, struct way *way)
{
    uint32_t parent = MH_SUFFIX_ROOT;

    if (w->node == 0 || w->at < 1) {
        w->node = MH_SUFFIX_ROOT;
        w->at = 1;
        w->known = 0;
    }
    *way = (struct way){.first = w->hops, .read = (uint8_t)w->at};
    while (read[w->at] != END) {
        struct hop *h = add_hop(w);

        if (!h)
            return false;
        parent = w->node;
        w->node = w->tree->node[parent].child[read[w->at]];
        h->from = w->id[parent];
        h->to = w->id[w->node];
        way->hops++;
        if (w->node == 0) {
            way->found = w->at > MIN_MATCH;
            w->at -= 1;
            w->known = 0;
            w->node = w->tree->node[parent].link;
            return true;
        }
        if (!follow(w, h, read, &w->tree->node[w->node]))
            break;
    }
    way->found = w->at > MIN_MATCH;
    w->at -= w->known + 1;
    w->node = w->tree->node[parent].link;
    return true;
}

static void make_read(uint8_t *read, const struct mh_suffix_tree *t, uint64_t seed, uint64_t number)
{
    const uint64_t r = mh_random(~seed, 2 * number), errors = mh_random(~seed, 2 * number + 1);
    const uint64_t from = r % (t->length - READ); /* the end mark is not read */

    read[0] = END;
    for (uint32_t b = 0; b < READ; b++) {
        const uint64_t change = mh_random(errors, b);

        read[1 + b] = (uint8_t)((t->text[from + b] + (change % ERROR_RATE ? 0 : 1 + (change >> 32) % 3)) & 3);
    }
    read[1 + READ] = END;
}

/* Packed into one block, which the workload frees. */
static struct ways *walk_all_reads(const struct mh_suffix_tree *t, const uint32_t *id, uint64_t reads, uint64_t seed)
{
    const size_t size = sizeof(struct ways) + reads * STARTS * sizeof(struct way);
    struct ways *ways = malloc(size), *packed = NULL;
    struct walk w = {.tree = t, .id = id};
    bool ok = ways != NULL;

    for (uint64_t r = 0; ok && r < reads; r++) {
        uint8_t read[RECORD];

        make_read(read, t, seed, r);
        w.node = 0;
        for (uint32_t s = 0; ok && s < STARTS; s++)
            ok = walk_suffix(&w, read + s, &ways->way[r * STARTS + s]);
    }
    if (ok)
        packed = realloc(ways, size + w.hops * sizeof *w.hop);
    if (packed)
        packed->hop = memcpy((char *)packed + size, w.hop, w.hops * sizeof *w.hop);
    else
        free(ways);
    free(w.hop);
    return packed;
}

/* Nodes of the tree go to *count. */
static struct ways *make_ways(uint64_t n, uint64_t reads, uint64_t seed, uint64_t *count)
{
    const size_t nodes = 2 * (n + 2);
    uint8_t *text = malloc(n + 1);
    struct mh_suffix_tree t = {.text = text, .length = (uint32_t)n + 1, .node = malloc(nodes * sizeof *t.node)};
    uint32_t *id = malloc(2 * nodes * sizeof *id);
    struct ways *ways = NULL;

    if (text && t.node && id) {
        for (uint64_t i = 0; i < n; i++)
            text[i] = mh_random(seed, i) & 3;
        text[n] = MH_SUFFIX_BASES - 1;
        mh_suffix_tree_build(&t);
        mh_suffix_tree_number(&t, id, id + nodes);
        ways = walk_all_reads(&t, id, reads, seed);
        *count = t.count;
    }
    free(text);
    free(t.node);
    free(id);
    return ways;
}

static void build(struct mh_gen *g)
{
    uint64_t reads, nodes = 1;

    g->p[READ_COUNT] = reads = g->n * 5 / 2;
    g->data = make_ways(g->n, reads, g->seed, &nodes);
    g->no_memory |= !g->data;
    MH_BUFFERS(g, reads * STARTS * MATCH, reads * RECORD, reads * WORD, reads * WORD, nodes * NODE, nodes * NODE,
               g->n + 1);
    mh_gen_launch(
        g, (struct mh_launch){"mummergpuKernel", (uint32_t)mh_ceil_div(reads, BLOCK), BLOCK, 24 /* ours */, 0}, match);
}

const struct mh_kernel mh_kernel_mum = {
    .name = "MUM",
    .suite = "GPGPU-Sim",
    .summary = "DNA matching in a suffix tree; divergent walks of scattered nodes and bytes",
    MH_SIZE("bases of the reference; there are 2.5 reads for each", 20000, 100, 100000), /* the suite's */
    .build = build,
};
