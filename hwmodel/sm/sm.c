#include "sm/sm.h"

#include <string.h>

#include "engine/gpu.h"
#include "sm/l1d.h"
#include "sm/lsu_order.h"
#include "sm/stalls.h"
#include "sm/umon.h"
#include "sm/coalesce.h"
#include "translate/walk.h"

/* "same" is no scheduler's name. */
static uint8_t scheduler_of(const struct mh_config *cfg)
{
    enum mh_scheduler alone = mh_scheduler_named(cfg->sm.scheduler_alone);

    return (uint8_t)(cfg->tenants_count == 1 && alone != MH_SCHEDULERS ? alone : mh_scheduler_named(cfg->sm.scheduler));
}

static void init_ports(struct mh_sm *sm, const struct mh_config *cfg)
{
    sm->ports = (uint8_t)cfg->sm.schedulers;
    sm->issue_cycles = cfg->sm.issue_cycles;
    sm->scheduler = scheduler_of(cfg);
    sm->group = (uint8_t)cfg->sm.group;
    sm->allowed = ~0ull;
    sm->issue_at = UINT64_MAX;
    sm->bursts = sm->scheduler == MH_GTO;
    sm->stocks = !mh_by_age(sm->scheduler) && !cfg->sm.wait_reasons;
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
    sm->pending = mh_aligned_zeros(cfg->sm.pending * sizeof *sm->pending);
    sm->tlb_mshr = mh_aligned_zeros(cfg->l1tlb.mshrs * sizeof *sm->tlb_mshr);
    sm->l1_mshr = mh_aligned_zeros(cfg->l1d.mshrs * sizeof *sm->l1_mshr);
    if (!sm->pending || !sm->tlb_mshr || !sm->l1_mshr)
        return -1;
    for (uint32_t i = 0; i < cfg->sm.pending; i++)
        sm->pending[i].next = i + 1 < cfg->sm.pending ? i + 1 : MH_NONE;
    for (uint32_t i = 0; i < cfg->l1tlb.mshrs; i++) {
        sm->tlb_mshr[i].next_free = i + 1 < cfg->l1tlb.mshrs ? i + 1 : MH_NONE;
        sm->tlb_mshr[i].instruction = MH_NO_INSTRUCTION;
    }
    for (uint32_t i = 0; i < cfg->l1d.mshrs; i++)
        sm->l1_mshr[i].next_free = i + 1 < cfg->l1d.mshrs ? i + 1 : MH_NONE;
    return 0;
}

static int init_tlb(struct mh_sm *sm, const struct mh_config *cfg)
{
    const struct mh_l1tlb_cfg *c = &cfg->l1tlb;
    uint32_t sets = c->ways ? c->entries / c->ways : 1;

    return mh_assoc_init_with(&sm->tlb, c->entries, mh_sets(sets, mh_set_rule(c->index)), c->mshrs);
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
    if (!strcmp(cfg->sm.lsu_order, "per-kernel") && mh_lsu_order_init(sm, cfg))
        return -1;
    if (mh_stalls_init(sm, cfg) || (cfg->l2.sector_bytes && !(sm->written = mh_written_create(cfg))))
        return -1;
    sm->tells_waits = cfg->sm.wait_reasons;
    mh_quota_tell(sm);
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
    mh_ring_free(&sm->tlb_queue);
    mh_tags_free(&sm->l1d);
    mh_index_free(&sm->l1_index);
}
