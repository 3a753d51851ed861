/* Where the cycles of an image go: lines of its sources, the longest path, a flame graph. */
#ifndef HOST_BUDGET_PROFILE_LINE_COSTS_H
#define HOST_BUDGET_PROFILE_LINE_COSTS_H

#include <stdio.h>

#include "mcu/code.h"
#include "mcu/source_lines.h"
#include "profile.h"

/* What each function of a run spent by itself, line by line. */

/** `mmio`: accesses beyond the mcu's own memory. */
struct spent {
    uint64_t cycles, instructions, mmio;
};

struct line_cost {
    unsigned function;
    struct place place;
    struct spent spent;
};

/** By function, file, line. */
struct line_costs {
    struct line_cost *list;
    unsigned count, room;
};

/** The place of an instruction. */
typedef struct place place_of(const void *ctx, uint32_t address);

/**
 * `functions` of them, counted as in `code`; `place` is asked of the addresses that were executed.
 *
 * Of each function the lines add up to what it has in the tree of calls. What depends on where a jump through a
 * register leads to, or is the mcu's own entry of a trap, is known of the function alone: it stands at the last such
 * jump that was executed, and of the trap's entry at its first instruction. A function whose instructions are not those
 * that the tree has, because others jump into its middle, stands at its first instruction as a whole.
 */
void line_costs_find(struct line_costs *c, const struct profile *p, const struct code *code, unsigned functions,
                     place_of *place, const void *ctx);
void line_costs_free(struct line_costs *c);

/** First instruction of a function; 0 when it has none. */
uint32_t line_costs_first(const struct code *code, unsigned function);

/* What each function of a run executed, by class of instruction. */

/** Callees apart. Classes are those of its instructions, so that they add up to `instructions`. */
struct counts {
    uint64_t calls, instructions, cycles;
    uint64_t mmio; /**< accesses beyond the mcu's own memory */
    uint64_t classes[CORE_CLASS_ROWS];
    uint32_t stack_low; /**< lowest address of the stack that was written; 0: none */
};

/** By number of function, `functions` of them; the caller frees it. */
struct counts *counts_of(const struct profile *p, const struct code *code, unsigned functions);

/* The call tree of the longest decision: callers and callees in order, counts, cycles. */

enum path_calls {
    PATH_BEGINS,  /**< the decision begins and ends in it: it was called before */
    PATH_EXACT,   /**< that many times in this decision */
    PATH_MEAN,    /**< in all calls of the policy's hook in the run, for each on average */
    PATH_UNKNOWN, /**< some */
};

/** A function called by the nearest step above it that is less deep. */
struct path_step {
    unsigned depth, function;
    uint64_t cycles, own; /**< mcu cycles in this decision: with those it calls; by itself */
    enum path_calls kind;
    double calls;
};

struct path {
    struct path_step *steps;
    unsigned count;
};

/**
 * The longest one of a series of `p`. Order and cycles are as recorded. Calls are not recorded for a decision, but for
 * a node in the whole run, with the instructions of both; one call takes at least as many as the shortest way through
 * the function over jumps that the run made, and a place in the code that is in no loop calls once for each call of
 * its own function. Where that leaves one number, it is the number; a hook is called once.
 * The caller frees `steps`.
 */
void path_of(struct path *path, const struct profile *p, const struct series *s, const struct code *code,
             const struct functions *f, const struct hooks *hooks);

/** Fewest instructions of one call of a function, without callees, over jumps that the run made; 0: none returned. */
uint64_t path_shortest(const struct profile *p, const struct code *code, uint32_t entry);

/* What a run executed, for other programs: folded stacks for flame graphs, and KCachegrind's format. */

/** What functions are called and where they are, by their numbers. */
struct flame_names {
    const char *(*name)(const void *ctx, unsigned function);
    /** Of its first instruction. `file` is never NULL; `line` 0: not known. */
    struct place (*place)(const void *ctx, unsigned function);
    /** Where `caller` calls `callee`; `file` NULL: not known. */
    struct place (*call)(const void *ctx, unsigned caller, unsigned callee);
    const void *ctx;
};

/** A line for each node of the tree that took cycles: `trap_entry;fw_irq;commit 1234`. They add up to all cycles. */
void flame_write_folded(const struct profile *p, const struct flame_names *names, FILE *out);

/**
 * The format of callgrind, version 1: events Cycles, Instructions, Mmio (accesses beyond the mcu's own memory), by
 * line and by call, callees included; line 0 is an unknown one. A call from several places of a function stands at the
 * first.
 */
void flame_write_callgrind(const struct profile *p, const struct line_costs *lines, const struct flame_names *names,
                           FILE *out);

#endif
