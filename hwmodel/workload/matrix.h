/* Sparse matrices as input data, as graphs whose vertices are the rows and whose edges the elements. */
#ifndef MEMHELM_WORKLOAD_MATRIX_H
#define MEMHELM_WORKLOAD_MATRIX_H

#include "workload/graph.h"

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
