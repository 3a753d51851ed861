/*
 * l2.halves 2: SMs, banks and DRAM channels of two halves, by their numbers, and a link between them. A packet between
 * an SM and a bank of the other half pays for it on top of what it pays within one: l2.far_latency, half of it each
 * way, and its place on the link, whose bytes go in the order in which packets come to it. Walkers have both halves
 * near (ours: no source says where they are).
 *
 * A request comes to the link when it leaves its port, a reply when it leaves its bank. Behind the link it goes on as
 * one of the half, with those that leave in that cycle. A packet flows through the link: it adds nothing where the link
 * is idle and takes a flit per cycle or more.
 *
 * With l2.far copy a read goes to the bank of its own half. If that has no copy it crosses from there, and is at the
 * line's bank half of l2.far_latency later, or noc.latency if that is more. Two misses of a line cross twice (ours).
 */
#ifndef MEMHELM_NOC_HALVES_H
#define MEMHELM_NOC_HALVES_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/noc.h"

struct mh_halves {
    uint64_t link[2];          /**< by the half from which it leads: its next free place, in bytes since the start */
    uint32_t link_bytes;       /**< per NoC cycle; 0: any number */
    uint32_t latency[MH_WAYS]; /**< of l2.far_latency, NoC cycles */
    bool copies;               /**< l2.far copy */
    uint32_t sms;
    uint32_t first_sm, first_bank; /**< of the second half */
};

/** n->halves, or NULL with l2.halves 1. -1: no memory. */
int mh_halves_init(struct mh_noc *n, const struct mh_config *cfg);

/** Half of a port that is an SM's. */
static inline uint32_t mh_half_of_sm(const struct mh_halves *h, uint32_t sm)
{
    return sm >= h->first_sm;
}

/** Half of a bank. */
static inline uint32_t mh_half_of_bank(const struct mh_halves *h, uint32_t bank)
{
    return bank >= h->first_bank;
}

/** The request's SM and bank are of different halves. */
static inline bool mh_halves_far(const struct mh_halves *h, const struct mh_req *r)
{
    return r->port < h->sms && mh_half_of_sm(h, r->port) != mh_half_of_bank(h, r->bank);
}

/** Bank of a new request, whose line's bank is known. */
static inline void mh_halves_choose(const struct mh_halves *h, struct mh_req *r)
{
    r->copy = h->copies && r->kind == MH_REQ_READ && mh_halves_far(h, r);
    if (r->copy)
        r->bank = (uint16_t)(r->bank < h->first_bank ? r->bank + h->first_bank : r->bank - h->first_bank);
}

/** A request leaves its port, whose wire is free then, in NoC cycle `start` of this GPU cycle. */
void mh_halves_there(struct mh_gpu *g, struct mh_noc *n, uint32_t req, uint64_t start);

/** A reply leaves its bank. */
void mh_halves_back(struct mh_gpu *g, struct mh_noc *n, uint32_t req);

#endif
