#include "dram_check.h"

#include <inttypes.h>
#include <stdio.h>

void dram_check_init(struct dram_check *c, const struct mh_dram_cfg *cfg)
{
    *c = (struct dram_check){.t = *cfg};
    c->ranks = cfg->ranks ? cfg->ranks : 1;
    c->per_group = cfg->groups ? cfg->banks / cfg->groups : cfg->banks;
    if (!cfg->ccd_l)
        c->t.ccd_l = cfg->ccd;
    if (!cfg->rrd_l)
        c->t.rrd_l = cfg->rrd;
    if (!cfg->wtr_l)
        c->t.wtr_l = cfg->wtr;
}

static bool same_rank(const struct dram_check *c, uint32_t a, uint32_t b)
{
    return a / c->t.banks == b / c->t.banks;
}

static bool same_group(const struct dram_check *c, uint32_t a, uint32_t b)
{
    return a / c->per_group == b / c->per_group;
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
    struct dram_check_rank *r = &c->rank[b / c->t.banks];
    state(c, !k->open, now, b, "ACT of an open bank");
    apart(c, k->pre, c->t.rp, now, "tRP");
    apart(c, k->act, c->t.rc, now, "tRC");
    for (uint32_t o = 0; o < c->ranks * c->t.banks; o++)
        if (o != b && same_rank(c, o, b))
            apart(c, c->bank[o].act, same_group(c, o, b) ? c->t.rrd_l : c->t.rrd, now,
                  same_group(c, o, b) ? "tRRD_L" : "tRRD");
    apart(c, r->act[3], c->t.faw, now, "tFAW");
    apart(c, r->act[31], c->t.aw32, now, "t32AW");
    apart(c, k->refb, c->t.rfc_bank, now, "tRFC of the bank to ACT");
    for (uint32_t o = 0; o < c->ranks * c->t.banks; o++)
        if (o != b && same_rank(c, o, b))
            apart(c, c->bank[o].refb, c->t.rrefd, now, "tRREFD to ACT");
    apart(c, r->ref, c->t.rfc, now, "tRFC to ACT");
    for (int i = 31; i > 0; i--)
        r->act[i] = r->act[i - 1];
    r->act[0] = k->act = now + 1;
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
    apart(c, c->rank[b / c->t.banks].pre, c->t.ppd, now, "tPPD");
    c->rank[b / c->t.banks].pre = now + 1;
    k->open = false;
    k->pre = now + 1;
}

/* Data of a read is on the bus CL after it, of a write CWL after it, for a burst. `since` is a command of bank `o`. */
static void check_bus(struct dram_check *c, uint64_t since, bool wrote, uint32_t o, uint64_t now, uint32_t b,
                      bool write)
{
    int64_t burst = c->t.burst / c->t.data_rate, start[2] = {c->t.cl, c->t.cwl}, idle = 0;
    if (wrote != write)
        idle = c->t.rtrs;
    if (!same_rank(c, o, b) && c->t.rank_gap > idle)
        idle = c->t.rank_gap;
    bool near = same_group(c, o, b);
    if (same_rank(c, o, b))
        apart(c, since, near ? c->t.ccd_l : c->t.ccd, now, wrote ? "tCCD after a write" : "tCCD after a read");
    apart(c, since, start[wrote] + burst + idle - start[write], now,
          wrote ? "data bus after a write" : "data bus after a read");
    if (wrote && !write && same_rank(c, o, b))
        apart(c, since, c->t.cwl + burst + (near ? c->t.wtr_l : c->t.wtr), now, "tWTR");
}

static void check_column(struct dram_check *c, uint64_t now, uint32_t b, uint32_t row, bool write)
{
    struct dram_check_bank *k = &c->bank[b];
    state(c, k->open && k->row == row, now, b, "column command to a row that is not open");
    apart(c, k->act, write && c->t.rcdwr ? c->t.rcdwr : c->t.rcd, now, write ? "tRCD of a write" : "tRCD");
    for (uint32_t o = 0; o < c->ranks * c->t.banks; o++) {
        check_bus(c, c->bank[o].read, false, o, now, b, write);
        check_bus(c, c->bank[o].write, true, o, now, b, write);
    }
    *(write ? &k->write : &k->read) = now + 1;
}

static void check_ref(struct dram_check *c, uint64_t now, uint32_t first)
{
    struct dram_check_rank *r = &c->rank[first / c->t.banks];
    state(c, first % c->t.banks == 0, now, first, "REF names the first bank of a rank");
    apart(c, r->ref, c->t.rfc, now, "tRFC to REF");
    for (uint32_t b = first; b < first + c->t.banks; b++) {
        state(c, !c->bank[b].open, now, b, "REF with an open bank");
        apart(c, c->bank[b].pre, c->t.rp, now, "tRP to REF");
        apart(c, c->bank[b].act, c->t.rc, now, "tRC to REF");
    }
    r->ref = now + 1;
}

static void check_refb(struct dram_check *c, uint64_t now, uint32_t b)
{
    struct dram_check_bank *k = &c->bank[b];
    state(c, !k->open, now, b, "REFB of an open bank");
    apart(c, k->pre, c->t.rp, now, "tRP to REFB");
    apart(c, k->act, c->t.rc, now, "tRC to REFB");
    apart(c, k->refb, c->t.rfc_bank, now, "tRFC of the bank to REFB");
    for (uint32_t o = 0; o < c->ranks * c->t.banks; o++) {
        if (o == b || !same_rank(c, o, b))
            continue;
        apart(c, c->bank[o].refb, c->t.rrefd, now, "tRREFD to REFB");
        apart(c, c->bank[o].act, same_group(c, o, b) ? c->t.rrd_l : c->t.rrd, now, "tRRD to REFB");
    }
    k->refb = now + 1;
}

void dram_check_command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct dram_check *c = ctx;
    state(c, bank < c->ranks * c->t.banks, cycle, bank, "no such bank");
    if (bank >= c->ranks * c->t.banks)
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
        check_ref(c, cycle, bank);
        break;
    case MH_DRAM_REFB:
        check_refb(c, cycle, bank);
        break;
    default:
        check_column(c, cycle, bank, row, cmd == MH_DRAM_WR);
        break;
    }
}

struct run {
    struct mh_dram_request req; /* the last of those made */
    struct dram_check check;
    struct mh_dram *d;
    uint64_t made, served, rng, now, next;
    uint64_t wanted; /* column commands of all requests */
    uint32_t whole;  /* of a whole one */
    uint8_t *seen;   /* by tag: times served */
};

void dram_mixed(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    dram_scattered(ctx, i, req);
    if (random_next(ctx) % 2)
        req->addr %= 64 * 2048;
    req->write = random_next(ctx) % 3 == 0;
}

void dram_writes(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    dram_scattered(ctx, i, req);
    req->write = 1;
}

void dram_parts(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    dram_mixed(ctx, i, req);
    req->bursts = random_next(ctx) % 2;
}

static void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct run *r = ctx;

    (void)finish, (void)row_hit;
    r->served++;
    r->seen[tag]++;
}

static void command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct run *r = ctx;

    dram_check_command(&r->check, cycle, cmd, bank, row);
}

/* False: there is no room for it. */
static bool push(struct run *r, dram_stream *stream, uint64_t i)
{
    if (r->made == i) {
        r->req = (struct mh_dram_request){0};
        stream(&r->rng, i, &r->req);
        r->req.tag = (uint32_t)i;
        r->wanted += r->req.bursts ? r->req.bursts : r->whole;
        r->made++;
    }
    if (!dram_takes(r->d, &r->req))
        return false;
    r->next = mh_dram_push(r->d, r->now, &r->req);
    return true;
}

static void drive(struct run *r, dram_stream *stream, uint32_t count)
{
    for (uint64_t pushed = 0; r->served < count || r->next != MH_DRAM_NEVER;) {
        uint64_t burst = random_next(&r->rng) % 300;

        for (; burst && pushed < count && push(r, stream, pushed); burst--)
            pushed++;
        uint64_t late = random_next(&r->rng) % 3;
        r->now = r->next == MH_DRAM_NEVER || r->next + late < r->now ? r->now + 200 : r->next + late;
        r->next = mh_dram_step(r->d, r->now);
    }
}

struct dram_traffic dram_traffic_run(const struct mh_dram_cfg *cfg, dram_stream *stream, uint32_t count)
{
    struct run r = {.rng = 42, .next = MH_DRAM_NEVER, .seen = calloc(count, 1)};
    struct mh_dram_hooks hooks = {&r, done, command};
    struct dram_traffic t = {.commands = 0};

    r.whole = (cfg->request_bytes ? cfg->request_bytes : MH_LINE_BYTES) / (cfg->bus_bytes * cfg->burst);
    dram_check_init(&r.check, cfg);
    r.d = mh_dram_create(cfg, &hooks);
    if (!r.seen || !r.d)
        abort();
    drive(&r, stream, count);
    t.check = r.check;
    t.cycles = r.now;
    t.wanted = r.wanted;
    for (int i = 0; i <= MH_DRAM_REFB; i++)
        t.commands += r.check.count[i];
    for (uint32_t i = 0; i < count; i++)
        t.lost += r.seen[i] != 1;
    t.queue_leaked = mh_dram_free(r.d) != dram_all_free(cfg);
    mh_dram_destroy(r.d);
    free(r.seen);
    return t;
}
