/*
 * Endless streams of operations on every SM of a GPU, the rate of a counter while they run, and the program that asks
 * for it in every preset.
 */
#ifndef TESTS_VALIDATE_STREAM_H
#define TESTS_VALIDATE_STREAM_H

#include <stddef.h>

#include "script.h"

/** Where streams find their data: one buffer at SCRIPT_BASE. */
struct stream {
    uint32_t sms, warps, lanes; /**< that run; warps of each SM */
    uint64_t bytes;             /**< of the buffer */
    uint32_t page, line;        /**< bytes of a page, of a line */
    uint64_t *address;          /**< chosen lines, or NULL: the operations use the whole buffer in order */
    uint32_t addresses;
    uint32_t step; /**< for the operations: bytes, lines or whatever they say */
};

/** One warp of the GPU: 0 .. sms * warps - 1. */
static inline uint64_t stream_warp(const struct stream *s, const struct mh_cursor *c)
{
    return (uint64_t)c->cta * s->warps + c->warp;
}

/** All active lanes of a warp. */
static inline uint64_t stream_mask(const struct stream *s)
{
    return UINT64_MAX >> (64 - s->lanes);
}

/**
 * The GPU on whose first `sms` SMs (0: all) `warps` warps each (0: as many as fit) run `next`, which never ends.
 * Fills the rest of *s but `address`; *s must outlive the GPU.
 */
struct mh_gpu *stream_gpu(const struct mh_config *cfg, struct stream *s, script_next *next);

/** The counter at `offset` of struct mh_counters grows by so many a cycle from cycle `from` to cycle `to`. */
double stream_rate(struct mh_gpu *g, size_t offset, uint64_t from, uint64_t to);

/**
 * The i-th load or store of the warp, for a script_next: each lane has a word of a line of its own, and all warps of an
 * SM together go through the buffer from end to end, and again.
 */
struct mh_op stream_lines(const struct stream *s, const struct mh_cursor *c, uint64_t i, enum mh_op_kind kind);

#define STREAM_COUNTER(field) offsetof(struct mh_counters, field)

/**
 * Addresses of the first lines of the buffer whose place is right, as s->address. The GPU is made and destroyed only to
 * see where pages are; ends the program when there are not `count` of them.
 */
void stream_choose(const struct mh_config *cfg, struct stream *s, uint32_t count,
                   bool (*right)(const struct mh_gpu *g, uint32_t line, const struct stream *s));

/**
 * One half of the L2, whole lines in it, no TLBs of GPCs: closed forms of the blocks around them. What these three add
 * are rows of validate_latency.c, validate_sectors.c and validate_reach.c.
 */
void stream_simplify(struct mh_config *cfg);

/** As script_preset(), simplified. */
struct mh_config stream_preset(const char *preset, uint32_t sms, uint32_t tenants);

typedef struct mh_config stream_preset_fn(const char *preset, uint32_t sms, uint32_t tenants);

/** The program: a table whose rows `layer` adds for each preset, as script_preset() or stream_preset() gives it. */
int stream_validate(int argc, char **argv, stream_preset_fn *preset, void (*layer)(const struct mh_config *cfg));

#endif
