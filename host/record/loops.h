/*
 * Loops of a function: natural ones, by dominators, those that share a header being one. Blocks are numbered in reverse
 * post-order; a loop that can be entered in two places is none.
 */
#ifndef HOST_RECORD_LOOPS_H
#define HOST_RECORD_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

enum { LOOP_NONE = -1 };

/** Which blocks follow a block: edge[first[b] .. first[b + 1] - 1]. Block 0 is the entry, and all can be reached. */
struct loop_graph {
    uint32_t blocks;
    const uint32_t *first, *edge;
};

struct loop {
    uint32_t header;
    int parent;     /**< the loop right around it, or LOOP_NONE; its number is smaller */
    unsigned depth; /**< 1: in no other */
    bool *has;      /**< by block */
};

struct loops {
    struct loop *loop;
    int count;
    int *innermost; /**< by block: its innermost loop, or LOOP_NONE */
};

/** The blocks' order must be reverse post-order. False: out of memory; free it also then. */
bool loops_find(struct loops *l, const struct loop_graph *g);
void loops_free(struct loops *l);

#endif
