/*
 * One DRAM channel alone: of every preset and of every parameter set, against sums and bounds of its timings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dram_channel.h"
#include "dram_oracle.h"
#include "dram_check.h"
#include "memhelm/config_file.h"
#include "validate/table.h"

enum { STREAM = 200000, CONFLICTS = 60, COMMANDS = 1000000 };

static struct mh_dram_cfg without_refresh(struct mh_dram_cfg cfg)
{
    cfg.refi = 0;
    return cfg;
}

/* Three reads far apart: of a closed bank, of its open row, of another row of it. */
static void idle_reads(const struct mh_dram_cfg *cfg)
{
    static const char *const names[] = {"bank closed", "row open", "conflict"};
    struct dram_sums sum = dram_sums(cfg);
    uint64_t expected[] = {sum.closed, sum.open, sum.conflict};
    struct channel *c = open_cfg(without_refresh(*cfg));

    for (uint32_t i = 0; i < 3; i++) {
        struct dram_place p = {.bank = cfg->banks > 1, .row = 7 + (i == 2), .column = i};

        push_addr(c, 1000 * (i + 1), i, false, dram_place_address(cfg, &p));
    }
    close_all(c);
    for (uint32_t i = 0; i < 3; i++)
        table_exact(expected[i], c->finish[i] - 1000 * (i + 1), "idle read, %s, cycles", names[i]);
}

/* Every request wants another row of one bank. */
static void conflict_stream(const struct mh_dram_cfg *cfg)
{
    struct mh_dram_cfg deep = without_refresh(*cfg);

    deep.queue = deep.queue < CONFLICTS ? CONFLICTS : deep.queue;
    struct channel *c = open_cfg(deep);
    for (uint32_t i = 0; i < CONFLICTS; i++)
        push_addr(c, 0, i, false, dram_place_address(cfg, &(struct dram_place){.bank = cfg->banks > 1, .row = i}));
    close_all(c);
    table_exact((CONFLICTS - 1) * (uint64_t)dram_sums(cfg).row_cycle, c->finish[CONFLICTS - 1] - c->finish[0],
                "one bank, %u rows in turn: tRC, cycles", CONFLICTS - 1);
}

static void scattered_stream(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    (void)i;
    req->addr = random_next(ctx) % (1u << 30) / 128 * 128;
}

/* Ranks that take turns lose rank_gap each time, how often depends on the queue, and so does how often a row hit delays
 * an ACT: not what is asked here. */
static void random_stream(const struct mh_dram_cfg *cfg)
{
    struct dram_sums sum = dram_sums(cfg);
    struct mh_dram_cfg alone = without_refresh(*cfg);

    alone.rank_gap = 0;
    alone.command_order = MH_COMMANDS_DEFAULT;
    double cycles = cycles_per_request(alone, scattered_stream, STREAM);

    table_within(sum.random, cycles, 1, "random reads, no refresh or rank gap, cycles each: %s", sum.random_bound);
}

/* Random reads of one burst, which the data bus does not limit. */
static void random_bursts(const struct mh_dram_cfg *cfg)
{
    struct mh_dram_cfg small = *cfg;

    small.request_bytes = cfg->bus_bytes * cfg->burst;
    if (small.request_bytes < dram_request_bytes(cfg) &&
        strcmp(dram_sums(cfg).random_bound, dram_sums(&small).random_bound))
        random_stream(&small);
}

static uint32_t request_bytes;

static void sequential_stream(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    (void)ctx;
    req->addr = i * request_bytes;
}

static void sequential(const struct mh_dram_cfg *cfg)
{
    request_bytes = dram_request_bytes(cfg);
    double peak = (double)request_bytes / (cfg->bus_bytes * cfg->data_rate);
    double share = 100 * peak / cycles_per_request(*cfg, sequential_stream, STREAM);

    table_at_least(94, share, "sequential reads, refresh on, %% of peak");
    table_at_most(100 * (1 - dram_sums(cfg).refresh_share), share, "sequential reads, what refresh leaves");
}

static void checked_commands(const struct mh_dram_cfg *cfg)
{
    static dram_stream *const streams[] = {dram_mixed, dram_writes, sequential_stream, dram_scattered};
    uint64_t commands = 0, lost = 0, violations = 0;
    char first[sizeof((struct dram_check *)0)->violation] = "";

    for (uint32_t i = 0; commands < COMMANDS; i++) {
        struct dram_traffic t = dram_traffic_run(cfg, streams[i % 4], 100000);

        commands += t.commands;
        lost += t.lost + t.queue_leaked;
        violations += t.check.violation[0] != 0;
        if (!*first)
            strcpy(first, t.check.violation);
    }
    table_exact(0, violations, "first violations in %u commands%s%s", COMMANDS, *first ? ": " : "", first);
    table_exact(0, lost, "requests lost or served twice in those");
}

static void validate(const char *kind, const char *name, const struct mh_dram_cfg *cfg)
{
    table_layer("%s %s", kind, name);
    idle_reads(cfg);
    conflict_stream(cfg);
    random_stream(cfg);
    random_bursts(cfg);
    sequential(cfg);
    checked_commands(cfg);
}

int main(int argc, char **argv)
{
    struct mh_error err;

    table_open(argc, argv);
    for (const char *const *name = mh_preset_names(); *name; name++) {
        struct mh_config cfg = {0};

        if (mh_config_preset(&cfg, *name, &err))
            abort();
        cfg.dram.request_bytes = cfg.memory.line_bytes;
        validate("preset", *name, &cfg.dram);
    }
    for (const char *const *name = mh_dram_preset_names(); *name; name++) {
        struct mh_config cfg = {.dram.channels = 1};

        if (mh_config_dram_preset(&cfg, *name, &err))
            abort();
        validate("dram", *name, &cfg.dram);
    }
    return table_close();
}
