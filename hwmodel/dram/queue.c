#include "dram/queue.h"

#include "engine/align.h"

int mh_dq_init(struct mh_dq *q, uint32_t entries)
{
    uint32_t bits = 1;

    /* At most half of the buckets are in use: a group has an entry at least. */
    while ((1u << bits) < 2 * entries)
        bits++;
    *q = (struct mh_dq){.hash_shift = 32 - bits};
    q->entry = mh_aligned_zeros(entries * sizeof *q->entry);
    q->group = mh_aligned_zeros(entries * sizeof *q->group);
    q->hash = mh_aligned_zeros(sizeof *q->hash << bits);
    if (!q->entry || !q->group || !q->hash)
        return -1;
    memset(q->hash, 0xff, sizeof *q->hash << bits);
    memset(q->list, 0xff, sizeof q->list);
    for (uint32_t i = 0; i < entries; i++)
        q->entry[i].next = q->group[i].next = (uint16_t)(i + 1 < entries ? i + 1 : MH_DQ_NIL);
    return 0;
}

void mh_dq_free(struct mh_dq *q)
{
    free(q->entry);
    free(q->group);
    free(q->hash);
}

/* What was served was the group's oldest request, so the group can only move back. */
void mh_dq_sort(struct mh_dq *q, uint32_t g)
{
    struct mh_dq_group *p = &q->group[g];
    uint64_t age = mh_dq_age(q, g);
    uint32_t next = p->next;

    if (next == MH_DQ_NIL || mh_dq_age(q, next) > age)
        return;
    mh_dq_unlink(q, g);
    while (next != MH_DQ_NIL && mh_dq_age(q, next) < age)
        next = q->group[next].next;
    if (next == MH_DQ_NIL) {
        mh_dq_link_last(q, g);
        return;
    }
    p->next = (uint16_t)next;
    p->prev = q->group[next].prev; /* a smaller age was passed, so there is one */
    q->group[next].prev = (uint16_t)g;
    q->group[p->prev].next = (uint16_t)g;
}

void mh_dq_take_younger(struct mh_dq *q, uint32_t g, uint32_t entry)
{
    struct mh_dq_group *p = &q->group[g];
    uint32_t before = p->head;

    while (q->entry[before].next != entry)
        before = q->entry[before].next;
    q->entry[before].next = q->entry[entry].next;
    if (p->tail == entry)
        p->tail = (uint16_t)before;
    q->entry[entry].next = q->free_entry;
    q->free_entry = (uint16_t)entry;
}

bool mh_dq_holds(const struct mh_dq *q, uint32_t bank, uint32_t tag)
{
    for (uint32_t g = q->list[bank][0].first; g != MH_DQ_NIL; g = q->group[g].next)
        for (uint32_t e = q->group[g].head; e != MH_DQ_NIL; e = q->entry[e].next)
            if (q->entry[e].tag == tag)
                return true;
    return false;
}
