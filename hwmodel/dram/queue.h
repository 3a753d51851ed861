/*
 * Requests waiting in one channel, grouped by (direction, bank, row). Private to dram/.
 *
 * A group is the FIFO of the requests for one row, so the row hits of an open row are at hand without a search. The
 * groups of a bank and direction form a list ordered by the age of their oldest request; only the group of the open
 * row may be out of order while its requests are being served, and mh_dq_sort() puts it right when the row closes.
 * All arrays are allocated once; every operation but sort is O(1).
 */
#ifndef MEMHELM_DRAM_QUEUE_H
#define MEMHELM_DRAM_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"

#define MH_DQ_NIL 0xffffu

struct mh_dq_entry {
    uint64_t age; /**< order of arrival in the channel */
    uint32_t tag;
    uint16_t next; /**< younger request of the group, or next free entry */
    uint8_t left;  /**< column commands still to issue */
    uint8_t hit;   /**< the first of them found its row open and used; MH_DQ_WHOLE before it */
};
enum { MH_DQ_WHOLE = 2 };

struct mh_dq_group {
    uint32_t row;
    uint16_t head, tail; /**< requests, oldest first; never empty */
    uint16_t prev, next; /**< groups of the bank and direction; next free group */
    uint16_t chain;      /**< groups of the same hash */
    uint8_t bank, write;
};

struct mh_dq {
    struct mh_dq_entry *entry;
    struct mh_dq_group *group;
    uint16_t *hash;
    uint32_t hash_shift;
    uint16_t free_entry, free_group;
    struct mh_dq_list {
        uint16_t first, last;
    } list[MH_MAX_DRAM_BANKS][2]; /**< groups of a bank and direction */
};

/** 0, or -1 when memory ran out. 1 <= entries < MH_DQ_NIL. */
int mh_dq_init(struct mh_dq *q, uint32_t entries);
void mh_dq_free(struct mh_dq *q);

/** Puts the group back to its place in the order of ages after some of its requests were served. */
void mh_dq_sort(struct mh_dq *q, uint32_t group);

/** True if a read of this tag waits for the bank. */
bool mh_dq_holds(const struct mh_dq *q, uint32_t bank, uint32_t tag);

static inline uint64_t mh_dq_age(const struct mh_dq *q, uint32_t group)
{
    return q->entry[q->group[group].head].age;
}

/** The oldest request of the bank that the open row (group `hits`) does not serve, MH_DQ_NIL when there is none. */
static inline uint32_t mh_dq_oldest_other(const struct mh_dq *q, uint32_t bank, uint32_t write, uint32_t hits)
{
    uint32_t g = q->list[bank][write].first;

    return g != MH_DQ_NIL && g == hits ? q->group[g].next : g;
}

static inline uint16_t *mh_dq_bucket(const struct mh_dq *q, uint32_t write, uint32_t bank, uint32_t row)
{
    /* Fibonacci hashing; rows of one bank and banks of one row both spread. */
    return &q->hash[((row * 64 + bank * 2 + write) * 0x9e3779b1u) >> q->hash_shift];
}

/** Group of the row, MH_DQ_NIL when nothing waits for it. */
static inline uint32_t mh_dq_find(const struct mh_dq *q, uint32_t write, uint32_t bank, uint32_t row)
{
    uint32_t g = *mh_dq_bucket(q, write, bank, row);

    while (g != MH_DQ_NIL) {
        const struct mh_dq_group *p = &q->group[g];

        if (p->row == row && p->bank == bank && p->write == write)
            return g;
        g = p->chain;
    }
    return MH_DQ_NIL;
}

static inline void mh_dq_link_last(struct mh_dq *q, uint32_t g)
{
    struct mh_dq_group *p = &q->group[g];
    struct mh_dq_list *l = &q->list[p->bank][p->write];

    p->prev = l->last;
    p->next = MH_DQ_NIL;
    *(l->last == MH_DQ_NIL ? &l->first : &q->group[l->last].next) = (uint16_t)g;
    l->last = (uint16_t)g;
}

static inline void mh_dq_unlink(struct mh_dq *q, uint32_t g)
{
    struct mh_dq_group *p = &q->group[g];
    struct mh_dq_list *l = &q->list[p->bank][p->write];

    *(p->prev == MH_DQ_NIL ? &l->first : &q->group[p->prev].next) = p->next;
    *(p->next == MH_DQ_NIL ? &l->last : &q->group[p->next].prev) = p->prev;
}

static inline uint32_t mh_dq_new_group(struct mh_dq *q, uint32_t write, uint32_t bank, uint32_t row, uint16_t entry)
{
    uint32_t g = q->free_group;
    struct mh_dq_group *p = &q->group[g];
    uint16_t *bucket = mh_dq_bucket(q, write, bank, row);

    q->free_group = p->next;
    p->row = row;
    p->bank = (uint8_t)bank;
    p->write = (uint8_t)write;
    p->head = p->tail = entry;
    p->chain = *bucket;
    *bucket = (uint16_t)g;
    mh_dq_link_last(q, g);
    return g;
}

static inline void mh_dq_drop_group(struct mh_dq *q, uint32_t g)
{
    struct mh_dq_group *p = &q->group[g];
    uint16_t *at = mh_dq_bucket(q, p->write, p->bank, p->row);

    while (*at != g)
        at = &q->group[*at].chain;
    *at = p->chain;
    mh_dq_unlink(q, g);
    p->next = q->free_group;
    q->free_group = (uint16_t)g;
}

/** Queues a request; returns its group, and in *created whether it is a new one. The caller counts entries. */
static inline uint32_t mh_dq_push(struct mh_dq *q, uint32_t write, uint32_t bank, uint32_t row, uint32_t tag,
                                  uint32_t bursts, uint64_t age, int *created)
{
    uint16_t e = q->free_entry;
    struct mh_dq_entry *p = &q->entry[e];

    q->free_entry = p->next;
    p->age = age;
    p->tag = tag;
    p->left = (uint8_t)bursts;
    p->hit = MH_DQ_WHOLE;
    p->next = MH_DQ_NIL;
    /* Neighbours in memory come one after the other: a look at the youngest group spares the hash most often. */
    uint32_t g = q->list[bank][write].last;

    if (g == MH_DQ_NIL || q->group[g].row != row)
        g = mh_dq_find(q, write, bank, row);
    *created = g == MH_DQ_NIL;
    if (*created)
        return mh_dq_new_group(q, write, bank, row, e);
    q->entry[q->group[g].tail].next = e;
    q->group[g].tail = e;
    return g;
}

/** Takes a request that is not the oldest of the group. */
void mh_dq_take_younger(struct mh_dq *q, uint32_t group, uint32_t entry);

/** Takes the oldest request of the group; *emptied tells that the group is gone with it. Returns its tag. */
static inline uint32_t mh_dq_pop(struct mh_dq *q, uint32_t g, int *emptied)
{
    struct mh_dq_group *p = &q->group[g];
    uint16_t e = p->head;

    *emptied = e == p->tail;
    p->head = q->entry[e].next;
    q->entry[e].next = q->free_entry;
    q->free_entry = e;
    if (*emptied)
        mh_dq_drop_group(q, g);
    return q->entry[e].tag;
}

#endif
