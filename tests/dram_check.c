#include "dram_check.h"

#include <inttypes.h>
#include <stdio.h>

void dram_check_init(struct dram_check *c, const struct mh_dram_cfg *cfg)
{
    *c = (struct dram_check){.t = *cfg};
}

/* `since` is a cycle + 1 as the checker keeps it: 0 means that there was none, and nothing to wait for. */
static void apart(struct dram_check *c, uint64_t since, int64_t cycles, uint64_t now, const char *rule)
{
    if (since && (int64_t)now < (int64_t)(since - 1) + cycles && !c->violation[0])
        snprintf(c->violation, sizeof c->violation, "%s: cycle %" PRIu64 " after %" PRIu64 ", needs %" PRId64, rule,
                 now, since - 1, cycles);
}

static void state(struct dram_check *c, bool right, uint64_t now, uint32_t bank, const char *rule)
{
    if (!right && !c->violation[0])
        snprintf(c->violation, sizeof c->violation, "%s: cycle %" PRIu64 ", bank %" PRIu32, rule, now, bank);
}

static void check_act(struct dram_check *c, uint64_t now, uint32_t b, uint32_t row)
{
    struct dram_check_bank *k = &c->bank[b];
    state(c, !k->open, now, b, "ACT of an open bank");
    apart(c, k->pre, c->t.rp, now, "tRP");
    apart(c, k->act, c->t.rc, now, "tRC");
    apart(c, c->act[0], c->t.rrd, now, "tRRD");
    apart(c, c->act[3], c->t.faw, now, "tFAW");
    apart(c, c->ref, c->t.rfc, now, "tRFC to ACT");
    for (int i = 3; i > 0; i--)
        c->act[i] = c->act[i - 1];
    c->act[0] = k->act = now + 1;
    k->open = true;
    k->row = row;
}

static void check_pre(struct dram_check *c, uint64_t now, uint32_t b)
{
    struct dram_check_bank *k = &c->bank[b];
    int64_t burst = c->t.burst / c->t.data_rate;
    state(c, k->open, now, b, "PRE of a closed bank");
    apart(c, k->act, c->t.ras, now, "tRAS");
    apart(c, k->read, c->t.rtp, now, "tRTP");
    apart(c, k->write, c->t.cwl + burst + c->t.wr, now, "tWR");
    k->open = false;
    k->pre = now + 1;
}

/* Data of a read is on the bus CL after it, of a write CWL after it, for a burst. */
static void check_column(struct dram_check *c, uint64_t now, uint32_t b, uint32_t row, bool write)
{
    struct dram_check_bank *k = &c->bank[b];
    int64_t burst = c->t.burst / c->t.data_rate, cl = c->t.cl, cwl = c->t.cwl, turn = burst + c->t.rtrs;
    state(c, k->open && k->row == row, now, b, "column command to a row that is not open");
    apart(c, k->act, c->t.rcd, now, "tRCD");
    apart(c, c->read, c->t.ccd, now, "tCCD after a read");
    apart(c, c->write, c->t.ccd, now, "tCCD after a write");
    apart(c, c->read, write ? cl + turn - cwl : burst, now, "data bus after a read");
    apart(c, c->write, write ? burst : cwl + turn - cl, now, "data bus after a write");
    if (!write)
        apart(c, c->write, cwl + burst + c->t.wtr, now, "tWTR");
    *(write ? &c->write : &c->read) = now + 1;
    *(write ? &k->write : &k->read) = now + 1;
}

static void check_ref(struct dram_check *c, uint64_t now)
{
    apart(c, c->ref, c->t.rfc, now, "tRFC to REF");
    for (uint32_t b = 0; b < c->t.banks; b++) {
        state(c, !c->bank[b].open, now, b, "REF with an open bank");
        apart(c, c->bank[b].pre, c->t.rp, now, "tRP to REF");
        apart(c, c->bank[b].act, c->t.rc, now, "tRC to REF");
    }
    c->ref = now + 1;
}

void dram_check_command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct dram_check *c = ctx;
    state(c, bank < c->t.banks, cycle, bank, "no such bank");
    if (bank >= c->t.banks)
        return;
    apart(c, c->last, 1, cycle, "one command per cycle, in order");
    c->last = cycle + 1;
    c->count[cmd]++;
    switch (cmd) {
    case MH_DRAM_ACT:
        check_act(c, cycle, bank, row);
        break;
    case MH_DRAM_PRE:
        check_pre(c, cycle, bank);
        break;
    case MH_DRAM_REF:
        check_ref(c, cycle);
        break;
    default:
        check_column(c, cycle, bank, row, cmd == MH_DRAM_WR);
        break;
    }
}
