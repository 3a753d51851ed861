#include "ccbp_plan.h"

/* Iterations of the allocation at a time: some 240 mcu cycles each on ibex, up to 700 where sums are close (ours). */
enum { ITERATIONS = 3 };

enum {
    FIRST_PATIENCE = 5,  /* windows of 100 K cycles (ours) */
    SEEN_REQUESTS = 256, /* fewer in a window say nothing of what one costs (ours) */
};

static bool is_latency_sensitive(const struct ccbp_known *known)
{
    return known->type == CCBP_LATENCY_SENSITIVE;
}

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

/* An even share of what it would have alone, or the one CTA without which it stands still. The rest is learnt anew. */
static void begin_kernel(struct ccbp_plan *plan, uint32_t k)
{
    struct ccbp_known *known = &plan->known[k];
    uint32_t even = known->most / plan->count;

    known->type = plan->kernels[k].type = CCBP_LATENCY_SENSITIVE;
    known->even = (uint8_t)(even ? even : 1);
    known->even_rate = known->rate = CCBP_RATE_MAX;
    known->ipc[0] = known->ipc[1] = known->alone_ipc = known->shared_ipc = 0;
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
    plan->patience = FIRST_PATIENCE;
    take(plan, ctas);
    begin(plan);
}

/* The same kernels. */
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
                                 .first = plan->stage == CCBP_PROFILE && is_latency_sensitive(known)};
}

static bool has_rate(const struct ccbp_plan *plan, const struct ccbp_known *known)
{
    return plan->rates && (plan->letter || !is_latency_sensitive(known));
}

/* Nobody starves: who got no CTA has one, and issues at the least rate. */
static struct ccbp_setting granted_setting(const struct ccbp_plan *plan, uint32_t k)
{
    const struct ccbp_known *known = &plan->known[k];
    uint32_t ctas = plan->allocation.grants[k].ctas;

    return (struct ccbp_setting){.limit = ctas ? ctas : 1,
                                 .throttle = plan->sm.slots,
                                 .rate = has_rate(plan, known) ? known->rate : CCBP_RATE_MAX,
                                 .first = plan->priority && is_latency_sensitive(known)};
}

struct ccbp_setting ccbp_plan_setting(const struct ccbp_plan *plan, uint32_t k)
{
    struct ccbp_setting s = even_setting(plan, &plan->known[k]);

    switch (plan->stage) {
    case CCBP_RUN_ALONE:
        s.throttle = k == plan->kernel ? plan->ctas : 0;
        s.rate = CCBP_RATE_MAX;
        return s;
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

/* --- What windows say. */

uint32_t ccbp_alone_ipc(uint32_t ipc, uint32_t half_ipc, uint32_t even, uint32_t most)
{
    uint32_t half = even / 2, linear_most;
    uint64_t top, bottom, linear = (uint64_t)ipc * most / even;

    linear_most = linear > UINT32_MAX ? UINT32_MAX : (uint32_t)linear;
    if (most <= even || half == 0)
        return most <= even ? ipc : linear_most;
    if (ipc <= half_ipc)
        return ipc;
    /* 1 / IPC = 1 / ipc - (1 / half_ipc - 1 / ipc) half (most - even) / (most (even - half)). */
    top = (uint64_t)half_ipc * (most * (even - half));
    if (top <= (uint64_t)(ipc - half_ipc) * (half * (most - even)))
        return linear_most;
    bottom = top - (uint64_t)(ipc - half_ipc) * (half * (most - even));
    /* To 32 bits, so that the product has 64. */
    while (top >> 32) {
        top >>= 1;
        bottom >>= 1;
    }
    if (bottom == 0 || (uint64_t)ipc * top / bottom > linear_most)
        return linear_most;
    return (uint32_t)((uint64_t)ipc * top / bottom);
}

/* As caches warm up a request costs less than in the first window. */
static void learn_cost(struct ccbp_plan *plan, struct ccbp_known *known, const struct ccbp_window *window)
{
    if (window->requests >= SEEN_REQUESTS)
        known->cost = ccbp_detect_cost(&plan->config, window);
}

/*
 * More than twice as much, or less than half. Less than a 16th of a line of each request is taken as that: a kernel
 * that all but always hits the L2 may miss twice as often, and is the same.
 */
static bool is_new_phase(const struct ccbp_config *c, const struct ccbp_cost *now, const struct ccbp_cost *settled)
{
    bool other = false;

    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++) {
        uint32_t least = c->units * c->sms * c->bytes[b] * (256 / 16);
        uint32_t cost = now->of[b] > least ? now->of[b] : least;
        uint32_t before = settled->of[b] > least ? settled->of[b] : least;

        other |= cost / 2 > before || before / 2 > cost;
    }
    return other;
}

/* A kernel that was taken for latency-sensitive, and has no rate since, demands an even share of bandwidth or more. */
static bool is_other_type(const struct ccbp_plan *plan, const struct ccbp_known *known,
                          const struct ccbp_window *window)
{
    return is_latency_sensitive(known) &&
           ccbp_detect_type(&plan->config, window, window, plan->count) != CCBP_LATENCY_SENSITIVE;
}

static void learn_drift(struct ccbp_plan *plan, struct ccbp_known *known, const struct ccbp_window *window)
{
    learn_cost(plan, known, window);
    if (plan->watched == 0)
        known->settled = known->cost;
    else if (plan->watched >= plan->patience)
        plan->phase |= is_new_phase(&plan->config, &known->cost, &known->settled);
    if (plan->watched * FIRST_PATIENCE >= plan->patience)
        plan->phase |= is_other_type(plan, known, window);
}

/* Nothing tells saturation from a kernel that asks for no more: what was not seen stays as it was. */
static void learn_bandwidth(struct ccbp_plan *plan, const struct ccbp_window *window)
{
    for (uint32_t b = 0; plan->calibrate && b < CCBP_BANDWIDTHS; b++)
        plan->seen[b] += ccbp_bandwidth(&plan->config, window, b);
}

static void calibrate(struct ccbp_plan *plan)
{
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++) {
        if (plan->seen[b] > plan->config.sustainable[b] && (uint64_t)plan->config.units * plan->seen[b] < UINT32_MAX)
            plan->config.sustainable[b] = plan->seen[b];
        plan->seen[b] = 0;
    }
}

static void learn_factors(struct ccbp_plan *plan, struct ccbp_known *known, const struct ccbp_window *window)
{
    known->factors = *window;
    known->cost = ccbp_detect_cost(&plan->config, window);
    known->even_rate = ccbp_even_rate(&plan->config, &known->cost, plan->count);
}

static void learn_demand(struct ccbp_plan *plan, uint32_t k, const struct ccbp_window *window)
{
    struct ccbp_known *known = &plan->known[k];
    struct ccbp_kernel *kernel = &plan->kernels[k];

    known->type = kernel->type = ccbp_detect_type(&plan->config, &known->factors, window, plan->count);
    if (!is_latency_sensitive(known)) {
        learn_cost(plan, known, window);
        return;
    }
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
        known->use[b] = ccbp_linear(plan->config.units, ccbp_bandwidth(&plan->config, window, b), known->even);
    kernel->use = known->use;
    kernel->most = known->most;
}

static void learn_point(struct ccbp_plan *plan, const struct ccbp_window *window)
{
    struct ccbp_kernel *kernel = &plan->kernels[plan->kernel];
    enum ccbp_bandwidth own = kernel->type == CCBP_NOC_INTENSIVE ? CCBP_NOC : CCBP_DRAM;
    enum ccbp_bandwidth other = own == CCBP_NOC ? CCBP_DRAM : CCBP_NOC;

    if (plan->ctas == 1)
        kernel->points = &plan->points[plan->points_used];
    plan->points[plan->points_used++] =
        ccbp_point_of(plan->config.units, plan->config.sustainable[own], ccbp_bandwidth(&plan->config, window, own),
                      ccbp_bandwidth(&plan->config, window, other));
    kernel->most = plan->ctas;
    learn_cost(plan, &plan->known[plan->kernel], window);
}

static void learn_alone(struct ccbp_plan *plan, uint32_t ipc)
{
    struct ccbp_known *known = &plan->known[plan->kernel];
    bool whole = plan->ctas == known->even;

    known->ipc[!whole] = ipc;
    known->alone_ipc = ccbp_alone_ipc(known->ipc[0], known->ipc[1], known->even, known->most);
}

void ccbp_plan_learn(struct ccbp_plan *plan, uint32_t k, const struct ccbp_window *window, uint32_t instructions)
{
    switch (plan->stage) {
    case CCBP_FIND_FACTORS:
        learn_factors(plan, &plan->known[k], window);
        learn_bandwidth(plan, window);
        break;
    case CCBP_FIND_DEMAND:
        learn_demand(plan, k, window);
        break;
    case CCBP_RUN_ALONE:
        learn_alone(plan, ccbp_ipc(instructions, window->cycles));
        learn_bandwidth(plan, window);
        break;
    case CCBP_PROFILE:
        learn_point(plan, window);
        break;
    case CCBP_RUN:
        plan->known[k].shared_ipc = ccbp_ipc(instructions, window->cycles);
        learn_cost(plan, &plan->known[k], window);
        break;
    case CCBP_WATCH:
        learn_drift(plan, &plan->known[k], window);
        break;
    default:
        break;
    }
}

/* --- What comes next. */

static void begin_allocation(struct ccbp_plan *plan)
{
    plan->stage = CCBP_ALLOCATE;
    plan->allocating = false;
    plan->kernel = 0;
}

/* The first part of its work. */
static void allocate_first(struct ccbp_plan *plan)
{
    plan->allocating = true;
    plan->allocation.config = &plan->config;
    plan->allocation.sm = &plan->sm;
    plan->allocation.kernels = plan->kernels;
    plan->allocation.count = plan->count;
    ccbp_allocate_begin(&plan->allocation, plan->climb.prior);
}

/* The first bandwidth-intensive kernel from `k` on, with one CTA. None: all is known. */
static void profile_from(struct ccbp_plan *plan, uint32_t k)
{
    while (k < plan->count && is_latency_sensitive(&plan->known[k]))
        k++;
    plan->stage = CCBP_PROFILE;
    plan->kernel = k;
    plan->ctas = 1;
    if (k == plan->count)
        begin_allocation(plan);
}

static void alone_from(struct ccbp_plan *plan, uint32_t k)
{
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

/* A prior that changes nothing is not tried. Without latency-sensitive kernels, or with no others, none does. */
static bool has_climb(const struct ccbp_plan *plan)
{
    uint32_t sensitive = 0;

    for (uint32_t k = 0; k < plan->count; k++)
        sensitive += is_latency_sensitive(&plan->known[k]);
    return plan->adjust && sensitive && sensitive < plan->count;
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
    begin_allocation(plan);
}

void ccbp_plan_next(struct ccbp_plan *plan)
{
    calibrate(plan);
    switch (plan->stage) {
    case CCBP_FIND_FACTORS:
        plan->stage = CCBP_FIND_DEMAND;
        break;
    case CCBP_FIND_DEMAND:
        alone_from(plan, has_climb(plan) || (plan->adjust && plan->calibrate) ? 0 : plan->count);
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

/* --- Allocation. */

/* True: the same as before. */
static bool remember(struct ccbp_plan *plan)
{
    bool same = true;

    for (uint32_t k = 0; k < plan->count; k++) {
        const struct ccbp_grant *grant = &plan->allocation.grants[k];

        same &= plan->ctas_before[k] == grant->ctas && plan->units_before[k] == grant->units;
        plan->ctas_before[k] = (uint8_t)grant->ctas;
        plan->units_before[k] = (uint8_t)grant->units;
    }
    return same;
}

static void after_allocation(struct ccbp_plan *plan)
{
    bool same = remember(plan);

    if (!has_climb(plan) || plan->climb.done) {
        plan->stage = CCBP_WATCH;
        return;
    }
    plan->stage = CCBP_RUN;
    if (same) {
        (void)ccbp_adjust_same(&plan->climb);
        begin_allocation(plan);
    }
}

/*
 * Of the bandwidth that nobody was granted an equal part for each bandwidth-intensive kernel (ours). A quota of the
 * bandwidth that is not its own follows from what a request cost when it was profiled; one that costs more afterwards,
 * as others take its lines of the L2, would be held ever lower while bandwidth stays unused. The fractions of the
 * grants are left out of the sum.
 */
static uint32_t spare(const struct ccbp_plan *plan, uint32_t bandwidth)
{
    uint32_t room = plan->allocation.room[bandwidth], kernels = 0;

    for (uint32_t k = 0; k < plan->count; k++)
        kernels += !is_latency_sensitive(&plan->known[k]);
    return !plan->letter && kernels && room > plan->count ? (room - plan->count) / kernels : 0;
}

static void set_rate(struct ccbp_plan *plan, uint32_t k)
{
    const struct ccbp_grant *grant = &plan->allocation.grants[k];
    uint32_t quota[CCBP_BANDWIDTHS];

    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
        quota[b] = grant->use[b].whole + (is_latency_sensitive(&plan->known[k]) ? 0 : spare(plan, b));
    plan->known[k].rate = ccbp_issue_rate(&plan->config, &plan->known[k].cost, quota);
}

/* A kernel's rate at a time: it divides. */
bool ccbp_plan_work(struct ccbp_plan *plan)
{
    if (plan->stage == CCBP_ALLOCATE && !plan->allocating) {
        allocate_first(plan);
        return false;
    }
    if (plan->stage == CCBP_ALLOCATE && ccbp_allocate_some(&plan->allocation, ITERATIONS))
        return false;
    if (plan->kernel < plan->count) {
        set_rate(plan, plan->kernel++);
        return false;
    }
    if (plan->stage == CCBP_RENEW)
        plan->stage = CCBP_WATCH;
    else
        after_allocation(plan);
    return plan->stage != CCBP_ALLOCATE;
}
