#include "idle_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

struct lru {
    uint32_t sets, ways;
    uint64_t *key;  /* [sets][ways], most recently used first; key + 1, 0 = empty */
    uint32_t *part; /* what is there of each, a bit per part */
};

enum { BANKS = MH_MAX_CHANNELS * MH_MAX_DRAM_BANKS };

struct idle {
    const struct mh_gpu *g;
    const struct mh_config *cfg;
    struct dram_sums dram;
    struct lru l1tlb, gpctlb, l2tlb, iommu_l1, iommu_l2, pwc, l1d;
    uint32_t *lines, line_count; /* in the L2 */
    uint32_t row[BANKS];         /* open row + 1 */
};

static void *allocate(size_t count, size_t size)
{
    void *p = calloc(count, size);

    if (!p) {
        fprintf(stderr, "idle_read: out of memory\n");
        abort();
    }
    return p;
}

static void lru_init(struct lru *l, uint32_t entries, uint32_t ways)
{
    *l = (struct lru){entries / ways, ways, allocate(entries + 1, sizeof *l->key),
                      allocate(entries + 1, sizeof *l->part)};
}

/* Makes the key the most recently used one, with these parts and those that were there. True: all of them were. */
static bool lru_touch_parts(struct lru *l, uint64_t key, uint32_t parts)
{
    uint64_t set = key % l->sets * l->ways;
    uint32_t way = 0;

    while (way + 1 < l->ways && l->key[set + way] != key + 1)
        way++;
    uint32_t there = l->key[set + way] == key + 1 ? l->part[set + way] : 0;
    memmove(l->key + set + 1, l->key + set, way * sizeof *l->key);
    memmove(l->part + set + 1, l->part + set, way * sizeof *l->part);
    l->key[set] = key + 1;
    l->part[set] = there | parts;
    return !(parts & ~there);
}

static bool lru_touch(struct lru *l, uint64_t key)
{
    return lru_touch_parts(l, key, 1);
}

static bool lru_has(const struct lru *l, uint64_t key)
{
    for (uint32_t way = 0; way < l->ways; way++)
        if (l->key[key % l->sets * l->ways + way] == key + 1)
            return true;
    return false;
}

static void lru_free(struct lru *l)
{
    free(l->key);
    free(l->part);
}

struct dram_sums idle_dram_sums(const struct mh_config *c)
{
    struct mh_dram_cfg lines = c->dram;

    lines.request_bytes = c->memory.line_bytes;
    return dram_sums(&lines);
}

struct idle *idle_new(const struct mh_gpu *g)
{
    const struct mh_config *c = &g->cfg;
    struct idle *m = allocate(1, sizeof *m);

    m->g = g;
    m->cfg = c;
    m->dram = idle_dram_sums(c);
    m->lines = allocate(c->l2.bytes / c->memory.line_bytes, sizeof *m->lines);
    lru_init(&m->l1tlb, c->l1tlb.entries, c->l1tlb.entries);
    if (c->gpctlb.entries)
        lru_init(&m->gpctlb, c->gpctlb.entries, c->gpctlb.ways);
    lru_init(&m->l2tlb, c->l2tlb.entries, c->l2tlb.ways);
    lru_init(&m->l1d, c->l1d.bytes / c->memory.line_bytes, c->l1d.ways);
    if (c->iommu.l1_entries)
        lru_init(&m->iommu_l1, c->iommu.l1_entries, c->iommu.l1_entries);
    if (c->iommu.l2_entries)
        lru_init(&m->iommu_l2, c->iommu.l2_entries, c->iommu.l2_ways);
    lru_init(&m->pwc, c->walk.pwc_bytes / 8, c->walk.pwc_ways);
    return m;
}

void idle_free(struct idle *m)
{
    free(m->lines);
    lru_free(&m->l1tlb);
    lru_free(&m->gpctlb);
    lru_free(&m->l2tlb);
    lru_free(&m->l1d);
    lru_free(&m->iommu_l1);
    lru_free(&m->iommu_l2);
    lru_free(&m->pwc);
    free(m);
}

static bool in_l2(struct idle *m, uint32_t line)
{
    for (uint32_t i = 0; i < m->line_count; i++)
        if (m->lines[i] == line)
            return true;
    m->lines[m->line_count++] = line;
    return false;
}

static enum idle_found row_state(struct idle *m, uint32_t line)
{
    struct script_place p = script_place(m->g, line);
    uint32_t *open = &m->row[p.channel * MH_MAX_DRAM_BANKS + p.bank], before = *open;

    *open = m->cfg->dram.rows != MH_ROWS_CLOSED ? p.row + 1 : 0;
    return before == p.row + 1 ? IDLE_ROW_OPEN : before ? IDLE_CONFLICT : IDLE_BANK_CLOSED;
}

uint64_t idle_cycle_after(uint64_t c, uint64_t from, uint64_t to)
{
    return (uint64_t)(((mh_u128)c * to + from - 1) / from);
}

/* Last cycle of clock `to` that has started by cycle `c` of clock `from`. */
static uint64_t cycle_before(uint64_t c, uint64_t from, uint64_t to)
{
    return (uint64_t)((mh_u128)c * to / from);
}

/* DRAM sees a request at its last cycle that has begun, the GPU the data at its next. */
uint64_t idle_fill(const struct mh_config *c, const struct dram_sums *sums, enum idle_found where, uint64_t at)
{
    uint64_t seen = cycle_before(at, c->clock.gpu_hz, c->clock.dram_hz);

    seen += where == IDLE_ROW_OPEN ? sums->open : where == IDLE_BANK_CLOSED ? sums->closed : sums->conflict;
    return idle_cycle_after(seen, c->clock.dram_hz, c->clock.gpu_hz) + c->memory.latency;
}

/* A packet of `flits` that is ready at `at`: when its last flit is there. Wires count cycles of their own clock. */
uint64_t idle_crossing(const struct mh_config *c, uint64_t at, uint32_t flits)
{
    uint64_t gpu = c->clock.gpu_hz, noc = c->clock.noc_hz ? c->clock.noc_hz : gpu;
    uint64_t enters = idle_cycle_after(at, gpu, noc), latency = idle_cycle_after(c->noc.latency, gpu, noc);

    return idle_cycle_after(enters + latency + flits - 1, noc, gpu);
}

uint32_t idle_flits(const struct mh_config *c, uint32_t bytes)
{
    return 1 + (bytes + c->noc.flit_bytes - 1) / c->noc.flit_bytes;
}

uint64_t idle_lookup(const struct mh_config *c, uint64_t at, uint32_t flits)
{
    return idle_crossing(c, at, flits) + c->l2.queue_latency;
}

uint64_t idle_l2_hit(const struct mh_config *c, uint64_t at, uint32_t bytes)
{
    return idle_crossing(c, idle_lookup(c, at, 1) + c->l2.latency, idle_flits(c, bytes));
}

/* The bank has it with its last flit, and says so with a header, whether it hits or misses. */
uint64_t idle_store(const struct mh_config *c, uint64_t at, uint32_t bytes)
{
    return idle_crossing(c, idle_lookup(c, at, idle_flits(c, bytes)) + c->l2.latency, 1);
}

uint64_t idle_dram_read(const struct mh_config *c, const struct dram_sums *sums, enum idle_found where, uint64_t at,
                        uint32_t bytes)
{
    return idle_crossing(c, idle_fill(c, sums, where, idle_lookup(c, at, 1)) + c->l2.latency, idle_flits(c, bytes));
}

uint64_t idle_past_l2(const struct mh_config *c, const struct dram_sums *sums, enum idle_found where, uint64_t at)
{
    struct mh_config past = *c;

    past.l2.queue_latency = 0;
    if (c->l2.bypass_wires && c->noc.queues != MH_QUEUES_INPUT)
        past.l2.latency = 0;
    return idle_dram_read(&past, sums, where, at, 8);
}

/* A request that leaves its port at `at`: when the last flit of its reply is there. */
static uint64_t through_l2(struct idle *m, uint32_t line, uint64_t at, uint32_t bytes, enum idle_found *found)
{
    *found = in_l2(m, line) ? IDLE_L2 : row_state(m, line);
    return *found == IDLE_L2 ? idle_l2_hit(m->cfg, at, bytes) : idle_dram_read(m->cfg, &m->dram, *found, at, bytes);
}

/* A walk's read of a line. Past the L2 it costs what a miss there does, without the queue and, with wires of its own,
 * without the look-up. It finds nothing and leaves nothing. */
static uint64_t walk_read(struct idle *m, uint32_t line, uint64_t at, enum idle_found *found)
{
    if (!m->cfg->walk.uncached)
        return through_l2(m, line, at, 8, found);
    *found = row_state(m, line);
    return idle_past_l2(m->cfg, &m->dram, *found, at);
}

/* The page walk cache knows an entry by its place in memory; its set by the key's low bits. */
static uint64_t pwc_key(const struct idle *m, uint32_t node, uint32_t vpn, uint32_t depth)
{
    const struct mh_page_tables *pt = m->g->pages;

    if (m->cfg->walk.pwc_index == MH_PWC_INDEX_NODE)
        return (uint64_t)mh_pt_index(pt, vpn, depth) << 32 | node;
    return pt->node[node].line[0] * (m->cfg->memory.line_bytes / 8) + mh_pt_index(pt, vpn, depth);
}

/* One look-up of all upper levels; the walk goes on below the deepest that is there. All that are have been used. */
static uint32_t ask_pwc(struct idle *m, uint32_t vpn, uint32_t *node)
{
    uint32_t at = *node, deepest = 0;

    for (uint32_t depth = 1; depth < m->cfg->walk.levels; depth++) {
        uint64_t key = pwc_key(m, at, vpn, depth);

        at = mh_pt_entry(m->g->pages, at, vpn, depth);
        if (!lru_has(&m->pwc, key))
            continue;
        lru_touch(&m->pwc, key);
        *node = at;
        deepest = depth;
    }
    return deepest;
}

static uint64_t walk(struct idle *m, uint32_t vpn, uint64_t at, struct idle_path *path)
{
    const struct mh_config *c = m->cfg;
    uint32_t node = m->g->tenant[0].page_root, done = 0;

    path->translated = IDLE_WALK;
    if (c->walk.pwc_bytes) {
        at += c->walk.pwc_latency;
        done = ask_pwc(m, vpn, &node);
    }
    for (uint32_t depth = done + 1; depth <= c->walk.levels; depth++) {
        enum idle_found found;

        at = walk_read(m, mh_pt_line(m->g->pages, node, vpn, depth), at, &found);
        path->entries++;
        path->entries_missed += found != IDLE_L2;
        if (c->walk.pwc_bytes && depth < c->walk.levels)
            lru_touch(&m->pwc, pwc_key(m, node, vpn, depth));
        node = mh_pt_entry(m->g->pages, node, vpn, depth);
    }
    return at;
}

/* Its TLBs one after the other, on the way there and back. */
static uint64_t iommu(struct idle *m, uint32_t vpn, uint64_t at, struct idle_path *path)
{
    const struct mh_iommu_cfg *c = &m->cfg->iommu;

    at += c->latency + c->l1_latency;
    path->translated = IDLE_IOMMU_L1;
    if (!lru_touch(&m->iommu_l1, vpn)) {
        path->translated = IDLE_IOMMU_L2;
        at += c->l2_entries ? c->l2_latency : 0;
        if (!c->l2_entries || !lru_touch(&m->iommu_l2, vpn))
            at = walk(m, vpn, at, path);
    }
    return at + c->latency;
}

/* An entry has `covers` pages, as many as have come. */
static bool touch_page(struct lru *tlb, uint32_t vpn, uint32_t covers)
{
    return lru_touch_parts(tlb, vpn / covers, 1u << vpn % covers);
}

static uint64_t l2tlb(struct idle *m, uint32_t vpn, uint64_t at, struct idle_path *path)
{
    const struct mh_config *c = m->cfg;

    at += c->noc.tlb_latency + c->l2tlb.latency;
    path->translated = IDLE_L2_TLB;
    if (!touch_page(&m->l2tlb, vpn, c->l2tlb.covers))
        at = c->iommu.l1_entries ? iommu(m, vpn, at, path) : walk(m, vpn, at, path);
    return at + c->noc.tlb_latency;
}

static uint64_t translate(struct idle *m, uint32_t vpn, uint64_t at, struct idle_path *path)
{
    const struct mh_config *c = m->cfg;

    if (c->l1tlb.ideal || touch_page(&m->l1tlb, vpn, c->l1tlb.covers))
        return at;
    at += c->l1tlb.latency;
    if (!c->gpctlb.entries)
        return l2tlb(m, vpn, at, path);
    at += c->gpctlb.wire + c->gpctlb.latency;
    path->translated = IDLE_GPC_TLB;
    if (!touch_page(&m->gpctlb, vpn, c->gpctlb.covers))
        at = l2tlb(m, vpn, at, path);
    return at + c->gpctlb.wire;
}

uint64_t idle_read(struct idle *m, uint64_t address, uint64_t issued, struct idle_path *path)
{
    const struct mh_config *c = m->cfg;
    struct idle_path way = {.translated = IDLE_L1_TLB, .data = IDLE_L1D};
    uint32_t line = script_line(m->g, 0, address);
    uint64_t at = translate(m, (uint32_t)(address / c->memory.page_bytes), issued + 1, &way);

    uint32_t sector = c->l1d.sector_bytes ? c->l1d.sector_bytes : c->memory.line_bytes;
    if (!lru_touch_parts(&m->l1d, line, 1u << address % c->memory.line_bytes / sector))
        at = through_l2(m, line, at, sector, &way.data);
    if (path)
        *path = way;
    return at + c->l1tlb.latency + c->l1d.latency;
}
