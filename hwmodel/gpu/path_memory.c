/* Crossbar, L2 and DRAM: where a request is between a port and its channel. */
#include "gpu/path.h"

#include <inttypes.h>

#include "gpu/path_request.h"

static uint32_t bank_of(const struct mh_gpu *g, uint32_t line)
{
    return mh_noc_bank(&g->noc, mh_line_tenant(g, line), line);
}

static const char *kind_name(enum mh_req_kind kind)
{
    static const char *const names[] = {
        [MH_REQ_READ] = "read",
        [MH_REQ_WRITE] = "write",
        [MH_REQ_ATOMIC] = "atomic",
        [MH_REQ_PTE] = "page table entry",
    };

    return names[kind];
}

/* --- L2 and DRAM. */

void mh_path_fill(const struct mh_gpu *g, uint32_t bank, uint32_t mshr, FILE *out)
{
    const struct mh_l2_mshr *e = &g->l2.bank[bank].mshr[mshr];
    uint32_t channel = bank / g->memory.banks_per_channel;

    fprintf(out, "; L2 bank %u, MSHR %u: asked DRAM channel %u for physical line 0x%" PRIx64 " at cycle %" PRIu64, bank,
            mshr, channel, mh_path_address(g, e->line), e->since);
    const struct mh_dram *d = g->memory.channel[channel].dram;
    const char *queue = mh_dram_holds(d, bank * g->l2.mshrs + mshr);

    if (queue && g->knobs.dram_queues) /* for long, perhaps, while others of higher priority come: it is no deadlock */
        fprintf(out, ", which has it in its %s and does not serve it; %" PRIu64 " requests have come to the channel",
                queue, mh_dram_arrivals(d));
    else if (queue)
        fprintf(out, ", which has it in its %s and does not serve it", queue);
    else
        fprintf(out, ", which has served it: the line (%s) never came", e->bypass ? "EV_BYPASS_FILL" : "EV_L2_FILL");
}

/* The bank's oldest line on its way. */
static uint32_t oldest_fill(const struct mh_gpu *g, uint32_t bank)
{
    const struct mh_l2_bank *b = &g->l2.bank[bank];
    uint32_t oldest = MH_NONE;

    for (uint32_t m = 0; m < g->l2.mshrs; m++)
        if (mh_l2_mshr_used(&g->l2, bank, m) && (oldest == MH_NONE || b->mshr[m].since < b->mshr[oldest].since))
            oldest = m;
    return oldest;
}

static void say_need(const struct mh_gpu *g, uint32_t bank, uint32_t req, FILE *out)
{
    uint32_t fill = oldest_fill(g, bank);

    switch (mh_l2_need(g, bank, req)) {
    case MH_L2_NEEDS_NOTHING:
        fputs("nothing that is short: its wake-up (EV_L2_RETRY) was lost", out);
        return;
    case MH_L2_NEEDS_WAY:
        fputs("a victim: all ways of its set are reserved", out);
        break;
    case MH_L2_NEEDS_MSHR:
        fputs("an MSHR", out);
        break;
    case MH_L2_NEEDS_DRAM:
        fprintf(out, "room in DRAM channel %u", bank / g->memory.banks_per_channel);
        return;
    }
    if (fill != MH_NONE)
        mh_path_fill(g, bank, fill, out);
}

void mh_path_bank(const struct mh_gpu *g, uint32_t bank, FILE *out)
{
    const struct mh_l2_bank *b = &g->l2.bank[bank];

    if (!b->stalled.count) {
        fprintf(out, "; L2 bank %u: none is stalled, so a look-up (EV_L2) never came", bank);
        return;
    }
    uint32_t req = mh_ring_peek(&b->stalled);
    const struct mh_req *r = &g->noc.req[req];

    fprintf(out, "; L2 bank %u: the head of its stalled queue, a %s of physical line 0x%" PRIx64 ", needs ", bank,
            kind_name(r->kind), mh_path_address(g, r->line));
    say_need(g, bank, req, out);
}

/* --- Crossbar. */

static void say_port(const struct mh_gpu *g, uint32_t port, FILE *out)
{
    if (port < g->cfg.sm.count)
        fprintf(out, "port of SM %u", port);
    else
        fprintf(out, "port %u of the walkers", port - g->cfg.sm.count);
}

void mh_path_port(const struct mh_gpu *g, uint32_t port, FILE *out)
{
    const struct mh_port *p = &g->noc.port[port];
    uint32_t line = g->noc.req[mh_ring_peek(&p->queue)].line, bank = bank_of(g, line);

    fputs("; ", out);
    say_port(g, port, out);
    if (!p->waiting) {
        fprintf(out, " is about to send physical line 0x%" PRIx64 " (EV_INJECT), and does not",
                mh_path_address(g, line));
        return;
    }
    fprintf(out, " has no credit of bank %u", bank);
    mh_path_bank(g, bank, out);
}

static bool is_wanted(const struct mh_gpu *g, uint32_t req, const struct mh_wanted *w)
{
    const struct mh_req *r = &g->noc.req[req];

    return r->line == w->line && r->port == w->port && r->owner == w->owner && r->kind == w->kind;
}

static bool in_ring(const struct mh_gpu *g, const struct mh_ring *ring, const struct mh_wanted *w)
{
    for (uint32_t i = 0; i < ring->count; i++)
        if (is_wanted(g, ring->item[(ring->head + i) & ring->mask], w))
            return true;
    return false;
}

/* MSHR of the bank at which the request waits, or MH_NONE. */
static uint32_t waits_at(const struct mh_gpu *g, uint32_t bank, const struct mh_wanted *w)
{
    for (uint32_t bypass = 0; bypass < 2; bypass++) {
        int m = mh_l2_mshr_of(&g->l2, bank, w->line, bypass);

        for (uint32_t req = m < 0 ? MH_NONE : g->l2.bank[bank].mshr[m].head; req != MH_NONE; req = g->noc.req[req].next)
            if (is_wanted(g, req, w))
                return (uint32_t)m;
    }
    return MH_NONE;
}

void mh_path_request(const struct mh_gpu *g, const struct mh_wanted *w, FILE *out)
{
    uint32_t bank = bank_of(g, w->line);
    const struct mh_l2_bank *b = &g->l2.bank[bank];
    uint32_t mshr = waits_at(g, bank, w);

    if (in_ring(g, &g->noc.port[w->port].queue, w)) {
        fputs(", in the queue of its port", out);
        mh_path_port(g, w->port, out);
    } else if (in_ring(g, &b->stalled, w)) {
        fprintf(out, ", stalled at bank %u", bank);
        mh_path_bank(g, bank, out);
    } else if (mshr != MH_NONE) {
        mh_path_fill(g, bank, mshr, out);
    } else {
        fprintf(out, ", sent to L2 bank %u: its look-up (EV_L2, EV_L2_BYPASS) or its reply (EV_REPLY, %s) never came",
                bank,
                w->kind == MH_REQ_READ    ? "EV_L1_FILL"
                : g->cfg.iommu.l1_entries ? "EV_PTE, EV_IOMMU_BACK"
                                          : "EV_PTE");
    }
}
