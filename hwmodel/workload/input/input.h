/*
 * Input data of a kernel from a file: which elements a sparse matrix has, or which edges a graph. Values and weights
 * are checked and dropped: no address depends on them. Formats: README.md.
 */
#ifndef MEMHELM_WORKLOAD_INPUT_H
#define MEMHELM_WORKLOAD_INPUT_H

#include "workload/gen.h"
#include "workload/graph.h"

enum {
    MH_INPUT_VERTICES = 1 << 24, /**< ours, as of the graphs that are generated: rows, columns, vertices at most */
    MH_INPUT_ENTRIES = 1 << 27,  /**< ours: entries at most, both triangles of a symmetric matrix counted */
};

/** Rows count from 0, as columns do. An entry may be there twice. */
struct mh_input {
    const char *path; /**< of the file; not owned */
    uint32_t rows, columns;
    uint32_t count;
    struct mh_arc *entries; /**< from row, to column; of a symmetric matrix or an undirected graph, both ways */
    bool starts;            /**< the file says where a search begins: at vertex `start` */
    uint32_t start;
};

/**
 * Reads a file, plain, zstd, xz or gzip, of a format that its content tells (input.c). -1 and `err`, with file, line,
 * what is allowed and what to do: the file cannot be read, is not as its format says, is cut off, or is too large;
 * memory is short. mh_input_free() is harmless then.
 */
int mh_input_read(const char *path, struct mh_input *in, struct mh_error *err);

/** As mh_input_read(), from `size` bytes at `data`; messages name `path`. */
int mh_input_parse(const void *data, size_t size, const char *path, struct mh_input *in, struct mh_error *err);

void mh_input_free(struct mh_input *in);

/**
 * The matrix as compressed sparse rows: a row for each of `rows`, or for each of `columns` if those are more. NULL when
 * memory is short.
 */
struct mh_graph *mh_input_matrix(const struct mh_input *in);

/** 0 if it is what the kernel takes: no matrix without entries, no graph without edges. -1 and `err`. */
int mh_input_check(const struct mh_input *in, enum mh_kernel_input kind, struct mh_error *err);

/**
 * The graph with every edge in both directions, as the graphs that are generated have them; an edge from a vertex to
 * itself is left out. NULL and `err` when memory is short.
 */
struct mh_graph *mh_input_graph(const struct mh_input *in, struct mh_error *err);

/** Graph of the kernel's file, or of its variant and size, from `seed`. NULL: the workload has failed. */
struct mh_graph *mh_gen_graph(struct mh_gen *g, uint64_t seed);

/** Rows that have an entry; of a graph, vertices that have an edge to another one. 0 when memory is short. */
uint64_t mh_input_occupied(const struct mh_input *in, enum mh_kernel_input kind);

/**
 * Where a search of the graph begins: at the vertex that the file `in` names, else at the first of the largest degree.
 * `in` may be NULL.
 */
uint32_t mh_input_start(const struct mh_input *in, const struct mh_graph *graph);

#endif
