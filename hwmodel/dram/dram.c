/* One channel: what each command does to the timers, refresh, arrival of requests. */
#include "dram/dram.h"

#include <assert.h>
#include <stdlib.h>

#include "dram/channel.h"

/* --- Trace. Column commands of a bundle are told in their turn. */

static void trace_bundle(struct mh_dram *d, uint64_t before)
{
    struct mh_bundle *u = &d->bundle;
    for (; u->traced <= u->last && u->traced < before; u->traced += d->t.ccd)
        d->hooks.command(d->hooks.ctx, u->traced, u->write ? MH_DRAM_WR : MH_DRAM_RD, u->bank, u->row);
}

static inline void trace(struct mh_dram *d, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    if (!d->hooks.command)
        return;
    trace_bundle(d, cycle);
    d->hooks.command(d->hooks.ctx, cycle, cmd, bank, row);
}

/* --- Commands. */

static void activate(struct mh_dram *d, uint32_t b, uint64_t at)
{
    struct mh_bank *bank = &d->bank[b];
    uint32_t row = d->queue.group[d->queue.first[d->writing][b]].row;
    trace(d, at, MH_DRAM_ACT, b, row);
    bank->row = row;
    bank->fresh = true;
    bank->passed = 0;
    for (uint32_t w = 0; w < 2; w++)
        bank->hits[w] = (uint16_t)mh_dq_find(&d->queue, w, b, row);
    bank->col = at + d->t.rcd;
    bank->pre = at + d->t.ras;
    bank->act = at + d->t.rc;
    d->activated[d->activations++ % 4] = at + d->t.faw;
    d->gate[MH_KIND_ACT] = mh_max64(at + d->t.rrd, d->activated[d->activations % 4]);
    mh_dram_candidate(d, b);
}

static void precharge(struct mh_dram *d, uint32_t b, uint64_t at)
{
    struct mh_bank *bank = &d->bank[b];
    trace(d, at, MH_DRAM_PRE, b, bank->row);
    bank->row = MH_NO_ROW;
    for (uint32_t w = 0; w < 2; w++) {
        if (bank->hits[w] != MH_DQ_NIL)
            mh_dq_sort(&d->queue, bank->hits[w]);
        bank->hits[w] = MH_DQ_NIL;
    }
    bank->act = mh_max64(bank->act, at + d->t.rp);
    mh_dram_candidate(d, b);
}

static void column_timing(struct mh_dram *d, struct mh_bank *bank, uint64_t last)
{
    uint64_t next = last + d->t.ccd;
    d->column_gate[d->writing] = next;
    d->column_gate[!d->writing] = mh_max64(next, last + (d->writing ? d->write_to_read : d->read_to_write));
    d->gate[MH_KIND_COLUMN] = next;
    bank->pre = mh_max64(bank->pre, last + (d->writing ? d->write_to_pre : d->t.rtp));
}

static void column(struct mh_dram *d, uint32_t b, uint64_t at)
{
    struct mh_bank *bank = &d->bank[b];
    uint32_t write = d->writing, g = bank->hits[write];
    uint64_t last = at + d->span;
    bool hit = !bank->fresh;
    if (d->hooks.command)
        trace_bundle(d, at);
    d->bundle = (struct mh_bundle){at, last, at, b, bank->row, write};
    column_timing(d, bank, last);
    bank->fresh = false;
    uint32_t other = mh_dram_oldest_other(d, b, g);
    bank->passed += other != MH_DQ_NIL && mh_dq_age(&d->queue, other) < mh_dq_age(&d->queue, g);

    int emptied;
    uint32_t tag = mh_dq_pop(&d->queue, g, &emptied);
    if (emptied)
        bank->hits[write] = MH_DQ_NIL;
    d->waiting[write]--;
    mh_dram_candidate(d, b);
    mh_dram_choose_direction(d);
    d->hooks.done(d->hooks.ctx, tag, last + (write ? d->t.cwl : d->t.cl) + d->bl, hit);
}

/* Precharges what is open, then refreshes. Nothing else may be issued meanwhile, so all of it is decided at once. */
static void refresh(struct mh_dram *d)
{
    uint64_t at = mh_max64(d->floor, d->refresh);
    for (;;) {
        uint32_t pick = MH_MAX_DRAM_BANKS;
        for (uint32_t b = 0; b < d->banks; b++)
            if (d->bank[b].row != MH_NO_ROW && (pick == MH_MAX_DRAM_BANKS || d->bank[b].pre < d->bank[pick].pre))
                pick = b;
        if (pick == MH_MAX_DRAM_BANKS)
            break;
        at = mh_dram_free_slot(d, mh_max64(at, d->bank[pick].pre));
        precharge(d, pick, at++);
    }
    for (uint32_t b = 0; b < d->banks; b++)
        at = mh_max64(at, d->bank[b].act);
    trace(d, at, MH_DRAM_REF, 0, 0);
    for (uint32_t b = 0; b < d->banks; b++)
        d->bank[b].act = at + d->t.rfc;
    mh_dram_all_candidates(d);
    d->floor = at + 1;
    d->refresh += d->t.refi;
}

/* The next command is a column command. */
static inline bool serves(const struct mh_dram *d)
{
    return d->next < d->refresh && d->kind[d->choice] == MH_KIND_COLUMN;
}

static void issue(struct mh_dram *d)
{
    uint64_t at = d->next;
    if (at >= d->refresh) {
        refresh(d);
    } else {
        uint32_t b = d->choice;
        d->floor = at + 1;
        if (d->kind[b] == MH_KIND_COLUMN)
            column(d, b, at);
        else if (d->kind[b] == MH_KIND_ACT)
            activate(d, b, at);
        else
            precharge(d, b, at);
    }
    mh_dram_scan(d);
}

/* --- Arrival. */

/* Pre: no command is due before `cycle`. */
static void insert(struct mh_dram *d, uint64_t cycle, const struct mh_dram_request *req)
{
    uint64_t page = req->addr >> d->row_bits;
    uint32_t row = (uint32_t)(page >> d->bank_bits);
    /* Permuted banks (Zhang, Zhu, Zhang, MICRO 2000): rows of one bank that follow each other in memory spread. */
    uint32_t b = (uint32_t)(page ^ row) & d->bank_mask;
    struct mh_bank *bank = &d->bank[b];
    int created;
    uint32_t g = mh_dq_push(&d->queue, req->write, b, row, req->tag, d->age++, &created);
    d->waiting[req->write]++;
    d->floor = mh_max64(d->floor, cycle);
    if (created && row == bank->row)
        bank->hits[req->write] = (uint16_t)g;
    uint32_t writing = d->writing;
    mh_dram_choose_direction(d);
    if (d->writing == writing) {
        if (req->write != writing || !created || (d->kind[b] != MH_KIND_NONE && row != bank->row))
            return; /* behind something in the same bank */
        mh_dram_candidate(d, b);
    }
    mh_dram_scan(d);
}

uint32_t mh_dram_free(const struct mh_dram *d)
{
    return d->t.queue - d->waiting[0] - d->waiting[1] - d->inbox_count;
}

/* Row commands and refreshes are issued when somebody asks: until a request is served nobody sees them. */
static uint64_t due(const struct mh_dram *d)
{
    uint64_t at = d->waiting[0] + d->waiting[1] + d->inbox_count ? d->serve : MH_DRAM_NEVER;
    if (d->hooks.command && d->bundle.traced <= d->bundle.last)
        at = mh_min64(at, d->bundle.traced);
    return at;
}

uint64_t mh_dram_push(struct mh_dram *d, uint64_t now, const struct mh_dram_request *req)
{
    assert(mh_dram_free(d));
    while (d->next < now && !d->inbox_count && !serves(d))
        issue(d);
    if (__builtin_expect(d->next < now || d->inbox_count, 0)) {
        uint32_t at = d->inbox_head + d->inbox_count++;
        d->inbox[at < d->t.queue ? at : at - d->t.queue] = (struct mh_arrival){now, *req};
    } else {
        insert(d, now, req);
    }
    return due(d);
}

static void take_arrival(struct mh_dram *d)
{
    const struct mh_arrival *a = &d->inbox[d->inbox_head];
    d->inbox_head = d->inbox_head + 1 < d->t.queue ? d->inbox_head + 1 : 0;
    d->inbox_count--;
    insert(d, a->cycle, &a->req);
}

uint64_t mh_dram_step(struct mh_dram *d, uint64_t now)
{
    for (;;) {
        if (d->inbox_count && d->inbox[d->inbox_head].cycle <= mh_min64(d->next, now))
            take_arrival(d);
        else if (d->next <= now)
            issue(d);
        else
            break;
    }
    if (d->hooks.command)
        trace_bundle(d, now + 1);
    return due(d);
}

/* --- Life. */

static uint32_t log2_of(uint32_t n)
{
    assert(n && !(n & (n - 1)));
    return (uint32_t)__builtin_ctz(n);
}

static void derive(struct mh_dram *d)
{
    struct mh_dram_cfg *t = &d->t;
    uint32_t bytes = t->bus_bytes * t->burst;
    d->bl = (t->burst + t->data_rate - 1) / t->data_rate;
    d->columns = bytes < MH_LINE_BYTES ? MH_LINE_BYTES / bytes : 1;
    if (t->ccd < d->bl)
        t->ccd = d->bl; /* bursts do not overlap on the data bus */
    d->span = (d->columns - 1) * t->ccd;
    d->row_bits = log2_of(t->row_bytes);
    d->bank_bits = log2_of(t->banks);
    d->bank_mask = t->banks - 1;
    uint32_t read_end = t->cl + d->bl, write_end = t->cwl + d->bl;
    d->read_to_write = read_end + t->rtrs > t->cwl ? read_end + t->rtrs - t->cwl : 0;
    d->write_to_read = write_end + t->wtr;
    if (d->write_to_read + t->cl < write_end + t->rtrs)
        d->write_to_read = write_end + t->rtrs - t->cl;
    d->write_to_pre = write_end + t->wr;
    d->banks = t->banks;
    d->ahead[MH_KIND_NONE] = MH_DRAM_NEVER / 2;
    d->ahead[MH_KIND_ACT] = t->rcd;
    d->ahead[MH_KIND_PRE] = t->rp + t->rcd;
}

struct mh_dram *mh_dram_create(const struct mh_dram_cfg *cfg, const struct mh_dram_hooks *hooks)
{
    assert(cfg->banks <= MH_MAX_DRAM_BANKS && cfg->queue >= 1 && cfg->queue < MH_DQ_NIL);
    struct mh_dram *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->t = *cfg;
    d->hooks = *hooks;
    derive(d);
    d->inbox = calloc(cfg->queue, sizeof *d->inbox);
    if (mh_dq_init(&d->queue, cfg->queue) || !d->inbox) {
        mh_dram_destroy(d);
        return NULL;
    }
    for (uint32_t b = 0; b < cfg->banks; b++)
        d->bank[b] = (struct mh_bank){.row = MH_NO_ROW, .hits = {MH_DQ_NIL, MH_DQ_NIL}};
    mh_dram_all_candidates(d);
    d->refresh = cfg->refi ? cfg->refi : MH_DRAM_NEVER;
    d->bundle.first = d->bundle.traced = 1; /* none: last is 0 */
    mh_dram_scan(d);
    return d;
}

void mh_dram_destroy(struct mh_dram *d)
{
    if (!d)
        return;
    mh_dq_free(&d->queue);
    free(d->inbox);
    free(d);
}
