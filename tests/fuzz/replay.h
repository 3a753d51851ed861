/* Replays a trace that was accepted: every address lies in its buffers, and the order of warps changes nothing. */
#ifndef TESTS_FUZZ_REPLAY_H
#define TESTS_FUZZ_REPLAY_H

#include "fuzz/dice.h"
#include "workload/op_stats.h"
#include "workload/trace/trace.h"

enum { REPLAY_OPS = 2000 /* of a warp */, REPLAY_BACK = 16 /* CTAs of a launch */ };

static inline uint64_t replay_mix(uint64_t h, uint64_t v)
{
    return (h ^ v) * 0x9e3779b97f4a7c15u ^ h >> 31;
}

static inline uint64_t replay_op(const struct mh_workload *w, const struct mh_op *op, const uint64_t *addr)
{
    uint64_t h = replay_mix(replay_mix(op->kind, op->gap), mh_op_needs(op));

    must(op->wait <= MH_WAIT_MAX && op->ahead <= op->gap && (!op->ahead || op->wait), "what an op waits for");
    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1) {
        uint64_t a = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));
        uint32_t b = 0;

        while (b < w->buffer_count && (a < w->buffers[b].base || a - w->buffers[b].base >= w->buffers[b].bytes))
            b++;
        must(b < w->buffer_count, "an address in no buffer");
        h = replay_mix(h, a);
    }
    return h;
}

static inline uint64_t replay_warp(const struct mh_workload *w, struct mh_cursor c)
{
    uint64_t addr[MH_MAX_LANES], h = 0;
    struct mh_op op = {.kind = MH_OP_BARRIER};

    w->start(w, &c);
    for (unsigned left = REPLAY_OPS; op.kind != MH_OP_EXIT && left > 0; left--) {
        w->next(w, &c, &op, addr);
        h = replay_mix(h, replay_op(w, &op, addr));
    }
    return h;
}

static inline uint64_t replay_cta(const struct mh_workload *w, uint32_t lanes, uint32_t launch, uint32_t cta)
{
    uint64_t sum = 0;

    for (uint32_t warp = 0; warp * lanes < w->launches[launch].threads; warp++)
        sum += replay_warp(w, (struct mh_cursor){.launch = launch, .cta = cta, .warp = warp});
    return sum;
}

/** Every so many CTAs of a launch are replayed backwards. */
static inline uint32_t replay_step(const struct mh_workload *w, uint32_t launch)
{
    return 1 + w->launches[launch].ctas / REPLAY_BACK;
}

/** Forwards, then some of its CTAs backwards: to go back is to read the launch again. */
static inline void replay(const struct mh_workload *w, uint32_t lanes)
{
    uint64_t forward = 0, backward = 0;

    for (uint32_t l = 0; l < w->launch_count; l++)
        for (uint32_t cta = 0; cta < w->launches[l].ctas; cta++) {
            uint64_t sum = replay_cta(w, lanes, l, cta);

            forward += cta % replay_step(w, l) ? 0 : sum;
        }
    for (uint32_t l = w->launch_count; l-- > 0;)
        for (uint32_t i = (w->launches[l].ctas - 1) / replay_step(w, l) + 1; i-- > 0;)
            backward += replay_cta(w, lanes, l, i * replay_step(w, l));
    must(forward == backward, "another order of warps is another trace");
}

#endif
