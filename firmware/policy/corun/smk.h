/*
 * SMK's plan (Wang et al., HPCA 2016; as CCBP describes it, sec. 2 and 7.1): CTAs by fairness of dominant static
 * resources, then warp quotas by IPC alone. The IPC alone is measured as CCBP's is (ccbp_plan.h): no other kernel
 * issues, with the CTAs that the kernel has and with half of them (ours).
 *
 * Warp quotas (the paper is not at hand, what has no other source is ours): of the warp instructions of a round each
 * kernel may issue a part as its IPC alone says, so that all are slowed down alike. For knob WARP_QUOTA.
 */
#ifndef FIRMWARE_SMK_H
#define FIRMWARE_SMK_H

#include <stdbool.h>

#include "../ccbp/ccbp.h"
#include "corun.h"

enum smk_stage { SMK_REST, SMK_SHARE, SMK_ALONE };

struct smk_plan {
    struct ccbp_sm sm; /**< an input */
    enum smk_stage stage;
    uint32_t count;  /**< of kernels */
    uint32_t kernel; /**< SMK_ALONE: that issues */
    uint32_t active; /**< of its CTAs; SMK_SHARE: the allocation has begun */
    struct ccbp_config config;
    struct ccbp_use nothing[CCBP_BANDWIDTHS];
    struct ccbp_kernel kernels[CCBP_MAX_KERNELS];
    struct ccbp_allocation allocation;
    uint32_t ipc[CCBP_MAX_KERNELS][2], alone[CCBP_MAX_KERNELS];
    uint32_t quota[CCBP_MAX_KERNELS]; /**< WARP_QUOTA; 0: none */
};

void smk_plan_begin(struct smk_plan *plan, uint32_t count, const struct ccbp_sm *ctas);

static inline void smk_plan_begin_again(struct smk_plan *plan, const struct ccbp_sm *ctas)
{
    smk_plan_begin(plan, plan->count, ctas);
}

static inline enum corun_does smk_plan_does(const struct smk_plan *plan)
{
    return plan->stage == SMK_REST ? CORUN_REST : plan->stage == SMK_SHARE ? CORUN_WORK : CORUN_WINDOW;
}

static inline bool smk_plan_renewable(const struct smk_plan *plan)
{
    return plan->stage == SMK_REST;
}

/** Those of the first kernel after 20 000 cycles, caches are cold; the others after 10 000 (ours). */
static inline struct corun_length smk_plan_length(const struct smk_plan *plan)
{
    return (struct corun_length){plan->kernel == 0 ? 20000 : 10000, 10000};
}

static inline bool smk_plan_asks(const struct smk_plan *plan, uint32_t k)
{
    return k == plan->kernel;
}

void smk_plan_learn(struct smk_plan *plan, uint32_t k, const struct ccbp_window *window, uint32_t instructions);
void smk_plan_next(struct smk_plan *plan);
bool smk_plan_work(struct smk_plan *plan);

/** CTAs of the kernel on each SM, at least one, so that none starves. */
static inline uint32_t smk_plan_ctas(const struct smk_plan *plan, uint32_t k)
{
    uint32_t ctas = plan->allocation.grants[k].ctas;

    return plan->count < 2 ? plan->sm.slots : ctas ? ctas : 1;
}

/** Of those, how many issue. */
static inline uint32_t smk_plan_throttle(const struct smk_plan *plan, uint32_t k)
{
    return plan->stage != SMK_ALONE ? plan->sm.slots : k == plan->kernel ? plan->active : 0;
}

/** Most that a quota can be. */
#define SMK_QUOTA_MOST 65535u

/**
 * Quotas of `kernels` (1..8) whose IPCs alone are `alone`, in any unit: `round` (1..SMK_QUOTA_MOST) x alone / sum of
 * alone, rounded down, at least 1. A kernel whose IPC alone is 0 is not known and has no quota, 0.
 *
 * Their sum is at most `round` + `kernels`. A quota is below its exact part by less than 1, so a round of 100 times the
 * kernels' ratio keeps shares to a hundredth.
 */
void smk_quotas(uint32_t kernels, const uint32_t *alone, uint32_t round, uint32_t *quota);

#endif
