/* Crossbar: where a request is between its port and its bank. */
#include "noc/path.h"

#include <inttypes.h>

#include "cache/l2.h"
#include "cache/l2_path.h"
#include "engine/gpu.h"
#include "translate/page_table.h"

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

void mh_path_port(const struct mh_gpu *g, uint32_t port, FILE *out)
{
    const struct mh_port *p = &g->noc->port[port];
    uint32_t line = g->noc->req[mh_ring_peek(&p->queue)].line, bank = bank_of(g, line);

    fputs("; ", out);
    say_port(g, port, out);
    if (!p->waiting) {
        fprintf(out, " is about to send physical line 0x%" PRIx64 " (EV_INJECT), and does not",
                mh_line_address(&g->cfg, line));
        return;
    }
    fprintf(out, " has no credit of bank %u", bank);
    mh_path_bank(g, bank, out);
}

void mh_path_request(const struct mh_gpu *g, const struct mh_wanted *w, FILE *out)
{
    uint32_t bank = bank_of(g, w->line);

    if (mh_wanted_in(g, &g->noc->port[w->port].queue, w)) {
        fputs(", in the queue of its port", out);
        mh_path_port(g, w->port, out);
    } else if (!mh_path_at_bank(g, bank, w, out)) {
        fprintf(out, ", sent to L2 bank %u: its look-up (EV_L2, EV_L2_BYPASS) or its reply (EV_REPLY, %s) never came",
                bank,
                w->kind == MH_REQ_READ    ? "EV_L1_FILL"
                : g->cfg.iommu.l1_entries ? "EV_PTE, EV_IOMMU_BACK"
                                          : "EV_PTE");
    }
}

bool mh_noc_left(const struct mh_gpu *g, FILE *out)
{
    for (uint32_t p = 0; p < g->noc->ports; p++)
        if (g->noc->port[p].queue.count)
            return mh_path_port(g, p, out), true;
    for (uint32_t b = 0; b < g->noc->banks; b++)
        if (g->l2->bank[b].stalled.count)
            return mh_path_bank(g, b, out), true;
    if (g->noc->live)
        fputs("; a request in the crossbar: its event (EV_L2, EV_REPLY) never came", out);
    return g->noc->live != 0;
}
