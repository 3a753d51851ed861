/* Ways and channels split between tenants (MASK, Static), and nothing is translated across address spaces. */
#include "unit/test.h"
#include "chain.h"
#include "requests.h"
#include "sm_fixture.h"

/* One channel, two banks of one set. */
static struct mh_gpu *one_set(uint32_t tenants, uint32_t ways, bool partition)
{
    struct mh_config cfg = script_config(tenants, tenants);
    cfg.dram.channels = 1;
    cfg.l2.banks = 2;
    cfg.l2.ways = ways;
    cfg.l2.bytes = 2 * ways * MH_LINE_BYTES;
    cfg.l2.partition = partition;
    return sleeping_gpu(&cfg);
}

/* The tenant reads the n-th of its lines in bank 0: true if it hits. */
static bool hits(struct mh_gpu *g, uint32_t tenant, uint32_t n)
{
    uint64_t before = g->tenant[tenant].count.l2_hit;
    timed_read(g, tenant, bank_line(g, tenant, 0, n));
    return g->tenant[tenant].count.l2_hit - before;
}

/* Five ways for two tenants: three and two. Each loses its own least recently used line, and no other. */
TEST(test_ways)
{
    struct mh_gpu *g = one_set(2, 5, true);
    static const struct {
        uint32_t tenant, line;
        bool hit;
    } reads[] = {{0, 0, false}, {1, 0, false}, {0, 1, false}, {1, 1, false}, {0, 2, false},
                 {0, 0, true},  {1, 2, false}, /* in place of its 0, though 1 of the other has waited longer */
                 {1, 1, true},  {0, 1, true},  {0, 2, true},  {0, 0, true},  {0, 3, false}, /* in place of its 1 */
                 {1, 1, true},  {1, 2, true},  {0, 2, true},  {0, 0, true},  {0, 3, true},
                 {1, 0, false}, {0, 1, false}};
    for (uint32_t i = 0; i < sizeof reads / sizeof *reads; i++)
        if (hits(g, reads[i].tenant, reads[i].line) != reads[i].hit)
            fail_msg("read %u of tenant %u, line %u: %s", i, reads[i].tenant, reads[i].line,
                     reads[i].hit ? "missed" : "hit");
    script_end(g);
}

/* So many lines of each tenant stay, read in turn; one more, and none does. Left-over ways go to the first tenants. */
TEST(test_parts)
{
    static const struct {
        uint32_t tenants, ways, part[4];
    } rows[] = {{1, 4, {4}}, {2, 4, {2, 2}}, {3, 16, {6, 5, 5}}, {4, 7, {2, 2, 2, 1}}, {3, 3, {1, 1, 1}}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t t = 0; t < rows[i].tenants; t++)
            for (uint32_t more = 0; more < 2; more++) {
                LOCAL_GPU(g) = one_set(rows[i].tenants, rows[i].ways, true);
                uint32_t lines = rows[i].part[t] + more, count = 0;
                for (uint32_t k = 0; k < 2 * lines; k++)
                    count += hits(g, t, k % lines);
                assert_int_equal(count, more ? 0 : lines);
            }
}

/* Without a partition a tenant may have them all. */
TEST(test_no_partition)
{
    LOCAL_GPU(g) = one_set(2, 5, false);
    for (uint32_t k = 0; k < 10; k++)
        assert_int_equal(hits(g, 1, k % 5), k >= 5);
}

/* Both ways of a tenant are reserved: its third miss waits for one of them, though the others' three are empty. */
TEST(test_reserved_ways)
{
    struct mh_config cfg = script_config(6, 2);
    cfg.dram.channels = 1;
    cfg.l2.banks = 2;
    cfg.l2.ways = 5;
    cfg.l2.bytes = 2 * 5 * MH_LINE_BYTES;
    cfg.l2.partition = 1;
    struct mh_gpu *g = sleeping_gpu(&cfg);
    for (uint32_t k = 0; k < 3; k++)
        send_read(g, 2 * k + 1, bank_line(g, 1, 0, k));
    mh_gpu_advance(g, mh_gpu_now(g) + 20);
    assert_true(g->l2->stops[0]);
    assert_int_equal(mh_l2_need(g, 0, mh_ring_peek(&g->l2->bank[0].stalled)), MH_L2_NEEDS_WAY);
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    assert_int_equal(g->tenant[1].count.dram_read, 3);
    script_end(g);
}

/* A dirty line of its own goes to DRAM; one of another tenant stays. */
TEST(test_dirty_victims)
{
    LOCAL_GPU(g) = one_set(2, 2, true);
    for (uint32_t t = 0; t < 2; t++)
        send_write(g, t, MH_REQ_WRITE, bank_line(g, t, 0, 0), true);
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    assert_false(hits(g, 1, 1));
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    assert_int_equal(g->tenant[0].count.dram_write, 0);
    assert_int_equal(g->tenant[1].count.dram_write, 1);
    assert_true(hits(g, 0, 0));
}

enum { THERE = 8, CLOSED = 22 + 2 + 22 + 2, BACK = 10 + 8 + 4 + 1 + 1 };

/* All lines of the tenants' buffers: in their own channels and banks, all of these, evenly, and no two in one place. */
static void check_channels(uint32_t tenants, const uint32_t *channels)
{
    struct mh_config cfg = script_config(tenants, tenants);
    cfg.dram.partition = 1;
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    for (uint32_t t = 0, first = 0; t < tenants; first += channels[t++]) {
        uint32_t lines[MH_MAX_CHANNELS] = {0}, total = BUFFER_PAGES * SCRIPT_PAGE / MH_LINE_BYTES;
        for (uint32_t i = 0; i < total; i++) {
            uint32_t line = script_line(g, t, SCRIPT_BASE + (uint64_t)i * MH_LINE_BYTES);
            uint32_t bank = mh_noc_bank(g->noc, t, line), channel = script_place(g, line).channel;
            assert_int_equal(bank / 2, channel);
            assert_in_range(channel, first, first + channels[t] - 1);
            lines[channel]++;
        }
        for (uint32_t c = first; c < first + channels[t]; c++)
            assert_in_range(lines[c], total / channels[t] * 9 / 10, total / channels[t] * 11 / 10);
    }
}

TEST(test_channels)
{
    check_channels(1, (const uint32_t[]){8});
    check_channels(2, (const uint32_t[]){4, 4});
    check_channels(3, (const uint32_t[]){3, 3, 2});
    check_channels(8, (const uint32_t[]){1, 1, 1, 1, 1, 1, 1, 1});
}

/* Line i of a part of `banks` banks is one of (bank, i / banks): no two are the same. */
TEST(test_one_to_one)
{
    struct mh_config cfg = script_config(3, 3);
    struct mh_interleave x[MH_MAX_TENANTS];
    cfg.dram.partition = 1;
    mh_interleave_tenants(x, &cfg);
    static const uint32_t first[] = {0, 6, 12}, banks[] = {6, 6, 4};
    for (uint32_t t = 0; t < 3; t++)
        for (uint32_t group = 0; group < 5000; group++) {
            uint32_t seen = 0;
            for (uint32_t i = 0; i < banks[t]; i++) {
                uint32_t line = group * banks[t] + i;
                assert_int_equal(mh_interleave_local(&x[t], line), group);
                seen |= 1u << mh_interleave_bank(&x[t], line);
            }
            assert_int_equal(seen, ((1u << banks[t]) - 1) << first[t]);
        }
}

/* An idle GPU's read takes what it takes without. It goes where it should: the other channels' queues stay empty. */
TEST(test_read)
{
    struct mh_config cfg = script_config(2, 2);
    cfg.dram.partition = 1;
    struct mh_gpu *g = sleeping_gpu(&cfg);
    uint32_t line = script_line(g, 1, SCRIPT_BASE), bank = 2 * script_place(g, line).channel;
    uint64_t start = mh_gpu_now(g);
    send_read(g, 1, line);
    mh_gpu_advance(g, start + THERE);
    for (uint32_t b = 0; b < 16; b += 2)
        assert_int_equal(mh_mem_free(g, b), cfg.dram.queue - (b == bank));
    assert_int_equal(arrival(g, 1, line) - start, THERE + CLOSED + BACK);
    assert_int_equal(timed_read(g, 1, line), THERE + BACK);
    script_end(g);
}

/* Alone, a tenant has all of both: the same counts as without. */
TEST(test_alone)
{
    uint64_t addr[CHAIN_MOST];
    struct mh_counters count[2];
    for (uint32_t i = 0; i < CHAIN_MOST; i++)
        addr[i] = in_page(i * 37 % CHAIN_PAGES, 128 * (i % 32));
    for (uint32_t on = 0; on < 2; on++) {
        struct mh_config cfg = script_config(1, 1);
        struct script *s;
        cfg.l2.partition = cfg.dram.partition = on;
        LOCAL_GPU(g) = chain_ended(&cfg, CHAIN_MOST, addr, &s);
        count[on] = mh_gpu_stats(g)->tenant[0];
    }
    assert_memory_equal(&count[0], &count[1], sizeof *count);
}

/* A translation belongs to the tenant of its key and is the one that the page table holds. */
static uint32_t check_translation(const struct mh_gpu *g, uint32_t key, uint32_t ppn)
{
    uint32_t tenant = key >> 27, vpn = key & ((1u << 27) - 1);
    assert_true(tenant < g->tenants);
    assert_int_equal(g->pages->owner[ppn], g->tenant[tenant].asid);
    assert_int_equal(script_line(g, tenant, (uint64_t)vpn * SCRIPT_PAGE), ppn * 32);
    return 1;
}

static uint32_t check_assoc(const struct mh_gpu *g, const struct mh_assoc *a)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < mh_assoc_used(a); i++)
        n += check_translation(g, a->entry[i].key, a->entry[i].ppn);
    return n;
}

/* Four tenants, few warps with tokens: all TLBs are full of everybody's pages, again and again. */
TEST(test_every_entry_belongs_to_its_tenant)
{
    struct mh_config cfg = shared_config(4);
    struct mix mix[4];
    cfg.l2tlb.entries = 64;
    LOCAL_GPU(g) = mixed_gpu(&cfg, mix);
    for (uint32_t t = 0; t < 4; t++)
        script_write(g, MH_REG_TOKENS + t * MH_REG_TOKENS_STRIDE, t);
    script_commit(g);
    uint32_t l1 = 0, l2 = 0, bypass = 0;
    for (uint32_t round = 1; round <= 20; round++) {
        mh_gpu_advance(g, round * 1500);
        for (uint32_t i = 0; i < 2; i++)
            l1 += check_assoc(g, &g->sm[i].tlb);
        bypass += check_assoc(g, &g->l2tlb->copy[0].bypass);
        for (uint32_t i = 0; i < cfg.l2tlb.entries; i++)
            l2 += g->l2tlb->copy[0].tlb.key[i] != UINT32_MAX &&
                  check_translation(g, g->l2tlb->copy[0].tlb.key[i], g->l2tlb->copy[0].tlb.ppn[i]);
        mh_gpu_check(g);
    }
    assert_true(l1 > 1000 && l2 > 500 && bypass > 300);
}

/* Both tenants load the same virtual line on the same SM: the second finds nothing of the first, at any level. */
TEST(test_same_address_is_another_line)
{
    struct mh_config cfg = shared_config(2);
    struct script *s[2];
    cfg.tenants[0].sm_count = cfg.tenants[1].sm_count = 1;
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_paged(16, 1);
        /* The second waits its turn on the issue port, and then until the first has long been served. */
        script_ops(s[t], 0, 0, 0, op_after(t ? 3000 : 0, op_load(in_page(3, 0))), op_wait(op_load(in_page(3, 0))));
    }
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    script_until(g, &g->tenant[1].count.completions, 1);
    assert_int_not_equal(script_line(g, 0, in_page(3, 0)), script_line(g, 1, in_page(3, 0)));
    for (uint32_t t = 0; t < 2; t++) {
        const struct mh_counters *c = &g->tenant[t].count;
        assert_int_equal(c->l1tlb_access, 2);
        assert_int_equal(c->l1tlb_hit, 1);
        assert_int_equal(c->l2tlb_access, 1);
        assert_int_equal(c->l2tlb_hit + c->bypass_hit, 0);
        assert_int_equal(c->walks, 1);
        assert_int_equal(c->l1d_hit, 1);
        assert_int_equal(c->l2_access, 1);
        assert_int_equal(c->l2_hit, 0);
        assert_int_equal(c->pte1_access + c->pte2_access + c->pte3_access + c->pte4_access, 4);
        assert_int_equal(c->pte1_hit + c->pte2_hit + c->pte3_hit + c->pte4_hit, 0); /* page tables of their own */
    }
}

/* Two tenants that miss the same virtual page at the same time are not merged into one walk. */
TEST(test_walks_are_not_merged)
{
    struct mh_config cfg;
    struct script *s[2];
    cfg = script_config(2, 2); /* an SM each: both look up in the same cycle */
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_paged(16, 1);
        script_add(s[t], 0, 0, 0, op_load(in_page(3, 0)));
    }
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    mh_gpu_advance(g, 30);
    assert_int_equal(g->tenant[0].count.walks_live, 1);
    assert_int_equal(g->tenant[1].count.walks_live, 1);
    mh_gpu_advance(g, 2000);
    assert_int_equal(g->tenant[0].count.walks, 1);
    assert_int_equal(g->tenant[1].count.walks, 1);
}

/* The frames of a tenant are those of its alone run, whichever tenant it is and whichever others are there. */
TEST(test_placement_alone_and_shared)
{
    struct mh_config cfg = shared_config(4);
    struct mix mix[4];
    LOCAL_GPU(shared) = mixed_gpu(&cfg, mix);
    for (uint32_t t = 0; t < 4; t++) {
        struct mix one;
        cfg = shared_config(1);
        cfg.tenants[0].asid = t + 1;
        LOCAL_GPU(alone) = mixed_gpu(&cfg, &one);
        for (uint64_t page = 0; page < 256; page++)
            assert_int_equal(script_line(alone, 0, in_page(page, 0)), script_line(shared, t, in_page(page, 0)));
    }
}
