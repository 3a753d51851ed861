/*
 * Demand paging as NVIDIA's open driver does it: the time of a batch by its faults and its blocks of 2 MB, the prefetch
 * that counts a batch's faults of a block together, and eviction of the block that memory was allocated for first.
 */
#include "unit/test.h"
#include "uvm_fixture.h"

enum { BLOCK = MH_UVM_BLOCK_BYTES / MH_UVM_UNIT_BYTES, GAP = 3000 };

/* One load of the first unit of list[]; while the handler has it, another one, each lane of which has its own unit. */
static struct mh_gpu *fault_then_batch(const struct mh_config *cfg, const uint32_t *list, uint32_t count)
{
    struct script *s = paging_script(8 * BLOCK);

    uint64_t addr[MH_MAX_LANES] = {0};

    for (uint32_t i = 1; i < count; i++)
        addr[i - 1] = in_unit(list[i], 0);
    script_add(s, 0, 0, 0, op_load(in_unit(list[0], 0)));
    script_add_list(s, 0, 0, 0, op_after(GAP, op_lanes(MH_OP_LOAD, 4, (1ull << (count - 1)) - 1, 0, 0)), addr);
    return script_gpu(cfg, &s);
}

/* Memory for all units: nothing but the handler and the link takes time. */
static struct mh_config roomy(uint32_t each, uint32_t block)
{
    struct mh_config cfg = paging_config(1, 1, 8 * BLOCK);

    cfg.uvm.fault_each_ns = each;
    cfg.uvm.block_ns = block;
    return cfg;
}

static uint64_t batch_ns(const struct mh_config *cfg, uint32_t faults, uint32_t blocks)
{
    return (uint64_t)cfg->uvm.fault_ns + faults * cfg->uvm.fault_each_ns + blocks * cfg->uvm.block_ns;
}

static void check_batch(uint32_t each, uint32_t block, const uint32_t *list, uint32_t count, uint32_t blocks)
{
    struct mh_config cfg = roomy(each, block);
    struct mh_gpu *g = fault_then_batch(&cfg, list, count);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t first = script_until(g, &c->uvm_faults, 1) + uvm_cycles(&cfg, batch_ns(&cfg, 1, 1));
    uint64_t second = first + uvm_cycles(&cfg, batch_ns(&cfg, count - 1, blocks));

    assert_int_equal(script_until(g, &c->uvm_in_bytes, MH_UVM_UNIT_BYTES), uvm_arrives(&cfg, first, 1));
    for (uint32_t i = 1; i < count; i++)
        assert_int_equal(script_until(g, &c->uvm_in_bytes, (i + 1) * MH_UVM_UNIT_BYTES), uvm_arrives(&cfg, second, i));
    paging_run(g);
    assert_int_equal(c->uvm_faults, count);
    script_end(g);
}

/* Blocks are counted, not changes of block; the batch before does not count. */
TEST(test_time_of_a_batch)
{
    static const uint32_t one[] = {0, 1, 2, 3, 31}, three[] = {0, 32, 70, 1, 64, 63}, apart[] = {40, 0, 32, 64, 96};

    check_batch(0, 0, three, COUNT(three), 3);
    check_batch(700, 0, one, COUNT(one), 1);
    check_batch(700, 0, three, COUNT(three), 3);
    check_batch(0, 1300, one, COUNT(one), 1);
    check_batch(0, 1300, three, COUNT(three), 3);
    check_batch(511, 1999, three, COUNT(three), 3);
    check_batch(99999, 88888, apart, COUNT(apart), 4);
}

/* Another load of a unit that is missing waits with the first one, and costs the handler nothing. */
TEST(test_merged_faults_cost_once)
{
    static const uint32_t list[] = {0, 1, 2};
    struct mh_config cfg = roomy(5000, 0);
    struct script *s = paging_script(4);

    cfg.memory.page_bytes = 4096;
    script_add(s, 0, 0, 0, op_load(in_unit(list[0], 0)));
    for (uint32_t i = 1; i < 3; i++)
        for (uint32_t page = 0; page < 2; page++)
            script_add(s, 0, 0, 0, op_after(page ? 0 : GAP, op_load(in_unit(list[i], page * 4096))));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t first = script_until(g, &c->uvm_faults, 1) + uvm_cycles(&cfg, batch_ns(&cfg, 1, 1));
    uint64_t second = first + uvm_cycles(&cfg, batch_ns(&cfg, 2, 1));

    assert_int_equal(script_until(g, &c->uvm_in_bytes, 3 * MH_UVM_UNIT_BYTES), uvm_arrives(&cfg, second, 2));
    assert_int_equal(c->uvm_faults, 3);
    assert_int_equal(c->uvm_merged, 2);
    paging_run(g);
    script_end(g);
}

/* A full batch may take a second at most. */
TEST(test_batches_too_long)
{
    struct mh_config cfg = paging_config(1, 1, 8);
    struct mh_error err;

    cfg.uvm.batch = 1000;
    cfg.uvm.fault_ns = 1000;
    cfg.uvm.fault_each_ns = 999999;
    assert_int_equal(mh_uvm_resolve(&cfg, &err), 0);
    cfg.uvm.block_ns = 1;
    assert_int_equal(mh_uvm_resolve(&cfg, &err), -1);
    assert_non_null(strstr(err.text, "uvm.batch: 1000 faults may take 1000001000 ns"));
}

/* Runs until all units have come: those that are prefetched may cross the link when the last warp has ended. */
static void settle(struct mh_gpu *g)
{
    paging_run(g);
    while (g->uvm->in.waiting.count || g->uvm->placed.count || g->uvm->busy)
        mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    mh_gpu_advance(g, mh_gpu_now(g) + 1000); /* its last line is written to DRAM */
}

/* Units here after a fault on list[0] and a batch of the others, as bits. */
static uint64_t fetched(const char *how, const uint32_t *list, uint32_t count)
{
    struct mh_config cfg = roomy(0, 0);
    uint64_t here = 0;

    set_word(&cfg, "uvm.prefetch", how);
    struct mh_gpu *g = fault_then_batch(&cfg, list, count);

    settle(g);
    for (uint32_t i = 0; i < 64; i++)
        here |= (uint64_t)(unit_state(g, i) == MH_UNIT_HERE) << i;
    assert_int_equal(g->tenant[0].count.uvm_faults, count);
    assert_int_equal(g->tenant[0].count.uvm_prefetches, mh_bits(here) - count);
    script_end(g);
    return here;
}

/*
 * The first fault is unit 63's, in another block. Units 0, 1 and 2 are three of four: 3 comes. With 4, four of eight
 * are no more than half: the tree that counts unit 3 as well takes all eight, the driver does not. Unit 5 makes it
 * five. 17 units are more than half of a block, 16 are not.
 */
TEST(test_prefetch_of_a_batch)
{
    static const uint32_t apart[] = {63, 0, 2, 4}, four[] = {63, 0, 1, 2}, five[] = {63, 0, 1, 2, 4};
    static const uint32_t six[] = {63, 0, 1, 2, 4, 5};
    const uint64_t other = 1ull << 63;

    assert_int_equal(fetched("driver", apart, COUNT(apart)), other | 0x15);
    assert_int_equal(fetched("driver", four, COUNT(four)), other | 0xf);
    assert_int_equal(fetched("driver", five, COUNT(five)), other | 0x1f);
    assert_int_equal(fetched("tree", five, COUNT(five)), other | 0xff);
    assert_int_equal(fetched("driver", six, COUNT(six)), other | 0xff);
}

/* Every second unit, and one between: 17 of 32 at the root, at most half in each subtree below but that of the pair. */
TEST(test_prefetch_of_a_block)
{
    uint32_t list[18] = {63};

    for (uint32_t i = 0; i < 16; i++)
        list[1 + i] = 2 * i;
    list[17] = 31;
    assert_int_equal(fetched("driver", list, 17), 1ull << 63 | 0x55555555);
    assert_int_equal(fetched("driver", list, 18), 1ull << 63 | 0xffffffff);
}

/* What was serviced before counts: 0 alone, then 1 makes a pair, and 2 three of four. */
TEST(test_prefetch_counts_what_is_there)
{
    static const uint32_t list[] = {0, 1, 2};
    struct mh_config cfg = roomy(0, 0);

    set_word(&cfg, "uvm.prefetch", "driver");
    struct mh_gpu *g = paging_chain(&cfg, 64, list, COUNT(list));

    settle(g);
    assert_int_equal(g->tenant[0].count.uvm_faults, 3);
    assert_int_equal(g->tenant[0].count.uvm_prefetches, 1);
    assert_int_equal(unit_state(g, 3), MH_UNIT_HERE);
    script_end(g);
}

/* A fault that waits behind a full batch is not of its tree: 0 and 1 find two of four; 2 then brings 3. */
TEST(test_prefetch_does_not_count_the_buffer)
{
    static const uint32_t list[] = {63, 0, 1, 2};
    struct mh_config cfg = roomy(0, 0);

    cfg.uvm.batch = 2;
    set_word(&cfg, "uvm.prefetch", "driver");
    struct mh_gpu *g = fault_then_batch(&cfg, list, COUNT(list));
    const struct mh_counters *c = &g->tenant[0].count;

    script_until(g, &c->uvm_in_bytes, 3 * MH_UVM_UNIT_BYTES);
    assert_int_equal(c->uvm_prefetches, 0);
    settle(g);
    assert_int_equal(c->uvm_prefetches, 1);
    assert_int_equal(g->uvm->here, 5);
    script_end(g);
}

/* Several pages of one warp are missing at once: l1tlb.mshrs of them are one SM's far faults, in one batch. */
TEST(test_far_faults_of_one_sm)
{
    static const uint32_t list[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

    for (uint32_t mshrs = 1; mshrs <= 16; mshrs *= 4) {
        struct mh_config cfg = roomy(0, 0);

        cfg.l1tlb.mshrs = mshrs;
        struct mh_gpu *g = fault_then_batch(&cfg, list, COUNT(list));
        uint32_t most = 0;

        for (uint32_t queued; !g->tenant[0].count.completions; most = queued > most ? queued : most) {
            mh_gpu_advance(g, mh_gpu_now(g) + 10);
            queued = g->uvm->queued[0];
        }
        assert_int_equal(most, mshrs < 9 ? mshrs : 9);
        script_end(g);
    }
}

/*
 * Memory for five units has 0, 32, 33, 64 and 1, in this order; 96 comes. By age, unit 0 leaves. By block, unit 1 has
 * put the block of unit 0 last, and that of 32 is first. With evict_block the whole block leaves.
 */
static void evicted(const char *how, uint32_t whole, const uint32_t *left, uint32_t count)
{
    static const uint32_t list[] = {0, 32, 33, 64, 1, 96};
    struct mh_config cfg = roomy(0, 0);

    uvm_units(&cfg, 5);
    set_word(&cfg, "uvm.evict", how);
    cfg.uvm.evict_block = whole;
    struct mh_gpu *g = paging_chain(&cfg, 128, list, COUNT(list));

    paging_run(g);
    assert_int_equal(g->tenant[0].count.uvm_evictions, count);
    for (uint32_t i = 0; i < COUNT(list); i++) {
        bool gone = false;

        for (uint32_t k = 0; k < count; k++)
            gone |= left[k] == list[i];
        assert_int_equal(unit_state(g, list[i]) == MH_UNIT_HERE, !gone);
    }
    script_end(g);
}

TEST(test_block_without_memory_longest)
{
    evicted("age", 0, (const uint32_t[]){0}, 1);
    evicted("age", 1, (const uint32_t[]){0, 1}, 2);
    evicted("block", 0, (const uint32_t[]){32}, 1);
    evicted("block", 1, (const uint32_t[]){32, 33}, 2);
}
