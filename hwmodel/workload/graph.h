/*
 * Graphs as input data: compressed sparse rows, built from a seed. The same arguments give the same graph on every
 * machine.
 */
#ifndef MEMHELM_WORKLOAD_GRAPH_H
#define MEMHELM_WORKLOAD_GRAPH_H

#include <stddef.h>

#include "workload/workload.h"

/** Compressed sparse rows; one block of memory: free() the struct. Neighbours of a vertex are sorted and distinct. */
struct mh_graph {
    uint32_t vertices;
    uint32_t edges;      /**< directed; an undirected one counts twice */
    uint32_t max_degree; /**< of any vertex */
    uint32_t *row;       /**< [vertices + 1]: edges of v are row[v] .. row[v + 1] - 1 */
    uint32_t *col;       /**< [edges]: target of each */
};

/** A directed edge. */
struct mh_arc {
    uint32_t from, to;
};

/**
 * Builds the graph of `count` arcs between vertices 0 .. vertices - 1; duplicates are dropped. The arcs stay the
 * caller's. NULL when memory is short.
 */
struct mh_graph *mh_graph_build(uint32_t vertices, const struct mh_arc *arcs, uint32_t count);

/**
 * The undirected R-MAT graph (Chakrabarti et al. 2004) of the recorded Pannotia SSSP: quadrant probabilities .45, .22,
 * .22, .11, vertex numbers permuted, no loops and no multiple edges. `vertices` is a power of two, at most 2^24; before
 * duplicates go there are vertices * 1100000 / 2^18 edges, the recorded number at the recorded 2^18 vertices. NULL and
 * `err` when memory is short.
 */
struct mh_graph *mh_graph_rmat(uint32_t vertices, uint64_t seed, struct mh_error *err);

/**
 * As mh_graph_rmat(), with the quadrant probabilities .57, .19, .19, .05 of the Graph 500 specification
 * (graph500.org): degrees follow a power law more steeply, and more vertices have no edge.
 */
struct mh_graph *mh_graph_powerlaw(uint32_t vertices, uint64_t seed, struct mh_error *err);

/**
 * A five-point mesh: each vertex has an edge to its left, right, upper and lower neighbour; numbered row by row, rows
 * as long as the square root of `vertices`, the last one perhaps shorter. With 1 000 000 vertices it is the matrix
 * ecology1 that Pannotia ships (its diagonal, no edge, is not there). It also stands in for Pannotia's other sparse
 * matrix and its roads.
 */
struct mh_graph *mh_graph_mesh(uint32_t vertices, struct mh_error *err);

/**
 * The random graph of Rodinia's graphgen: each vertex draws 2 to 4 edges, all as likely, to vertices anywhere, and the
 * other end gets them, too: six a vertex on average. Here neighbours are sorted, and double ones (a few in a million)
 * dropped.
 */
struct mh_graph *mh_graph_uniform(uint32_t vertices, uint64_t seed, struct mh_error *err);

/** Variants of a kernel on one of the graphs above. */
enum mh_graph_kind { MH_GRAPH_RMAT, MH_GRAPH_MESH, MH_GRAPH_UNIFORM, MH_GRAPH_POWERLAW, MH_GRAPHS };

/** Their names, for `variants` of a kernel: rmat, mesh, uniform, powerlaw. */
extern const char *const mh_graph_variants[];

/** `size_powers` and `size_reason` of a kernel with these variants whose size is the number of vertices. */
enum { MH_GRAPH_POWERS = 1 << MH_GRAPH_RMAT | 1 << MH_GRAPH_POWERLAW };
#define MH_GRAPH_REASON "vertices of an R-MAT graph; @mesh and @uniform have any number"

/** The graph of a variant; `vertices` is a number that it can have. */
struct mh_graph *mh_graph_make(uint32_t variant, uint32_t vertices, uint64_t seed, struct mh_error *err);

/**
 * Moves the graph into a block with `bytes` more behind it, zeroed and aligned for any type, so that a kernel can keep
 * its own data in the same block. NULL, and the graph is freed, when memory is short; a NULL graph gives NULL.
 */
struct mh_graph *mh_graph_with_room(struct mh_graph *g, size_t bytes, void **room);

/**
 * As Pannotia's reader of coordinate files leaves a graph: vertices without edges get no row. Row i belongs to the i-th
 * vertex that has one, and the rows left over at the end are empty.
 */
void mh_graph_close_rows_up(struct mh_graph *g);

/**
 * As Pannotia's reader of coordinate files makes an undirected graph of a file that lists the arcs of `g`, row by row:
 * it enters each line in both directions. The file has both already, so every neighbour is there twice, in the order in
 * which lines name it: those below v, all, those above v. A vertex that is its own neighbour would never be done:
 * such edges are left out (ours). `g`, whose arcs go both ways, is freed. NULL: memory is short, or `g` is NULL.
 */
struct mh_graph *mh_graph_read_undirected(struct mh_graph *g);

/** Degree of v. */
static inline uint32_t mh_graph_degree(const struct mh_graph *g, uint64_t v)
{
    return g->row[v + 1] - g->row[v];
}

/* Sparse matrices as input data, as graphs whose vertices are the rows and whose edges the elements. */
/**
 * The matrix of bicubic finite elements with n x n nodes inside, n >= 3: the shape of UTEP/Dubcova3 (SuiteSparse Matrix
 * Collection) when n is 383. Elements' sides have four nodes, neighbours' in common; a node is coupled to all nodes of
 * its elements, itself among them: 49, 28 or 16, fewer at the rim. 128 x 128 elements have 146 689 nodes, as that
 * matrix, and 3 636 649 couplings. 64 x 64 and 128 x 128 biquadratic ones have just the rows and elements of its
 * sisters Dubcova1 and Dubcova2, 16 129 and 253 009, 65 025 and 1 030 225.
 *
 * Nodes have the numbers that Hermes2D gives them (github.com/hpfem/hermes, H1Space), whose authors' matrices these
 * are: corners, then sides, then insides, element by element. The notes of the collection call the first 81 153 rows of
 * Dubcova3 a leading part: those without insides. Elements are in the order in which a square is refined to them,
 * quarter by quarter (ours: the notes do not say). When n + 1 is no multiple of 3, elements at two sides are cut off.
 *
 * One block of memory: free() it. NULL when memory is short.
 */
struct mh_graph *mh_matrix_mesh(uint32_t n);

/**
 * No mesh (ours): n x n points, numbered row by row, each coupled to itself and to every other point of the 7 x 7
 * around it with probability 1/2, in both directions. One block of memory: free() it. NULL when memory is short.
 */
struct mh_graph *mh_matrix_random(uint32_t n, uint64_t seed);

#endif
