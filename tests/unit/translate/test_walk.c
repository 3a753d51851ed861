/* Page walk cache, its counters of waiting walks, and walk buffer; cycles by hand. */
#include "unit/test.h"
#include "translate_fixture.h"
#include "walk_fixture.h"
#include "script.h"

/* Cycles of a load apart from its walk. */
enum { AROUND = ASK + L2TLB + WIRE + HIT };

/* One set. */
static struct mh_config pwc_config(uint32_t entries)
{
    struct mh_config cfg = walking_config(1);

    cfg.walk.pwc_bytes = entries * 8;
    cfg.walk.pwc_ways = entries;
    return cfg;
}

/* As chain_gpu(), with a second buffer a GiB further on: it shares nothing but the root's entry with the first. */
static struct mh_gpu *far_chain(const struct mh_config *cfg, uint32_t count, const uint64_t *addr, struct script **s)
{
    *s = script_new();
    script_buffer(*s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
    script_buffer(*s, SCRIPT_BASE + (1 << 30), CHAIN_PAGES * SCRIPT_PAGE);
    script_warps(*s, 1);
    chain_loads(*s, count, addr);
    struct mh_gpu *g = script_gpu(cfg, s);
    chain_run(g);
    return g;
}

/*
 * One look-up, and then reads from below the deepest entry that it found: 1 read in the same leaf node, 2 in the same
 * GiB, 3 below the root. With three entries, LRU; the first four loads bring all lines into the L2.
 */
TEST(test_one_to_three_reads)
{
    struct mh_config cfg = pwc_config(3);
    struct script *s;
    const uint64_t a = in_page(0, 0), b = in_page(600, 128), c = in_page(1 << 18, 256), d = in_page((1 << 18) + 1, 384);
    const uint64_t addr[] = {a, b, d, c, d, a, b, a};
    LOCAL_GPU(g) = far_chain(&cfg, 8, addr, &s);
    assert_int_equal(chain_cycles(s, 4), AROUND + PWC + 1 * READ);
    assert_int_equal(chain_cycles(s, 5), AROUND + PWC + 3 * READ);
    assert_int_equal(chain_cycles(s, 6), AROUND + PWC + 2 * READ);
    assert_int_equal(chain_cycles(s, 7), AROUND + PWC + 2 * READ); /* b's entry has replaced a's */
    assert_int_equal(g->tenant[0].count.pte1_access, 1);           /* the root was read once */
    assert_int_equal(g->tenant[0].count.pte4_access, 8);           /* leaves are not cached */
}

/*
 * One entry: that of the deepest level that was read last. It is found although those above it are gone; going to and
 * fro between two leaf nodes never finds it, and pays for the look-up as well.
 */
TEST(test_one_or_four_reads)
{
    struct mh_config cfg;
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0), in_page(600, 128), in_page(1, 256),
                             in_page(0, 0), in_page(600, 128), in_page(0, 0)};
    cfg = pwc_config(1);
    LOCAL_GPU(g) = far_chain(&cfg, 6, addr, &s);
    assert_int_equal(chain_cycles(s, 3), AROUND + PWC + READ);
    assert_int_equal(chain_cycles(s, 4), AROUND + PWC + WALK);
    assert_int_equal(chain_cycles(s, 5), AROUND + PWC + WALK);
    assert_int_equal(g->tenant[0].count.walks, 6);
}

/*
 * Four entries: the root's, the one below it and two of depth 3. Pages 0, 600 and 1200 have a leaf node each. Every
 * walk uses the upper two again, so that the third page replaces the first one's entry, and page 0 misses that alone.
 */
TEST(test_least_recently_used)
{
    struct mh_config cfg = pwc_config(4);
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0), in_page(600, 128), in_page(1200, 256), in_page(0, 0)};
    LOCAL_GPU(g) = far_chain(&cfg, 4, addr, &s);
    assert_int_equal(chain_cycles(s, 3), AROUND + PWC + 2 * READ);
    assert_int_equal(g->tenant[0].count.pte1_access, 1);
    assert_int_equal(g->tenant[0].count.pte2_access, 1);
    assert_int_equal(g->tenant[0].count.pte3_access, 4);
}

/*
 * NVIDIA's formats: each walk from the root reads as many entries as the format has levels, 5 or 6 of small pages and
 * one less of 2 MiB; the page walk cache serves all but the leaf. The first walk brings the lines of its upper levels
 * into the L2, the second, of the next page, finds them all there: of 2 MiB pages its leaf, 16 bytes on, too.
 */
TEST(test_reads_of_formats)
{
    static const struct {
        enum mh_walk_format format;
        uint32_t page, levels;
    } cases[] = {
        {MH_WALK_FORMAT_AMPERE, 4 << 10, 5}, {MH_WALK_FORMAT_AMPERE, 64 << 10, 5}, {MH_WALK_FORMAT_AMPERE, 2 << 20, 4},
        {MH_WALK_FORMAT_HOPPER, 4 << 10, 6}, {MH_WALK_FORMAT_HOPPER, 64 << 10, 6}, {MH_WALK_FORMAT_HOPPER, 2 << 20, 5},
        {MH_WALK_FORMAT_PLAIN, 64 << 10, 5}, {MH_WALK_FORMAT_PLAIN, 2 << 20, 4},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t cached = 0; cached < 2; cached++) {
            struct mh_config cfg = cached ? pwc_config(64) : walking_config(1);
            struct script *s;
            const uint64_t addr[] = {SCRIPT_BASE, SCRIPT_BASE + cases[i].page + 128, SCRIPT_BASE};
            const uint32_t levels = cases[i].levels;
            cfg.memory.page_bytes = cases[i].page;
            cfg.memory.bytes = 1ull << 32;
            cfg.walk.format = cases[i].format;
            cfg.walk.levels = levels;
            LOCAL_GPU(g) = far_chain(&cfg, 3, addr, &s);
            const struct pte_counts read = pte_accesses(&g->tenant[0].count), hit = pte_hits(&g->tenant[0].count);
            assert_int_equal(chain_cycles(s, 2), AROUND + (cached ? PWC + READ : levels * READ));
            for (uint32_t d = 0; d < PTE_DEPTHS; d++) {
                bool leaf = d == levels - 1;
                assert_int_equal(read.of[d], d >= levels ? 0 : cached && !leaf ? 1 : 3);
                assert_int_equal(hit.of[d], read.of[d] - (d < levels));
            }
        }
}

/* 128 entries in sets of 16, for all page sizes: the upper levels stay, leaves are read each time. */
TEST(test_page_sizes)
{
    static const uint32_t page[] = {4 << 10, 64 << 10, 2 << 20};
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_config cfg = pwc_config(64);
        struct script *s;
        const uint64_t a = SCRIPT_BASE, b = SCRIPT_BASE + page[i] + 128, c = SCRIPT_BASE + (1 << 30) + 256;
        const uint64_t addr[] = {a, b, c, a, b, c};
        cfg.walk.pwc_ways = 16;
        cfg.memory.page_bytes = page[i];
        cfg.walk.levels = i == 2 ? 3 : 4;
        cfg.memory.bytes = 1ull << 32;
        LOCAL_GPU(g) = far_chain(&cfg, 6, addr, &s);
        const struct mh_counters *n = &g->tenant[0].count;
        for (uint32_t k = 3; k < 6; k++)
            assert_int_equal(chain_cycles(s, k), AROUND + PWC + READ);
        assert_int_equal(n->pte1_access, 1);
        assert_int_equal(n->pte2_access, 2);
        assert_int_equal(n->pte3_access, i == 2 ? 6 : 2);
        assert_int_equal(n->pte4_access, i == 2 ? 0 : 6);
    }
}

enum { N = 6 };
static const uint64_t pages[N] = {0, 1, 2, 3, 4, 5};

/*
 * One walker and a buffer of two. Page k is looked up k cycles after the first: page 0 gets the walker, 1 and 2 the
 * buffer, page 3 and all behind it wait until a walk leaves the buffer, which is when one ends. Walks end when they
 * would with any buffer, but those that waited before the buffer count from their look-up.
 */
TEST(test_full_buffer)
{
    struct mh_config cfg = walking_config(1);
    cfg.walk.walkers = 1;
    cfg.walk.buffer = 2;
    LOCAL_GPU(g) = warm_list_gpu(&cfg, N, N, pages);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t first = mh_gpu_now(g) + ASK, cold = c->walk_cycles;
    mh_gpu_advance(g, first + N);
    assert_int_equal(c->l2tlb_access, 2 + 3);
    assert_int_equal(c->walks_live, 3);
    for (uint32_t k = 1; k <= N; k++) {
        uint64_t end = first + L2TLB + k * WALK;
        mh_gpu_advance(g, end - 1);
        assert_int_equal(c->walks, 1 + k);
        mh_gpu_advance(g, end);
        assert_int_equal(c->walks, 2 + k);
        assert_int_equal(c->l2tlb_access, 2 + (k < N - 3 ? k + 3 : N));
    }
    uint64_t sum = (L2TLB + WALK) + (L2TLB + 2 * WALK - 1) + (L2TLB + 3 * WALK - 2) + (N - 3) * 3 * WALK;
    assert_int_equal(c->walk_cycles - cold, sum);
}

/* A place in the buffer is for a walk: a look-up of a page that is being walked needs none. */
TEST(test_full_buffer_merges)
{
    struct mh_config cfg = walking_config(2);
    cfg.walk.walkers = 1;
    cfg.walk.buffer = 1;
    uint64_t addr[MH_MAX_LANES] = {in_page(0, 0), in_page(1, 0)};
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, 64 * SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = 2, .threads = 64});
    for (uint32_t cta = 0; cta < 2; cta++)
        script_add_list(s, 0, cta, 0, op_lanes(MH_OP_LOAD, 4, 3, 0, 0), addr);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_advance(g, ASK + 1);
    assert_int_equal(g->tenant[0].count.l2tlb_access, 4);
    assert_int_equal(g->tenant[0].count.walks_live, 2);
}

/* 0 is as many places as there are MSHRs: these are what runs out. */
TEST(test_buffer_of_mshrs)
{
    for (uint32_t buffer = 0; buffer <= 4; buffer += 4) {
        struct mh_config cfg = walking_config(1);
        cfg.walk.walkers = 1;
        cfg.walk.buffer = buffer;
        cfg.l2tlb.mshrs = 4;
        LOCAL_GPU(g) = warm_list_gpu(&cfg, N, N, pages);
        mh_gpu_advance(g, mh_gpu_now(g) + ASK + N);
        assert_int_equal(g->walkers[0].waiting.count, 3);
        assert_int_equal(g->l2tlb->free_walk, MH_NONE);
        assert_int_equal(g->tenant[0].count.l2tlb_access, 2 + 4);
    }
}

/* Pages whose entries of depth 3 differ: a leaf node each. */
enum { LEAF = 512 };

static uint32_t vpn_of(uint32_t page)
{
    return (uint32_t)(SCRIPT_BASE / SCRIPT_PAGE) + page;
}

/* The entry of depth 3 of the page has been read. */
static void fill(struct bench *b, uint32_t page)
{
    struct mh_gpu *g = b->g;
    uint32_t node = g->tenant[0].page_root;

    node = mh_pt_entry(g->pages, node, vpn_of(page), 1);
    node = mh_pt_entry(g->pages, node, vpn_of(page), 2);
    mh_pwc_fill(g, 0, node, vpn_of(page), 3);
}

static uint32_t count_in(const struct bench *b)
{
    return mh_pwc_pins(&b->g->walkers[0].pwc);
}

/* Is it there? Asked without a use: the order of the set is put back. */
static bool has(struct bench *b, uint32_t page)
{
    struct mh_tags *pwc = &b->g->walkers[0].pwc;
    uint32_t before[64];

    memcpy(before, pwc->entry, pwc->stride * sizeof *before);
    struct mh_pwc_found f = mh_pwc_look_up(b->g, 0, b->g->tenant[0].page_root, vpn_of(page), MH_PWC_LEAVE, 0);

    memcpy(pwc->entry, before, pwc->stride * sizeof *before);
    return f.levels & 4;
}

/* Up with each walk that waits, to 3; down with each that is served, not below 0. */
TEST(test_counts)
{
    static const uint32_t up[] = {1, 2, 3, 3, 3}, down[] = {2, 1, 0, 0, 0};
    struct bench b = bench_open(4);

    fill(&b, 0);
    for (uint32_t i = 0; i < 5; i++) {
        bench_arrive(&b, 1, 0, i);
        assert_int_equal(count_in(&b), up[i]);
    }
    for (uint32_t i = 0; i < 5; i++) {
        bench_serve(&b);
        assert_int_equal(count_in(&b), down[i]);
    }
    bench_close(&b);
}

/* A walk counts down what it has counted up: not what came later, and nothing without WALK_PIN. */
TEST(test_counts_its_own)
{
    struct bench b = bench_open(4);

    bench_arrive(&b, 1, 0, 0); /* finds nothing */
    fill(&b, 0);
    bench_arrive(&b, 2, 0, 0);
    b.g->knobs.walk_pin = 0;
    bench_arrive(&b, 3, 0, 0);
    assert_int_equal(count_in(&b), 1);
    assert_int_equal(bench_walk(&b, bench_serve(&b))->instruction, 2); /* 1 read; so has 3, and 1 four */
    assert_int_equal(count_in(&b), 0);
    bench_arrive(&b, 4, 0, 0);
    b.g->knobs.walk_pin = 1;
    bench_arrive(&b, 5, 0, 0);
    assert_int_equal(bench_walk(&b, bench_serve(&b))->instruction, 3);
    assert_int_equal(bench_walk(&b, bench_serve(&b))->instruction, 4);
    assert_int_equal(count_in(&b), 1);
    bench_close(&b);
}

/* Two entries. The one that a walk waits for stays although the other was used later; with all counted LRU is left. */
TEST(test_replacement)
{
    struct bench b = bench_open(2);

    fill(&b, 0);
    fill(&b, LEAF);
    bench_arrive(&b, 1, 0, 0);
    fill(&b, LEAF); /* used later than 0 */
    fill(&b, 2 * LEAF);
    assert_true(has(&b, 0) && !has(&b, LEAF) && has(&b, 2 * LEAF));
    bench_arrive(&b, 2, 0, 2 * LEAF);
    fill(&b, LEAF); /* both counted: 0 was used longest ago */
    assert_true(!has(&b, 0) && has(&b, LEAF) && has(&b, 2 * LEAF));
    assert_int_equal(count_in(&b), 1);
    bench_serve(&b);
    bench_serve(&b);
    assert_int_equal(count_in(&b), 0);
    fill(&b, 0);
    assert_true(has(&b, 0) && has(&b, 2 * LEAF) && !has(&b, LEAF)); /* that of 2 * LEAF was used when it was served */
    bench_close(&b);
}

/* An entry that is read again keeps its count. */
TEST(test_read_again)
{
    struct bench b = bench_open(2);

    fill(&b, 0);
    bench_arrive(&b, 1, 0, 0);
    fill(&b, 0);
    assert_int_equal(count_in(&b), 1);
    bench_close(&b);
}

/* Four sets of one entry. Neighbours of a node have sets of their own, or share the node's. */
TEST(test_index)
{
    static const char *const by[] = {"entry", "node"};

    for (uint32_t node = 0; node < 2; node++) {
        struct mh_config cfg;
        struct mh_pwc_found f;

        bench_config(&cfg, 4);
        cfg.walk.pwc_ways = 1;
        set_word(&cfg, "walk.pwc_index", by[node]);
        struct bench b = bench_of(&cfg);

        fill(&b, 0);
        fill(&b, LEAF);
        f = mh_pwc_look_up(b.g, 0, b.g->tenant[0].page_root, vpn_of(0), MH_PWC_LEAVE, 0);
        assert_int_equal(f.levels & 4, node ? 0 : 4);
        f = mh_pwc_look_up(b.g, 0, b.g->tenant[0].page_root, vpn_of(LEAF), MH_PWC_LEAVE, 0);
        assert_int_equal(f.levels & 4, 4);
        bench_close(&b);
    }
}
