#include "ccbp_plan.h"

/* False: it has more than 64 bits. */
static bool multiply(uint64_t *product, uint32_t factor)
{
    uint64_t low = (*product & UINT32_MAX) * factor, high = (*product >> 32) * factor + (low >> 32);

    *product = high << 32 | (uint32_t)low;
    return high <= UINT32_MAX;
}

/* 2^17 registers, 2^20 bytes and 2^11 threads of an SM are 2^56. */
static bool shares_fit(const struct ccbp_plan *plan)
{
    uint64_t product = 10 * plan->config.units;
    bool fit = true;

    for (uint32_t r = 0; r < CCBP_STATICS; r++)
        fit &= multiply(&product, plan->sm.amount[r] ? plan->sm.amount[r] : 1);
    return fit && product < UINT64_MAX;
}

bool ccbp_plan_possible(const struct ccbp_plan *plan)
{
    const struct ccbp_config *c = &plan->config;

    if (!c->units || c->units > CCBP_MAX_UNITS)
        return false;
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
        if (!c->sustainable[b] || !c->bytes[b] || c->bytes[b] > CCBP_MAX_BYTES ||
            (uint64_t)c->units * c->sustainable[b] >= UINT32_MAX ||
            (uint64_t)c->units * c->sms * c->bytes[b] >= 1u << 23)
            return false;
    return c->interval && c->interval < 1u << 24 && plan->sm.slots <= 32 && shares_fit(plan);
}

/* An even share of what it would have alone, or the one CTA without which it stands still. Most is learnt anew. */
static void begin_kernel(struct ccbp_plan *plan, uint32_t k)
{
    struct ccbp_known *known = &plan->known[k];
    uint32_t even = known->most / plan->count;

    known->type = plan->kernels[k].type = CCBP_LATENCY_SENSITIVE;
    known->even = (uint8_t)(even ? even : 1);
    known->even_rate = known->rate = CCBP_RATE_MAX;
    known->ipc[0] = known->ipc[1] = known->shared_ipc = 0;
    plan->kernels[k].most = 0;
    plan->ctas_before[k] = 0;
}

/* With the kernels that are in plan->kernels. */
static void begin(struct ccbp_plan *plan)
{
    plan->stage = plan->count > 1 ? CCBP_FIND_FACTORS : CCBP_HOLD;
    plan->points_used = 0;
    plan->watched = 0;
    plan->phase = false;
    plan->runs = plan->began;
    plan->began |= plan->count != 0;
    for (uint32_t k = 0; k < plan->count; k++)
        begin_kernel(plan, k);
    ccbp_adjust_begin(&plan->climb);
}

static void take(struct ccbp_plan *plan, const struct ccbp_sm *ctas)
{
    for (uint32_t k = 0; k < plan->count; k++) {
        plan->kernels[k].cta = ctas[k];
        plan->known[k].most = (uint8_t)ccbp_most_ctas(&plan->sm, &ctas[k]);
    }
}

void ccbp_plan_begin(struct ccbp_plan *plan, uint32_t count, const struct ccbp_sm *ctas)
{
    plan->count = count;
    plan->patience = CCBP_FIRST_PATIENCE;
    for (uint32_t k = 0; k < count; k++)
        plan->known[k].alone_ipc = 0;
    take(plan, ctas);
    begin(plan);
}

/* A new phase of the present kernels. */
static void begin_phase(struct ccbp_plan *plan)
{
    plan->patience *= 2;
    begin(plan);
}

void ccbp_plan_begin_again(struct ccbp_plan *plan, const struct ccbp_sm *ctas)
{
    take(plan, ctas);
    if (plan->watched)
        begin_phase(plan);
    else
        begin(plan);
}

struct corun_length ccbp_plan_length(const struct ccbp_plan *plan)
{
    switch (plan->stage) {
    case CCBP_FIND_FACTORS:
        return (struct corun_length){50000, 20000};
    case CCBP_FIND_DEMAND:
        return (struct corun_length){10000, 20000};
    case CCBP_RUN_ALONE:
    case CCBP_PROFILE:
        return (struct corun_length){10000, 10000};
    case CCBP_RUN:
    case CCBP_WATCH:
        return (struct corun_length){0, 100000};
    default:
        return (struct corun_length){0, 0};
    }
}

/* --- What kernels may do. */

static struct ccbp_setting even_setting(const struct ccbp_plan *plan, const struct ccbp_known *known)
{
    return (struct ccbp_setting){.limit = known->even,
                                 .throttle = plan->sm.slots,
                                 .rate = known->even_rate,
                                 .first = plan->stage == CCBP_PROFILE && ccbp_is_latency_sensitive(known)};
}

static bool has_rate(const struct ccbp_plan *plan, const struct ccbp_known *known)
{
    return plan->rates && (plan->held || !ccbp_is_latency_sensitive(known));
}

/* The one kernel that is looked at, and the others. */
static struct ccbp_setting alone_setting(const struct ccbp_plan *plan, uint32_t k, struct ccbp_setting even)
{
    even.throttle = k == plan->kernel ? plan->ctas : plan->runs;
    even.rate = CCBP_RATE_MAX;
    even.first = plan->runs && k == plan->kernel;
    return even;
}

/* No kernel starves: one that got no CTA has one, and issues at the least rate. */
static struct ccbp_setting granted_setting(const struct ccbp_plan *plan, uint32_t k)
{
    const struct ccbp_known *known = &plan->known[k];
    uint32_t ctas = plan->allocation.grants[k].ctas;

    return (struct ccbp_setting){.limit = ctas ? ctas : 1,
                                 .throttle = plan->sm.slots,
                                 .rate = has_rate(plan, known) ? known->rate : CCBP_RATE_MAX,
                                 .first = plan->priority && ccbp_is_latency_sensitive(known)};
}

struct ccbp_setting ccbp_plan_setting(const struct ccbp_plan *plan, uint32_t k)
{
    struct ccbp_setting s = even_setting(plan, &plan->known[k]);

    switch (plan->stage) {
    case CCBP_RUN_ALONE:
        return alone_setting(plan, k, s);
    case CCBP_PROFILE:
        if (k != plan->kernel)
            return s;
        s.throttle = plan->ctas;
        s.rate = CCBP_RATE_MAX;
        return s;
    case CCBP_ALLOCATE:
    case CCBP_RUN:
    case CCBP_WATCH:
    case CCBP_RENEW:
        return granted_setting(plan, k);
    case CCBP_HOLD:
        s.limit = plan->sm.slots;
        return s;
    default:
        return s;
    }
}

/* --- What comes next. */

/* The first bandwidth-intensive kernel from `k` on, with one CTA. None: all is known. */
static void profile_from(struct ccbp_plan *plan, uint32_t k)
{
    while (k < plan->count && ccbp_is_latency_sensitive(&plan->known[k]))
        k++;
    plan->stage = CCBP_PROFILE;
    plan->kernel = k;
    plan->ctas = 1;
    if (k == plan->count)
        ccbp_begin_allocation(plan);
}

static void alone_from(struct ccbp_plan *plan, uint32_t k)
{
    while (k < plan->count && plan->known[k].alone_ipc)
        k++;
    plan->stage = CCBP_RUN_ALONE;
    plan->kernel = k;
    if (k == plan->count)
        profile_from(plan, 0);
    else
        plan->ctas = plan->known[k].even;
}

static void after_alone(struct ccbp_plan *plan)
{
    uint32_t even = plan->known[plan->kernel].even;

    if (plan->ctas == even && even > 1)
        plan->ctas = even / 2;
    else
        alone_from(plan, plan->kernel + 1);
}

static void after_point(struct ccbp_plan *plan)
{
    if (plan->ctas == plan->known[plan->kernel].even)
        profile_from(plan, plan->kernel + 1);
    else
        plan->ctas++;
}

static void after_run(struct ccbp_plan *plan)
{
    uint32_t shared[CCBP_MAX_KERNELS], alone[CCBP_MAX_KERNELS];

    for (uint32_t k = 0; k < plan->count; k++) {
        shared[k] = plan->known[k].shared_ipc;
        alone[k] = plan->known[k].alone_ipc;
    }
    (void)ccbp_adjust_next(&plan->climb, plan->weighted ? ccbp_weighted_speedup(plan->count, shared, alone)
                                                        : ccbp_harmonic_speedup(plan->count, shared, alone));
    ccbp_begin_allocation(plan);
}

void ccbp_plan_next(struct ccbp_plan *plan)
{
    ccbp_calibrate(plan);
    switch (plan->stage) {
    case CCBP_FIND_FACTORS:
        plan->stage = CCBP_FIND_DEMAND;
        break;
    case CCBP_FIND_DEMAND:
        alone_from(plan, ccbp_has_climb(plan) || (plan->adjust && plan->calibrate) ? 0 : plan->count);
        break;
    case CCBP_RUN_ALONE:
        after_alone(plan);
        break;
    case CCBP_PROFILE:
        after_point(plan);
        break;
    case CCBP_RUN:
        after_run(plan);
        break;
    case CCBP_WATCH:
        plan->watched++;
        plan->stage = CCBP_RENEW;
        plan->kernel = 0;
        if (plan->phase)
            begin_phase(plan);
        break;
    default:
        break;
    }
}
