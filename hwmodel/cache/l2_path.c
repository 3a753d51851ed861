/* L2: where a request is at its bank. */
#include "cache/l2.h"

#include <inttypes.h>

#include "dram/memory.h"
#include "engine/gpu.h"
#include "engine/request.h"

static const char *kind_name(enum mh_req_kind kind)
{
    static const char *const names[] = {
        [MH_REQ_READ] = "read",
        [MH_REQ_ATOMIC_READ] = "atomic with a result",
        [MH_REQ_WRITE] = "write",
        [MH_REQ_ATOMIC] = "atomic",
        [MH_REQ_PTE] = "page table entry",
    };

    return names[kind];
}

static void say_fill(const struct mh_gpu *g, uint32_t bank, uint32_t mshr, FILE *out)
{
    const struct mh_l2_mshr *e = &g->l2->bank[bank].mshr[mshr];

    fprintf(out,
            "; L2 bank %u, MSHR %u: asked DRAM channel %u for physical line 0x%" PRIx64 " at cycle %" PRIu64
            ", which has ",
            bank, mshr, mh_mem_channel(g, bank), mh_line_address(&g->cfg, e->line), e->since);
    if (!mh_mem_tell(g, bank, e->line, bank * g->l2->mshrs + mshr, out))
        fprintf(out, "served it: the line (%s) never came", e->bypass ? "EV_BYPASS_FILL" : "EV_L2_FILL");
}

static void tell_fill(const struct mh_gpu *g, const struct mh_oldest *o, FILE *out)
{
    say_fill(g, o->a, o->b, out);
}

void mh_l2_oldest(const struct mh_gpu *g, struct mh_oldest *o)
{
    for (uint32_t b = 0; b < g->l2->banks; b++)
        for (uint32_t m = 0; m < g->l2->mshrs; m++)
            if (mh_l2_mshr_used(g->l2, b, m))
                mh_oldest_consider(o, &(struct mh_oldest){tell_fill, g->l2->bank[b].mshr[m].since, b, m, 0});
}

/* The bank's oldest line on its way. */
static uint32_t oldest_of(const struct mh_gpu *g, uint32_t bank)
{
    const struct mh_l2_bank *b = &g->l2->bank[bank];
    uint32_t oldest = MH_NONE;

    for (uint32_t m = 0; m < g->l2->mshrs; m++)
        if (mh_l2_mshr_used(g->l2, bank, m) && (oldest == MH_NONE || b->mshr[m].since < b->mshr[oldest].since))
            oldest = m;
    return oldest;
}

static void say_need(const struct mh_gpu *g, uint32_t bank, uint32_t req, FILE *out)
{
    uint32_t fill = oldest_of(g, bank);

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
        fprintf(out, "room in DRAM channel %u", mh_mem_channel(g, bank));
        return;
    }
    if (fill != MH_NONE)
        say_fill(g, bank, fill, out);
}

static void say_head(const struct mh_gpu *g, uint32_t bank, const struct mh_ring *queue, const char *name, FILE *out)
{
    uint32_t req = mh_ring_peek(queue);
    const struct mh_req *r = &g->req[req];

    fprintf(out, "; L2 bank %u: the head of its %s queue, a %s of physical line 0x%" PRIx64 ", needs ", bank, name,
            kind_name(r->kind), mh_line_address(&g->cfg, r->line));
    say_need(g, bank, req, out);
}

void mh_path_bank(const struct mh_gpu *g, uint32_t bank, FILE *out)
{
    const struct mh_l2_bank *b = &g->l2->bank[bank];

    if (b->stalled.count)
        say_head(g, bank, &b->stalled, "stalled", out);
    else
        fprintf(out, "; L2 bank %u: none is stalled, so a look-up (EV_L2) never came", bank);
}

/* MSHR of the bank at which the request waits, or MH_NONE. */
static uint32_t waits_at(const struct mh_gpu *g, uint32_t bank, const struct mh_wanted *w)
{
    /* Whether it bypasses was decided by a knob that may have changed: both indices. */
    for (uint32_t bypass = 0; bypass < 2; bypass++) {
        int m = mh_l2_mshr_of(g->l2, bank, w->line, bypass);

        for (uint32_t req = m < 0 ? MH_NONE : g->l2->bank[bank].mshr[m].head; req != MH_NONE; req = g->req[req].next)
            if (mh_is_wanted(&g->req[req], w))
                return (uint32_t)m;
    }
    return MH_NONE;
}

bool mh_path_at_bank(const struct mh_gpu *g, uint32_t bank, const struct mh_wanted *w, FILE *out)
{
    uint32_t mshr = waits_at(g, bank, w);

    if (mh_wanted_in(g->req, &g->l2->bank[bank].stalled, w)) {
        fprintf(out, ", stalled at bank %u", bank);
        mh_path_bank(g, bank, out);
        return true;
    }
    if (mh_wanted_in(g->req, &g->l2->bank[bank].passing, w)) {
        fprintf(out, ", waits past the cache at bank %u", bank);
        say_head(g, bank, &g->l2->bank[bank].passing, "passing", out);
        return true;
    }
    if (mshr != MH_NONE)
        say_fill(g, bank, mshr, out);
    return mshr != MH_NONE;
}
