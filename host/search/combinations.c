#include "combinations.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t times_in(uint64_t room, uint64_t need)
{
    return need ? room / need : UINT64_MAX;
}

/* CTAs that an SM holds of this launch when it holds nothing else. */
static uint64_t cta_fit(const struct mh_cta_room *sm, const struct mh_cta_room *needs)
{
    uint64_t fit = times_in(sm->slots, needs->slots);
    fit = least(fit, times_in(sm->warps, needs->warps));
    fit = least(fit, times_in(sm->registers, needs->registers));
    return least(fit, times_in(sm->shared_bytes, needs->shared_bytes));
}

static unsigned reach(const struct mh_cta_room *sm, const struct cta_launch *l, unsigned sms)
{
    uint32_t share = sms ? (l->ctas + sms - 1) / sms : l->ctas;
    return (unsigned)least(cta_fit(sm, &l->needs), share);
}

unsigned cta_most(const struct mh_cta_room *sm, const struct cta_kernel *kernel, unsigned sms)
{
    unsigned most = 0;
    for (unsigned i = 0; i < kernel->count; i++) {
        unsigned n = reach(sm, &kernel->launch[i], sms);
        most = n > most ? n : most;
    }
    return most;
}

/* What is left of `room` when `n` CTAs have come; false: they do not fit. */
static bool take(struct mh_cta_room *room, const struct mh_cta_room *needs, uint64_t n)
{
    if (cta_fit(room, needs) < n)
        return false;
    room->slots -= n * needs->slots;
    room->warps -= n * needs->warps;
    room->registers -= n * needs->registers;
    room->shared_bytes -= n * needs->shared_bytes;
    return true;
}

/*
 * Do so many CTAs of each kernel fit an SM together in some launches of theirs, none of which is too small for its
 * number? Of launches that run at a time the model decides which, so one fit is enough.
 */
static bool cta_fits(const struct mh_cta_room *sm, const struct cta_kernel *kernels, unsigned count,
                     const uint8_t *ctas)
{
    for (unsigned i = 0; count && i < kernels->count; i++) {
        struct mh_cta_room left = *sm;
        if (*ctas <= kernels->launch[i].ctas && take(&left, &kernels->launch[i].needs, *ctas) &&
            cta_fits(&left, kernels + 1, count - 1, ctas + 1))
            return true;
    }
    return !count;
}

static int add(struct combinations *c, const uint8_t *ctas, struct mh_error *err)
{
    if (c->count == COMBINATIONS_MOST)
        return mh_fail(err, "more than %u CTA combinations: search fewer kernels", c->count);
    c->ctas = grow(c->ctas, c->count, &c->room, sizeof *c->ctas);
    memcpy(c->ctas[c->count++], ctas, sizeof *c->ctas);
    return 0;
}

/*
 * What fits with more CTAs fits with fewer: the search ends at the first number of kernel `k` that does not fit with
 * the CTAs of the kernels before it and one CTA of each kernel after it.
 */
static int add_together(struct combinations *c, const struct mh_cta_room *sm, const struct cta_kernel *kernels,
                        unsigned k, uint8_t *ctas, struct mh_error *err)
{
    if (k == c->kernels)
        return add(c, ctas, err);
    for (ctas[k] = 1; cta_fits(sm, kernels, c->kernels, ctas); ctas[k]++)
        if (add_together(c, sm, kernels, k + 1, ctas, err))
            return -1;
    ctas[k] = 1;
    return 0;
}

static void begin(struct combinations *c, unsigned count, uint8_t ctas[MH_MAX_TENANTS])
{
    *c = (struct combinations){.kernels = count};
    memset(ctas, 0, MH_MAX_TENANTS);
    memset(ctas, 1, count);
}

int combinations_together(struct combinations *c, const struct mh_cta_room *sm, const struct cta_kernel *kernels,
                          unsigned count, struct mh_error *err)
{
    uint8_t ctas[MH_MAX_TENANTS];
    begin(c, count, ctas);
    return add_together(c, sm, kernels, 0, ctas, err);
}

/* The next one in order; false: that was the last. */
static bool next(uint8_t *ctas, const unsigned *most, unsigned count)
{
    while (count--) {
        if (ctas[count] < most[count]) {
            ctas[count]++;
            return true;
        }
        ctas[count] = 1;
    }
    return false;
}

int combinations_apart(struct combinations *c, const unsigned *most, unsigned count, struct mh_error *err)
{
    uint8_t ctas[MH_MAX_TENANTS];
    begin(c, count, ctas);
    for (unsigned k = 0; k < count; k++)
        if (!most[k])
            return 0;
    do
        if (add(c, ctas, err))
            return -1;
    while (next(ctas, most, count));
    return 0;
}

void combinations_free(struct combinations *c)
{
    free(c->ctas);
    *c = (struct combinations){0};
}

void combinations_keep(struct combinations *c, const bool *kept)
{
    unsigned count = 0;
    for (unsigned i = 0; i < c->count; i++)
        if (kept[i])
            memmove(c->ctas[count++], c->ctas[i], sizeof *c->ctas);
    c->count = count;
}

int combinations_find(const struct combinations *c, const uint8_t *ctas)
{
    for (unsigned i = 0; i < c->count; i++)
        if (!memcmp(c->ctas[i], ctas, c->kernels))
            return (int)i;
    return -1;
}

unsigned combinations_highest(const struct combinations *c, unsigned k)
{
    unsigned highest = 0;
    for (unsigned i = 0; i < c->count; i++)
        highest = c->ctas[i][k] > highest ? c->ctas[i][k] : highest;
    return highest;
}

const char *const pair_names[PAIR_CLASSES] = {"LS+LS", "LS+BI", "NBI+DBI"};

enum { LS, NBI, DBI };

static const struct {
    int class;
    const char *workload;
} kernels[] = {
#define MH_SEARCH_KERNEL(class, workload) {class, workload},
#include "pairs.def"
#undef MH_SEARCH_KERNEL
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* Is kernel `a` with kernel `b` behind it a pair of the class? */
static bool is_pair(enum pair_class class, unsigned a, unsigned b)
{
    int first = kernels[a].class, second = kernels[b].class;
    if (class == PAIR_NBI_DBI)
        return first == NBI && second == DBI;
    return first == LS && (second != LS) == (class == PAIR_LS_BI);
}

unsigned pairs_all(struct pair out[PAIRS_MOST])
{
    unsigned count = 0;
    for (unsigned class = 0; class < PAIR_CLASSES; class ++)
        for (unsigned a = 0; a < KERNELS; a++)
            for (unsigned b = a + 1; b < KERNELS; b++)
                if (is_pair((enum pair_class) class, a, b) && count < PAIRS_MOST)
                    out[count++] = (struct pair){(enum pair_class) class, kernels[a].workload, kernels[b].workload};
    return count;
}

static int refuse(const struct mh_config *cfg, uint32_t t, const struct mh_cta_room *needs, struct mh_error *err)
{
    const struct mh_sm_cfg *sm = &cfg->sm;
    return mh_fail(err,
                   "%s: a CTA needs %" PRIu64 " warps, %" PRIu64 " registers and %" PRIu64 " bytes of shared memory; "
                   "an SM has %u, %u and %u: raise sm.warps, sm.registers or sm.shared_bytes with --set",
                   cfg->tenants[t].kernel, needs->warps, needs->registers, needs->shared_bytes, sm->warps,
                   sm->registers, sm->shared_bytes);
}

static void add_launch(struct cta_kernel *kernel, const struct mh_cta_room *needs, uint32_t ctas)
{
    for (unsigned i = 0; i < kernel->count; i++) {
        struct cta_launch *known = &kernel->launch[i];
        if (memcmp(&known->needs, needs, sizeof *needs))
            continue;
        known->ctas = ctas > known->ctas ? ctas : known->ctas;
        return;
    }
    kernel->launch = must(realloc(kernel->launch, (kernel->count + 1) * sizeof *kernel->launch));
    kernel->launch[kernel->count++] = (struct cta_launch){*needs, ctas};
}

int needs_add(struct cta_kernel *kernel, const struct mh_config *cfg, uint32_t t, const struct mh_workload *work,
              struct mh_error *err)
{
    const struct mh_cta_room sm = mh_room_of_sm(cfg);
    uint32_t count;
    const struct mh_launch *launches = mh_workload_launches(work, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct mh_cta_room needs = mh_room_of_cta(cfg, &launches[i]);
        if (!cta_fit(&sm, &needs))
            return refuse(cfg, t, &needs, err);
        add_launch(kernel, &needs, launches[i].ctas);
    }
    return 0;
}

void needs_free(struct cta_kernel *kernel)
{
    free(kernel->launch);
    *kernel = (struct cta_kernel){0};
}
