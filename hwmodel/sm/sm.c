#include "sm/sm.h"
#include "engine/gpu.h"
#include "sm/schedule.h"
#include "sm/l1d.h"
#include "sm/lsu.h"
#include "sm/stalls.h"
#include "sm/umon.h"
#include "sm/coalesce.h"
#include "translate/walk.h"
#include "translate/tlb.h"
#include "sm/block.h"
#include "missq/missq.h"
#include "noc/noc.h"

#include <string.h>

static uint8_t scheduler_of(const struct mh_config *cfg)
{
    enum mh_scheduler alone = cfg->sm.scheduler_alone;

    return (uint8_t)(cfg->tenants_count == 1 && alone != MH_SCHEDULER_SAME ? alone : cfg->sm.scheduler);
}

static void init_ports(struct mh_sm *sm, const struct mh_config *cfg)
{
    sm->ports = (uint8_t)cfg->sm.schedulers;
    sm->issue_cycles = cfg->sm.issue_cycles;
    sm->scheduler = scheduler_of(cfg);
    sm->group = (uint8_t)cfg->sm.group;
    sm->allowed = ~0ull;
    sm->issue_at = UINT64_MAX;
    mh_chain_init(sm, cfg);
    mh_quota_bursts(sm, cfg, false);
    sm->fours = !mh_by_age(sm->scheduler) && sm->ports == 4;
    for (uint32_t p = 0; p < sm->ports; p++) {
        sm->port[p].last = MH_NONE;
        sm->turns[p].tenant = MH_MAX_TENANTS - 1;
        memset(sm->turns[p].greedy, MH_NOBODY, sizeof sm->turns[p].greedy);
    }
}

/* n low bits as ~0 >> (64 - n): n may be 64, and a shift by 64 is undefined. */
static void init_resources(struct mh_sm *sm, const struct mh_config *cfg)
{
    sm->free_warps = ~0ull >> (64 - cfg->sm.warps);
    sm->free_ctas = ~0ull >> (64 - cfg->sm.cta_slots);
    sm->free_registers = cfg->sm.registers;
    sm->free_shared = cfg->sm.shared_bytes;
    sm->lsu_size = cfg->sm.lsu_queue;
    sm->lsu_differs = cfg->sm.lsu_lines > 1;
    sm->replay_head = MH_NONE;
    sm->places = cfg->sm.pending;
    sm->root = MH_NO_ROOT;
}

/*
 * What a miss fetches for each set of touched sectors. Units of l1d.sector_bytes may be wider than the coalescer's
 * sectors: a half or the whole of a line.
 */
static void init_sectors(struct mh_sm *sm, const struct mh_config *cfg)
{
    uint32_t sectors = cfg->memory.line_bytes >> MH_SECTOR_SHIFT;
    uint32_t unit = cfg->l1d.sector_bytes ? cfg->l1d.sector_bytes >> MH_SECTOR_SHIFT : sectors;

    for (uint32_t touched = 0; touched < 1u << sectors; touched++)
        for (uint32_t s = 0; s < sectors; s += unit) {
            uint32_t part = ((1u << unit) - 1) << s;

            sm->fetch[touched] |= (uint8_t)(touched & part ? part : 0);
        }
}

static int init_lists(struct mh_sm *sm, const struct mh_config *cfg)
{
    sm->pending = mh_aligned(cfg->sm.pending * sizeof *sm->pending);
    sm->tlb_mshr = mh_aligned_zeros(cfg->l1tlb.mshrs * sizeof *sm->tlb_mshr);
    sm->l1_mshr = mh_aligned_zeros(cfg->l1d.mshrs * sizeof *sm->l1_mshr);
    if (!sm->pending || !sm->tlb_mshr || !sm->l1_mshr)
        return -1;
    for (uint32_t i = 0; i < cfg->sm.pending; i++)
        sm->pending[i] = (struct mh_pending){.next = i + 1 < cfg->sm.pending ? i + 1 : MH_NONE};
    for (uint32_t i = 0; i < cfg->l1tlb.mshrs; i++) {
        sm->tlb_mshr[i].next_free = i + 1 < cfg->l1tlb.mshrs ? i + 1 : MH_NONE;
        sm->tlb_mshr[i].instruction = MH_NO_INSTRUCTION;
    }
    for (uint32_t i = 0; i < cfg->l1d.mshrs; i++)
        sm->l1_mshr[i].next_free = i + 1 < cfg->l1d.mshrs ? i + 1 : MH_NONE;
    return 0;
}

static int init_wide_tlb(struct mh_sm *sm, const struct mh_l1tlb_cfg *c)
{
    sm->wide_tlb = calloc(1, sizeof *sm->wide_tlb);
    if (!sm->wide_tlb || mh_wide_init(sm->wide_tlb, c->entries, c->ways ? c->ways : c->entries, c->index, c->covers))
        return -1;
    return mh_assoc_init_with(&sm->tlb, 0, mh_sets(1, c->index), c->mshrs);
}

static int init_tlb(struct mh_sm *sm, const struct mh_config *cfg)
{
    const struct mh_l1tlb_cfg *c = &cfg->l1tlb;
    uint32_t sets = c->ways ? c->entries / c->ways : 1;

    if (c->covers > 1)
        return init_wide_tlb(sm, c);
    return mh_assoc_init_with(&sm->tlb, c->entries, mh_sets(sets, c->index), c->mshrs);
}

static int init_l1d(struct mh_sm *sm, const struct mh_config *cfg)
{
    const struct mh_sets sets = mh_l1d_sets(cfg);

    if (mh_tags_init(&sm->l1d, sets.by.by, cfg->l1d.ways))
        return -1;
    sm->l1d.index = sets;
    return 0;
}

int mh_sm_init(struct mh_sm *sm, uint32_t id, const struct mh_config *cfg)
{
    sm->id = id;
    init_ports(sm, cfg);
    init_resources(sm, cfg);
    init_sectors(sm, cfg);
    sm->warp = mh_aligned_zeros(cfg->sm.warps * sizeof *sm->warp);
    sm->cta = calloc(cfg->sm.cta_slots, sizeof *sm->cta);
    sm->lsu = mh_aligned_zeros(cfg->sm.lsu_queue * sizeof *sm->lsu);
    if (!sm->warp || !sm->cta || !sm->lsu)
        return -1;
    if (cfg->sm.lsu_order == MH_LSU_PER_KERNEL && mh_lsu_order_init(sm, cfg))
        return -1;
    if (mh_stalls_init(sm, cfg) || (cfg->l2.sector_bytes && !(sm->written = mh_written_create(cfg))))
        return -1;
    mh_quota_tell(sm, cfg);
    return init_lists(sm, cfg) || init_tlb(sm, cfg) || mh_ring_init(&sm->tlb_queue, cfg->l1tlb.mshrs) ||
           init_l1d(sm, cfg) || mh_index_init(&sm->l1_index, cfg->l1d.mshrs) || !(sm->umon = mh_umon_create(cfg, id));
}

void mh_sm_free(struct mh_sm *sm)
{
    free(sm->warp);
    free(sm->cta);
    free(sm->lsu);
    free(sm->lsu_order);
    free(sm->pending);
    free(sm->tlb_mshr);
    free(sm->l1_mshr);
    free(sm->stalls);
    mh_umon_destroy(sm->umon);
    mh_written_destroy(sm->written);
    mh_assoc_free(&sm->tlb);
    if (sm->wide_tlb)
        mh_wide_free(sm->wide_tlb);
    free(sm->wide_tlb);
    mh_ring_free(&sm->tlb_queue);
    mh_tags_free(&sm->l1d);
    mh_index_free(&sm->l1_index);
}

static uint64_t *word_of(struct mh_tenant *t, uint32_t sm)
{
    return &t->sms[sm / 64];
}

static void take_sms(struct mh_gpu *g, uint32_t tenant)
{
    const struct mh_tenant_cfg *c = &g->cfg.tenants[tenant];

    for (uint32_t s = c->sm_first; s < c->sm_first + c->sm_count; s++) {
        *word_of(&g->tenant[tenant], s) |= 1ull << s % 64;
        /* A second tenant on one SM: tenants share SMs. */
        g->shared_sms |= g->sm[s].root != MH_NO_ROOT;
        g->sm[s].root = (uint8_t)tenant;
    }
}

/* With shared SMs a root says nothing, since each warp uses its own tenant's page table: there are none. */
void mh_root_init(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->tenants; i++)
        take_sms(g, i);
    for (uint32_t s = 0; s < g->cfg.sm.count && g->shared_sms; s++)
        g->sm[s].root = MH_NO_ROOT;
}

void mh_root_set(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    sm->next_root = (uint8_t)tenant;
    sm->draining = tenant != sm->root;
    /* While it drains, the SM is not its tenant's for the dispatcher. */
    if (sm->root != MH_NO_ROOT) {
        uint64_t *word = word_of(&g->tenant[sm->root], sm->id), bit = 1ull << sm->id % 64;

        *word = sm->draining ? *word & ~bit : *word | bit;
    }
}

/* Loads are not looked for: a warp does not exit before its loads have come. */
static bool is_empty(const struct mh_gpu *g, const struct mh_sm *sm)
{
    return !sm->standing && !sm->stores && mh_noc_idle(g->noc, sm->id) && mh_missq_idle(g, sm->id) &&
           (sm->root == MH_NO_ROOT || !mh_lsu_serves(g, sm, sm->root));
}

static void change_root(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->root != MH_NO_ROOT)
        mh_lsu_flush_tlb(g, sm->id, sm->root);
    mh_l1d_flush(sm);
    sm->root = sm->next_root;
    sm->draining = false;
    if (sm->root != MH_NO_ROOT)
        *word_of(&g->tenant[sm->root], sm->id) |= 1ull << sm->id % 64;
}

/* As the configuration has it. */
static uint32_t first_root(const struct mh_gpu *g, uint32_t sm)
{
    for (uint32_t i = 0; i < g->tenants; i++)
        if (sm - g->cfg.tenants[i].sm_first < g->cfg.tenants[i].sm_count)
            return i;
    return MH_NO_ROOT;
}

void mh_root_give_back(struct mh_gpu *g)
{
    for (uint32_t s = 0; s < g->cfg.sm.count && !g->shared_sms; s++) {
        struct mh_sm *sm = &g->sm[s];
        uint32_t first = first_root(g, s);

        if ((sm->draining ? sm->next_root : sm->root) != first)
            mh_root_set(g, sm, first);
    }
}

/*
 * While warps are there, nothing has to be watched: the end of a CTA calls for attention. What is left after the last
 * one calls for none, so it is looked at after each cycle with events.
 */
static bool drain(struct mh_gpu *g, struct mh_sm *sm)
{
    if (!sm->draining || sm->standing)
        return false;
    if (!is_empty(g, sm)) {
        g->attention = true;
        return false;
    }
    change_root(g, sm);
    return true;
}

bool mh_root_drain(struct mh_gpu *g)
{
    bool changed = false;

    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        changed |= drain(g, &g->sm[s]);
    return changed;
}

uint32_t mh_root_draining(const struct mh_gpu *g, uint32_t word)
{
    uint32_t mask = 0;

    for (uint32_t s = 32 * word; s < 32 * word + 32 && s < g->cfg.sm.count; s++)
        mask |= (uint32_t)g->sm[s].draining << s % 32;
    return mask;
}

bool mh_root_is(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant)
{
    return sm->root == tenant || (g->shared_sms && g->tenant[tenant].sms[sm->id / 64] >> sm->id % 64 & 1);
}
