/*
 * One DRAM channel alone, of every parameter set: windows of activates, a queue for writes, dram.queue_latency, against
 * sums of its timings. Requests have one burst, and all banks are of one rank and, where two matter, of one group.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dram_channel.h"
#include "dram_oracle.h"
#include "memhelm/config_file.h"
#include "validate/table.h"

enum { LOG = 4096, HIGH = 6, DRAINS = 400, STREAM = 100000, FAR = 5000, ROWS = 4096 };

/* Cycles of the activates. */
struct log {
    uint64_t act[LOG];
    uint32_t acts;
};

static void command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct log *l = ctx;

    (void)bank, (void)row;
    if (cmd == MH_DRAM_ACT && l->acts < LOG)
        l->act[l->acts++] = cycle;
}

static void nothing(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    (void)ctx, (void)tag, (void)finish, (void)row_hit;
}

static uint64_t address(const struct mh_dram_cfg *cfg, uint32_t bank, uint32_t row, uint32_t column)
{
    return dram_place_address(cfg, &(struct dram_place){.bank = bank, .row = row, .column = column});
}

/* Of the banks of a rank in turn, a new row each time: from the first activate to the last one. */
static uint64_t activates(const struct mh_dram_cfg *cfg, uint32_t count)
{
    struct log l = {.acts = 0};
    struct mh_dram_hooks hooks = {&l, nothing, command};
    struct mh_dram *d = mh_dram_create(cfg, &hooks);
    uint32_t groups = cfg->groups ? cfg->groups : 1, per_group = cfg->banks / groups;

    for (uint32_t i = 0; i < count; i++) {
        struct dram_place p = {.row = 1 + i / cfg->banks, .bank = i % cfg->banks % per_group};

        p.group = i % cfg->banks / per_group;
        mh_dram_push(d, 0, &(struct mh_dram_request){.addr = dram_place_address(cfg, &p)});
    }
    for (uint64_t next = 0; next != MH_DRAM_NEVER;)
        next = mh_dram_step(d, next);
    mh_dram_destroy(d);
    return l.acts == count ? l.act[count - 1] - l.act[0] : 0;
}

/* Each longer than the others, by some cycles that no other rule has. */
static void windows(struct mh_dram_cfg cfg)
{
    uint32_t apart = cfg.rrd_l > cfg.rrd ? cfg.rrd_l : cfg.rrd;

    cfg.queue = 64;
    cfg.aw32 = 0;
    cfg.faw = 4 * apart + 13;
    table_exact(cfg.faw, activates(&cfg, 5), "first to fifth activate: tFAW, cycles");
    cfg.aw32 = 8 * cfg.faw + 101;
    table_exact(cfg.aw32, activates(&cfg, 33), "first to 33rd activate: t32AW, cycles");
}

/* Column commands of one group: between two of one direction, and where the bus turns round. */
struct gaps {
    uint64_t same, to_write, to_read;
};

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static struct gaps gaps_of(const struct mh_dram_cfg *c)
{
    uint64_t burst = larger(c->burst / c->data_rate, 1), wtr = larger(c->wtr_l, c->wtr);
    struct gaps g = {.same = larger(larger(c->ccd_l, c->ccd), burst)};

    g.to_write = c->cl + burst + c->rtrs > c->cwl + g.same ? c->cl + burst + c->rtrs - c->cwl : g.same;
    g.to_read = larger(c->cwl + burst + wtr, g.same);
    if (c->cwl + burst + c->rtrs > c->cl)
        g.to_read = larger(g.to_read, c->cwl + burst + c->rtrs - c->cl);
    return g;
}

/* Writes, as many as a drain begins with, and a read: all of one row, which is open. */
static void drain(struct mh_dram_cfg cfg)
{
    struct gaps g = gaps_of(&cfg);
    uint32_t before = 0;
    struct channel *c;

    cfg.write_queue = HIGH + 2;
    cfg.write_high = HIGH;
    cfg.write_low = 1;
    c = open_cfg(cfg);
    push_addr(c, 0, 0, false, address(&cfg, 0, 7, 0));
    run_to(c, FAR - 1);
    for (uint32_t i = 1; i <= HIGH + 1; i++) {
        struct mh_dram_request r = {.addr = address(&cfg, 0, 7, i), .tag = i, .write = i <= HIGH};

        c->next = mh_dram_push(c->d, FAR, &r);
    }
    close_all(c);
    while (c->order[1 + before] != HIGH + 1)
        before++;
    table_exact(HIGH - 1, before, "a drain from %u writes to 1, while a read waits: writes", HIGH);
    table_exact((HIGH - 2) * g.same + g.to_read + dram_sums(&cfg).open, c->finish[HIGH + 1] - FAR,
                "the read waits for them and for tWTR, cycles");
}

/* One bank's reads and another's writes, and how many of each were served. */
struct turns {
    struct channel *c;
    uint64_t seen, served[2], pushed[2];
};

static void push_one(struct turns *t, uint64_t now, uint32_t write, uint32_t columns)
{
    uint32_t column = (uint32_t)(t->pushed[write]++ % columns);
    struct mh_dram_request r = {.addr = address(&t->c->cfg, !write, 7, column), .tag = write, .write = (uint8_t)write};

    push_request(t->c, now, &r);
}

static uint64_t step(struct turns *t, uint64_t now)
{
    now = larger(t->c->next, now);
    t->c->next = mh_dram_step(t->c->d, now);
    for (; t->seen < t->c->served; t->seen++)
        t->served[t->c->order[t->seen % MAX_TAGS]]++;
    return now;
}

/* Reads wait always; as many writes as make a drain come at once, when as many reads were served since the last. */
static struct turns take_turns(const struct mh_dram_cfg *cfg, uint32_t batch)
{
    struct turns t = {.c = open_cfg(*cfg)};
    uint64_t now = 0, begun = 0;

    while (t.served[1] < (uint64_t)batch * DRAINS) {
        while (t.pushed[0] - t.served[0] < cfg->queue)
            push_one(&t, now, 0, 8);
        if (t.pushed[1] == t.served[1] && t.served[0] - begun >= batch) {
            for (uint32_t i = 0; i < batch; i++)
                push_one(&t, now, 1, batch);
            begun = t.served[0];
        }
        now = step(&t, now);
    }
    mh_dram_destroy(t.c->d);
    return t;
}

static void batches(struct mh_dram_cfg cfg, uint32_t batch)
{
    struct gaps g = gaps_of(&cfg);
    double burst = (double)larger(cfg.burst / cfg.data_rate, 1);

    cfg.queue = 8;
    cfg.write_queue = cfg.write_high = batch;
    cfg.write_low = 0;
    struct turns t = take_turns(&cfg, batch);
    uint64_t both = t.served[0] + t.served[1];
    double cycles = (double)((both - 2 * DRAINS) * g.same + DRAINS * (g.to_write + g.to_read));
    table_within(100 * burst * (double)both / cycles, 100 * burst * (double)both / (double)t.c->last, 1,
                 "drains of %u writes: tWTR and the way back once each, %% of peak", batch);
}

static void sequential_bursts(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    req->addr = i * *(const uint32_t *)ctx;
}

static double sequential(const struct mh_dram_cfg *cfg)
{
    uint32_t bytes = dram_request_bytes(cfg);
    struct channel *c = open_cfg(*cfg);
    dram_saturate(c->d, sequential_bursts, &bytes, STREAM, &c->served);
    mh_dram_destroy(c->d);
    return (double)c->last / STREAM;
}

/* It delays what finds the channel idle, and costs no bandwidth. */
static void latency(struct mh_dram_cfg cfg)
{
    double before = sequential(&cfg);
    cfg.queue_latency = 5;
    struct dram_sums sum = dram_sums(&cfg);
    struct channel *c = open_cfg(cfg);

    push_addr(c, FAR, 0, false, address(&cfg, 0, 7, 0));
    push_addr(c, 2 * FAR, 1, false, address(&cfg, 0, 7, 1));
    push_addr(c, 3 * FAR, 2, false, address(&cfg, 0, 8, 0));
    close_all(c);
    table_exact(sum.closed, c->finish[0] - FAR, "queue_latency 5: idle read, bank closed, cycles");
    table_exact(sum.open, c->finish[1] - 2 * FAR, "the same, row open");
    table_exact(sum.conflict, c->finish[2] - 3 * FAR, "the same, conflict");
    table_within(before, sequential(&cfg), 0.1, "the same, sequential reads, cycles each: as without");
}

/* No request waits for a bank. */
static void waiting_writes(struct mh_dram_cfg cfg)
{
    struct channel *c;

    cfg.write_queue = cfg.write_high = 8;
    cfg.write_low = 1;
    c = open_cfg(cfg);
    push_addr(c, 0, 0, true, address(&cfg, 0, 7, 0));
    push_addr(c, 1, 1, false, address(&cfg, 0, 7, 0));
    push_addr(c, 2, 2, true, address(&cfg, 0, 7, 0));
    close_all(c);
    table_exact(1, c->finish[1] - 1, "read of a line that waits to be written, cycles");
    table_exact(c->finish[0], c->last, "a write of such a line: no command, cycles to the last beat");
}

/* What came of random requests. */
struct random {
    const struct mh_dram_cfg *cfg;
    uint64_t acts, served, rng;
};

static void count_act(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    (void)cycle, (void)bank, (void)row;
    ((struct random *)ctx)->acts += cmd == MH_DRAM_ACT;
}

static void count_served(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    (void)tag, (void)finish, (void)row_hit;
    ((struct random *)ctx)->served++;
}

/* Three reads, then a write, to any bank, and each to a row of its own. */
static void rows_of_their_own(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    struct random *r = ctx;
    uint32_t banks = r->cfg->groups ? r->cfg->banks / r->cfg->groups : r->cfg->banks;

    req->addr = address(r->cfg, (uint32_t)(random_next(&r->rng) % banks), (uint32_t)(i % ROWS), 0);
    req->write = i % 4 == 3;
}

static uint64_t acts_of_turns(const struct mh_dram_cfg *cfg)
{
    struct random r = {.cfg = cfg, .rng = 1};
    struct mh_dram_hooks hooks = {&r, count_served, count_act};
    struct mh_dram *d = mh_dram_create(cfg, &hooks);

    dram_saturate(d, rows_of_their_own, &r, STREAM, &r.served);
    mh_dram_destroy(d);
    return r.acts;
}

static void opened_first(struct mh_dram_cfg cfg)
{
    cfg.queue = cfg.write_queue = 32;
    cfg.write_high = 26;
    cfg.write_low = 6;
    table_at_least(1.001 * STREAM, (double)acts_of_turns(&cfg), "drains of 20 random writes among reads: ACTs of %u",
                   STREAM);
    cfg.opened_first = 1;
    table_exact(STREAM, acts_of_turns(&cfg), "opened_first: no row is opened for nothing, ACTs");
}

int main(int argc, char **argv)
{
    struct mh_error err;

    table_open(argc, argv);
    for (const char *const *name = mh_dram_preset_names(); *name; name++) {
        struct mh_config cfg = {.dram.channels = 1};
        struct mh_dram_cfg *d = &cfg.dram;

        if (mh_config_dram_preset(&cfg, *name, &err))
            abort();
        d->refi = 0;
        d->request_bytes = d->bus_bytes * d->burst;
        d->permute = MH_PERMUTE_NONE;
        table_layer("dram %s", *name);
        windows(*d);
        drain(*d);
        for (uint32_t batch = 2; batch <= 16; batch *= 2)
            batches(*d, batch);
        latency(*d);
        waiting_writes(*d);
        opened_first(*d);
    }
    return table_close();
}
