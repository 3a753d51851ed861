/* The coalescer against a search through all bytes. */
#include "unit/test.h"
#include "script.h"
#include "sm/coalesce.h"

enum { PAGE_SHIFT = 5 };
static uint32_t line_shift = 7; /* the searches run with both sizes of line */
#define LINE (1u << line_shift)

static uint64_t lane_address(const struct mh_op *op, const uint64_t *addr, uint32_t lane)
{
    if (op->list)
        return addr[lane];
    uint32_t row = op->row ? op->row : MH_MAX_LANES;
    return op->base + (uint64_t)(op->stride * (lane % row)) + (uint64_t)(op->pitch * (lane / row));
}

static bool touches(const struct mh_op *op, const uint64_t *addr, uint32_t lane, uint64_t line)
{
    uint64_t a = lane_address(op, addr, lane);
    return op->mask >> lane & 1 && a / LINE <= line && line <= (a + op->bytes - 1) / LINE;
}

/* First lane that touches the line, or 64. */
static uint32_t first_lane(const struct mh_op *op, const uint64_t *addr, uint64_t line)
{
    uint32_t lane = 0;
    while (lane < 64 && !touches(op, addr, lane, line))
        lane++;
    return lane;
}

static bool covers(const struct mh_op *op, const uint64_t *addr, uint64_t line)
{
    bool byte[MH_LINE_BYTES] = {false};
    for (uint32_t lane = 0; lane < 64; lane++)
        for (uint32_t b = 0; op->mask >> lane & 1 && b < op->bytes; b++) {
            uint64_t a = lane_address(op, addr, lane) + b;
            if (a / LINE == line)
                byte[a % LINE] = true;
        }
    for (uint32_t b = 0; b < LINE; b++)
        if (!byte[b])
            return false;
    return true;
}

/* Every 4-byte word of the line lies in one of the lanes' accesses as a whole. */
static bool covers_words(const struct mh_op *op, const uint64_t *addr, uint64_t line)
{
    bool word[MH_LINE_BYTES / 4] = {false};
    for (uint32_t lane = 0; lane < 64; lane++)
        for (uint32_t w = 0; op->mask >> lane & 1 && w < LINE / 4; w++) {
            uint64_t a = lane_address(op, addr, lane), at = line * LINE + 4 * w;
            word[w] |= a <= at && at + 4 <= a + op->bytes;
        }
    for (uint32_t w = 0; w < LINE / 4; w++)
        if (!word[w])
            return false;
    return true;
}

/* Every line is touched, none is there twice, none is missing. */
static void assert_set(const struct mh_op *op, const uint64_t *addr, const struct mh_lines *out)
{
    for (uint32_t i = 0; i < out->count; i++) {
        assert_true(first_lane(op, addr, out->at[i].line) < 64);
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(out->at[k].line, out->at[i].line);
    }
    for (uint32_t lane = 0; lane < 64; lane++) {
        uint64_t a = lane_address(op, addr, lane);
        if (!(op->mask >> lane & 1))
            continue;
        for (uint64_t line = a / LINE; line <= (a + op->bytes - 1) / LINE; line++) {
            bool found = false;
            for (uint32_t i = 0; i < out->count; i++)
                found |= out->at[i].line == line;
            assert_true(found);
        }
    }
}

static void assert_sectors(const struct mh_op *op, const uint64_t *addr, const struct mh_lines *out)
{
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t want = 0;
        for (uint32_t lane = 0; lane < 64; lane++)
            for (uint32_t b = 0; op->mask >> lane & 1 && b < op->bytes; b++) {
                uint64_t a = lane_address(op, addr, lane) + b;
                if (a / LINE == out->at[i].line)
                    want |= 1u << a % LINE / 32;
            }
        assert_int_equal(out->at[i].sectors, want);
    }
}

/* Pages in the order of the first lane that touches each; inside a page, lines in that order. */
static void assert_order(const struct mh_op *op, const uint64_t *addr, const struct mh_lines *out)
{
    uint32_t page_lane = 0;
    for (uint32_t i = 1; i < out->count; i++) {
        uint32_t page = out->at[i].line >> PAGE_SHIFT, lane = first_lane(op, addr, out->at[i].line);
        if (page == out->at[i - 1].line >> PAGE_SHIFT) {
            assert_true(first_lane(op, addr, out->at[i - 1].line) <= lane);
            continue;
        }
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(out->at[k].line >> PAGE_SHIFT, page); /* a page once left does not come again */
        assert_true(page_lane <= lane);
        page_lane = lane;
    }
}

/*
 * `full` is never wrong. Of lanes at a stride it may be missing where they are not a run of neighbours; of a list it is
 * there exactly if all words are. Returns the lines that are full.
 */
static uint32_t assert_full(const struct mh_op *op, const uint64_t *addr, const struct mh_lines *out)
{
    uint64_t run = op->mask >> __builtin_ctzll(op->mask);
    bool must = !op->list && !op->row && op->stride == op->bytes && (run & (run + 1)) == 0;
    uint32_t fulls = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        bool full = out->at[i].full;
        bool covered = covers(op, addr, out->at[i].line);
        assert_true(covered || !full);
        assert_true(full || !covered || !must);
        if (op->list)
            assert_int_equal(full, covers_words(op, addr, out->at[i].line));
        if (op->row) /* a row's run may fill words that no single lane does */
            assert_true(full || !covers_words(op, addr, out->at[i].line));
        fulls += full;
    }
    return fulls;
}

/* Byte by byte, what a store writes of each line. */
static void assert_written(const struct mh_op *op, const uint64_t *addr, const struct mh_lines *out)
{
    struct mh_bytes of[MH_MAX_LINES];
    mh_written_lines(op, addr, line_shift, out, of);
    for (uint32_t i = 0; i < out->count; i++) {
        struct mh_bytes want = {{0}};
        for (uint32_t lane = 0; lane < 64; lane++)
            for (uint32_t b = 0; op->mask >> lane & 1 && b < op->bytes; b++) {
                uint64_t a = lane_address(op, addr, lane) + b;
                if (a / LINE == out->at[i].line)
                    want.half[a % LINE / 64] |= 1ull << a % 64;
            }
        assert_memory_equal(&of[i], &want, sizeof want);
        assert_int_equal(mh_bytes_touched(&want), out->at[i].sectors);
        assert_true(!out->at[i].full || mh_bytes_whole(&want) == (1u << LINE / 32) - 1);
    }
}

/* Returns the number of lines that are full. */
static uint32_t check(const struct mh_op *op, const uint64_t *addr)
{
    struct mh_lines out;
    memset(&out, 0xa5, sizeof out);
    mh_coalesce(op, addr, line_shift, PAGE_SHIFT, &out);
    assert_set(op, addr, &out);
    assert_sectors(op, addr, &out);
    assert_order(op, addr, &out);
    assert_written(op, addr, &out);
    return assert_full(op, addr, &out);
}

static uint64_t random_mask(uint64_t *rng)
{
    uint64_t m = random_next(rng);
    switch (random_next(rng) % 5) {
    case 0:
        m = UINT64_MAX;
        break;
    case 1:
        m = UINT32_MAX;
        break;
    case 2:
        m = (UINT64_MAX >> random_next(rng) % 32) << random_next(rng) % 32;
        break;
    case 3:
        m = 1ull << random_next(rng) % 64;
        break;
    }
    return m ? m : 1;
}

static int64_t random_stride(uint64_t *rng, uint32_t bytes)
{
    static const int64_t interesting[] = {0, 1, 4, 8, 127, 128, 129, 132, 120, 256, 4096, 4092, 8192};
    int64_t s = interesting[random_next(rng) % 13];
    switch (random_next(rng) % 4) {
    case 0:
        return bytes;
    case 1:
        return (int64_t)(random_next(rng) % 400) - 200;
    case 2:
        return -s;
    default:
        return s;
    }
}

TEST(test_affine_against_search)
{
    uint64_t rng = 11;
    for (uint32_t n = 0; n < 4000; n++) {
        uint32_t bytes = random_next(&rng) % 2 ? 1 + random_next(&rng) % 32 : 1u << random_next(&rng) % 6;
        struct mh_op op = op_lanes(MH_OP_LOAD, bytes, random_mask(&rng),
                                   SCRIPT_BASE + 1000000 + random_next(&rng) % 9000, random_stride(&rng, bytes));
        check(&op, NULL);
    }
}

/* Misaligned, falling, one line from lane to lane: each lane straddles, and shares a line with the lane before. */
TEST(test_falling_straddles)
{
    struct mh_lines out;
    struct mh_op op = op_lanes(MH_OP_LOAD, 8, 7, SCRIPT_BASE + 64 * 128 - 4, -128);
    check(&op, NULL);
    mh_coalesce(&op, NULL, line_shift, PAGE_SHIFT, &out);
    assert_int_equal(out.count, 4);
}

TEST(test_lists_against_search)
{
    static const uint32_t spans[] = {64, 600, 5000, 70000, 1 << 24};
    uint64_t rng = 12, addr[MH_MAX_LANES];
    for (uint32_t n = 0; n < 4000; n++) {
        struct mh_op op = op_lanes(MH_OP_STORE, 1 + random_next(&rng) % 32, random_mask(&rng), 0, 0);
        uint32_t span = spans[random_next(&rng) % 5];
        op.list = true;
        for (uint32_t l = 0; l < MH_MAX_LANES; l++)
            addr[l] = op.mask >> l & 1 ? SCRIPT_BASE + random_next(&rng) % span : UINT64_MAX; /* must not be read */
        check(&op, addr);
    }
}

TEST(test_tiles_against_search)
{
    uint64_t rng = 14;
    uint32_t full = 0;
    for (uint32_t n = 0; n < 6000; n++) {
        uint32_t bytes = 1u << random_next(&rng) % 5;
        bool unit = random_next(&rng) % 4 != 0;
        struct mh_op op =
            op_lanes(MH_OP_STORE, bytes, random_mask(&rng), SCRIPT_BASE + 1000000 + random_next(&rng) % 9000,
                     unit ? (int64_t)bytes : random_stride(&rng, bytes));
        op.row = (uint8_t)(1u << random_next(&rng) % 6);
        op.pitch = random_next(&rng) % 3 ? (int64_t)(random_next(&rng) % 9000) - 3000 : (int64_t)op.row * bytes;
        full += check(&op, NULL);
    }
    assert_true(full > 100);
}

/* 64 places of `bytes` bytes from `base` on, each lane at another one, in any order. */
static void shuffle(uint64_t *addr, uint64_t base, uint32_t bytes, uint64_t *rng)
{
    for (uint32_t l = 0; l < MH_MAX_LANES; l++) {
        uint32_t k = random_next(rng) % (l + 1);
        addr[l] = addr[k];
        addr[k] = base + l * bytes;
    }
}

/* Whole words in any order, on line boundaries or off them, with all lanes or some: lists that fill their lines. */
TEST(test_shuffled_lists_against_search)
{
    static const uint32_t widths[] = {1, 2, 3, 4, 8, 12, 16, 32}, shifts[] = {0, 1, 2, 4, 8, 64, 120, 128};
    uint64_t rng = 13, addr[MH_MAX_LANES] = {0};
    uint32_t full = 0, none = 0;
    for (uint32_t n = 0; n < 4000; n++) {
        uint32_t bytes = widths[random_next(&rng) % 8];
        struct mh_op op = op_lanes(MH_OP_STORE, bytes, random_mask(&rng), 0, 0);
        op.list = true;
        shuffle(addr, SCRIPT_BASE + shifts[random_next(&rng) % 8], bytes, &rng);
        if (random_next(&rng) % 4 == 0) /* the upper half a page further on */
            for (uint32_t l = 0; l < MH_MAX_LANES; l++)
                addr[l] += addr[l] >= SCRIPT_BASE + 32 * bytes ? SCRIPT_PAGE : 0;
        uint32_t lines = check(&op, addr);
        full += lines > 0;
        none += !lines;
    }
    assert_true(full > 500 && none > 500);
}

/* The most lines an instruction can have: every lane straddles two of its own. */
TEST(test_widest)
{
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op = op_lanes(MH_OP_LOAD, 32, UINT64_MAX, 0, 0);
    struct mh_lines out;
    op.list = true;
    for (uint32_t l = 0; l < MH_MAX_LANES; l++)
        addr[l] = SCRIPT_BASE + l * 8192 + 120;
    check(&op, addr);
    mh_coalesce(&op, addr, line_shift, PAGE_SHIFT, &out);
    assert_int_equal(out.count, 128);
    op = op_lanes(MH_OP_LOAD, 32, UINT64_MAX, SCRIPT_BASE + 120, 8192);
    check(&op, NULL);
    mh_coalesce(&op, NULL, line_shift, PAGE_SHIFT, &out);
    assert_int_equal(out.count, 128);
}

/* Beyond the first word of `full`: 32 lanes that straddle make 64 lines, the others fill eight. */
TEST(test_full_beyond_a_word)
{
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op = op_lanes(MH_OP_STORE, 32, UINT64_MAX, 0, 0);
    struct mh_lines out;
    op.list = true;
    for (uint32_t l = 0; l < 64; l++)
        addr[l] = SCRIPT_BASE + (l < 32 ? 256 * l + 112 : 8192 + 32 * (l - 32));
    assert_int_equal(check(&op, addr), 8);
    mh_coalesce(&op, addr, line_shift, PAGE_SHIFT, &out);
    assert_int_equal(out.count, 64 + 8);
    for (uint32_t i = 0; i < out.count; i++)
        assert_int_equal(out.at[i].full, i >= 64);
}

TEST(test_lines_of_64_bytes)
{
    line_shift = 6;
    test_affine_against_search(state);
    test_lists_against_search(state);
    test_tiles_against_search(state);
    line_shift = 7;
}

TEST_GROUP(.slow = true);
