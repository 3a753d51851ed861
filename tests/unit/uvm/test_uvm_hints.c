/* What comes with a faulted unit, what hints of arrays do, and the rows of faults. */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "uvm_fixture.h"
#include "chain.h"
#include "script.h"

enum { UNITS = 4 };

/* Arrays 0 and 1 of four units each. */
static struct script *two_arrays(void)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, UNITS * MH_UVM_UNIT_BYTES);
    script_buffer(s, in_unit(UNITS, 0), UNITS * MH_UVM_UNIT_BYTES);
    script_warps(s, 1);
    return s;
}

static struct mh_gpu *run_loads(struct mh_config *cfg, const char *hints, const uint32_t *list, uint32_t count)
{
    struct script *s = two_arrays();
    strcpy(cfg->tenants[0].hints, hints);
    paging_loads(s, list, count);
    struct mh_gpu *g = script_gpu(cfg, &s);
    paging_run(g);
    return g;
}

TEST(test_prefetched_arrays_do_not_fault)
{
    static const uint32_t list[] = {4, 5, 0};
    struct mh_config cfg = paging_config(1, 1, 8);
    struct mh_gpu *g = run_loads(&cfg, "1:prefetch", list, COUNT(list));
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(c->uvm_prefetches, UNITS);
    assert_int_equal(c->uvm_prefetches_used, 2);
    assert_int_equal(c->uvm_faults, 3); /* two of units that were on their way */
    assert_int_equal(c->uvm_merged, 0);
    assert_int_equal(c->uvm_in_bytes, (UNITS + 1) * MH_UVM_UNIT_BYTES);
    script_end(g);
}

/* As many as memory holds: nothing leaves for them. */
TEST(test_prefetch_stops_when_memory_is_full)
{
    static const uint32_t list[] = {7};
    struct mh_config cfg = paging_config(1, 1, 3);
    struct mh_gpu *g = run_loads(&cfg, "1:prefetch", list, COUNT(list));
    assert_int_equal(g->tenant[0].count.uvm_prefetches, 3);
    assert_int_equal(g->tenant[0].count.uvm_faults, 1);
    script_end(g);
}

TEST(test_prefetch_comes_with_the_tenant)
{
    struct mh_config cfg = paging_config(2, 2, 8);
    cfg.tenants[1].arrive = 50000;
    strcpy(cfg.tenants[1].hints, "0:prefetch");
    struct script *s[] = {two_arrays(), two_arrays()};
    struct mh_gpu *g = script_gpu(&cfg, s);
    mh_gpu_advance(g, 49999);
    assert_int_equal(g->tenant[1].count.uvm_prefetches, 0);
    mh_gpu_advance(g, 50000);
    assert_int_equal(g->tenant[1].count.uvm_prefetches, UNITS);
    mh_gpu_advance(g, 100000);
    script_end(g);
}

TEST(test_host_arrays_do_not_migrate)
{
    static const uint32_t list[] = {0, 4, 1, 5, 0};
    struct mh_config cfg = paging_config(1, 1, 1);
    struct mh_gpu *g = run_loads(&cfg, "0:host", list, COUNT(list));
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(c->uvm_faults, 2);
    assert_int_equal(c->uvm_host_lines, 2); /* the last load finds its line in the L1D */
    assert_int_equal(c->uvm_in_bytes, 2 * MH_UVM_UNIT_BYTES);
    script_end(g);
}

/* A line that the first load of its page has translated: from its issue to its data. */
static uint64_t host_load(uint32_t link_ns, uint64_t rate)
{
    struct mh_config cfg = paging_config(1, 1, 1);
    struct script *s = two_arrays();
    strcpy(cfg.tenants[0].hints, "0:host");
    cfg.uvm.link_ns = link_ns;
    cfg.uvm.in_rate = rate;
    for (uint32_t i = 0; i < 2; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(in_unit(0, i * 1024))));
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    paging_run(g);
    uint64_t cycles = script_issued(s, 0, 0, 0, 2) - script_issued(s, 0, 0, 0, 1);
    script_end(g);
    return cycles;
}

/* The request crosses, then the line: twice the latency, and the line's bytes at the link's rate. */
TEST(test_a_line_over_the_link)
{
    struct mh_config cfg = paging_config(1, 1, 1);
    const uint64_t hz = cfg.clock.gpu_hz, slow = 1000000000, fast = 16000000000;
    uint64_t latency = (1500 * hz + 999999999) / 1000000000 - (500 * hz + 999999999) / 1000000000;
    double bytes = cfg.memory.line_bytes * ((double)hz / (double)slow - (double)hz / (double)fast);
    assert_in_range(host_load(1500, fast) - host_load(500, fast), 2 * latency - 1, 2 * latency + 1);
    assert_in_range(host_load(500, slow) - host_load(500, fast), (uint64_t)bytes - 1, (uint64_t)bytes + 2);
}

/* Every line of four units, by many warps: the link is full. */
static bool all_lines(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)ctx, (void)addr;
    const uint64_t line = i * 32 + c->warp;
    if (line >= UNITS * MH_UVM_UNIT_BYTES / 128)
        return false;
    *op = op_load(SCRIPT_BASE + line * 128);
    return true;
}

TEST(test_lines_saturate_the_link)
{
    struct mh_config cfg = paging_config(1, 1, 1);
    struct script *s = two_arrays();
    strcpy(cfg.tenants[0].hints, "0:host");
    cfg.uvm.in_rate = 1000000000;
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = 32 * 64});
    script_generate(s, all_lines, NULL);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    uint64_t cycles = script_until(g, &g->tenant[0].count.completions, 1);
    double least = UNITS * MH_UVM_UNIT_BYTES * ((double)cfg.clock.gpu_hz / (double)cfg.uvm.in_rate);
    assert_in_range(cycles, (uint64_t)least, (uint64_t)(1.06 * least)); /* and 64 walks */
}

/* A unit that comes meanwhile is late by the lines that went before it, and by no more than a line. */
TEST(test_lines_go_before_units)
{
    static const uint32_t unit[] = {4};
    struct mh_config cfg = paging_config(1, 1, 1);
    struct mh_gpu *alone = run_loads(&cfg, "0:host", unit, 1);
    uint64_t quiet = alone->tenant[0].count.uvm_fault_cycles;
    script_end(alone);

    struct script *s = two_arrays();
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = 2 * 64});
    script_add(s, 1, 0, 0, op_load(in_unit(4, 0)));
    for (uint32_t i = 0; i < 64; i++)
        script_add(s, 1, 0, 1, op_wait(op_load(in_unit(0, i * 128))));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.uvm_fault_cycles, 1);
    double line = cfg.memory.line_bytes * ((double)cfg.clock.gpu_hz / (double)cfg.uvm.in_rate);
    uint64_t late = g->tenant[0].count.uvm_fault_cycles - quiet;
    assert_true(g->uvm->in.pushed >= 2 * cfg.memory.line_bytes);
    assert_in_range(late, (uint64_t)((double)g->uvm->in.pushed / cfg.memory.line_bytes * line) - 2,
                    (uint64_t)((double)g->uvm->in.pushed / cfg.memory.line_bytes * line) + (uint64_t)line + 2);
}

/* Dirty lines of it that the L2 gives up go back over the link, not to DRAM. */
static bool stores(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)ctx, (void)c, (void)addr;
    if (i * 128 >= UNITS * MH_UVM_UNIT_BYTES)
        return false;
    *op = op_store_lines(SCRIPT_BASE + i * 128, 1);
    return true;
}

TEST(test_stores_go_home)
{
    struct mh_config cfg = paging_config(1, 1, 1);
    struct script *s = two_arrays();
    strcpy(cfg.tenants[0].hints, "0:host");
    cfg.l2.bytes = 16384;
    cfg.l2.banks = cfg.dram.channels;
    cfg.l2.ways = 2;
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = 64});
    script_generate(s, stores, NULL);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.completions, 1);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000);
    assert_true(g->tenant[0].count.uvm_host_lines > UNITS * MH_UVM_UNIT_BYTES / 128 - 16384 / 128);
    assert_int_equal(g->tenant[0].count.dram_write, 0);
}

static void refuse(const char *hints, const char *mode, const char *why)
{
    struct mh_config cfg = {0};
    struct mh_error err = {""};
    struct mh_gpu *g = NULL;
    assert_int_equal(mh_config_preset(&cfg, "etc", &err) || mh_config_workload(&cfg, "ATAX:256", &err), 0);
    set_word(&cfg, "uvm.mode", mode);
    strcpy(cfg.tenants[0].hints, hints);
    if (!mh_config_resolve(&cfg, &err))
        g = mh_gpu_create(&cfg, &err);
    if (g || !strstr(err.text, why))
        fail_msg("'%s': %s", hints, g ? "taken" : err.text);
}

TEST(test_bad_hints)
{
    refuse("0:host", "off", "uvm.mode is off");
    refuse("host", "on", "an array has a number");
    refuse("-1:host", "on", "an array has a number");
    refuse(" 1:host", "on", "an array has a number");
    refuse("0:host,", "on", "an array has a number");
    refuse("99:host", "on", "has not as many arrays");
    refuse("99999999999999999999:host", "on", "has not as many arrays");
    refuse("0", "on", "neither :host nor :prefetch");
    refuse("0:hosts", "on", "neither :host nor :prefetch");
    refuse("0:host;1:host", "on", "neither :host nor :prefetch");
}

static struct mh_gpu *prefetching(const char *how, uint32_t capacity, uint32_t units, const uint32_t *list,
                                  uint32_t count)
{
    struct mh_config cfg = paging_config(1, 1, capacity);
    set_word(&cfg, "uvm.prefetch", how);
    return paging_chain(&cfg, units, list, count);
}

/* The next unit that comes; the first one that is here and was not. */
static uint32_t next_arrival(struct mh_gpu *g)
{
    script_until(g, &g->tenant[0].count.uvm_in_bytes, g->tenant[0].count.uvm_in_bytes + 1);
    return g->uvm->newest;
}

/* Units of a buffer of 8: 2 makes three of four, 4 makes five of eight; 3 and 5 are
 * asked for while they come. */
TEST(test_tree)
{
    static const uint32_t list[] = {0, 1, 2, 3, 4, 5};
    struct mh_gpu *g = prefetching("tree", 8, 8, list, COUNT(list));
    const struct mh_counters *c = &g->tenant[0].count;
    paging_run(g);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000);
    assert_int_equal(c->uvm_faults, 6);
    assert_int_equal(c->uvm_prefetches, 4);
    assert_int_equal(c->uvm_in_bytes, 8 * MH_UVM_UNIT_BYTES);
    assert_int_equal(g->uvm->here, 8);
    script_end(g);
}

/* The unit that faulted first, then the rest of its 2 MB in order; nothing of the next 2 MB. */
TEST(test_zheng_in_order)
{
    static const uint32_t list[] = {5};
    struct mh_gpu *g = prefetching("zheng", 64, 64, list, 1);
    assert_int_equal(next_arrival(g), 5);
    for (uint32_t i = 0; i < 32; i++)
        if (i != 5)
            assert_int_equal(next_arrival(g), i);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000);
    assert_int_equal(g->uvm->here, 32);
    assert_int_equal(g->tenant[0].count.uvm_faults, 1);
    assert_int_equal(g->tenant[0].count.uvm_prefetches, 31);
    script_end(g);
}

/* The other region faults while the first one comes: its units go first, then the first region goes on. */
TEST(test_zheng_last_fault_first)
{
    static const uint32_t list[] = {5, 40};
    struct mh_gpu *g = prefetching("zheng", 64, 64, list, 2);
    uint32_t here[64], n = 0;
    while (n < 64)
        here[n++] = next_arrival(g);
    assert_int_equal(here[0], 5);
    uint32_t at = 0;
    while (here[at] != 40)
        at++;
    assert_in_range(at, 1, 20);
    for (uint32_t i = 0, unit = 32; i < 31; i++, unit++) {
        unit += unit == 40;
        assert_int_equal(here[at + 1 + i], unit);
    }
    assert_int_equal(here[63], 31);
    assert_int_equal(g->tenant[0].count.uvm_faults, 2);
    script_end(g);
}

/* Memory for 8 units: the region comes all the same, others leave, and it ends. */
TEST(test_zheng_with_memory_full)
{
    static const uint32_t list[] = {0};
    struct mh_gpu *g = prefetching("zheng", 8, 32, list, 1);
    mh_gpu_advance(g, 2000000);
    assert_int_equal(g->tenant[0].count.uvm_prefetches, 31);
    assert_int_equal(g->tenant[0].count.uvm_in_bytes, 32 * MH_UVM_UNIT_BYTES);
    assert_true(g->tenant[0].count.uvm_evictions >= 24);
    assert_int_equal(g->uvm->here + g->uvm->free_count, 8);
    script_end(g);
}

struct rows {
    struct mh_page_fault row[8];
    uint32_t count;
};

static void note(void *ctx, const struct mh_page_fault *f)
{
    struct rows *r = ctx;
    assert_in_range(r->count, 0, 7);
    r->row[r->count++] = *f;
}

static void observe(struct mh_gpu *g, struct rows *r)
{
    *r = (struct rows){.count = 0};
    mh_gpu_observe(g, &(struct mh_observer){.ctx = r, .fault = note});
}

TEST(test_rows)
{
    static const uint32_t list[] = {3, 1, 2};
    struct rows r;
    struct mh_config cfg = paging_config(2, 2, 2);
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    struct script *s[] = {script_computing(1, 10), paging_script(4)};
    paging_loads(s[1], list, COUNT(list));
    struct mh_gpu *g = script_gpu(&cfg, s);
    observe(g, &r);
    paging_run(g);
    const struct mh_counters *c = &g->tenant[1].count;
    assert_int_equal(r.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(r.row[i].address, in_unit(list[i], 0));
        assert_int_equal(r.row[i].tenant, 1);
        assert_int_equal(r.row[i].sm, 1);
        assert_int_equal(r.row[i].evicted, i == 2);
        assert_int_equal(r.row[i].prefetched, 0);
        assert_true(r.row[i].cycle > script_issued(s[1], 0, 0, 0, i));
        assert_true(r.row[i].cycle + r.row[i].latency < script_issued(s[1], 0, 0, 0, i + 1));
    }
    assert_int_equal(r.row[0].latency, r.row[1].latency);
    assert_true(r.row[2].latency > r.row[1].latency + 4000); /* the eviction */
    assert_int_equal(r.row[0].latency + r.row[1].latency + r.row[2].latency, c->uvm_fault_cycles);
    script_end(g);
}

/* A load of a unit in flight waits for less; the fault that fetched the unit says so. */
TEST(test_rows_of_prefetches)
{
    static const uint32_t list[] = {5, 0};
    struct rows r;
    struct mh_gpu *g = prefetching("zheng", 8, 8, list, 2);
    observe(g, &r);
    paging_run(g);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.row[0].prefetched, 7);
    assert_int_equal(r.row[1].prefetched, 0);
    assert_true(r.row[1].latency < r.row[0].latency - g->uvm->fault_cycles);
    assert_int_equal(r.row[0].latency + r.row[1].latency, g->tenant[0].count.uvm_fault_cycles);
    assert_int_equal(g->tenant[0].count.uvm_faults, 2);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000); /* the others come */
    script_end(g);
}
