#include "dram_sums.h"

#include <string.h>

#include "dram_place.h"
#include "engine/arith.h"

static void larger(struct dram_sums *s, double bound, const char *name)
{
    if (bound <= s->random)
        return;
    s->random = bound;
    s->random_bound = name;
}

/* All column commands of a request go to one bank: ccd_l apart where there are groups. */
struct dram_sums dram_sums(const struct mh_dram_cfg *c)
{
    uint32_t burst = mh_max32(c->burst / c->data_rate, 1), columns = dram_request_bytes(c) / (c->bus_bytes * c->burst);
    uint32_t between = mh_max32(c->ccd, burst), within = c->ccd_l ? c->ccd_l : between, ranks = c->ranks ? c->ranks : 1;
    uint32_t last = (columns - 1) * within;
    struct dram_sums s = {.open = c->cl + last + burst, .closed = c->rcd + c->cl + last + burst};

    s.open += c->queue_latency;
    s.closed += c->queue_latency;
    s.conflict = c->rp + s.closed;
    if (c->rows == MH_ROWS_CLOSED)
        s.open = s.conflict = s.closed;
    s.row_cycle = mh_max32(c->rc, mh_max32(c->ras, c->rcd + last + c->rtp) + c->rp);
    s.bus = columns * (double)between;
    larger(&s, s.bus, "data bus");
    larger(&s, columns + 2.0, "command bus: ACT, columns, PRE");
    larger(&s, (double)c->rrd / ranks, "tRRD");
    larger(&s, c->faw / 4.0 / ranks, "tFAW / 4");
    larger(&s, c->aw32 / 32.0 / ranks, "t32AW / 32");
    larger(&s, (double)s.row_cycle / (c->banks * ranks), "tRC / banks");
    s.refresh_share = c->refi && !c->rfc_bank ? (double)c->rfc / c->refi : 0;
    return s;
}
