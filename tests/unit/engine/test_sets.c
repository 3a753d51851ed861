/* Set indices, tags and interleaving against their definitions. */
#include "unit/test.h"
#include "random.h"
#include "engine/sets.h"
#include "engine/tags.h"
#include "engine/interleave.h"
#include "engine/arith.h"

TEST(test_modulo)
{
    uint64_t rng = 1;
    for (uint32_t count = 1; count < 100; count++) {
        struct mh_sets s = mh_sets(count, MH_SETS_MODULO);
        for (uint32_t n = 0; n < 200; n++) {
            uint32_t x = (uint32_t)random_next(&rng);
            assert_int_equal(mh_set_of(&s, x), x % count);
        }
    }
}

/* Set bits XORed with as many above them; 24 sets: the sum of the two lowest digits and all that is above. */
TEST(test_fold)
{
    struct mh_sets s = mh_sets(32, MH_SETS_FOLD), odd = mh_sets(24, MH_SETS_FOLD), one = mh_sets(1, MH_SETS_FOLD);
    uint64_t rng = 2;
    for (uint32_t n = 0; n < 2000; n++) {
        uint32_t x = random_next(&rng) % (1u << 28);
        assert_int_equal(mh_set_of(&s, x), (x % 32) ^ (x / 32 % 32));
        assert_int_equal(mh_set_of(&odd, x), (x % 24 + x / 24) % 24);
        assert_int_equal(mh_set_of(&one, x), 0);
    }
}

/* Set and tag name a line of any memory: no two have both in common, and they give it back. */
TEST(test_wide)
{
    static const uint32_t counts[] = {8, 24, 64, 320};
    uint64_t lines = 1ull << 31, rng = 3;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t rule = MH_SETS_MODULO; rule <= MH_SETS_FERMI; rule++) {
            struct mh_sets s = mh_sets_of_memory(counts[i], rule, lines);
            if (rule == MH_SETS_FERMI && counts[i] != 64)
                continue;
            assert_int_equal(s.rule, MH_SETS_WIDE);
            for (uint32_t n = 0; n < 500; n++) {
                uint32_t low = (uint32_t)random_next(&rng) & MH_TAG_LINE;
                uint64_t used[5] = {0};
                for (uint32_t high = 0; high < 8; high++) {
                    uint32_t line = high << 28 | low, set = mh_set_of_line(&s, line);
                    assert_true(set < counts[i] && !(used[set / 64] >> set % 64 & 1));
                    used[set / 64] |= 1ull << set % 64;
                    assert_int_equal(mh_set_line(&s, set, low), line);
                }
            }
        }
}

/* Memory of no more lines than a tag tells apart has the sets that it had. */
TEST(test_not_wide)
{
    struct mh_sets s = mh_sets_of_memory(64, MH_SETS_FOLD, 1 << 28);
    assert_int_equal(s.rule, MH_SETS_FOLD);
    assert_int_equal(mh_set_line(&s, 5, 12345), 12345);
}

/* Rows of four pages: 8 of 32 sets by the low bits, all of them folded. */
TEST(test_stride)
{
    for (uint32_t rule = MH_SETS_MODULO; rule <= MH_SETS_FOLD; rule++) {
        struct mh_sets s = mh_sets(32, rule);
        uint32_t used = 0;
        for (uint32_t row = 0; row < 256; row++)
            used |= 1u << mh_set_of(&s, 4 * row);
        assert_int_equal(__builtin_popcount(used), rule == MH_SETS_FOLD ? 32 : 8);
    }
}

static uint32_t bit(uint32_t address, uint32_t at)
{
    return address >> at & 1;
}

/* By the address of a line of 128 bytes, bit by bit: 7 to 11 with 13, 14, 15, 17 and 19; of 64 sets 12 on top. */
TEST(test_fermi)
{
    static const uint32_t upper[] = {13, 14, 15, 17, 19};
    struct mh_sets small = mh_sets(32, MH_SETS_FERMI), large = mh_sets(64, MH_SETS_FERMI);
    uint64_t rng = 3;
    for (uint32_t n = 0; n < 2000; n++) {
        uint32_t address = (uint32_t)random_next(&rng), set = 0;
        for (uint32_t i = 0; i < 5; i++)
            set |= (bit(address, 7 + i) ^ bit(address, upper[i])) << i;
        assert_int_equal(mh_set_of(&small, address >> 7), set);
        assert_int_equal(mh_set_of(&large, address >> 7), set | bit(address, 12) << 5);
    }
}

enum { MOST_WAYS = 16, SETS = 4 };

/* The reference: ways stay where they are, the oldest stamp goes first. */
struct way {
    uint32_t line, state;
    uint64_t used;
};

struct reference {
    struct way way[SETS][MOST_WAYS];
    uint32_t ways;
    uint64_t clock;
};

static struct way *ref_find(struct reference *r, uint32_t set, uint32_t line)
{
    for (uint32_t w = 0; w < r->ways; w++)
        if (r->way[set][w].line == line && r->way[set][w].state & (MH_TAG_VALID | MH_TAG_PENDING))
            return &r->way[set][w];
    return NULL;
}

static struct way *ref_victim(struct reference *r, uint32_t set)
{
    struct way *oldest = NULL;
    for (uint32_t w = 0; w < r->ways; w++) {
        struct way *x = &r->way[set][w];
        if (!(x->state & MH_TAG_PENDING) && (!oldest || x->used < oldest->used))
            oldest = x;
    }
    return oldest;
}

static void use(struct reference *r, struct way *w, uint32_t line, uint32_t state)
{
    *w = (struct way){line, state, ++r->clock};
}

/* A line is looked up; a hit is touched, sometimes dirtied; a miss replaces the victim, pending or valid. */
static void step(struct mh_tags *t, struct reference *r, uint64_t *rng)
{
    static const uint32_t states[] = {MH_TAG_VALID, MH_TAG_VALID | MH_TAG_DIRTY, MH_TAG_PENDING};
    uint32_t line = random_next(rng) % 200, s = line % SETS, *set = mh_tags_set(t, s);
    uint32_t state = states[random_next(rng) % 3];
    int way = mh_tags_find(t, set, line);
    struct way *want = ref_find(r, s, line);
    assert_int_equal(way >= 0, want != NULL);
    if (want) {
        assert_int_equal(set[way], want->line << MH_TAG_BITS | want->state);
    } else {
        way = mh_tags_victim(t, set);
        want = ref_victim(r, s);
        assert_int_equal(way >= 0, want != NULL);
        if (!want)
            return;
        assert_int_equal(set[way], want->line << MH_TAG_BITS | want->state);
    }
    mh_tags_front(set, (uint32_t)way, line << MH_TAG_BITS | state);
    use(r, want, line, state);
}

static void compare(uint32_t ways, uint64_t rng)
{
    struct mh_tags t;
    struct reference r = {.ways = ways};
    assert_int_equal(mh_tags_init(&t, SETS, ways), 0);
    for (uint32_t n = 0; n < 30000; n++)
        step(&t, &r, &rng);
    mh_tags_free(&t);
}

TEST(test_against_stamps)
{
    for (uint32_t ways = 1; ways <= MOST_WAYS; ways *= 2)
        compare(ways, ways);
    compare(3, 99);
}

TEST(test_all_pending)
{
    struct mh_tags t;
    assert_int_equal(mh_tags_init(&t, 1, 2), 0);
    uint32_t *set = mh_tags_set(&t, 0);
    mh_tags_front(set, 1, 5 << MH_TAG_BITS | MH_TAG_PENDING);
    assert_int_equal(mh_tags_victim(&t, set), 1);
    mh_tags_front(set, 1, 6 << MH_TAG_BITS | MH_TAG_PENDING);
    assert_int_equal(mh_tags_victim(&t, set), -1);
    assert_int_equal(mh_tags_find(&t, set, 5), 1); /* pending counts as found */
    mh_tags_free(&t);
}

/* Line 0 is a line like any other: an empty way must not pass for it. */
TEST(test_empty_is_not_line_zero)
{
    struct mh_tags t;
    assert_int_equal(mh_tags_init(&t, 1, 4), 0);
    uint32_t *set = mh_tags_set(&t, 0), top = (1u << 28) - 1;
    assert_int_equal(mh_tags_find(&t, set, 0), -1);
    mh_tags_front(set, 3, MH_TAG_VALID);
    assert_int_equal(mh_tags_find(&t, set, 0), 0);
    mh_tags_front(set, 3, top << MH_TAG_BITS | MH_TAG_VALID);
    assert_int_equal(mh_tags_find(&t, set, top), 0);
    assert_int_equal(mh_tags_find(&t, set, 0), 1);
    set[0] = 0; /* dropped: an empty way before line 0's */
    assert_int_equal(mh_tags_find(&t, set, top), -1);
    assert_int_equal(mh_tags_find(&t, set, 0), 1);
    mh_tags_free(&t);
}

/* 24 sets of 6 ways: line 24 k + s is in set s, and no set reaches into the next. */
TEST(test_any_number_of_sets)
{
    enum { TWENTY_FOUR = 24, SIX = 6 };
    struct mh_tags t;
    assert_int_equal(mh_tags_init(&t, TWENTY_FOUR, SIX), 0);
    for (uint32_t line = 0; line < TWENTY_FOUR * SIX; line++) {
        assert_ptr_equal(mh_tags_set_of(&t, line), mh_tags_set(&t, line % TWENTY_FOUR));
        mh_tags_front(mh_tags_set_of(&t, line), SIX - 1, line << MH_TAG_BITS | MH_TAG_VALID);
    }
    for (uint32_t line = 0; line < TWENTY_FOUR * SIX; line++)
        assert_int_equal(mh_tags_find(&t, mh_tags_set_of(&t, line), line), SIX - 1 - line / TWENTY_FOUR);
    mh_tags_free(&t);
}

static void assert_divides(const struct mh_divisor *d, uint32_t n)
{
    assert_int_equal(mh_quotient(d, n), n / d->by);
    assert_int_equal(mh_remainder(d, n), n % d->by);
}

/* Around every multiple that is small, in the middle and at the end, for small, random and the largest divisors. */
TEST(test_division)
{
    uint64_t rng = 1;
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t by = i < 5000 ? i + 1 : i < 5010 ? UINT32_MAX - (i - 5000) : (uint32_t)random_next(&rng) | 1;
        struct mh_divisor d = mh_divisor(by);
        uint32_t most = UINT32_MAX / by, multiple = by * (uint32_t)(random_next(&rng) % ((uint64_t)most + 1));
        const uint32_t at[] = {0, by, multiple, by * most};
        for (uint32_t k = 0; k < 4; k++) {
            assert_divides(&d, at[k] - (at[k] != 0));
            assert_divides(&d, at[k]);
            assert_divides(&d, at[k] + (at[k] != UINT32_MAX));
        }
        assert_divides(&d, UINT32_MAX);
        assert_divides(&d, (uint32_t)random_next(&rng));
    }
}

TEST(test_bits)
{
    uint64_t rng = 2;
    assert_int_equal(mh_bits(0), 0);
    assert_int_equal(mh_bits(UINT64_MAX), 64);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(mh_bits(1ull << i), 1);
        assert_int_equal(mh_bits(~(1ull << i)), 63);
    }
    for (uint32_t i = 0; i < 10000; i++) {
        uint64_t v = random_next(&rng) & random_next(&rng);
        assert_int_equal(mh_bits(v), __builtin_popcountll(v));
    }
}

/* 16 banks, as they have always been: four groups of four bits. 12 banks: the digits of the line to the base 12. */
TEST(test_by_hand)
{
    struct mh_interleave x = mh_interleave(16, MH_SLICES_FOLD), y = mh_interleave(12, MH_SLICES_FOLD),
                         one = mh_interleave(1, MH_SLICES_FOLD);
    assert_int_equal(mh_interleave_bank(&x, 0x54321), 1 ^ 2 ^ 3 ^ 4);
    assert_int_equal(mh_interleave_local(&x, 0x54321), 0x5432);
    uint32_t line = 5 + 12 * (11 + 12 * (7 + 12 * (2 + 12 * 9)));
    assert_int_equal(mh_interleave_bank(&y, line), (5 + 11 + 7 + 2) % 12);
    assert_int_equal(mh_interleave_local(&y, line), line / 12);
    assert_int_equal(mh_interleave_bank(&one, line), 0);
    assert_int_equal(mh_interleave_local(&one, line), line);
}

/* Remainder of a over b as polynomials over GF(2), by long division. */
static uint32_t polynomial_remainder(uint64_t a, uint32_t b)
{
    for (int top = 63; top >= 0; top--)
        if (a >> top & 1 && top >= 31 - __builtin_clz(b))
            a ^= (uint64_t)b << (top - (31 - __builtin_clz(b)));
    return (uint32_t)a;
}

/* The whole line, with GPGPU-Sim's polynomials for 16 to 256 banks. */
TEST(test_ipoly)
{
    static const uint32_t by[] = {19, 37, 67, 131, 283};
    uint64_t rng = 4;
    for (uint32_t k = 0; k < 5; k++) {
        struct mh_interleave x = mh_interleave(16u << k, MH_SLICES_IPOLY);
        for (uint32_t i = 0; i < 2000; i++) {
            uint32_t line = (uint32_t)random_next(&rng);
            assert_int_equal(mh_interleave_bank(&x, line), polynomial_remainder(line, by[k]));
        }
    }
}

/* 80 banks: 16 rows of 5. Line 80 * 9 + 37: low bits 5; 9 is x^3 + 1, and x^7 + x^4 is x^3 modulo x^4 + x + 1. */
TEST(test_ipoly_of_five)
{
    struct mh_interleave x = mh_interleave(80, MH_SLICES_IPOLY);
    assert_int_equal(mh_interleave_bank(&x, 80 * 9 + 37), (5 ^ 8) * 5 + (37 + 9) % 5);
}

TEST(test_slices_modulo)
{
    struct mh_interleave x = mh_interleave(64, MH_SLICES_MODULO), y = mh_interleave(80, MH_SLICES_MODULO);
    assert_int_equal(mh_interleave_bank(&x, 64 * 7 + 9), 9);
    assert_int_equal(mh_interleave_bank(&y, 80 * 7 + 79), 79);
}

/* Bank and local line name the line: of each group of neighbours every bank has one, and all call it the same. */
static void neighbours(uint32_t banks, enum mh_slice_hash hash, uint64_t *rng)
{
    struct mh_interleave x = mh_interleave(banks, hash);
    for (uint32_t i = 0; i < 100; i++) {
        uint32_t local = (uint32_t)(random_next(rng) % ((1u << 28) / banks));
        bool seen[256] = {false};
        for (uint32_t k = 0; k < banks; k++) {
            uint32_t line = local * banks + k, bank = mh_interleave_bank(&x, line);
            assert_int_equal(mh_interleave_local(&x, line), local);
            assert_true(bank < banks && !seen[bank]);
            seen[bank] = true;
        }
    }
}

TEST(test_one_to_one)
{
    uint64_t rng = 3;
    for (uint32_t banks = 1; banks <= 256; banks += banks < 64 ? 1 : 16)
        for (enum mh_slice_hash hash = MH_SLICES_FOLD; hash <= MH_SLICES_IPOLY; hash++)
            neighbours(banks, hash, &rng);
}

/* The most lines that one bank has of LINES that are `stride` apart, as a multiple of its share. */
enum { LINES = 2400 };

static double worst(const struct mh_interleave *x, uint32_t stride)
{
    uint32_t count[256] = {0}, most = 0;
    for (uint32_t i = 0; i < LINES; i++)
        most = mh_max32(most, ++count[mh_interleave_bank(x, i * stride)]);
    return (double)most * x->banks.by / LINES;
}

/* No stride of 1, 3 or 12 times a power of two up to 8192 lines leaves one of 12 banks with twice its share. */
TEST(test_strides)
{
    struct mh_interleave x = mh_interleave(12, MH_SLICES_FOLD);
    static const uint32_t times[] = {1, 3, 12};
    for (uint32_t n = 0; n < 3 * 14; n++)
        assert_true(worst(&x, times[n % 3] << n / 3) < 2);
}

/* 128 B to 2 MB, and 3, 5 or 15 times these: no bank has more than 1.75 times its share, which random banks would
 * exceed (160 banks: 15 lines each). With MH_SLICES_MODULO one bank may have all lines. */
TEST(test_strides_ipoly)
{
    static const uint32_t times[] = {1, 3, 5, 15}, banks[] = {32, 64, 80, 160, 40, 12};
    for (uint32_t b = 0; b < sizeof banks / sizeof *banks; b++) {
        struct mh_interleave x = mh_interleave(banks[b], MH_SLICES_IPOLY),
                             m = mh_interleave(banks[b], MH_SLICES_MODULO);
        for (uint32_t n = 0; n < 4 * 15; n++)
            assert_true(worst(&x, times[n % 4] << n / 4) < 1.75);
        assert_true(worst(&m, banks[b]) == banks[b]);
    }
}
