/*
 * FR-FCFS (Rixner et al., ISCA 2000) over banks with their timing. Each bank has one candidate command at hand, with
 * the first cycle at which the bank allows it; the channel's own timers gate each kind of command. One scan over the
 * banks after each command finds the next: earliest cycle first, then column commands before row commands, then age.
 */
#include "dram/dram.h"

#include <assert.h>
#include <stdlib.h>

#include "dram/queue.h"

/* An open row's hits may pass the oldest request of their bank this often, then its row is opened. Ours: four rows
 * of 16 lines, so streams do not notice. */
enum { STARVE_LIMIT = 64 };

enum kind { KIND_NONE, KIND_COLUMN, KIND_ACT, KIND_PRE, KINDS };

/* Order of candidates as one number: cycles from the floor, row command, age. */
#define KEY_SHIFT 40
#define KEY_ROW   (1ull << 39)
#define KEY_FAR   ((1ull << 24) - 1)

struct bank {
    uint32_t row;           /* open row, NO_ROW when precharged */
    uint16_t hits[2];       /* group of the open row, per direction */
    uint16_t passed;        /* hits served before the bank's oldest request since the row was opened */
    bool fresh;             /* activated, nothing served yet */
    uint64_t act, col, pre; /* first cycle for each command */
};
#define NO_ROW UINT32_MAX

/* The column commands of one request, `ccd` apart; they occupy slots of the command bus ahead of time. */
struct bundle {
    uint64_t first, last;
    uint64_t traced; /* next one to tell the command hook */
    uint32_t bank, row, write;
};

struct arrival {
    uint64_t cycle;
    struct mh_dram_request req;
};

struct mh_dram {
    /* What a scan reads. */
    uint64_t ready[MH_MAX_DRAM_BANKS]; /* of the bank's candidate */
    uint64_t order[MH_MAX_DRAM_BANKS]; /* KEY_ROW and age of it */
    uint64_t gate[KINDS];              /* of the channel */
    uint8_t kind[MH_MAX_DRAM_BANKS];
    uint32_t banks;

    /* What it found. */
    uint64_t next;   /* cycle of the next command or refresh, due or not */
    uint64_t best;   /* its order */
    uint32_t choice; /* its bank; undefined for a refresh */
    uint64_t floor;  /* no command before this cycle */

    uint32_t writing; /* direction that is served now: 1 = writes */
    bool draining;
    uint32_t waiting[2]; /* reads, writes */
    uint64_t column_gate[2];
    uint64_t activated[4]; /* ring of the last four ACTs, plus the FAW window */
    uint32_t activations;
    uint64_t refresh;
    struct bundle bundle;
    uint64_t age;

    struct mh_dq queue;
    struct arrival *inbox; /* arrived after a command that is due but not issued */
    uint32_t inbox_head, inbox_count;

    uint32_t columns, bl, span; /* commands per line, cycles per burst, first to last command of a line */
    uint32_t row_bits, bank_bits, bank_mask;
    uint32_t read_to_write, write_to_read, write_to_pre;
    struct mh_dram_cfg t;
    struct mh_dram_hooks hooks;
    struct bank bank[MH_MAX_DRAM_BANKS];
};

static inline uint64_t max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* --- Trace. Column commands of a bundle are told in their turn. */

static void trace_bundle(struct mh_dram *d, uint64_t before)
{
    struct bundle *u = &d->bundle;
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

/* --- Candidates. */

/* The oldest request of the bank that the open row does not serve, MH_DQ_NIL when there is none. */
static inline uint32_t oldest_other(const struct mh_dram *d, uint32_t b, uint32_t hits)
{
    uint32_t g = d->queue.first[d->writing][b];
    return g != MH_DQ_NIL && g == hits ? d->queue.group[g].next : g;
}

static inline void set(struct mh_dram *d, uint32_t b, enum kind kind, uint64_t ready, uint64_t order)
{
    d->kind[b] = kind;
    d->ready[b] = ready;
    d->order[b] = order;
}

static void find_candidate(struct mh_dram *d, uint32_t b)
{
    const struct bank *bank = &d->bank[b];
    uint32_t hits = bank->hits[d->writing];
    if (hits != MH_DQ_NIL && (bank->passed < STARVE_LIMIT || oldest_other(d, b, hits) == MH_DQ_NIL)) {
        set(d, b, KIND_COLUMN, bank->col, mh_dq_age(&d->queue, hits));
        return;
    }
    uint32_t g = oldest_other(d, b, hits);
    if (g == MH_DQ_NIL)
        set(d, b, KIND_NONE, 0, 0);
    else if (bank->row == NO_ROW)
        set(d, b, KIND_ACT, bank->act, mh_dq_age(&d->queue, g) | KEY_ROW);
    else
        set(d, b, KIND_PRE, bank->pre, mh_dq_age(&d->queue, g) | KEY_ROW);
}

static void find_all_candidates(struct mh_dram *d)
{
    for (uint32_t b = 0; b < d->banks; b++)
        find_candidate(d, b);
}

/* First free slot of the command bus for a row command. */
static inline uint64_t free_slot(const struct mh_dram *d, uint64_t cycle)
{
    if (cycle > d->bundle.last || cycle < d->bundle.first || (uint32_t)(cycle - d->bundle.first) % d->t.ccd)
        return cycle;
    return d->t.ccd == 1 ? d->bundle.last + 1 : cycle + 1;
}

static inline uint64_t scan_from(struct mh_dram *d, uint64_t floor)
{
    uint64_t best = UINT64_MAX;
    uint32_t choice = 0;
    for (uint32_t b = 0; b < d->banks; b++) {
        uint64_t at = max64(max64(d->ready[b], d->gate[d->kind[b]]), floor);
        uint64_t key = min64(at - floor, KEY_FAR) << KEY_SHIFT | d->order[b];
        choice = key < best ? b : choice;
        best = key < best ? key : best;
    }
    d->choice = choice;
    d->best = best & (((uint64_t)1 << KEY_SHIFT) - 1);
    return best >> KEY_SHIFT == KEY_FAR ? MH_DRAM_NEVER : floor + (best >> KEY_SHIFT);
}

/* Finds the next command. */
static void scan(struct mh_dram *d)
{
    uint64_t floor = d->floor, at;
    for (;;) {
        at = scan_from(d, floor);
        /* Column commands are never due before the end of a bundle, so whoever is here is a row command. */
        if (at > d->bundle.last)
            break;
        floor = free_slot(d, at);
        if (floor == at)
            break;
    }
    d->next = min64(at, d->refresh);
}

/* --- Direction. */

static void choose_direction(struct mh_dram *d)
{
    uint32_t writes = d->waiting[1];
    if (writes >= d->t.write_high)
        d->draining = true;
    if (writes <= d->t.write_low)
        d->draining = false;
    uint32_t writing = writes && (d->draining || !d->waiting[0]);
    if (writing == d->writing)
        return;
    d->writing = writing;
    d->gate[KIND_COLUMN] = d->column_gate[writing];
    find_all_candidates(d);
}

/* --- Commands. */

static void activate(struct mh_dram *d, uint32_t b, uint64_t at)
{
    struct bank *bank = &d->bank[b];
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
    d->gate[KIND_ACT] = max64(at + d->t.rrd, d->activated[d->activations % 4]);
    find_candidate(d, b);
}

static void precharge(struct mh_dram *d, uint32_t b, uint64_t at)
{
    struct bank *bank = &d->bank[b];
    trace(d, at, MH_DRAM_PRE, b, bank->row);
    bank->row = NO_ROW;
    for (uint32_t w = 0; w < 2; w++) {
        if (bank->hits[w] != MH_DQ_NIL)
            mh_dq_sort(&d->queue, bank->hits[w]);
        bank->hits[w] = MH_DQ_NIL;
    }
    bank->act = max64(bank->act, at + d->t.rp);
    find_candidate(d, b);
}

static void column_timing(struct mh_dram *d, struct bank *bank, uint64_t last)
{
    uint64_t next = last + d->t.ccd;
    d->column_gate[d->writing] = next;
    d->column_gate[!d->writing] = max64(next, last + (d->writing ? d->write_to_read : d->read_to_write));
    d->gate[KIND_COLUMN] = next;
    bank->pre = max64(bank->pre, last + (d->writing ? d->write_to_pre : d->t.rtp));
}

static void column(struct mh_dram *d, uint32_t b, uint64_t at)
{
    struct bank *bank = &d->bank[b];
    uint32_t write = d->writing, g = bank->hits[write];
    uint64_t last = at + d->span;
    bool hit = !bank->fresh;
    if (d->hooks.command)
        trace_bundle(d, at);
    d->bundle = (struct bundle){at, last, at, b, bank->row, write};
    column_timing(d, bank, last);
    bank->fresh = false;
    uint32_t other = oldest_other(d, b, g);
    bank->passed += other != MH_DQ_NIL && mh_dq_age(&d->queue, other) < mh_dq_age(&d->queue, g);

    int emptied;
    uint32_t tag = mh_dq_pop(&d->queue, g, &emptied);
    if (emptied)
        bank->hits[write] = MH_DQ_NIL;
    d->waiting[write]--;
    find_candidate(d, b);
    choose_direction(d);
    d->hooks.done(d->hooks.ctx, tag, last + (write ? d->t.cwl : d->t.cl) + d->bl, hit);
}

/* Precharges what is open, then refreshes. Nothing else may be issued meanwhile, so all of it is decided at once. */
static void refresh(struct mh_dram *d)
{
    uint64_t at = max64(d->floor, d->refresh);
    for (;;) {
        uint32_t pick = MH_MAX_DRAM_BANKS;
        for (uint32_t b = 0; b < d->banks; b++)
            if (d->bank[b].row != NO_ROW && (pick == MH_MAX_DRAM_BANKS || d->bank[b].pre < d->bank[pick].pre))
                pick = b;
        if (pick == MH_MAX_DRAM_BANKS)
            break;
        at = free_slot(d, max64(at, d->bank[pick].pre));
        precharge(d, pick, at++);
    }
    for (uint32_t b = 0; b < d->banks; b++)
        at = max64(at, d->bank[b].act);
    at = free_slot(d, at);
    trace(d, at, MH_DRAM_REF, 0, 0);
    for (uint32_t b = 0; b < d->banks; b++)
        d->bank[b].act = at + d->t.rfc;
    find_all_candidates(d);
    d->floor = at + 1;
    d->refresh += d->t.refi;
}

static void issue(struct mh_dram *d)
{
    uint64_t at = d->next;
    if (at >= d->refresh) {
        refresh(d);
    } else {
        uint32_t b = d->choice;
        d->floor = at + 1;
        if (d->kind[b] == KIND_COLUMN)
            column(d, b, at);
        else if (d->kind[b] == KIND_ACT)
            activate(d, b, at);
        else
            precharge(d, b, at);
    }
    scan(d);
}

/* --- Arrival. */

/* Pre: no command is due before `cycle`. */
static void insert(struct mh_dram *d, uint64_t cycle, const struct mh_dram_request *req)
{
    uint64_t page = req->addr >> d->row_bits;
    uint32_t row = (uint32_t)(page >> d->bank_bits);
    /* Permuted banks (Zhang, Zhu, Zhang, MICRO 2000): rows of one bank that follow each other in memory spread. */
    uint32_t b = (uint32_t)(page ^ row) & d->bank_mask;
    struct bank *bank = &d->bank[b];
    int created;
    uint32_t g = mh_dq_push(&d->queue, req->write, b, row, req->tag, d->age++, &created);
    d->waiting[req->write]++;
    d->floor = max64(d->floor, cycle);
    if (created && row == bank->row)
        bank->hits[req->write] = (uint16_t)g;
    uint32_t writing = d->writing;
    choose_direction(d);
    if (d->writing == writing) {
        if (req->write != writing || !created || (d->kind[b] != KIND_NONE && row != bank->row))
            return; /* behind something in the same bank */
        find_candidate(d, b);
    }
    scan(d);
}

uint32_t mh_dram_free(const struct mh_dram *d)
{
    return d->t.queue - d->waiting[0] - d->waiting[1] - d->inbox_count;
}

/* Refreshes of an idle channel are issued when somebody asks: nobody needs them earlier. */
static uint64_t due(const struct mh_dram *d)
{
    uint64_t at = d->waiting[0] + d->waiting[1] + d->inbox_count ? d->next : MH_DRAM_NEVER;
    if (d->hooks.command && d->bundle.traced <= d->bundle.last)
        at = min64(at, d->bundle.traced);
    return at;
}

uint64_t mh_dram_push(struct mh_dram *d, uint64_t now, const struct mh_dram_request *req)
{
    assert(mh_dram_free(d));
    if (__builtin_expect(d->next < now || d->inbox_count, 0)) {
        uint32_t at = d->inbox_head + d->inbox_count++;
        d->inbox[at < d->t.queue ? at : at - d->t.queue] = (struct arrival){now, *req};
    } else {
        insert(d, now, req);
    }
    return due(d);
}

static void take_arrival(struct mh_dram *d)
{
    const struct arrival *a = &d->inbox[d->inbox_head];
    d->inbox_head = d->inbox_head + 1 < d->t.queue ? d->inbox_head + 1 : 0;
    d->inbox_count--;
    insert(d, a->cycle, &a->req);
}

uint64_t mh_dram_step(struct mh_dram *d, uint64_t now)
{
    for (;;) {
        if (d->inbox_count && d->inbox[d->inbox_head].cycle <= min64(d->next, now))
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
        d->bank[b] = (struct bank){.row = NO_ROW, .hits = {MH_DQ_NIL, MH_DQ_NIL}};
    d->gate[KIND_NONE] = MH_DRAM_NEVER;
    d->refresh = cfg->refi ? cfg->refi : MH_DRAM_NEVER;
    d->bundle.first = d->bundle.traced = 1; /* none: last is 0 */
    scan(d);
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
