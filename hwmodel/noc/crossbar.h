/*
 * A crossbar whose packets wait at its inputs: which packet may cross, and when. It knows the packets at the heads of
 * the inputs' queues and none behind them; the owner of a queue offers the next head when one has left.
 *
 *     mh_crossbar_init(&x, &shape, &user, owner);
 *     mh_crossbar_offer(&x, input, output, flits, cycle);   a packet has become the head of its queue
 *     mh_crossbar_run(&x, cycle);                           whenever the user was told to, or more often
 *
 * It is non-blocking: a packet crosses as soon as its input and its output are idle (CCBP sec. 2; Karol, Hluchyj,
 * Morgan, "Input versus output queueing on a space-division packet switch", IEEE Trans. Commun. 35, 1987). It holds
 * both for as many cycles as it has flits. If several want one output, one goes and the others stay at their inputs,
 * with all that is behind them.
 *
 * Choice (ours): an output takes the inputs in turn, from the one after its last (round robin). Karol et al. choose at
 * random; as long as the choice does not look at what is behind a head, the saturation is the same (test_saturation).
 * With more than one queue an input may be wanted by several outputs in one cycle: outputs choose one after the other,
 * from one on that is drawn for the cycle (mh_crossbar_first). Not in turn: packets of as many flits as there are
 * outputs would always find the same one first.
 *
 * Queues (ours): an input has `vcs`, and a packet waits in number (output modulo vcs). So packets of one input for one
 * output stay in order, and with as many queues as outputs nothing blocks the head of a line.
 * Input speedup: an input has so many ways in, and queue v takes way v modulo that, as the virtual channels of
 * GPGPU-Sim's intersim2 do (src/intersim2/routers/iq_router.cpp). Thus it has no effect with one queue, which the
 * public file of the GTX 480 combines with input_speedup 2.
 */
#ifndef MEMHELM_NOC_CROSSBAR_H
#define MEMHELM_NOC_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/gpu.h"
#include "engine/random.h"

enum {
    MH_CROSSBAR_PORTS = MH_MAX_SMS + 64, /**< most inputs, and most outputs: SMs and walkers' ports */
    MH_CROSSBAR_WORDS = MH_CROSSBAR_PORTS / 64,
    MH_CROSSBAR_FLITS = 63, /**< most of a packet */
};

struct mh_crossbar_shape {
    uint32_t inputs, outputs; /**< 1 .. MH_CROSSBAR_PORTS */
    uint32_t input_wires;     /**< 1 .. 4: packets that may be under way at once from each way into an input */
    uint32_t output_wires;    /**< 1 .. 4: the same, to an output */
    uint32_t vcs;             /**< queues of an input, 1 .. 8 */
    uint32_t speedup;         /**< ways into the crossbar of an input, 1 .. 2 */
};

struct mh_crossbar;

struct mh_crossbar_user {
    /** The head that `input` has offered for `output` begins to cross in `cycle`: offer the next one. */
    void (*start)(void *owner, uint32_t input, uint32_t output, uint64_t cycle);

    /** mh_crossbar_run() has something to do in that cycle. Not told twice, nor of the cycle that is being run. */
    void (*wake)(void *owner, uint64_t cycle);
};

struct mh_crossbar {
    struct mh_crossbar_shape shape;
    uint32_t words; /**< of a set of inputs */
    const struct mh_crossbar_user *user;
    void *owner;
    uint64_t *input_free;           /**< [inputs * speedup][input_wires] cycles, the earliest first (engine/ring.h) */
    uint64_t *output_free;          /**< [outputs][output_wires], in the same way */
    uint64_t *wants;                /**< [outputs][words]: set of the inputs with a head for it */
    uint32_t *last;                 /**< [outputs]: input that it took last */
    uint8_t *flits;                 /**< [inputs * vcs]: of the head */
    uint8_t *heads;                 /**< [inputs * speedup]: offered, and not gone */
    uint8_t vc[MH_CROSSBAR_PORTS];  /**< queue in which packets for an output wait */
    uint8_t way[MH_CROSSBAR_PORTS]; /**< way into the crossbar that they take */
    uint64_t wanted[MH_CROSSBAR_WORDS]; /**< set of outputs that a head is for */
    uint64_t closed[MH_CROSSBAR_WORDS]; /**< set of outputs that take nothing */
    uint64_t *idle;      /**< [idle_words]: sets of inputs by way, then of outputs, that have a wire free at `now` */
    uint64_t *freed;     /**< [64][idle_words]: those that join in a cycle to come, modulo 64 */
    uint32_t idle_words; /**< of both kinds of set together */
    uint64_t freeing;    /**< bit per such cycle with any */
    uint64_t now;        /**< all earlier cycles are done */
    uint64_t pending;    /**< cycles to run, from `now` on: bit (cycle modulo 64) */
    bool running;        /**< the cycle `now` */
};

/** All outputs open. 0, or -1 when memory ran out; then, too, mh_crossbar_free() is to be called. */
int mh_crossbar_init(struct mh_crossbar *x, const struct mh_crossbar_shape *shape, const struct mh_crossbar_user *user,
                     void *owner);
void mh_crossbar_free(struct mh_crossbar *x);

/** Queue of an input in which packets for the output wait. */
static inline uint32_t mh_crossbar_vc(const struct mh_crossbar *x, uint32_t output)
{
    return x->vc[output];
}

/** Output that chooses first in a cycle. */
static inline uint32_t mh_crossbar_first(const struct mh_crossbar *x, uint64_t cycle)
{
    return x->shape.vcs > 1 ? (uint32_t)(mh_random(0, cycle) % x->shape.outputs) : 0;
}

/**
 * The head of that queue, which had none offered. `cycle`, here and below, is no earlier than in any call before;
 * whatever earlier cycles left to do is done first.
 */
void mh_crossbar_offer(struct mh_crossbar *x, uint32_t input, uint32_t output, uint32_t flits, uint64_t cycle);

/** From this cycle on the output takes packets, or takes none. */
void mh_crossbar_open(struct mh_crossbar *x, uint32_t output, bool open, uint64_t cycle);

/** Everything up to and including the cycle that has not been done. */
void mh_crossbar_run(struct mh_crossbar *x, uint64_t cycle);

static inline bool mh_crossbar_closed(const struct mh_crossbar *x, uint32_t output)
{
    return x->closed[output / 64] >> output % 64 & 1;
}

/** The input has offered a head for the output, and it waits. */
static inline bool mh_crossbar_offered(const struct mh_crossbar *x, uint32_t input, uint32_t output)
{
    return x->wants[output * x->words + input / 64] >> input % 64 & 1;
}

#ifdef MH_DEBUG
/** Stops the program unless every head that may cross some time will be looked at then. Returns how many there are. */
uint32_t mh_crossbar_check(const struct mh_crossbar *x);
#endif

#endif
