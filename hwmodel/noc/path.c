#include "noc/noc.h"
#include "cache/l2.h"
#include "engine/gpu.h"
#include "pages/page_table.h"

#include <inttypes.h>

/* Crossbar: where a request is between its port and its bank. */

static uint32_t bank_of(const struct mh_gpu *g, uint32_t line)
{
    return mh_noc_bank(g->noc, mh_line_tenant(g, line), line);
}

static void say_port(const struct mh_gpu *g, uint32_t port, FILE *out)
{
    if (port < g->cfg.sm.count)
        fprintf(out, "port of SM %u", port);
    else
        fprintf(out, "port %u of the walkers", port - g->cfg.sm.count);
}

/* The head of a queue of the port. */
static void say_head(const struct mh_gpu *g, uint32_t port, uint32_t req, FILE *out)
{
    uint32_t line = g->req[req].line, bank = bank_of(g, line);
    bool has_credit = g->noc->inputs ? g->noc->bank[bank].credits : !g->noc->port[port].waiting;

    fputs("; ", out);
    say_port(g, port, out);
    if (has_credit) {
        fprintf(out, " is about to send physical line 0x%" PRIx64 " (%s), and does not", mh_line_address(&g->cfg, line),
                g->noc->inputs ? "EV_CROSS" : "EV_INJECT");
        return;
    }
    fprintf(out, " has no credit of bank %u", bank);
    mh_path_bank(g, bank, out);
}

/* Queues at the inputs: heads of the port's, which has some. */
static void say_heads(const struct mh_gpu *g, uint32_t port, FILE *out)
{
    for (uint32_t vc = 0; vc < g->cfg.noc.vcs; vc++) {
        uint32_t head = mh_inputs_head(g->noc->inputs, MH_WAY_THERE, port, vc);

        if (head != MH_NONE)
            say_head(g, port, head, out);
    }
}

void mh_path_port(const struct mh_gpu *g, uint32_t port, FILE *out)
{
    if (g->noc->inputs)
        say_heads(g, port, out);
    else
        say_head(g, port, mh_ring_peek(&g->noc->port[port].queue), out);
}

/* A reply in the queue of its bank: only a lost event holds it. */
static void say_reply(const struct mh_gpu *g, uint32_t bank, uint32_t vc, FILE *out)
{
    const struct mh_req *head = &g->req[mh_inputs_head(g->noc->inputs, MH_WAY_BACK, bank, vc)];

    fprintf(out, "; L2 bank %u is about to send physical line 0x%" PRIx64 " to the ", bank,
            mh_line_address(&g->cfg, head->line));
    say_port(g, head->port, out);
    fputs(" (EV_CROSS), and does not", out);
}

/* Queues at the inputs: the request is in one of its port's, or its reply in one of the bank's. */
static bool in_inputs(const struct mh_gpu *g, uint32_t bank, const struct mh_wanted *w, FILE *out)
{
    int there = mh_inputs_find(g->noc, MH_WAY_THERE, w->port, w);
    int back = mh_inputs_find(g->noc, MH_WAY_BACK, bank, w);

    if (there >= 0) {
        fputs(", in the queue of its port", out);
        say_head(g, w->port, mh_inputs_head(g->noc->inputs, MH_WAY_THERE, w->port, (uint32_t)there), out);
    } else if (back >= 0) {
        fputs(", its reply in the queue of its bank", out);
        say_reply(g, bank, (uint32_t)back, out);
    }
    return there >= 0 || back >= 0;
}

void mh_path_request(const struct mh_gpu *g, const struct mh_wanted *w, FILE *out)
{
    uint32_t bank = bank_of(g, w->line);

    if (g->noc->inputs && in_inputs(g, bank, w, out))
        return;
    if (mh_wanted_in(g->req, &g->noc->port[w->port].queue, w)) {
        fputs(", in the queue of its port", out);
        mh_path_port(g, w->port, out);
    } else if (!mh_path_at_bank(g, bank, w, out)) {
        fprintf(out, ", sent to L2 bank %u: its look-up (%sEV_L2, EV_L2_BYPASS) or its reply (EV_REPLY, %s) never came",
                bank, g->noc->halves ? "EV_FAR, " : "",
                w->kind == MH_REQ_READ          ? "EV_L1_FILL"
                : w->kind == MH_REQ_ATOMIC_READ ? "EV_L2_ATOMIC, EV_ATOMIC_BACK"
                : g->cfg.iommu.l1_entries       ? "EV_PTE, EV_IOMMU_BACK"
                                                : "EV_PTE");
    }
}

bool mh_noc_left(const struct mh_gpu *g, FILE *out)
{
    for (uint32_t p = 0; p < g->noc->ports; p++)
        if (!mh_noc_idle(g->noc, p))
            return mh_path_port(g, p, out), true;
    for (uint32_t b = 0; b < g->noc->banks; b++)
        if (g->l2->bank[b].stalled.count)
            return mh_path_bank(g, b, out), true;
    if (g->noc->live)
        fputs("; a request in the crossbar: its event (EV_L2, EV_REPLY or, between halves, EV_FAR) never came", out);
    return g->noc->live != 0;
}

/* The crossbars as a block (engine/block.h). */

static int init(struct mh_gpu *g)
{
    if (mh_noc_init(g->noc, &g->cfg))
        return -1;
    g->req = g->noc->req;
    g->req_bytes = g->noc->bytes;
    return g->cfg.noc.queues != MH_QUEUES_INPUT ? 0 : mh_inputs_init(g, g->noc);
}

static void free_all(struct mh_gpu *g)
{
    mh_noc_free(g->noc);
}

/* A request is in its port's queue, or in a sub-queue before it, holds a credit of its bank or wires of its own, waits
 * for DRAM, or is on its way back. */
#ifdef MH_DEBUG
static void check_requests(const struct mh_gpu *g)
{
    uint32_t held = g->noc->replies;

    for (uint32_t b = 0; b < g->noc->banks; b++)
        held += g->noc->places - g->noc->bank[b].credits + mh_l2_waiting(g, b);
    for (uint32_t p = 0; p < g->noc->ports; p++)
        held += mh_noc_waiting(g->noc, p);
    held += mh_missq_held(g) + g->noc->passing;
    MH_CHECK(g->noc->live == held);
    if (g->noc->inputs)
        mh_inputs_check(g->noc);
}
#else
#define check_requests NULL
#endif

const struct mh_block mh_block_noc = {MH_BLOCK_STATE(noc, 1), .init = init, .free = free_all, .check = check_requests,
                                      .left = mh_noc_left};
