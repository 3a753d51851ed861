/* NVIDIA's page table formats: indices, lines and tables by hand. */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "pages/page_table.h"
#include "script.h"

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
