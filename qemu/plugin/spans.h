/*
 * Spans: pieces of work whose lengths are kept one by one. A span is what the
 * firmware does for an event source, from its BEGIN to its DECISION, or a call
 * of a hook of a policy. Spans may lie within one another. What they
 * consist of is kept of all spans of a source or hook together, and of the
 * longest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MEMHELM_SPANS_H
#define MEMHELM_SPANS_H

#include <stdint.h>

#include "calls.h"

enum mh_span_kind { MH_SPAN_SOURCE, MH_SPAN_HOOK, MH_SPAN_KINDS };

#define MH_MAX_SOURCES 32

/* What was executed: instructions by class, and behind them ... */
enum {
    MH_MIX_TAKEN = CORE_CLASS_ROWS + 1, /* branches that jumped */
    MH_MIX_MMIO,                       /* accesses beyond the memories */
    MH_MIX_TRAPS,                      /* interrupts, exceptions */
    MH_MIX_COUNTS
};

struct mh_mix {
    uint64_t count[MH_MIX_COUNTS];
};

struct mh_sample {
    uint64_t instructions;
    uint32_t cycles;
    uint32_t stalls;
};

/* What a node of the tree spent within a span. */
struct mh_share {
    uint32_t node;
    uint32_t instructions;
    uint32_t cycles;
};

/* All spans of one source or hook. */
struct mh_series {
    struct mh_sample *sample;
    uint32_t samples, room;
    struct mh_share *worst; /* of the first span that took most cycles */
    uint32_t shares;
    uint64_t worst_cycles;
    struct mh_mix mix, worst_mix;
    uint32_t stack_low;     /* UINT32_MAX: the stack was not written */
};

/*
 * Room for hooks 0 .. hooks - 1; the places of the stall cycles and of the mix
 * so far.
 */
void mh_spans_init(uint32_t hooks, const uint64_t *stalls,
                   const struct mh_mix *mix);

/*
 * Who is told of each call of a hook that ends: from and to are cycles, stalls
 * among them.
 */
void mh_spans_tell(void (*told)(uint32_t hook, uint64_t from, uint64_t to));

/* The bit of the new span; 0 when as many as can be are open: it is lost. */
uint32_t mh_spans_open(enum mh_span_kind kind, uint32_t id,
                       const struct mh_totals *now);

/* Ends the spans of these bits. */
void mh_spans_close(uint32_t bits, const struct mh_totals *now);

/* The bit of the open span of this source, 0 if there is none. */
uint32_t mh_spans_of(uint32_t source);

/* Forgets these spans, or all that are open. */
void mh_spans_forget(uint32_t bits);
void mh_spans_drop(void);

/* A node of the tree has spent this much. */
void mh_spans_add(uint32_t node, const struct mh_totals *spent);

/* The stack was written at this address. */
void mh_spans_stack(uint32_t address);

/* NULL: there is no such source or hook. */
const struct mh_series *mh_spans_series(enum mh_span_kind kind, uint32_t id);

/* Spans that were begun and have no sample. */
uint64_t mh_spans_lost(void);

#endif
