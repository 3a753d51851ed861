/*
 * The data reads that wait in the normal queue, by tenant in order of arrival: those of the tenant whose turn it is
 * move up into silver (tiers.h). Private to dram/.
 */
#ifndef MEMHELM_DRAM_READS_H
#define MEMHELM_DRAM_READS_H

#include <stdint.h>
#include <string.h>

#include "dram/queue.h"
#include "memhelm/config.h"

struct mh_read {
    uint32_t row;
    uint16_t before, after; /**< the tenant's, MH_DQ_NIL: none */
    uint8_t bank;
    uint8_t tenant; /**< or MH_READ_OTHER */
};

/** No data read that arrived while there were three queues. */
#define MH_READ_OTHER 0xff

struct mh_reads {
    struct mh_read *read;            /**< by entry of the normal queue */
    uint16_t oldest[MH_MAX_TENANTS]; /**< entry, MH_DQ_NIL: the tenant has none */
    uint16_t youngest[MH_MAX_TENANTS];
};

/** Forgets all of them; they are others now. */
static inline void mh_reads_forget(struct mh_reads *r, uint32_t entries)
{
    for (uint32_t i = 0; i < entries; i++)
        r->read[i].tenant = MH_READ_OTHER;
    memset(r->oldest, 0xff, sizeof r->oldest);
    memset(r->youngest, 0xff, sizeof r->youngest);
}

static inline void mh_reads_add(struct mh_reads *r, uint32_t entry, uint32_t tenant, uint32_t bank, uint32_t row)
{
    uint16_t last = r->youngest[tenant];

    r->read[entry] = (struct mh_read){row, last, MH_DQ_NIL, (uint8_t)bank, (uint8_t)tenant};
    *(last == MH_DQ_NIL ? &r->oldest[tenant] : &r->read[last].after) = (uint16_t)entry;
    r->youngest[tenant] = (uint16_t)entry;
}

/** Pre: it was added. */
static inline void mh_reads_remove(struct mh_reads *r, uint32_t entry)
{
    const struct mh_read *p = &r->read[entry];

    *(p->before == MH_DQ_NIL ? &r->oldest[p->tenant] : &r->read[p->before].after) = p->after;
    *(p->after == MH_DQ_NIL ? &r->youngest[p->tenant] : &r->read[p->after].before) = p->before;
}

#endif
