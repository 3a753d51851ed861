/*
 * l2.atomics bank: each bank has a unit that performs atomics in order, when their line is there. It begins one per
 * cycle and 32-byte sector; atomics on one sector begin l2.atomic_cycles apart. A result leaves the bank
 * l2.atomic_latency later than the data of a hit. An atomic without result and acknowledgement keeps its place at the
 * bank until it begins, so the crossbar stops when a unit is behind (ours).
 *
 * An atomic without result whose line is on its way begins at once: its operands wait in the MSHR (ours).
 */
#include "cache/l2_bank.h"
#include "engine/arith.h"

/* An atomic that has begun, or will. */
struct past {
    uint64_t start;
    uint32_t line, sectors; /* no sectors: there is none */
};

struct unit {
    uint64_t free;     /* cycle at which it may begin another */
    uint32_t next;     /* entry of `past` */
    uint32_t waiting;  /* atomics in it that hold no place of the bank */
    struct past *past; /* [cycles]: those before them began so long ago that none waits for them */
};

struct mh_l2_atomics {
    struct unit *unit; /* [banks] */
    struct past *past; /* of all units */
    uint32_t cycles, latency;
    bool acks;
};

int mh_l2_atomics_init(struct mh_l2 *l2, const struct mh_config *cfg)
{
    if (cfg->l2.atomics != MH_ATOMICS_BANK)
        return 0;
    struct mh_l2_atomics *a = l2->atomics = calloc(1, sizeof *a);

    if (!a)
        return -1;
    a->cycles = cfg->l2.atomic_cycles;
    a->latency = cfg->l2.atomic_latency;
    a->acks = cfg->l1d.store_buffer != 0;
    a->unit = calloc(l2->banks, sizeof *a->unit);
    a->past = calloc((size_t)l2->banks * a->cycles, sizeof *a->past);
    if (!a->unit || !a->past)
        return -1;
    for (uint32_t b = 0; b < l2->banks; b++)
        a->unit[b].past = &a->past[(size_t)b * a->cycles];
    return 0;
}

void mh_l2_atomics_free(struct mh_l2 *l2)
{
    if (!l2->atomics)
        return;
    free(l2->atomics->unit);
    free(l2->atomics->past);
    free(l2->atomics);
}

uint32_t mh_l2_atomics_waiting(const struct mh_l2 *l2, uint32_t bank)
{
    return l2->atomics ? l2->atomics->unit[bank].waiting : 0;
}

/* The cycle in which the unit begins it. */
static uint64_t begin(struct mh_l2_atomics *a, struct unit *u, const struct mh_req *r, uint64_t now)
{
    uint64_t start = mh_max64(now, u->free);

    for (uint32_t i = 0; i < a->cycles; i++)
        if (u->past[i].line == r->line && u->past[i].sectors & r->sectors)
            start = mh_max64(start, u->past[i].start + a->cycles);
    u->past[u->next] = (struct past){.start = start, .line = r->line, .sectors = r->sectors};
    u->next = u->next + 1 < a->cycles ? u->next + 1 : 0;
    u->free = start + mh_bits(r->sectors);
    return start;
}

static void release(struct mh_gpu *g, uint32_t req)
{
    const struct mh_req *r = &g->req[req];

    g->tenant[r->tenant].count.dram_caused += r->caused;
    mh_noc_release(g->noc, req);
}

/* Nobody waits for it: it is done when it begins. */
static void perform_unanswered(struct mh_gpu *g, uint32_t bank, uint32_t req, uint64_t start)
{
    if (start == g->wheel.now) {
        release(g, req);
        return;
    }
    mh_noc_hold(g, bank);
    mh_wheel_add(&g->wheel, start, MH_EVENT(EV_L2_ATOMIC, req));
}

static bool is_answered(const struct mh_l2_atomics *a, const struct mh_req *r)
{
    return a->acks || r->kind == MH_REQ_ATOMIC_READ;
}

bool mh_l2_atomic(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    struct mh_l2_atomics *a = g->l2->atomics;
    const struct mh_req *r = &g->req[req];

    if (r->kind == MH_REQ_WRITE) {
        if (!a->acks)
            release(g, req);
        return !a->acks;
    }
    const uint64_t start = begin(a, &a->unit[bank], r, g->wheel.now);

    if (!is_answered(a, r)) {
        perform_unanswered(g, bank, req, start);
        return true;
    }
    a->unit[bank].waiting++;
    mh_wheel_add(&g->wheel, start + a->latency, MH_EVENT(EV_L2_ATOMIC, req));
    return true;
}

void mh_l2_performed(struct mh_gpu *g, uint32_t req)
{
    struct mh_l2_atomics *a = g->l2->atomics;
    const uint32_t bank = g->req[req].bank;

    if (!is_answered(a, &g->req[req])) {
        release(g, req);
        mh_noc_credit(g, bank);
        return;
    }
    a->unit[bank].waiting--;
    mh_noc_reply(g, bank, req, g->wheel.now + g->l2->latency);
}
