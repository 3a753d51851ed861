/* What the Pannotia kernels share: a thread per vertex, and loops over the edges of the warp's vertices in step. */
#ifndef MEMHELM_WORKLOAD_PANNOTIA_H
#define MEMHELM_WORKLOAD_PANNOTIA_H

#include "workload/gen.h"
#include "workload/graph.h"
#include "workload/input/input.h"

enum { MH_PAN_WORD = 4 };

/**
 * The graph of Color and MIS, which tell their reader that it is undirected. A mesh comes from a METIS file, as the two
 * that Pannotia ships for them: it names each edge at both ends, and parseMetis takes it as it is; so is a file here.
 * The others are SSSP's coordinate files, of which parseCOO enters each line in both directions: every neighbour is
 * there twice. A vertex without edges keeps its row (ours): closed up as SSSP's, a row could list its own vertex, and
 * the programs would not end. NULL: it failed, and `g` knows.
 */
static inline struct mh_graph *mh_pan_undirected(struct mh_gen *g)
{
    struct mh_graph *graph = mh_gen_graph(g, mh_random(g->seed, 0));

    return g->input || g->variant == MH_GRAPH_MESH ? graph : mh_graph_read_undirected(graph);
}

/** The graph of a kernel that keeps it in g->data. */
static inline const struct mh_graph *mh_pan_graph(const struct mh_gen *g)
{
    return g->data;
}

/** Of the lanes in `mask`, whose vertices are first + lane, those with an edge number k. */
static inline uint64_t mh_pan_with_edge(const struct mh_graph *graph, uint64_t first, uint64_t mask, uint64_t k)
{
    MH_KEEP_LANES(mask, lane, k < mh_graph_degree(graph, first + lane));
    return mask;
}

/** Target of edge k of the lane's vertex. */
static inline uint32_t mh_pan_target(const struct mh_graph *graph, uint64_t first, unsigned lane, uint64_t k)
{
    return graph->col[graph->row[first + lane] + k];
}

/** Fills `op` in: each lane's address is base + 4 * index of its edge k, or of that edge's target. */
static inline void mh_pan_op(const struct mh_graph *graph, struct mh_op *op, uint64_t *addr, enum mh_op_kind kind,
                             uint32_t pc, uint32_t gap, bool wait, uint64_t mask, uint64_t base, uint64_t first,
                             uint64_t k, bool target)
{
    mh_op_affine(op, kind, pc, MH_PAN_WORD, gap, wait, mask, 0, 0);
    op->list = true;
    for (uint64_t m = mask; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        const uint64_t edge = graph->row[first + lane] + k;

        addr[lane] = base + (target ? graph->col[edge] : edge) * MH_PAN_WORD;
    }
}

#endif
