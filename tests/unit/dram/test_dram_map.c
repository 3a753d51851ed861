/* Address mapping as configuration: bits by hand, nothing lost, and what is refused. */
#include "unit/test.h"
#include "dram/map.h"

/* 2 ranks x 4 groups x 2 banks, rows of 16 lines: line 7 bits, column 4, group 2, bank 1, rank 1. */
static struct mh_dram_cfg geometry(const char *mapping, enum mh_dram_permute permute)
{
    struct mh_dram_cfg c = {.banks = 8, .ranks = 2, .groups = 4, .row_bytes = 2048};
    snprintf(c.mapping, sizeof c.mapping, "%s", mapping);
    c.permute = permute;
    return c;
}

static struct mh_dram_map map_of(const char *mapping, enum mh_dram_permute permute)
{
    struct mh_dram_cfg c = geometry(mapping, permute);
    struct mh_dram_map m;
    struct mh_error err = {""};
    assert_good(!mh_dram_map_init(&m, &c, &err), err);
    return m;
}

static uint32_t bank_of(const struct mh_dram_map *m, uint64_t addr)
{
    return mh_dram_map_bank(m, addr, mh_dram_map_row(m, addr));
}

TEST(test_default_order)
{
    struct mh_dram_map m = map_of("", MH_PERMUTE_NONE), same = map_of(MH_DRAM_MAPPING, MH_PERMUTE_NONE);
    assert_memory_equal(&m, &same, sizeof m);
    /* row 5, rank 1, bank 0, group 3, column 9; bank of the channel = rank, group, bank = 1 11 0 */
    uint64_t addr = ((((5 * 2 + 1) * 2 + 0) * 4 + 3) * 16 + 9) * 128 + 77;
    assert_int_equal(mh_dram_map_row(&m, addr), 5);
    assert_int_equal(bank_of(&m, addr), 8 + 6 + 0);
}

TEST(test_parts)
{
    struct mh_dram_map m = map_of("row, bank rank column:3 group:1 row:2 column group:1", MH_PERMUTE_NONE);
    /* from above: row, bank 1, rank 0, column 101, group 1, row 10, column 1, group 0 */
    uint64_t addr = ((((((((6ull << 1 | 1) << 1 | 0) << 3 | 5) << 1 | 1) << 2 | 2) << 1 | 1) << 1 | 0) << 7);
    assert_int_equal(mh_dram_map_row(&m, addr), 6 << 2 | 2);
    assert_int_equal(bank_of(&m, addr), 0 + 2 * 2 + 1);
}

TEST(test_permutation)
{
    struct mh_dram_map plain = map_of("row rank bank group column", MH_PERMUTE_NONE);
    struct mh_dram_map m = map_of("row rank bank group column", MH_PERMUTE_XOR),
                       empty = map_of("row rank bank group column", MH_PERMUTE_DEFAULT);
    assert_memory_equal(&m, &empty, sizeof m);
    for (uint32_t row = 0; row < 64; row++) {
        uint64_t addr = (uint64_t)row << 15 | 3 << 11;
        assert_int_equal(bank_of(&m, addr), bank_of(&plain, addr) ^ (row & 7)); /* within the rank */
    }
}

/* Every line of the first 64 rows has a place of its own: each bank's row receives as many as it holds. */
TEST(test_nothing_collides)
{
    static const char *const mappings[] = {"", "row column rank group bank",
                                           "row column:2 bank group:1 column rank group",
                                           "row group row:3 bank column rank"};
    for (size_t k = 0; k < sizeof mappings / sizeof *mappings; k++) {
        struct mh_dram_map m = map_of(mappings[k], MH_PERMUTE_XOR);
        static uint32_t lines[64][16];
        memset(lines, 0, sizeof lines);
        for (uint64_t line = 0; line < 64 * 16 * 16; line++) {
            uint32_t row = mh_dram_map_row(&m, line * 128), bank = bank_of(&m, line * 128);
            assert_true(row < 64 && bank < 16);
            lines[row][bank]++;
        }
        for (uint32_t i = 0; i < 64 * 16; i++)
            assert_int_equal(lines[i / 16][i % 16], 16);
    }
}

TEST(test_high_bits_are_ignored)
{
    struct mh_dram_map m = map_of("", MH_PERMUTE_XOR);
    assert_int_equal(mh_dram_map_row(&m, UINT64_MAX), (1u << MH_ROW_BITS) - 1);
    assert_int_equal(mh_dram_map_row(&m, 1ull << (15 + MH_ROW_BITS) | 1 << 15), 1);
}

static void refuse(const char *mapping, const char *why)
{
    struct mh_dram_cfg c = geometry(mapping, MH_PERMUTE_DEFAULT);
    struct mh_dram_map m;
    struct mh_error err = {""};
    assert_int_equal(mh_dram_map_init(&m, &c, &err), -1);
    if (!strstr(err.text, why) || strncmp(err.text, "dram.mapping", 12))
        fail_msg("'%s': %s", mapping, err.text);
}

TEST(test_refusals)
{
    refuse("row rank bank group colum", "'colum'");
    refuse("row rank bank group column:", "bits are a number");
    refuse("row rank bank group column:-1", "bits are a number");
    refuse("row rank bank group column:x", "bits are a number");
    refuse("rank row bank group column", "must begin with `row`");
    refuse("row:9 rank bank group column", "must begin with `row`");
    refuse(" ", "must begin with `row`");
    refuse("row rank bank column", "gives 0 bits to group, which has 2");
    refuse("row rank bank group column:3", "gives 3 bits to column, which has 4");
    refuse("row rank bank group:3 column", "gives 3 bits to group, which has 2");
    refuse("row rank bank group column column", "two parts of column");
    refuse("row row:9 row:9 row:9 row:9 rank bank group column", "gives 36 bits to row, which has 31");
    refuse("row row:1 row:1 row:1 row:1 row:1 row:1 row:1 row:1 row:1 row:1 row:1 row:1 row:1 row:1 row:1 row:1",
           "more than 16 parts");
}

TEST(test_fields_without_bits_may_be_left_out)
{
    struct mh_dram_cfg c = {.banks = 8, .row_bytes = 2048, .mapping = "row bank column"};
    struct mh_dram_map m, same;
    assert_int_equal(mh_dram_map_init(&m, &c, NULL), 0);
    *c.mapping = 0;
    assert_int_equal(mh_dram_map_init(&same, &c, NULL), 0);
    assert_memory_equal(&m, &same, sizeof m);
    assert_int_equal(m.parts, 2); /* nothing to gather for rank and group */
}
