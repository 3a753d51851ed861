#include "idle_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lru.h"
#include "script.h"

/* Sectors of 32 bytes of a line in one bank, a bit each. */
struct held {
    uint32_t line, bank, sectors;
};

enum { BANKS = MH_MAX_CHANNELS * MH_MAX_DRAM_BANKS };

struct idle {
    const struct mh_gpu *g;
    const struct mh_config *cfg;
    struct lru l1tlb, gpctlb, l2tlb, iommu_l1, iommu_l2, pwc, l1d;
    struct held *held; /* in the L2 */
    uint32_t held_count;
    uint32_t row[BANKS]; /* open row + 1 */
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
    m->held = allocate(c->l2.bytes / c->memory.line_bytes, sizeof *m->held);
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
    free(m->held);
    lru_free(&m->l1tlb);
    lru_free(&m->gpctlb);
    lru_free(&m->l2tlb);
    lru_free(&m->l1d);
    lru_free(&m->iommu_l1);
    lru_free(&m->iommu_l2);
    lru_free(&m->pwc);
    free(m);
}

/* The bank has the sectors from now on. True: it had all of them. */
static bool holds(struct idle *m, uint32_t bank, uint32_t line, uint32_t sectors)
{
    uint32_t i = 0;

    while (i < m->held_count && (m->held[i].line != line || m->held[i].bank != bank))
        i++;
    if (i == m->held_count)
        m->held[m->held_count++] = (struct held){.line = line, .bank = bank};
    bool all = !(sectors & ~m->held[i].sectors);
    m->held[i].sectors |= sectors;
    return all;
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

/* --- The L2: a read asks for some bytes of a line. */

struct wanted {
    uint32_t line, first, bytes; /* first: byte of the line */
};

/* Bytes that the L2 asks DRAM for at once. */
static uint32_t l2_unit(const struct mh_config *c)
{
    return c->l2.sector_bytes ? c->l2.sector_bytes : c->memory.line_bytes;
}

/* Sectors of the units that the bytes lie in. */
static uint32_t sectors_of(const struct mh_config *c, const struct wanted *w)
{
    uint32_t unit = l2_unit(c), from = w->first / unit * unit, to = (w->first + w->bytes + unit - 1) / unit * unit;

    return (uint32_t)((1ull << to / 32) - (1ull << from / 32));
}

/* DRAM's part of a read that misses: all sectors or none are there, so it asks for all. */
static struct dram_sums sums_of(const struct mh_config *c, const struct wanted *w)
{
    struct mh_dram_cfg part = c->dram;

    part.request_bytes = 32 * (uint32_t)__builtin_popcount(sectors_of(c, w));
    return dram_sums(&part);
}

/* Cycle in which what comes to the link between the halves at `at` is on the other side. */
static uint64_t over_link(const struct mh_config *c, uint64_t at, uint32_t cycles)
{
    uint64_t gpu = c->clock.gpu_hz, noc = c->clock.noc_hz ? c->clock.noc_hz : gpu;

    return idle_cycle_after(idle_cycle_after(at, gpu, noc) + idle_cycle_after(cycles, gpu, noc), noc, gpu);
}

/* Looked up at `at` in its bank: when the reply leaves it. */
static uint64_t answered(struct idle *m, uint32_t bank, const struct wanted *w, uint64_t at, enum idle_found *found)
{
    struct dram_sums sums = sums_of(m->cfg, w);

    *found = holds(m, bank, w->line, sectors_of(m->cfg, w)) ? IDLE_L2 : row_state(m, w->line);
    return (*found == IDLE_L2 ? at : idle_fill(m->cfg, &sums, *found, at)) + m->cfg->l2.latency;
}

/* A read that leaves its port at `at` for a bank of the other half: when the last flit of its reply is there. With
 * l2.far copy it is looked up in its own half first, and crosses from there. */
static uint64_t through_far_l2(struct idle *m, uint32_t bank, const struct wanted *w, uint64_t at,
                               enum idle_found *found)
{
    const struct mh_config *c = m->cfg;
    uint32_t back = c->l2.far_latency / 2, there = c->l2.far_latency - back, flits = idle_flits(c, w->bytes);

    if (c->l2.far == MH_FAR_COPY) {
        *found = IDLE_L2;
        at = idle_lookup(c, at, 1);
        if (holds(m, bank - c->l2.banks / 2, w->line, sectors_of(c, w)))
            return idle_crossing(c, at + c->l2.latency, flits);
        at = over_link(c, at, there > c->noc.latency ? there : c->noc.latency) + c->l2.queue_latency;
    } else {
        at = idle_lookup(c, over_link(c, at, there), 1);
    }
    at = answered(m, bank, w, at, found);
    *found += IDLE_FAR;
    return idle_crossing(c, over_link(c, at, back), flits);
}

/* A request of a walker, to which both halves are near. */
static uint64_t through_l2(struct idle *m, const struct wanted *w, uint64_t at, enum idle_found *found)
{
    at = answered(m, script_bank(m->g, w->line), w, idle_lookup(m->cfg, at, 1), found);
    return idle_crossing(m->cfg, at, idle_flits(m->cfg, w->bytes));
}

/* A request of the first SM: the first half is its own. */
static uint64_t read_line(struct idle *m, const struct wanted *w, uint64_t at, enum idle_found *found)
{
    uint32_t bank = script_bank(m->g, w->line);

    if (m->cfg->l2.halves == 2 && bank >= m->cfg->l2.banks / 2)
        return through_far_l2(m, bank, w, at, found);
    return through_l2(m, w, at, found);
}

/* A walk's read of an entry. Past the L2 it costs what a miss there does, without the queue and, with wires of its own,
 * without the look-up. It finds nothing and leaves nothing. */
static uint64_t walk_read(struct idle *m, const struct wanted *w, uint64_t at, enum idle_found *found)
{
    struct dram_sums sums = sums_of(m->cfg, w);

    if (!m->cfg->walk.uncached)
        return through_l2(m, w, at, found);
    *found = row_state(m, w->line);
    return idle_past_l2(m->cfg, &sums, *found, at);
}

/* NVIDIA's entries for 2 MiB point to two tables, of small and large pages: 16 bytes. */
static uint32_t entry_bytes(const struct mh_config *c, uint32_t depth)
{
    bool two = c->walk.format != MH_WALK_FORMAT_PLAIN && depth + (c->memory.page_bytes < 2 << 20) == c->walk.levels;

    return two && c->walk.pte_bytes < 16 ? 16 : c->walk.pte_bytes;
}

/* The page table entry of that level. */
static struct wanted entry_of(const struct idle *m, uint32_t node, uint32_t vpn, uint32_t depth)
{
    uint32_t index = mh_pt_index(m->g->pages, vpn, depth);

    return (struct wanted){.line = mh_pt_line(m->g->pages, node, vpn, depth),
                           .first = index * entry_bytes(m->cfg, depth) % m->cfg->memory.line_bytes,
                           .bytes = 8};
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
        struct wanted entry = entry_of(m, node, vpn, depth);
        enum idle_found found;

        at = walk_read(m, &entry, at, &found);
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
    uint32_t number = (uint32_t)(address % c->memory.line_bytes / sector);
    struct wanted data = {.line = line, .first = number * sector, .bytes = sector};

    if (!lru_touch_parts(&m->l1d, line, 1u << number))
        at = read_line(m, &data, at, &way.data);
    if (path)
        *path = way;
    return at + c->l1tlb.latency + c->l1d.latency;
}
