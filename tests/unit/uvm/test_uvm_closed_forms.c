/*
 * Demand paging to the cycle: walk, handler, link and replay of a fault, batches, an eviction before a migration. Every
 * number comes from the configuration (uvm_fixture.h). Rates of links: make validate.
 */
#include "unit/test.h"
#include "chain.h"
#include "uvm_fixture.h"

enum { UNITS = 256 };

static struct mh_config sized_pages(uint32_t sms, uint32_t page)
{
    struct mh_config cfg = script_config(sms, 1);

    cfg.memory.page_bytes = page;
    cfg.walk.levels = page == 2 << 20 ? 3 : 4;
    uvm_on(&cfg, "unlimited");
    return cfg;
}

static uint64_t unit_at(const struct mh_config *cfg, uint32_t unit, uint64_t offset)
{
    return SCRIPT_BASE + unit * uvm_unit(cfg) + offset;
}

/* One warp's loads, each of which waits for the one before. */
static struct mh_gpu *chain_of(const struct mh_config *cfg, uint32_t count, const uint64_t *addr, struct script **s)
{
    *s = script_new();
    script_buffer(*s, SCRIPT_BASE, 8 * uvm_unit(cfg));
    script_warps(*s, 1);
    chain_loads(*s, count, addr);
    struct mh_gpu *g = script_gpu(cfg, s);
    chain_run(g);
    return g;
}

static uint64_t bank_bit(struct script_place p)
{
    return 1ull << (p.channel * 8 + p.bank);
}

/* The entries of a cold walk lie in as many banks of DRAM, so that each finds its bank closed. */
static bool banks_differ(const struct mh_gpu *g, uint64_t address)
{
    uint32_t node = g->tenant[0].page_root, vpn = (uint32_t)(address / g->cfg.memory.page_bytes);
    uint64_t banks = 0;
    for (uint32_t depth = 1; depth <= g->pages->levels; depth++) {
        banks |= bank_bit(script_place(g, mh_pt_line(g->pages, node, vpn, depth)));
        node = mh_pt_entry(g->pages, node, vpn, depth);
    }
    return (uint32_t)__builtin_popcountll(banks) == g->pages->levels;
}

/*
 * A line of the page whose row its unit's migration left open, in a channel that has nothing more to write when the
 * last line comes; or UINT64_MAX.
 */
static uint64_t quiet_line(const struct mh_gpu *g, uint64_t page)
{
    enum { QUIET = 7 }; /* lines of the link, 8 cycles each */
    uint32_t bytes = g->cfg.memory.line_bytes, lines = g->cfg.memory.page_bytes / bytes;
    for (uint32_t i = lines - QUIET; i--;) {
        struct script_place p = script_place(g, script_line(g, 0, page + i * bytes)), q;
        bool good = true;
        for (uint32_t k = i + 1; k < lines; k++) {
            q = script_place(g, script_line(g, 0, page + k * bytes));
            good &= q.channel != p.channel || (k < lines - QUIET && (q.bank != p.bank || q.row == p.row));
        }
        if (good)
            return i * bytes;
    }
    return UINT64_MAX;
}

/* A seed, and an offset in the unit's last page, for which the closed forms hold. */
static uint64_t choose_load(struct mh_config *cfg, uint32_t unit)
{
    for (cfg->run.seed = 1;; cfg->run.seed++) {
        struct script *s;
        uint64_t page = unit_at(cfg, unit, uvm_unit(cfg) - cfg->memory.page_bytes);
        LOCAL_GPU(g) = chain_of(cfg, 1, &page, &s);
        uint64_t offset = banks_differ(g, page) ? quiet_line(g, page) : UINT64_MAX;
        if (offset != UINT64_MAX)
            return page + offset;
    }
}

static const uint32_t pages[] = {4 << 10, 64 << 10, 2 << 20};

/* Walk, handler, link, replay: page sizes, lines, a page walk cache, other rates and times. */
TEST(test_isolated_fault)
{
    for (uint32_t i = 0; i < 12; i++) {
        struct mh_config cfg = sized_pages(1, pages[i % 3]);
        struct script *s;
        cfg.walk.pwc_bytes = i / 3 % 2 ? 8192 : 0;
        if (i / 6) {
            cfg.uvm.fault_ns = 45678;
            cfg.uvm.in_rate = 12345678901;
            cfg.uvm.link_ns = 777;
        }
        uint64_t address = choose_load(&cfg, 3);
        struct mh_gpu *g = chain_of(&cfg, 1, &address, &s);
        uint64_t fault = uvm_walked(&cfg, 0, IDLE_BANK_CLOSED);
        uint64_t there = uvm_arrives(&cfg, fault + uvm_cycles(&cfg, cfg.uvm.fault_ns), 1);
        assert_int_equal(g->tenant[0].count.uvm_faults, 1);
        assert_int_equal(g->tenant[0].count.uvm_fault_cycles, there - fault);
        assert_int_equal(g->tenant[0].count.uvm_in_bytes, uvm_unit(&cfg));
        assert_int_equal(g->tenant[0].count.uvm_out_bytes, 0);
        assert_int_equal(g->tenant[0].count.walks, 1); /* the answer needs no second one */
        assert_int_equal(script_issued(s, 0, 0, 0, 1), uvm_loaded(&cfg, there));
        script_end(g);
    }
}

/* The numbers of uvm/README.md. */
TEST(test_isolated_fault_of_the_readme)
{
    struct mh_config cfg = script_preset("etc", 1, 1);
    struct script *s;
    cfg.dram.refi = 0;
    uvm_on(&cfg, "unlimited");
    uint64_t address = choose_load(&cfg, 3);
    struct mh_gpu *g = chain_of(&cfg, 1, &address, &s);
    uint64_t fault = uvm_walked(&cfg, 0, IDLE_BANK_CLOSED), handled = fault + uvm_cycles(&cfg, cfg.uvm.fault_ns);
    uint64_t there = uvm_arrives(&cfg, handled, 1);
    assert_int_equal(fault, 255);
    assert_int_equal(handled, 20655);
    assert_int_equal(there, 25343);
    assert_int_equal(uvm_loaded(&cfg, there), 25399);
    assert_int_equal(g->tenant[0].count.uvm_fault_cycles, there - fault);
    assert_int_equal(script_issued(s, 0, 0, 0, 1), uvm_loaded(&cfg, there));
    script_end(g);
}

static uint64_t seed_for_walk(struct mh_config *cfg, uint64_t address)
{
    for (cfg->run.seed = 1;; cfg->run.seed++) {
        struct script *s = script_new();
        script_buffer(s, SCRIPT_BASE, UNITS * uvm_unit(cfg));
        script_warps(s, 1);
        LOCAL_GPU(g) = script_gpu(cfg, &s);
        bool good = banks_differ(g, address);
        if (good)
            return cfg->run.seed;
    }
}

/* One CTA an SM; CTA c loads from unit c, the first one at once, the others after `gap`. */
static struct mh_gpu *crowd(struct mh_config *cfg, uint32_t ctas, uint32_t gap)
{
    struct script *s = script_new();
    cfg->sm.cta_slots = 1;
    (void)seed_for_walk(cfg, unit_at(cfg, 0, 0));
    script_buffer(s, SCRIPT_BASE, UNITS * uvm_unit(cfg));
    script_launch(s, (struct mh_launch){.ctas = ctas, .threads = 64});
    for (uint32_t c = 0; c < ctas; c++)
        script_add(s, 0, c, 0, op_after(c ? gap : 0, op_load(unit_at(cfg, c, 0))));
    return script_gpu(cfg, &s);
}

static void arrives_at(struct mh_gpu *g, uint32_t unit, uint64_t cycle)
{
    assert_int_equal(script_until(g, &g->tenant[0].count.uvm_in_bytes, (unit + 1) * uvm_unit(&g->cfg)), cycle);
}

/* The first one is handled alone. Those behind it share a handler, and follow each other over the link. */
TEST(test_batch)
{
    enum { SMS = 12 };
    struct mh_config cfg = sized_pages(SMS, 64 << 10);
    LOCAL_GPU(g) = crowd(&cfg, SMS, 5000);
    uint64_t handler = uvm_cycles(&cfg, cfg.uvm.fault_ns), fault = uvm_walked(&cfg, 0, IDLE_BANK_CLOSED);
    arrives_at(g, 0, uvm_arrives(&cfg, fault + handler, 1));
    for (uint32_t i = 1; i < SMS; i++)
        arrives_at(g, i, uvm_arrives(&cfg, fault + 2 * handler, i));
    assert_int_equal(g->tenant[0].count.uvm_faults, SMS);
}

/* Batches of two wait for each other's handler, whatever the buffer holds; the link is faster than they are. */
TEST(test_batches_wait)
{
    enum { SMS = 9 };
    for (uint32_t buffer = 1; buffer <= 4; buffer++) {
        struct mh_config cfg = sized_pages(SMS, 64 << 10);
        cfg.uvm.batch = 2;
        cfg.uvm.buffer = buffer;
        LOCAL_GPU(g) = crowd(&cfg, SMS, 5000);
        uint64_t handler = uvm_cycles(&cfg, cfg.uvm.fault_ns),
                 handled = uvm_walked(&cfg, 0, IDLE_BANK_CLOSED) + handler;
        uint32_t batch = buffer < 2 ? buffer : 2;
        arrives_at(g, 0, uvm_arrives(&cfg, handled, 1));
        for (uint32_t i = 1; i < SMS; i++)
            arrives_at(g, i, uvm_arrives(&cfg, handled + (1 + (i - 1) / batch) * handler, 1 + (i - 1) % batch));
    }
}

/* Memory for one unit: the second fault has to be handled before the first unit begins to leave (no fault, no need). */
TEST(test_eviction_before_migration)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct mh_config cfg;
        struct script *s;
        uint64_t addr[2];
        cfg = sized_pages(1, pages[1 + i % 2]); /* of 4 KB, the entries of another unit are in another line */
        if (i / 2)
            cfg.uvm.out_rate = 7654321987;
        addr[0] = choose_load(&cfg, 2);
        addr[1] = addr[0] + uvm_unit(&cfg); /* in the same frames, later */
        uvm_units(&cfg, 1);
        struct mh_gpu *g = chain_of(&cfg, 2, addr, &s);
        uint64_t handler = uvm_cycles(&cfg, cfg.uvm.fault_ns);
        uint64_t issued = uvm_loaded(&cfg, uvm_arrives(&cfg, uvm_walked(&cfg, 0, IDLE_BANK_CLOSED) + handler, 1));
        assert_int_equal(script_issued(s, 0, 0, 0, 1), issued);
        uint64_t fault = uvm_walked(&cfg, issued, IDLE_L2); /* its entries are adjacent to those of the first walk */
        uint64_t there = uvm_arrives(&cfg, uvm_leaves(&cfg, fault + handler, 1), 1);
        assert_int_equal(script_issued(s, 0, 0, 0, 2), uvm_loaded(&cfg, there));
        assert_int_equal(g->tenant[0].count.uvm_evictions, 1);
        assert_int_equal(g->tenant[0].count.uvm_out_bytes, uvm_unit(&cfg));
        script_end(g);
    }
}

/* Loads, stores and atomics of units 1, 4, 7, .. 22 of 25, by several SMs, twice. */
static struct mh_gpu *every_third(const struct mh_config *cfg)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, 25 * uvm_unit(cfg));
    for (uint32_t launch = 0; launch < 2; launch++) {
        script_launch(s, (struct mh_launch){.ctas = 6, .threads = 128});
        for (uint32_t i = 0; i < 6 * 2 * 12; i++) {
            uint64_t at = unit_at(cfg, 1 + i * 5 % 8 * 3, i * 1000 % 65536 / 4 * 4);
            struct mh_op op = i % 3 ? i % 2 ? op_load(at) : op_store(at) : op_atomic(at);
            script_add(s, launch, i % 6, i / 6 % 2, i % 4 ? op : op_wait(op));
        }
    }
    return script_gpu(cfg, &s);
}

/* What the run counted; *end is the cycle at which it had finished. */
static struct mh_counters faults_once(const struct mh_config *cfg, uint64_t *end)
{
    struct mh_gpu *g = every_third(cfg);
    chain_run(g);
    *end = mh_gpu_now(g);
    mh_gpu_advance(g, *end + 5000); /* stores */
    struct mh_counters c = g->tenant[0].count;
    assert_int_equal(c.uvm_faults, 8);
    assert_int_equal(c.uvm_in_bytes, 8 * uvm_unit(cfg));
    assert_int_equal(c.uvm_evictions + c.uvm_out_bytes + c.uvm_prefetches, 0);
    script_end(g);
    return c;
}

/* A fault for each unit that is touched, and no eviction; 100 % and more are the same as no limit, to the cycle. */
TEST(test_memory_for_all)
{
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_config cfg = sized_pages(3, pages[i]);
        uint64_t end, same;
        struct mh_counters c = faults_once(&cfg, &end), other;
        for (uint32_t k = 0; k < 4; k++) {
            uvm_units(&cfg, k == 2 ? 25 : 1000000);
            if (k < 2)
                uvm_on(&cfg, k ? "100%" : "150%");
            other = faults_once(&cfg, &same);
            assert_int_equal(same, end);
            assert_memory_equal(&other, &c, sizeof c);
        }
    }
}

/* Of two buffers that share a unit: seven in all. */
static uint32_t units_of_memory(const struct mh_config *cfg)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE + 4096, 2 * uvm_unit(cfg));
    script_buffer(s, SCRIPT_BASE + 2 * uvm_unit(cfg) + 8192, 5 * uvm_unit(cfg) - 8192);
    LOCAL_GPU(g) = script_gpu(cfg, &s);
    uint32_t units = g->uvm->capacity;
    assert_int_equal(g->uvm->units, 7);
    return units;
}

/* Parts are rounded down to whole units. */
TEST(test_parts_of_the_footprint)
{
    static const struct {
        const char *text;
        uint32_t units;
    } rows[] = {{"15%", 1}, {"28%", 1}, {"29%", 2},  {"50%", 3},  {"75%", 5},
                {"85%", 5}, {"99%", 6}, {"100%", 7}, {"999%", 7}, {"unlimited", 7}};
    for (uint32_t p = 0; p < 3; p++) {
        struct mh_config cfg = sized_pages(1, pages[p]);
        for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            uvm_on(&cfg, rows[i].text);
            assert_int_equal(units_of_memory(&cfg), rows[i].units);
        }
        for (uint32_t units = 1; units < 10; units++) {
            uvm_units(&cfg, units);
            assert_int_equal(units_of_memory(&cfg), units < 7 ? units : 7);
        }
    }
}

TEST_GROUP(.slow = true);
