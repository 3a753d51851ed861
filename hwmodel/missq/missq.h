/*
 * L1D miss queues as virtual queues, one for each tenant of an SM, with an arbiter that keeps to issue rates (CCBP sec.
 * 6.1, 6.2, fig. 8). They stand between the L1D and the SM's port of the crossbar; with l1d.subqueues 0 there are none.
 *
 * The requests are the crossbar's (struct mh_req), linked by `next`. missq.c queues them, arbiter.c sends them,
 * credits.h counts what a tenant may send.
 */
#ifndef MEMHELM_MISSQ_MISSQ_H
#define MEMHELM_MISSQ_MISSQ_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/align.h"
#include "engine/gpu.h"
#include "engine/request.h"
#include "engine/upstream.h"
#include "memhelm/registers.h"
#include "engine/block.h"

/*
 * Issue credits: how many requests a tenant may send from one SM before the next interval (CCBP sec. 6.2).
 *
 * At each start of an interval a tenant has its quota and the fraction of a credit that it had left; whole credits that
 * it did not use are gone (ours: the paper resets the credits to the quota, in whole requests. One of its 20 units of
 * bandwidth is less than a request, so the fraction has to carry). A request takes a whole credit. Nothing happens at
 * the starts: credits are computed when they are read.
 */
/** In units of ISSUE_RATE, MH_RATE_ONE for a request. */
struct mh_issue_credits {
    uint64_t interval; /**< that the rest is of */
    uint32_t quota;    /**< that came at its start; MH_RATE_FREE: there is no limit, and the rest is 0 */
    uint32_t carried;  /**< came with it: a fraction, below MH_RATE_ONE */
    uint32_t left;
    uint32_t taken; /**< requests */
};

/** No limit, from interval 0 on. */
static inline struct mh_issue_credits mh_credits_free(void)
{
    return (struct mh_issue_credits){.quota = MH_RATE_FREE};
}

/** It is `interval`, no earlier than before. `rate` is the quota of all intervals that have started since. */
void mh_credits_at(struct mh_issue_credits *c, uint64_t interval, uint32_t rate);

static inline bool mh_credits_enough(const struct mh_issue_credits *c)
{
    return c->quota == MH_RATE_FREE || c->left >= MH_RATE_ONE;
}

/** For one request; there must be enough. */
void mh_credits_take(struct mh_issue_credits *c);

/** First interval with enough, where this one has not, if the quota is `rate` from the next one on. */
uint64_t mh_credits_next(const struct mh_issue_credits *c, uint32_t rate);

/** The sub-queues that a tenant has on an SM: one FIFO. */
struct mh_virtual_queue {
    uint32_t head, tail; /**< requests */
    uint32_t count;
    uint32_t share; /**< places */
    uint32_t limit; /**< the same or, when the share has become smaller than what was queued, what is left of that */
    uint64_t head_since; /**< interval in which its head became that */
    bool waiting;        /**< its head stands in line for a credit of its bank */
    bool paid;           /**< its head has that credit, and has paid with its tenant's issue credit */
    struct mh_issue_credits credits;
};

/** The miss queue of an SM. */
struct mh_miss_queue {
    struct mh_virtual_queue of[MH_MAX_TENANTS];
    uint32_t held; /**< requests in all of them */
    bool divided;  /**< MISS_QUEUES, as it has taken effect here */
    uint8_t last[2] /**< tenant that sent last, among those that go second and those that go first */;
    uint64_t interval, interval_end; /**< number of the interval, and cycle of l1d.rate_clock at which it ends */
    uint64_t wakes_at;               /**< GPU cycle of the event that counts; UINT64_MAX: none */
} __attribute__((aligned(MH_HOST_LINE)));

struct mh_missq {
    struct mh_miss_queue *sm;      /**< [SMs]; NULL without sub-queues */
    bool gpu_rate;                 /**< l1d.rate_clock gpu: intervals are GPU cycles, not the NoC's */
    uint32_t rate[MH_MAX_TENANTS]; /**< ISSUE_RATE: quota of the intervals to come */
};

/* All of what follows is for GPUs with sub-queues (g->subqueues), unless it says otherwise. */

/** The SM's miss queue takes no request of the tenant. */
bool mh_missq_full(const struct mh_gpu *g, uint32_t sm, uint32_t tenant);

/** MISS_QUEUES has changed, or taken effect on the SM: whether the port's own queue takes requests. */
void mh_missq_open(struct mh_gpu *g, uint32_t sm);

/** It takes one; a change of MISS_QUEUES may take effect. If not, the LSU is kicked when it may. */
bool mh_missq_room(struct mh_gpu *g, uint32_t sm, uint32_t tenant);

/** Queues a request of mh_noc_new() at its port, which is an SM's; there must be room. */
void mh_missq_push(struct mh_gpu *g, uint32_t id);

/** Tenants have come or gone: the shares. Nothing without sub-queues. */
void mh_missq_divide(struct mh_gpu *g);

/** Any GPU: nothing waits in sub-queues of the SM. */
static inline bool mh_missq_idle(const struct mh_gpu *g, uint32_t sm)
{
    return !g->subqueues || !g->missq->sm[sm].held;
}

/** Any GPU: longest time in GPU cycles between two requests that a tenant may send. */
uint64_t mh_missq_longest_wait(const struct mh_config *cfg);

/* --- Between the files of this folder. */

/** Sends what can go in this GPU cycle; an event comes for the rest, but for heads in line for a credit. */
void mh_missq_run(struct mh_gpu *g, uint32_t sm);

/** A request has come to the tenant's empty queue: the arbiter looks at it when it is ready. */
void mh_missq_wake(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint64_t ready);

/** The credits of the SM's tenants are those of the last NoC cycle, or GPU cycle, that has started. */
void mh_missq_settle(struct mh_gpu *g, uint32_t sm);

/* What waits in sub-queues, for a report of a deadlock (struct mh_oldest), and their invariants. */

struct mh_wanted;

/** Says where the request is, if it is in a sub-queue, and what that waits for. False: it is in none. */
bool mh_path_subqueue(const struct mh_gpu *g, const struct mh_wanted *w, FILE *out);

/** The SM's miss queue takes no request of the tenant: says why. */
void mh_path_miss_queue(const struct mh_gpu *g, uint32_t sm, uint32_t tenant, FILE *out);

/** What the first of the SM's heads waits for; there is one. */
void mh_path_subqueues(const struct mh_gpu *g, uint32_t sm, FILE *out);

/** As struct mh_block has it. */
bool mh_missq_left(const struct mh_gpu *g, FILE *out);

#ifdef MH_DEBUG
struct mh_gpu;

/** As struct mh_block has it. */
void mh_missq_check(const struct mh_gpu *g);
#else
#define mh_missq_check NULL
#endif

#endif
