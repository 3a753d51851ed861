/*
 * The GPU as every block of it sees it: configuration, time, knobs, tenants, and a pointer to each block's state.
 *
 * A block's header defines the block's state; callers of a block include that header. Outside hwmodel/ only its unit
 * tests include this file.
 */
#ifndef MEMHELM_ENGINE_GPU_H
#define MEMHELM_ENGINE_GPU_H

#include "engine/check.h"
#include "engine/wheel.h"
#include "engine/arith.h"
#include "memhelm/hwmodel.h"
#include "memhelm/registers.h"

/** End of a list of handles. */
#define MH_NONE UINT32_MAX

/** Whether a physical line is among those searched for. */
typedef bool mh_line_test(const void *ctx, uint32_t line);

enum { MH_TENANT_BYTES = 1024 };

enum mh_presence { MH_ABSENT, MH_PRESENT, MH_LEFT };

/** Its size is a power of two whatever counters there are: tenant[i] is found with a shift, many times in an event. */
struct mh_tenant {
    struct mh_workload *work;
    struct mh_counters count; /**< blocks complete some of them (struct mh_block: read) */
    uint32_t asid, page_root;
    uint64_t arrive, leave;        /**< GPU cycles; leave UINT64_MAX: never */
    uint8_t presence;              /**< enum mh_presence */
    bool draining;                 /**< it has left, and something of it is still on its way */
    uint64_t sms[MH_MAX_SMS / 64]; /**< SMs that are its own, or that it shares */
    uint32_t launch;               /**< current launch */
    uint32_t next_cta;             /**< not yet dispatched */
    uint32_t ctas_running;
    struct mh_completed completed;
    struct mh_completed launched; /**< when the current launch began */
    uint32_t next_sm;             /**< where the dispatcher goes on */
    /** SMs where a CTA may fit: the others have given nothing back since they had no room for it. */
    uint64_t may_fit[MH_MAX_SMS / 64];
} __attribute__((aligned(MH_TENANT_BYTES)));

_Static_assert((sizeof(struct mh_tenant) & (sizeof(struct mh_tenant) - 1)) == 0, "raise MH_TENANT_BYTES");

struct mh_gpu {
    struct mh_config cfg;
    struct mh_wheel wheel;
    struct mh_knobs knobs;
    /* Blocks (gpu/blocks.def): each makes its own state, and frees it. */
    struct mh_control *control;
    struct mh_sm *sm;       /**< one for each SM */
    struct mh_missq *missq; /**< L1D miss queues with sub-queues */
    struct mh_noc *noc;
    struct mh_req *req;         /**< all that the crossbar may carry (engine/request.h) */
    struct mh_bytes *req_bytes; /**< of a WRITE, by request: those it writes; NULL without l2.sector_bytes */
    struct mh_l2 *l2;
    struct mh_memory *memory;
    struct mh_gpctlb *gpctlb;
    struct mh_l2tlb *l2tlb;
    struct mh_iommu *iommu;
    struct mh_walkers *walkers; /**< one set, or one for each tenant */
    struct mh_steal *steal;
    struct mh_instructions *instructions;
    struct mh_page_tables *pages;
    struct mh_uvm *uvm; /**< demand paging */
    struct mh_deadlock *deadlock;
    struct mh_loss *loss;   /**< debug builds */
    struct mh_waits *waits; /**< what SMs waited for */
    struct mh_series *series;
    struct mh_timeline *timeline;
    struct mh_tenant tenant[MH_MAX_TENANTS];
    uint32_t tenants;
    bool lent;                          /**< the tenants' workloads are the creator's */
    uint8_t walkers_of[MH_MAX_TENANTS]; /**< the set of a tenant */
    uint8_t tenant_of_asid[MH_MAX_TENANTS + 1];
    bool cta_throttle;               /**< CTA_THROTTLE of some tenant is below the CTA slots */
    bool shared_sms;                 /**< some SM has more than one tenant */
    bool l1d_apart;                  /**< L1D_WAYS of some tenant is not 0 */
    bool store_drops;                /**< l1d.store_hit drop: a store takes the line that it hits out of the L1D */
    bool store_allocates;            /**< l1d.store_miss allocate: what a store covers whole is in the L1D */
    bool misses_hold;                /**< l1tlb.on_miss hold: a line whose page misses stays at the head of its LSU */
    bool asks_gpctlb;                /**< misses of L1 TLBs go to the TLBs of the GPCs (gpctlb.entries) */
    bool l1tlb_apart;                /**< look-ups and fills of L1 TLBs take a slow way: ideal, l1tlb.covers, large
                                        pages, waits */
    bool subqueues;                  /**< L1D miss queues have them (l1d.subqueues) */
    bool odd_lines;                  /**< some lines stay on the host (tenants' hints) */
    bool tells_waits;                /**< sm.wait_reasons */
    bool paging;                     /**< demand paging (uvm.mode on) */
    bool walk_tells;                 /**< a walk that finds its page tells (translate/walk.h) */
    bool compressing;                /**< demand paging keeps compressed pages (uvm.compression) */
    bool watch_units;                /**< demand paging wants to know of each access (mh_uvm_access()) */
    uint32_t line_shift, page_shift; /**< from byte to line, from line to page */
    uint32_t lines_per_page;
    uint32_t tlb_answer; /**< event in which an answer of the L2 TLB arrives, without the L1 TLB MSHR */
    struct mh_divisor l1d_mshrs, l1tlb_mshrs; /**< of one SM: they part the ids of all SMs' */
    uint64_t next_change;                     /**< cycle at which the next tenant comes or goes; UINT64_MAX = none */
    uint64_t next_status;                     /**< cycle of the next HOST_STATUS event; UINT64_MAX = none */
    uint64_t cta_age;                         /**< CTAs started so far */
    bool line;                                /**< interrupt line as advance() last left it */
    bool finished;                            /**< each tenant has finished run.completions times */
    bool attention; /**< mh_gpu_advance() has something to do after this cycle: finished, or a drain to watch */
    bool ended;
    uint64_t next_warm;          /**< end of run.warmup; UINT64_MAX = none, or past */
    struct mh_stats stats, warm; /**< warm: up to there */
};

/** Every tenant has finished run.completions times, or has left. */
static inline bool mh_tenants_finished(const struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->tenants; i++)
        if (g->tenant[i].presence != MH_LEFT && g->tenant[i].count.completions < g->cfg.run.completions)
            return false;
    return g->cfg.run.completions != 0;
}

#endif
