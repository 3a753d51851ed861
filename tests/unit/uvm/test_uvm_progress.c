/* slow: a second or more */
/*
 * Memory for one unit, and everything else as small as it can be: whoever asks for a unit gets on, all are done in the
 * end, nothing is held. The time that this may take has a bound: each unit that comes serves at least one line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mix.h"
#include "uvm_sums.h"

struct shape {
    const char *name;
    uint32_t sms, tenants, page, line, sector;
    uint32_t l1tlb_mshrs, l2tlb_mshrs, walkers, buffer, batch;
    uint32_t units, ops;
    const char *evict, *prefetch;
};

static void shape_config(struct mh_config *cfg, const struct shape *s)
{
    script_config(cfg, s->sms, s->tenants);
    cfg->memory.page_bytes = s->page;
    cfg->walk.levels = s->page == 2 << 20 ? 3 : 4;
    cfg->memory.line_bytes = s->line;
    cfg->l1d.sector_bytes = s->sector;
    cfg->l1tlb.mshrs = s->l1tlb_mshrs;
    cfg->l2tlb.mshrs = s->l2tlb_mshrs;
    cfg->walk.walkers = s->walkers;
    cfg->uvm.buffer = s->buffer;
    cfg->uvm.batch = s->batch;
    cfg->uvm.fault_ns = 2000;
    strcpy(cfg->uvm.evict, s->evict);
    strcpy(cfg->uvm.prefetch, s->prefetch);
    uvm_units(cfg, s->units);
}

/* Each unit that comes costs a handler and both ways at most, and DRAM's work on 2 x unit. */
static uint64_t bound(const struct mh_config *cfg, uint64_t lines)
{
    uint64_t unit = uvm_arrives(cfg, uvm_cycles(cfg, cfg->uvm.fault_ns), 1) + uvm_leaves(cfg, 0, 1);

    return (lines + 100) * 2 * (unit + 2000);
}

static void run(const struct shape *s)
{
    struct mh_config cfg;
    struct mix mix[2];
    struct script *scripts[2];
    shape_config(&cfg, s);
    uint64_t lines = 0, unit = uvm_unit(&cfg), evicted = 0;
    for (uint32_t t = 0; t < s->tenants; t++) {
        mix[t] = (struct mix){.seed = 77 + t,
                              .bytes = 4 * unit,
                              .ops = s->ops,
                              .lanes = cfg.sm.lanes,
                              .line_bytes = s->line,
                              .threads = 128};
        scripts[t] = mix_script(&mix[t], 1, s->sms / s->tenants);
        struct mix_sums sum = mix_total(&mix[t], 1, s->sms / s->tenants);
        lines += sum.load_lines + sum.write_lines;
    }
    struct mh_gpu *g = script_gpu(&cfg, scripts);
    uint64_t limit = bound(&cfg, lines);
    while (!mix_done(g, 1) && mh_gpu_now(g) < limit && !mh_gpu_ended(g)) {
        mh_gpu_advance(g, mh_gpu_now(g) + 50000);
        mh_gpu_check(g);
    }
    if (!mix_done(g, 1))
        fail_msg("%s: not done at cycle %llu: %s", s->name, (unsigned long long)mh_gpu_now(g),
                 mh_gpu_deadlock(g) ? mh_gpu_deadlock(g) : "too slow");
    mix_settle(g);
    for (uint32_t t = 0; t < s->tenants; t++) {
        mix_check(g, t, &mix[t], 1, s->sms / s->tenants);
        evicted += g->tenant[t].count.uvm_evictions;
        assert_true(g->tenant[t].count.uvm_in_bytes <= 2 * lines * unit);
    }
    if (!evicted != (s->units >= 4 * s->tenants))
        fail_msg("%s: %llu evictions", s->name, (unsigned long long)evicted);
    mh_gpu_destroy(g);
}

static void test_one_unit(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {"one miss an SM", 30, 1, 65536, 128, 0, 1, 128, 64, 1024, 256, 1, 3, "age", "none"},
        {"32 misses an SM", 30, 1, 65536, 128, 0, 32, 128, 64, 1024, 256, 1, 3, "age", "none"},
        {"buffer and batch of one", 30, 1, 65536, 128, 0, 32, 128, 64, 1, 1, 1, 3, "age", "none"},
        {"one MSHR, one walker", 30, 1, 65536, 128, 0, 32, 1, 1, 1, 1, 1, 3, "age", "none"},
        {"one of each", 30, 1, 65536, 128, 0, 1, 1, 1, 1, 1, 1, 3, "age", "none"},
        {"random victims", 30, 1, 65536, 128, 0, 32, 128, 64, 8, 4, 2, 3, "random", "none"},
        {"prefetches", 30, 1, 65536, 128, 0, 32, 128, 64, 8, 4, 2, 3, "age", "tree"},
        {"prefetches into one unit", 8, 1, 65536, 128, 0, 1, 2, 1, 2, 1, 1, 3, "age", "tree"},
        {"room for all", 30, 1, 65536, 128, 0, 32, 128, 64, 8, 4, 4, 3, "age", "none"},
        {"4 KB pages", 30, 1, 4096, 128, 0, 32, 128, 64, 1024, 256, 1, 3, "age", "none"},
        {"4 KB pages, one of each", 12, 1, 4096, 128, 32, 1, 1, 1, 1, 1, 1, 3, "age", "none"},
        {"2 MB pages", 4, 1, 2 << 20, 128, 0, 32, 128, 64, 1024, 256, 1, 4, "age", "none"},
        {"sectors, lines of 64", 12, 1, 65536, 64, 32, 32, 128, 64, 1024, 256, 1, 3, "age", "none"},
        {"two tenants", 12, 2, 65536, 128, 0, 32, 128, 64, 1024, 256, 1, 3, "age", "none"},
        {"two tenants, one of each", 12, 2, 65536, 128, 0, 1, 1, 1, 1, 1, 1, 3, "random", "tree"},
        {"two tenants, 4 KB pages", 12, 2, 4096, 64, 32, 2, 2, 1, 1, 1, 1, 3, "age", "tree"},
    };
    for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        run(&shapes[i]);
}

/* A warp whose lanes want as many units at once, with memory for one: each line is served when its unit comes. */
static void test_more_units_than_memory_at_once(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        struct mh_config cfg;
        uint64_t addr[MH_MAX_LANES];
        struct script *s = script_new();
        static const enum mh_op_kind kinds[] = {MH_OP_LOAD, MH_OP_STORE, MH_OP_ATOMIC};
        script_config(&cfg, 2, 1);
        cfg.memory.page_bytes = 65536;
        cfg.l1tlb.mshrs = i / 3 ? 64 : 1;
        uvm_units(&cfg, 1);
        script_buffer(s, SCRIPT_BASE, 64 * 65536);
        script_launch(s, (struct mh_launch){.ctas = 2, .threads = 64});
        for (uint32_t l = 0; l < 64; l++)
            addr[l] = SCRIPT_BASE + l * 65536 + 256;
        for (uint32_t cta = 0; cta < 2; cta++)
            script_add_list(s, 0, cta, 0, op_lanes(kinds[i % 3], 4, UINT64_MAX, 0, 0), addr);
        struct mh_gpu *g = script_gpu(&cfg, &s);
        script_until(g, &g->tenant[0].count.completions, 1);
        mix_settle(g);
        assert_in_range(g->tenant[0].count.uvm_in_bytes / 65536, 64, 128);
        assert_int_equal(g->uvm->here, 1);
        script_end(g);
    }
}

int test_uvm_progress(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_unit),
        cmocka_unit_test(test_more_units_than_memory_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
