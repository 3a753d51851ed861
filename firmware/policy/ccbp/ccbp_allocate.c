#include "ccbp.h"

#include <stddef.h>

enum { PRIOR_ONE = 10, NOBODY = CCBP_MAX_KERNELS, NEITHER = CCBP_BANDWIDTHS };

/* Kernels, and terms, of which a call has time for whole sums. Terms of a sum's last part, of eight half of its work.
 */
enum { FEW = 4, TERMS_LAST = 2 };

/* What is done in each iteration is in its loop; what is seldom needed stays apart, with the registers that it saves.
 */
#define INLINE static inline __attribute__((always_inline))
#define APART  static __attribute__((noinline))

/* ---- dominant shares */

static uint64_t amount(const struct ccbp_sm *sm, uint32_t r)
{
    return sm->amount[r] > 0 ? sm->amount[r] : 1;
}

/* The largest part of the SM that a CTA takes, over the product of all amounts. */
static uint64_t static_share(const struct ccbp_sm *sm, const struct ccbp_sm *cta)
{
    uint64_t most = 0;

    for (uint32_t r = 0; r < CCBP_STATICS; r++) {
        uint64_t share = cta->amount[r] * amount(sm, (r + 1) % CCBP_STATICS) * amount(sm, (r + 2) % CCBP_STATICS);

        most = share > most ? share : most;
    }
    return most;
}

static uint64_t share_of_one(const struct ccbp_allocation *a, const struct ccbp_kernel *kernel, uint32_t prior)
{
    if (kernel->type == CCBP_LATENCY_SENSITIVE)
        return static_share(a->sm, &kernel->cta) * prior * a->config->units;
    return amount(a->sm, CCBP_REGISTERS) * amount(a->sm, CCBP_SHARED) * amount(a->sm, CCBP_THREADS) * PRIOR_ONE;
}

INLINE uint32_t lowest(const struct ccbp_allocation *a)
{
    uint32_t found = NOBODY;
    uint64_t share = CCBP_FINISHED;

    for (uint32_t k = 0; k < a->count; k++)
        if (a->share[k] < share) {
            found = k;
            share = a->share[k];
        }
    return found;
}

/* ---- bandwidths */

/* The fractions of a bandwidth, none of them summed up yet. */
INLINE void begin_sum(struct ccbp_sum *s, const struct ccbp_allocation *a, uint32_t bandwidth)
{
    uint32_t whole = 0;

    s->count = s->done = 0;
    for (uint32_t k = 0; k < a->count; k++) {
        const struct ccbp_use *use = &a->grants[k].use[bandwidth];

        if (use->rest > 0)
            whole += ccbp_sum_add(s, use->rest, use->over);
    }
    s->whole = whole;
}

APART bool sum_of_few_fits(struct ccbp_allocation *a, uint32_t bandwidth, uint32_t room)
{
    struct ccbp_sum s;

    a->sums++;
    begin_sum(&s, a, bandwidth);
    return ccbp_sum_fits(&s, room);
}

/*
 * With more kernels than FEW a call has one iteration, and one sum at most, of many terms a part of it. A call that
 * needs more is put off: the iteration is refused, which changes nothing, and the next call makes it again, knowing
 * what it knew. Returns the iterations of a call.
 */
APART uint32_t begin_part(struct ccbp_allocation *a)
{
    if (!a->put_off)
        a->fits = NEITHER;
    a->put_off = a->summed = false;
    return 1;
}

static bool put_off(struct ccbp_allocation *a)
{
    a->put_off = true;
    return false;
}

APART bool part_of_sum_fits(struct ccbp_allocation *a, uint32_t bandwidth, uint32_t room)
{
    struct ccbp_sum *s = &a->sum;
    bool begins = a->under_way != bandwidth;

    if (a->fits == bandwidth)
        return true;
    if (a->summed)
        return put_off(a);
    a->summed = true;
    if (begins) {
        a->sums++;
        begin_sum(s, a, bandwidth);
        a->under_way = bandwidth;
    }
    if (begins && s->count > FEW && ccbp_sum_is_close(s, room)) {
        ccbp_sum_up(s, s->count - TERMS_LAST);
        return put_off(a);
    }
    a->under_way = NEITHER;
    if (!ccbp_sum_fits(s, room))
        return false;
    a->fits = bandwidth;
    return true;
}

/*
 * What the grants' whole parts leave is enough for their fractions. Each is below 1: what they are is to be known only
 * if there is room for one, and not for as many.
 */
APART bool fractions_fit(struct ccbp_allocation *a, uint32_t bandwidth)
{
    uint32_t fractions = 0, room = a->room[bandwidth];

    for (uint32_t k = 0; k < a->count; k++)
        fractions += a->grants[k].use[bandwidth].rest > 0;
    if (room == 0 || room >= fractions)
        return room >= fractions;
    return a->count > FEW ? part_of_sum_fits(a, bandwidth, room) : sum_of_few_fits(a, bandwidth, room);
}

static void give_back(struct ccbp_allocation *a, struct ccbp_grant *grant, uint32_t bandwidth,
                      const struct ccbp_use *more)
{
    struct ccbp_use *use = &grant->use[bandwidth];
    bool borrow = use->rest < more->rest;

    use->rest += (borrow ? use->over : 0) - more->rest;
    use->whole -= more->whole + borrow;
    a->room[bandwidth] += more->whole + borrow;
}

/* After it was taken. */
APART bool keep_or_give_back(struct ccbp_allocation *a, struct ccbp_grant *grant, uint32_t bandwidth,
                             const struct ccbp_use *more)
{
    if (fractions_fit(a, bandwidth))
        return true;
    give_back(a, grant, bandwidth, more);
    return false;
}

/* As much more of what has the same denominator. False: nothing has changed. */
INLINE bool take(struct ccbp_allocation *a, struct ccbp_grant *grant, uint32_t bandwidth, const struct ccbp_use *more)
{
    struct ccbp_use *use = &grant->use[bandwidth];
    uint32_t room = a->room[bandwidth], gap = use->over - use->rest, whole = more->whole;
    uint32_t rest = use->rest + more->rest;

    if (whole > room)
        return false;
    if (more->rest >= gap) {
        rest -= use->over; /* modulo 2^32 */
        if (++whole > room)
            return false;
    }
    use->rest = rest;
    use->whole += whole;
    a->room[bandwidth] = room - whole;
    return room - whole >= a->count || keep_or_give_back(a, grant, bandwidth, more);
}

/* Of both bandwidths or of neither. */
INLINE bool take_both(struct ccbp_allocation *a, struct ccbp_grant *grant, const struct ccbp_use *noc,
                      const struct ccbp_use *dram)
{
    if (!take(a, grant, CCBP_NOC, noc))
        return false;
    if (take(a, grant, CCBP_DRAM, dram))
        return true;
    give_back(a, grant, CCBP_NOC, noc);
    return false;
}

/*
 * rest x times / over, rounded down; rest < over, times <= 255. A division of 64 bits would take five times as long. If
 * the product has more than 32 bits, `over` has more than 24: without its low 8, the quotient is one too small at most.
 */
static uint32_t quotient(uint32_t rest, uint32_t times, uint32_t over)
{
    uint64_t product = (uint64_t)rest * times;

    if (product >> 32 == 0)
        return (uint32_t)product / over;

    uint32_t low = (uint32_t)(product >> 8) / ((over >> 8) + 1);

    return low + (product - (uint64_t)low * over >= over);
}

/* `times` the use, instead of what it has. False: nothing has changed. */
static bool take_instead(struct ccbp_allocation *a, struct ccbp_grant *grant, uint32_t bandwidth,
                         const struct ccbp_use *use, uint32_t times)
{
    struct ccbp_use before = grant->use[bandwidth];
    uint32_t room = a->room[bandwidth], most = room + before.whole;
    uint32_t carry = quotient(use->rest, times, use->over);
    uint64_t whole = (uint64_t)use->whole * times + carry;

    if (whole > most)
        return false;
    grant->use[bandwidth] = (struct ccbp_use){(uint32_t)whole, use->rest * times - carry * use->over, use->over};
    a->room[bandwidth] = most - (uint32_t)whole;
    if (a->room[bandwidth] >= a->count || fractions_fit(a, bandwidth))
        return true;
    grant->use[bandwidth] = before;
    a->room[bandwidth] = room;
    return false;
}

/* ---- algorithm 1 */

INLINE bool has_cta(const struct ccbp_allocation *a, const struct ccbp_kernel *kernel, const struct ccbp_grant *grant)
{
    return grant->ctas < kernel->most && a->left.slots > 0 &&
           kernel->cta.amount[CCBP_REGISTERS] <= a->left.amount[CCBP_REGISTERS] &&
           kernel->cta.amount[CCBP_SHARED] <= a->left.amount[CCBP_SHARED] &&
           kernel->cta.amount[CCBP_THREADS] <= a->left.amount[CCBP_THREADS];
}

INLINE void take_cta(struct ccbp_allocation *a, const struct ccbp_kernel *kernel, struct ccbp_grant *grant)
{
    a->left.amount[CCBP_REGISTERS] -= kernel->cta.amount[CCBP_REGISTERS];
    a->left.amount[CCBP_SHARED] -= kernel->cta.amount[CCBP_SHARED];
    a->left.amount[CCBP_THREADS] -= kernel->cta.amount[CCBP_THREADS];
    a->left.slots--;
    grant->ctas++;
}

/* A unit more, with a CTA more: the scale is another one. */
APART bool grow(struct ccbp_allocation *a, const struct ccbp_kernel *kernel, struct ccbp_grant *grant, uint32_t own,
                const struct ccbp_use *unit)
{
    if (!has_cta(a, kernel, grant) || !take(a, grant, own, unit))
        return false;
    if (!take_instead(a, grant, !own, &kernel->points[grant->ctas].other, grant->units + 1)) {
        give_back(a, grant, own, unit);
        return false;
    }
    take_cta(a, kernel, grant);
    grant->units++;
    return true;
}

/* Lines 4 to 25. */
INLINE bool next(struct ccbp_allocation *a, const struct ccbp_kernel *kernel, struct ccbp_grant *grant)
{
    uint32_t own = kernel->type == CCBP_NOC_INTENSIVE ? CCBP_NOC : CCBP_DRAM;
    const struct ccbp_use unit = {a->config->sustainable[own], 0, 1}, *noc, *dram;
    bool ctas = kernel->type == CCBP_LATENCY_SENSITIVE;

    if (ctas) {
        if (!has_cta(a, kernel, grant))
            return false;
        noc = &kernel->use[CCBP_NOC];
        dram = &kernel->use[CCBP_DRAM];
    } else {
        const struct ccbp_point *point = grant->ctas > 0 ? &kernel->points[grant->ctas - 1] : NULL;

        if (point == NULL || point->units <= grant->units)
            return grow(a, kernel, grant, own, &unit);
        noc = own == CCBP_NOC ? &unit : &point->other;
        dram = own == CCBP_NOC ? &point->other : &unit;
    }
    if (!take_both(a, grant, noc, dram))
        return false;
    if (ctas)
        take_cta(a, kernel, grant);
    else
        grant->units++;
    return true;
}

static void begin_grant(struct ccbp_grant *grant, const struct ccbp_kernel *kernel)
{
    *grant = (struct ccbp_grant){.use = {{0, 0, 1}, {0, 0, 1}}};
    if (kernel->type == CCBP_LATENCY_SENSITIVE && kernel->most > 0)
        for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
            grant->use[b].over = kernel->use[b].over;
}

void ccbp_allocate_begin(struct ccbp_allocation *a, uint32_t prior)
{
    a->left = *a->sm;
    a->sums = 0;
    a->fits = a->under_way = NEITHER;
    a->put_off = false;
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
        a->room[b] = a->config->units * a->config->sustainable[b];
    for (uint32_t k = 0; k < a->count; k++) {
        begin_grant(&a->grants[k], &a->kernels[k]);
        a->share[k] = 0;
        a->share_of_one[k] = share_of_one(a, &a->kernels[k], prior);
    }
}

bool ccbp_allocate_some(struct ccbp_allocation *a, uint32_t iterations)
{
    const uint32_t sums = a->sums;

    if (a->count > FEW)
        iterations = begin_part(a);
    for (; iterations > 0 && a->sums == sums; iterations--) {
        uint32_t k = lowest(a);

        if (k == NOBODY)
            return false;

        const struct ccbp_kernel *kernel = &a->kernels[k];
        struct ccbp_grant *grant = &a->grants[k];

        if (next(a, kernel, grant))
            a->share[k] += a->share_of_one[k];
        else if (!a->put_off)
            a->share[k] = CCBP_FINISHED;
        a->last = k;
    }
    return true;
}

bool ccbp_allocate_fill(struct ccbp_allocation *a, uint32_t ctas)
{
    for (uint32_t k = 0; k < a->count; k++)
        if (a->kernels[k].type == CCBP_LATENCY_SENSITIVE)
            a->share[k] = a->grants[k].ctas * a->share_of_one[k];
    while (ctas > 0) {
        uint32_t k = lowest(a);

        if (k == NOBODY)
            return false;
        if (has_cta(a, &a->kernels[k], &a->grants[k])) {
            take_cta(a, &a->kernels[k], &a->grants[k]);
            a->share[k] += a->share_of_one[k];
            ctas--;
        } else {
            a->share[k] = CCBP_FINISHED;
        }
    }
    return true;
}

uint32_t ccbp_allocate_starved(const struct ccbp_allocation *a)
{
    uint32_t starved = 0;

    for (uint32_t k = 0; k < a->count; k++)
        starved |= (uint32_t)(a->grants[k].ctas == 0) << k;
    return starved;
}
