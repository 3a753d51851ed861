#include "dram/mpki.h"

/* Compares reads per instruction as cross products, without a division. A tenant that read and issued nothing has
 * infinitely many. The second condition puts one that did neither before all that read. */
static int fewer(const struct mh_mpki_counts *c, uint32_t a, uint32_t b)
{
    return c->reads[a] * c->instr[b] < c->reads[b] * c->instr[a] || (!c->reads[a] && c->reads[b]);
}

/* Tenants that are not there have read nothing. They put all that read behind them alike, which changes no order. */
void mh_mpki_order(const struct mh_mpki_counts *counts, uint8_t priority[MH_MAX_TENANTS])
{
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        priority[t] = 0;
        for (uint32_t other = 0; other < MH_MAX_TENANTS; other++)
            priority[t] += fewer(counts, other, t);
    }
}

void mh_mpki_interval(struct mh_mpki *m, const struct mh_mpki_counts *so_far, uint8_t priority[MH_MAX_TENANTS])
{
    struct mh_mpki_counts since;

    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        since.reads[t] = so_far->reads[t] - m->before.reads[t];
        since.instr[t] = so_far->instr[t] - m->before.instr[t];
    }
    m->before = *so_far;
    mh_mpki_order(&since, priority);
}
