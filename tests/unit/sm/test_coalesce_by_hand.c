/* The coalescer by hand: which lines, in which order, which of them whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "script.h"
#include "sm/coalesce.h"

enum { LINE_SHIFT = 7, LINE = 1 << LINE_SHIFT, PAGE_SHIFT = 5 };

static void assert_lines(const struct mh_op *op, const uint64_t *addr, uint32_t count, const uint32_t *line,
                         uint64_t full)
{
    struct mh_lines out;
    mh_coalesce(op, addr, LINE_SHIFT, PAGE_SHIFT, &out);
    assert_int_equal(out.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(out.at[i].line, SCRIPT_BASE / LINE + line[i]);
        assert_int_equal(out.at[i].full, full >> i & 1);
    }
}

static void test_by_hand(void **state)
{
    (void)state;
    const uint64_t base = SCRIPT_BASE;
    struct mh_op op = op_lanes(MH_OP_LOAD, 4, UINT64_MAX, base, 4); /* 64 floats */
    assert_lines(&op, NULL, 2, (uint32_t[]){0, 1}, 3);
    op.base = base + 4; /* misaligned by one element: the last one falls into a third line */
    assert_lines(&op, NULL, 3, (uint32_t[]){0, 1, 2}, 2);
    op.mask = UINT32_MAX << 1; /* lanes 1..31 */
    op.base = base;
    assert_lines(&op, NULL, 1, (uint32_t[]){0}, 0);
    op = op_lanes(MH_OP_LOAD, 4, UINT64_MAX, base + 8, 0); /* broadcast */
    assert_lines(&op, NULL, 1, (uint32_t[]){0}, 0);
    op = op_lanes(MH_OP_LOAD, 8, 7, base + 4096, -2048); /* backwards */
    assert_lines(&op, NULL, 3, (uint32_t[]){32, 16, 0}, 0);
    op = op_lanes(MH_OP_LOAD, 4, 0x9, base, 128); /* lanes 0 and 3 */
    assert_lines(&op, NULL, 2, (uint32_t[]){0, 3}, 0);
}

/* Lines 0, 40 and 1, 33 of pages 0 and 1 come by page: 0, 1, 40, 33. */
static void test_groups_by_page(void **state)
{
    (void)state;
    uint64_t addr[MH_MAX_LANES] = {SCRIPT_BASE, SCRIPT_BASE + 40 * LINE, SCRIPT_BASE + 1 * LINE,
                                   SCRIPT_BASE + 33 * LINE, SCRIPT_BASE + 8};
    struct mh_op op = op_lanes(MH_OP_LOAD, 4, 0x1f, 0, 0);
    op.list = true;
    assert_lines(&op, addr, 4, (uint32_t[]){0, 1, 40, 33}, 0);
}

/* Lists that cover lines: in whole words, and not. */
static void test_whole_lines_by_hand(void **state)
{
    (void)state;
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op = op_lanes(MH_OP_STORE, 4, UINT64_MAX, 0, 0);
    op.list = true;
    for (uint32_t l = 0; l < 64; l++) /* 64 words backwards: line 1, then line 0 */
        addr[l] = SCRIPT_BASE + 4 * (63 - l);
    assert_lines(&op, addr, 2, (uint32_t[]){1, 0}, 3);
    op.mask = UINT64_MAX & ~(1ull << 40); /* a word of line 0 is missing */
    assert_lines(&op, addr, 2, (uint32_t[]){1, 0}, 1);
    addr[0] = addr[40]; /* now lane 0 has it, and the last word of line 1 is missing */
    assert_lines(&op, addr, 2, (uint32_t[]){0, 1}, 1);
    op.mask = UINT64_MAX;
    for (uint32_t l = 0; l < 64; l++) /* beside the words: no word is inside a lane, though every byte is written */
        addr[l] = SCRIPT_BASE + 4 * l + 2;
    assert_lines(&op, addr, 3, (uint32_t[]){0, 1, 2}, 0);
    op.bytes = 2;
    for (uint32_t l = 0; l < 64; l++) /* every byte of a line, by halves of words */
        addr[l] = SCRIPT_BASE + 2 * l;
    assert_lines(&op, addr, 1, (uint32_t[]){0}, 0);
    op.bytes = 16;
    for (uint32_t l = 0; l < 64;
         l++) /* on words, not on their own size: the last lane of a line reaches into the next */
        addr[l] = SCRIPT_BASE + 16 * l + 4;
    assert_lines(&op, addr, 9, (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8}, 0xfe);
}

/* Lines 0 and 1 of page 0 wholly, between them a part of page 1: `full` follows the lines into their order by page. */
static void test_full_follows_the_grouping(void **state)
{
    (void)state;
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op = op_lanes(MH_OP_STORE, 32, 0x1ff, 0, 0);
    op.list = true;
    for (uint32_t l = 0; l < 9; l++)
        addr[l] = SCRIPT_BASE + 32 * (l < 4 ? l : l - 1);
    addr[4] = SCRIPT_BASE + SCRIPT_PAGE;
    assert_lines(&op, addr, 3, (uint32_t[]){0, 1, 32}, 3);
    addr[4] = SCRIPT_BASE + 3 * LINE; /* and without another page */
    assert_lines(&op, addr, 3, (uint32_t[]){0, 3, 1}, 5);
}

int test_coalesce_by_hand(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_groups_by_page),
        cmocka_unit_test(test_whole_lines_by_hand),
        cmocka_unit_test(test_full_follows_the_grouping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
