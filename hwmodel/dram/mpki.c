#include "dram/mpki.h"

/* Reads an instruction, crosswise: no division. Who issued nothing has as many as there can be, if it read. */
static int fewer(const struct mh_mpki_counts *c, uint32_t a, uint32_t b)
{
    return c->reads[a] * c->instr[b] < c->reads[b] * c->instr[a] || (!c->reads[a] && c->reads[b]);
}

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
