/*
 * noc.queues: input. Packets of both crossbars wait at their inputs: requests at the ports of SMs and walkers, replies
 * at the banks of the L2. noc/crossbar.h chooses the packets that cross.
 *
 * A request crosses when its bank has a credit, too. A port's queues together have the places that its one queue has
 * otherwise; replies have places enough, as with queues at the outputs: the requester has reserved them (ours).
 * l2.ports is the number of wires from and to a bank. A packet without contention takes as long as it does otherwise.
 */
#ifndef MEMHELM_NOC_INPUTS_H
#define MEMHELM_NOC_INPUTS_H

#include <stdint.h>

#include "engine/gpu.h"
#include "noc/crossbar.h"

struct mh_noc;
struct mh_wanted;

enum mh_way { MH_WAY_THERE, MH_WAY_BACK, MH_WAYS };

/** A queue. */
struct mh_fifo {
    uint32_t head, tail; /**< requests (struct mh_req: next); head MH_NONE: it is empty */
};

struct mh_inputs {
    struct mh_crossbar crossbar[MH_WAYS];
    struct mh_fifo *fifo[MH_WAYS]; /**< [inputs * vcs] */
    uint32_t *waiting;             /**< [ports] requests that wait at a port */
};

/** n->inputs, for queues at the inputs. 0, or -1 when memory ran out. */
int mh_inputs_init(struct mh_gpu *g, struct mh_noc *n);
void mh_inputs_free(struct mh_noc *n);

/** A request joins the queue of its port, a reply that of its bank. */
void mh_inputs_push(struct mh_gpu *g, enum mh_way way, uint32_t req);

/** The bank has its first credit again. */
void mh_inputs_credit(struct mh_gpu *g, uint32_t bank);

/** First request in queue `vc` of a port or bank; MH_NONE: nothing waits there. */
static inline uint32_t mh_inputs_head(const struct mh_inputs *in, enum mh_way way, uint32_t input, uint32_t vc)
{
    return in->fifo[way][input * in->crossbar[way].shape.vcs + vc].head;
}

/** No request of the port waits in the queue for the bank. */
static inline bool mh_inputs_free_at(const struct mh_inputs *in, uint32_t port, uint32_t bank)
{
    return mh_inputs_head(in, MH_WAY_THERE, port, mh_crossbar_vc(&in->crossbar[MH_WAY_THERE], bank)) == MH_NONE;
}

/** The queue of its port, or of its bank on the way back, in which the request waits; or -1. Slow. */
int mh_inputs_find(const struct mh_noc *n, enum mh_way way, uint32_t input, const struct mh_wanted *w);

#ifdef MH_DEBUG
void mh_inputs_check(const struct mh_noc *n);
#endif

#endif
