/* invariants: of the debug build alone */
/* The L2 with sectors: at random against a model of bytes, requests of all kinds that meet, kernels in every preset. */
#include "unit/test.h"
#include "cache/l2_bank.h"
#include "memhelm/config_file.h"
#include "requests.h"

/* Bytes of a line in the set: which are there, and which are newer than DRAM. */

struct line_bytes {
    uint32_t line;
    bool there[MH_LINE_BYTES], newer[MH_LINE_BYTES];
};

struct model {
    struct line_bytes way[4]; /* most recent first */
    uint32_t used, ways, unit, line;
    bool lazy;
    uint64_t read, written, hits;
};

static bool any(const bool *b, uint32_t from, uint32_t bytes)
{
    for (uint32_t i = from; i < from + bytes; i++)
        if (b[i])
            return true;
    return false;
}

static bool all(const bool *b, uint32_t from, uint32_t bytes)
{
    for (uint32_t i = from; i < from + bytes; i++)
        if (!b[i])
            return false;
    return true;
}

static struct line_bytes *bring(struct model *m, uint32_t line)
{
    uint32_t at = 0;
    while (at < m->used && m->way[at].line != line)
        at++;
    struct line_bytes l = {.line = line};
    if (at < m->used) {
        l = m->way[at];
    } else if (m->used == m->ways) {
        at = m->ways - 1;
        for (uint32_t u = 0; u < m->line; u += m->unit)
            m->written += any(m->way[at].newer, u, m->unit) ? m->unit / 32 : 0;
    } else {
        at = m->used++;
    }
    memmove(m->way + 1, m->way, at * sizeof *m->way);
    m->way[0] = l;
    return m->way;
}

/* `load`: the units that the bytes touch must be there, whole. */
static void model_touch(struct model *m, uint32_t line, const bool *bytes, bool load, bool stores)
{
    struct line_bytes *l = bring(m, line);
    bool hit = true;
    for (uint32_t u = 0; u < m->line; u += m->unit) {
        if (!any(bytes, u, m->unit))
            continue;
        bool whole = all(l->there, u, m->unit), before = whole || (m->lazy && !load && any(l->newer, u, m->unit));
        hit &= before;
        if (stores && !load)
            for (uint32_t i = u; i < u + m->unit; i++) {
                l->there[i] |= bytes[i];
                l->newer[i] |= bytes[i];
            }
        if (load && stores)
            memset(l->newer + u, true, m->unit);
        if (!all(l->there, u, m->unit) && (load || !m->lazy)) {
            m->read += m->unit / 32;
            memset(l->there + u, true, m->unit);
        }
    }
    m->hits += hit;
}

static void random_request(struct mh_gpu *g, struct model *m, uint64_t *rng)
{
    uint32_t line = bank_line(g, 0, 0, pick(rng, 0, 6)), kind = pick(rng, 0, 3);
    bool bytes[MH_LINE_BYTES] = {false};
    struct mh_bytes b = {{0}};
    for (uint32_t runs = pick(rng, 1, 3); runs; runs--) {
        uint32_t from = pick(rng, 0, m->line - 1), n = pick(rng, 0, 2) ? pick(rng, 1, 8) : pick(rng, 1, m->line);
        n = n < m->line - from ? n : m->line - from;
        mh_bytes_add(&b, from, n);
        memset(bytes + from, true, n);
    }
    model_touch(m, line, bytes, kind<2, kind> 0);
    if (!kind)
        read_sectors(g, 0, line, mh_bytes_touched(&b));
    else if (kind == 1)
        atomic_on(g, line, mh_bytes_touched(&b));
    else
        store_bytes(g, 1, line, b);
    settle(g);
}

/* L2 and model hold the same valid and dirty bytes; whole units, unless a unit was stored only in part. */
static void assert_same_lines(const struct mh_gpu *g, const struct model *m)
{
    const uint32_t *tag = mh_tags_set(&g->l2->tags, 0), *state = mh_tags_set(&g->l2->sectors->state, 0);
    for (uint32_t w = 0; w < m->used; w++) {
        const struct line_bytes *l = &m->way[w];
        assert_int_equal(tag[w] >> MH_TAG_BITS, l->line);
        for (uint32_t s = 0; s < m->line / 32; s++) {
            uint32_t u = s * 32 / m->unit * m->unit;
            assert_int_equal(mh_l2_state_valid(state[w]) >> s & 1, all(l->there, u, m->unit));
            assert_int_equal(mh_l2_state_dirty(state[w]) >> s & 1, any(l->newer, u, m->unit));
        }
        for (uint32_t i = 0; i < m->line && m->lazy; i++) {
            const struct mh_bytes *b = &g->l2->sectors->written[state[w] >> MH_L2_FRAME];
            uint32_t u = i / m->unit * m->unit;
            if (any(l->newer, u, m->unit) && !all(l->there, u, m->unit))
                assert_int_equal(b->half[i / 64] >> i % 64 & 1, l->newer[i]);
        }
    }
}

TEST(test_beside_bytes)
{
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t rng = 100 + i;
        struct model m = {.ways = pick(&rng, 1, 4), .unit = i & 1 ? 64 : 32, .line = i & 2 ? 64 : 128, .lazy = i & 4};
        struct mh_config cfg = sector_config(2, m.lazy ? "lazy" : "fetch");
        cfg.memory.line_bytes = m.line;
        cfg.l2.sector_bytes = m.unit;
        cfg.dram.channels = cfg.l2.banks = 1;
        cfg.l2.ways = m.ways;
        cfg.l2.bytes = m.ways * m.line;
        LOCAL_GPU(g) = sleeping_gpu(&cfg);
        for (uint32_t n = 0; n < 600; n++) {
            random_request(g, &m, &rng);
            assert_int_equal(count(g)->dram_read_sectors, m.read);
            assert_int_equal(count(g)->dram_write_sectors, m.written);
            assert_int_equal(count(g)->l2_hit, m.hits);
            assert_same_lines(g, &m);
        }
        assert_true(m.read > 100 && m.written > 100 && m.hits > 20);
    }
}

/* Requests of all kinds that meet: what the debug build checks in every cycle, and at the end nothing is held. */
TEST(test_meeting)
{
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t rng = 200 + i;
        LOCAL_GPU(g) = tiny_sectors_gpu(i & 1 ? "lazy" : "fetch", pick(&rng, 1, 3), pick(&rng, 1, 3));
        for (uint32_t n = 0; n < 1000; n++) {
            uint32_t line = bank_line(g, 0, 0, pick(&rng, 0, 4)), kind = pick(&rng, 0, 2);
            struct mh_bytes b = {{0}};
            mh_bytes_add(&b, pick(&rng, 0, 60), pick(&rng, 1, 64));
            if (kind == 0 && mh_noc_room(g->noc, 0) && g->sm[0].free_l1_mshr != MH_NONE &&
                mh_index_find(&g->sm[0].l1_index, line) < 0)
                read_sectors(g, 0, line, pick(&rng, 1, 15));
            else if (kind && mh_noc_room(g->noc, 1))
                store_bytes(g, 1, line, b);
            mh_gpu_advance(g, mh_gpu_now(g) + pick(&rng, 0, 12));
            mh_l2_check(g);
        }
        for (uint32_t c = 0; c < 5; c++)
            settle(g);
        script_assert_idle(g);
        assert_int_equal(count(g)->dram_read_sectors, g->l2->sectors->filled);
    }
}

/* Real kernels on the GPU of every preset, its L2 with sectors: invariants of the debug build, and sums. */

static struct mh_gpu *preset_gpu(const char *preset, const char *partial_stores, uint32_t kernel, bool ideal)
{
    static const char *const pairs[][2] = {{"MVT", "GUPS"}, {"HISTO", "BFS"}, {"FDTD", "SAD"}};
    struct mh_config cfg = script_preset(preset, 4, 2);
    struct mh_error err;

    uint32_t burst = cfg.dram.bus_bytes * cfg.dram.burst;

    cfg.l2.sector_bytes = burst > 32 ? burst : 32;
    cfg.l2.bytes = cfg.l2.banks * cfg.l2.ways * 4 * cfg.memory.line_bytes; /* lines leave early */
    set_word(&cfg, "l2.partial_stores", partial_stores);
    cfg.l1tlb.ideal = ideal;
    for (uint32_t t = 0; t < 2; t++)
        strcpy(cfg.tenants[t].kernel, pairs[kernel][t]);
    struct mh_gpu *g = mh_gpu_create(&cfg, &err);
    if (!g)
        fail_msg("%s: %s", preset, err.text);
    return g;
}

/* Look-ups that may have asked DRAM for something: once each at most. */
static uint64_t missed(const struct mh_counters *c)
{
    return c->l2_access - c->l2_hit + pte_accesses(c).sum - pte_hits(c).sum + c->pte_bypass;
}

/* More was read than the L2 holds. */
static bool has_turned_over(const struct mh_gpu *g)
{
    uint64_t sectors = 0;

    for (uint32_t t = 0; t < g->tenants; t++)
        sectors += g->tenant[t].count.dram_read_sectors;
    return sectors > g->cfg.l2.bytes / 32;
}

/* Each read and write moves a sector or more, a line at most. Without walks the L2 turns over. */
static void check_sums(const struct mh_gpu *g, bool busy)
{
    uint64_t unit = g->cfg.l2.sector_bytes / 32, line = g->cfg.memory.line_bytes / 32, sectors = 0, dirty = 0;

    for (uint32_t t = 0; t < g->tenants; t++) {
        const struct mh_counters *c = &g->tenant[t].count;
        uint64_t reads = c->dram_read + c->dram_walk;

        assert_true(reads <= missed(c));
        assert_true(c->dram_read_sectors >= unit * reads && c->dram_read_sectors <= line * reads);
        assert_true(c->dram_write_sectors >= unit * c->dram_write && c->dram_write_sectors <= line * c->dram_write);
        assert_int_equal((c->dram_read_sectors | c->dram_write_sectors) % unit, 0);
        sectors += c->dram_read_sectors;
        dirty += c->dram_write_sectors;
    }
    /* DRAM counts what it has decided, the L2 what has come and what it has sent. */
    assert_true(g->l2->sectors->filled <= sectors && sectors <= g->l2->sectors->asked_for);
    assert_true(dirty <= g->l2->sectors->cleaned);
    assert_true(busy ? has_turned_over(g) : sectors > 0);
}

TEST(test_presets)
{
    uint32_t kernel = 0;

    for (const char *const *name = mh_preset_names(); *name; name++, kernel = (kernel + 1) % 3)
        for (uint32_t i = 0; i < 4; i++) {
            LOCAL_GPU(g) = preset_gpu(*name, i & 1 ? "lazy" : "fetch", kernel, i & 2);

            /* 4 SMs take longer to fill the L2 of a GPU of today. */
            for (uint64_t c = 500; c <= 8000 || (i & 2 && c <= 100000 && !has_turned_over(g)); c += 500) {
                mh_gpu_advance(g, c);
                mh_l2_check(g);
            }
            check_sums(g, i & 2);
        }
}
