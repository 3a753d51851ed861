/* Page tables by hand: NVIDIA's formats (indices, lines, tables), and pages of two sizes. */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "pages/page_table.h"
#include "script.h"
#include "translate_fixture.h"

static void open_format(struct mh_page_tables *pt, enum mh_walk_format format, uint32_t page, uint32_t levels)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.memory.bytes = 1 << 30;
    cfg.memory.page_bytes = page;
    cfg.walk.format = format;
    cfg.walk.levels = levels;
    assert_int_equal(mh_pt_init(pt, &cfg), 0);
}

static const struct {
    enum mh_walk_format format;
    uint32_t page, levels, reach;
    uint8_t low[6]; /* lowest address bit of the index at each depth, from the root on */
} cases[] = {
    {MH_WALK_FORMAT_AMPERE, 4 << 10, 5, 49, {47, 38, 29, 21, 12}},
    {MH_WALK_FORMAT_AMPERE, 64 << 10, 5, 49, {47, 38, 29, 21, 16}},
    {MH_WALK_FORMAT_AMPERE, 2 << 20, 4, 49, {47, 38, 29, 21}},
    {MH_WALK_FORMAT_HOPPER, 4 << 10, 6, 57, {56, 47, 38, 29, 21, 12}},
    {MH_WALK_FORMAT_HOPPER, 64 << 10, 6, 57, {56, 47, 38, 29, 21, 16}},
    {MH_WALK_FORMAT_HOPPER, 2 << 20, 5, 57, {56, 47, 38, 29, 21}},
};
enum { CASES = sizeof cases / sizeof *cases };

/* The index at a depth has the address's bits from `low` up to the one below that of the depth above. */
TEST(test_indices_of_formats)
{
    uint64_t rng = 3;
    for (uint32_t i = 0; i < CASES; i++) {
        struct mh_page_tables pt;
        open_format(&pt, cases[i].format, cases[i].page, cases[i].levels);
        assert_int_equal(pt.reach_bits, cases[i].reach - (uint32_t)__builtin_ctz(cases[i].page));
        for (uint32_t k = 0; k < 100; k++) {
            uint32_t vpn = (uint32_t)random_next(&rng) >> k % 20;
            uint64_t address = (uint64_t)vpn * cases[i].page;
            for (uint32_t d = 1; d <= cases[i].levels; d++) {
                uint32_t low = cases[i].low[d - 1], above = d > 1 ? cases[i].low[d - 2] : cases[i].reach;
                assert_int_equal(mh_pt_index(&pt, vpn, d), address >> low & ((1ull << (above - low)) - 1));
            }
        }
        mh_pt_free(&pt);
    }
}

/*
 * Lines of 128 bytes: 16 entries of 8 bytes, 8 of PDE0's 16 bytes. The 8th page table (2 MiB each) stands in the second
 * line of PDE0, 16 pages of 4 KiB or 64 KiB fill a line of a leaf table.
 */
TEST(test_lines_of_formats)
{
    for (uint32_t i = 0; i < CASES; i++) {
        struct mh_page_tables pt;
        const uint32_t huge = cases[i].page == 2 << 20, pde0 = cases[i].levels - !huge,
                       per_table = (2 << 20) / cases[i].page;
        open_format(&pt, cases[i].format, cases[i].page, cases[i].levels);
        uint32_t root = mh_pt_root(&pt, 1), line = pt.node[root].line[0];
        assert_int_equal(mh_pt_line(&pt, root, 7 * per_table, pde0), line);
        assert_int_equal(mh_pt_line(&pt, root, 8 * per_table, pde0), line + 1);
        assert_int_equal(mh_pt_line(&pt, root, 255 * per_table, pde0), line + 31);
        assert_int_equal(mh_pt_sector(&pt, per_table, pde0), 1);
        assert_int_equal(mh_pt_sector(&pt, 2 * per_table, pde0), 2);
        for (uint32_t page = 0; !huge && page < per_table; page++)
            assert_int_equal(mh_pt_line(&pt, root, page, cases[i].levels), line + page / 16);
        mh_pt_free(&pt);
    }
}

/*
 * Two leaf tables of 64 KiB pages, 256 bytes each, are neighbours in one frame, beside another for the tables of 4 KiB:
 * two frames, and two pages. With 4 KiB pages each table has a frame.
 */
TEST(test_tables_of_formats)
{
    for (uint32_t i = 0; i < CASES; i++) {
        struct mh_page_tables pt;
        const uint32_t per_table = (2 << 20) / cases[i].page, levels = cases[i].levels;
        open_format(&pt, cases[i].format, cases[i].page, levels);
        uint32_t root = mh_pt_root(&pt, 1);
        assert_int_equal(mh_pt_map(&pt, root, 1, per_table - 1, 2), 0);
        const uint32_t tables = levels + (per_table > 1);
        assert_int_equal(pt.node_count, tables);
        assert_int_equal(pt.next[0], 2 + (cases[i].page == 4 << 10 ? tables : cases[i].page == 64 << 10 ? 2 : 1));
        const uint32_t a = mh_pt_at(&pt, root, per_table - 1, levels), b = mh_pt_at(&pt, root, per_table, levels);
        assert_int_equal(a == b, per_table == 1);
        if (cases[i].page == 64 << 10)
            assert_int_equal(pt.node[b].line[0], pt.node[a].line[0] + 2);
        assert_int_not_equal(mh_pt_translate(&pt, root, per_table - 1), mh_pt_translate(&pt, root, per_table));
        mh_pt_free(&pt);
    }
}

/* 256 leaf tables of 64 KiB pages fill a frame of 64 KiB; the next takes a second one. */
TEST(test_leaf_tables_fill_a_frame)
{
    struct mh_page_tables pt;
    open_format(&pt, MH_WALK_FORMAT_AMPERE, 64 << 10, 5);
    uint32_t root = mh_pt_root(&pt, 1);
    for (uint32_t t = 0; t < 257; t++)
        assert_int_equal(mh_pt_map(&pt, root, 1, 32 * t, 1), 0);
    /* 257 pages; the root and those below it, with two PDE0, in one frame; two of leaf tables. */
    assert_int_equal(pt.node_count, 257 + 5);
    assert_int_equal(pt.next[0], 257 + 1 + 2);
    mh_pt_free(&pt);
}

/* Pages of 2 MiB among pages of 64 KiB (memory.large_bytes): what is mapped, walks and TLB entries by hand. */

enum { SMALL = 64 << 10, LARGE = 2 << 20, OF = LARGE / SMALL, AROUND = ASK + L2TLB + WIRE + HIT };

static struct mh_config large_config(enum mh_walk_format format)
{
    struct mh_config cfg = walking_config(1);
    cfg.memory.bytes = 1ull << 32;
    cfg.memory.page_bytes = SMALL;
    cfg.memory.large_bytes = LARGE;
    cfg.walk.format = format;
    cfg.walk.levels = format == MH_WALK_FORMAT_PLAIN ? 4 : format == MH_WALK_FORMAT_AMPERE ? 5 : 6;
    return cfg;
}

/*
 * Pages 20 to 99: large page 1 (32 to 63) and 2 (64 to 95) are filled, what is before and behind them is small. Each
 * large page has 32 frames in a row that begin at a multiple of 32, the small ones are in blocks of such.
 */
TEST(test_what_fills_a_large_page)
{
    struct mh_config cfg = large_config(MH_WALK_FORMAT_AMPERE);
    struct mh_page_tables pt;
    assert_int_equal(mh_pt_init(&pt, &cfg), 0);
    uint32_t root = mh_pt_root(&pt, 3);
    assert_int_equal(mh_pt_map(&pt, root, 3, 20, 80), 0);
    for (uint32_t vpn = 0; vpn < 128; vpn++) {
        bool mapped = vpn >= 20 && vpn < 100, large = vpn >= 32 && vpn < 96;
        uint32_t frame = mh_pt_translate(&pt, root, vpn), first = large ? vpn & ~31u : vpn;
        assert_int_equal(frame != MH_PT_NONE, mapped);
        assert_int_equal(mh_pt_is_large(&pt, 3, vpn), large);
        assert_int_equal(mh_pt_first(&pt, 3, vpn), first);
        assert_int_equal(mh_pt_at(&pt, root, vpn, 5) != MH_PT_NONE, !large && vpn < 128 && vpn / 32 != 1);
        if (!mapped)
            continue;
        assert_int_equal(pt.owner[frame], 3);
        if (large)
            assert_int_equal(frame, mh_pt_translate(&pt, root, first) + vpn % 32);
        if (large && vpn == first)
            assert_int_equal(frame % 32, 0);
    }
    /* Two large pages, and a block for four nodes in one frame, two leaf nodes in another, 12 + 4 pages. */
    assert_int_equal(pt.next[2], 3);
    mh_pt_free(&pt);
}

/* What is mapped stays: small pages where a buffer ends keep a larger one from taking the whole, and the other way. */
TEST(test_buffers_that_share_a_large_page)
{
    struct mh_config cfg = large_config(MH_WALK_FORMAT_HOPPER);
    struct mh_page_tables pt;
    assert_int_equal(mh_pt_init(&pt, &cfg), 0);
    uint32_t root = mh_pt_root(&pt, 1);
    assert_int_equal(mh_pt_map(&pt, root, 1, 0, 3), 0);
    assert_int_equal(mh_pt_map(&pt, root, 1, 2, 62), 0);
    for (uint32_t vpn = 0; vpn < 64; vpn++)
        assert_int_equal(mh_pt_is_large(&pt, 1, vpn), vpn >= 32);
    uint32_t first = mh_pt_translate(&pt, root, 32), blocks = (uint32_t)pt.next[0];
    assert_int_equal(mh_pt_map(&pt, root, 1, 40, 2), 0);
    assert_int_equal(mh_pt_map(&pt, root, 1, 32, 32), 0);
    assert_int_equal(mh_pt_translate(&pt, root, 41), first + 9);
    assert_int_equal(pt.next[0], blocks);
    assert_int_equal(mh_pt_remap(&pt, root, 1, 40), -1); /* a part of a large page does not move */
    assert_int_equal(mh_pt_remap(&pt, root, 1, 2), 0);
    mh_pt_free(&pt);
}

/* No two address spaces, and no two numbers of one, get the same key. */
TEST(test_keys)
{
    struct mh_config cfg = large_config(MH_WALK_FORMAT_PLAIN);
    struct mh_page_tables pt;
    assert_int_equal(mh_pt_init(&pt, &cfg), 0);
    uint32_t root = mh_pt_root(&pt, 1), other = mh_pt_root(&pt, 2);
    assert_int_equal(mh_pt_map(&pt, root, 1, 64, 32), 0);
    assert_int_equal(mh_pt_map(&pt, other, 2, 64, 31), 0);
    assert_int_equal(mh_pt_key(&pt, 0, 1, 64), 1u << 26 | 2);
    assert_int_equal(mh_pt_key(&pt, 0, 1, 95), 1u << 26 | 2);
    assert_int_equal(mh_pt_key(&pt, 0, 1, 96), 96);
    assert_int_equal(mh_pt_key(&pt, 5, 2, 95), 5u << 27 | 95);
    assert_int_equal(mh_pt_leaf(&pt, 1u << 26 | 2), 3);
    assert_int_equal(mh_pt_leaf(&pt, 96), 4);
    mh_pt_free(&pt);
}

/* Loads of one warp, one after the other, in three large pages and 16 small ones behind them. */
static struct mh_gpu *large_chain(const struct mh_config *cfg, uint32_t count, const uint64_t *addr, struct script **s)
{
    *s = script_new();
    script_buffer(*s, SCRIPT_BASE, 3 * LARGE + 16 * SMALL);
    script_warps(*s, 1);
    chain_loads(*s, count, addr);
    struct mh_gpu *g = script_gpu(cfg, s);
    chain_run(g);
    return g;
}

/* A walk to a large page reads an entry less than to a small one; with a page walk cache both read their leaf alone. */
TEST(test_reads)
{
    const uint64_t large = SCRIPT_BASE + 5 * SMALL, small = SCRIPT_BASE + 3 * LARGE + 128;
    const uint64_t addr[] = {large, small, large, small};
    for (uint32_t format = 0; format < 3; format++)
        for (uint32_t cached = 0; cached < 2; cached++) {
            struct mh_config cfg = large_config((enum mh_walk_format)format);
            struct script *s;
            cfg.walk.pwc_bytes = cached * 1024;
            const uint32_t levels = cfg.walk.levels;
            LOCAL_GPU(g) = large_chain(&cfg, 4, addr, &s);
            const struct pte_counts read = pte_accesses(&g->tenant[0].count);
            assert_int_equal(chain_cycles(s, 2), AROUND + (cached ? PWC + READ : (levels - 1) * READ));
            assert_int_equal(chain_cycles(s, 3), AROUND + (cached ? PWC + READ : levels * READ));
            assert_int_equal(read.of[levels - 1], 2);
            assert_int_equal(read.sum, cached ? levels + 3 : 4 * levels - 2);
        }
}

/* Two entries of the L1 TLB: one for a large page, wherever in it the loads go, and one for a small page. */
TEST(test_one_entry)
{
    enum { LOADS = 20 };
    struct mh_config cfg = large_config(MH_WALK_FORMAT_AMPERE);
    struct script *s;
    uint64_t addr[LOADS];
    cfg.l1tlb.entries = 2;
    for (uint32_t i = 0; i < LOADS; i++)
        addr[i] = i == 7 ? SCRIPT_BASE + 3 * LARGE : SCRIPT_BASE + LARGE + (uint64_t)(i * 11 % 32) * SMALL + 128 * i;
    LOCAL_GPU(g) = large_chain(&cfg, LOADS, addr, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(c->l1tlb_access, LOADS);
    assert_int_equal(c->l1tlb_hit, LOADS - 2);
    assert_int_equal(c->walks, 2);
}

static bool in_l1d(const struct mh_gpu *g, uint64_t address)
{
    const uint32_t line = script_line(g, 0, address);
    return mh_tags_find(&g->sm[0].l1d, mh_tags_set_of(&g->sm[0].l1d, line), line) >= 0;
}

/*
 * One instruction over 32 small pages of a large one looks its page up once, and over the next large page's once more;
 * each line comes from its own frame. So it is whether lines wait for the page in its MSHR or in the LSU, and whether
 * the page is there when it comes.
 */
TEST(test_lines_of_an_instruction)
{
    for (uint32_t hold = 0; hold < 2; hold++) {
        struct mh_config cfg = large_config(MH_WALK_FORMAT_HOPPER);
        struct script *s = script_new();
        uint64_t addr[MH_MAX_LANES];
        cfg.l1tlb.entries = 4;
        cfg.l1tlb.on_miss = hold ? MH_ON_MISS_HOLD : MH_ON_MISS_PASS;
        script_buffer(s, SCRIPT_BASE, 3 * LARGE);
        script_warps(s, 1);
        for (uint32_t l = 0; l < 64; l++)
            addr[l] = SCRIPT_BASE + (uint64_t)l * SMALL + 128 * l;
        script_add_list(s, 0, 0, 0, op_wait(op_lanes(MH_OP_LOAD, 4, UINT64_MAX, 0, 0)), addr);
        script_add_list(s, 0, 0, 0, op_wait(op_lanes(MH_OP_LOAD, 4, UINT64_MAX, 0, 0)), addr);
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        chain_run(g);
        const struct mh_counters *c = &g->tenant[0].count;
        for (uint32_t l = 0; l < 64; l++)
            assert_true(in_l1d(g, addr[l]));
        assert_int_equal(c->l1tlb_access, 4);
        assert_int_equal(c->l1tlb_hit, 2);
        assert_int_equal(c->walks, 2);
        assert_int_equal(c->l1d_hit, 64);
    }
}

/* After PTE_CHANGED the large page is walked again, by another load in it. */
TEST(test_flush)
{
    struct mh_config cfg = large_config(MH_WALK_FORMAT_AMPERE);
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, LARGE);
    script_warps(s, 1);
    for (uint32_t i = 0; i < 4; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(SCRIPT_BASE + (uint64_t)i * SMALL + 128 * i)));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    script_until(g, &g->tenant[0].count.l1tlb_access, 2);
    assert_int_equal(c->walks, 1);
    script_write(g, MH_REG_PTE_CHANGED, 0);
    chain_run(g);
    assert_int_equal(c->walks, 2);
    assert_int_equal(c->l1tlb_hit, 2);
}
