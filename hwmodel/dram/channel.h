/* State of one channel, shared by the files of dram/ that schedule it. Private to dram/. */
#ifndef MEMHELM_DRAM_CHANNEL_H
#define MEMHELM_DRAM_CHANNEL_H

#include "dram/map.h"
#include "dram/queue.h"
#include "engine/align.h"
#include "engine/arith.h"
#include "memhelm/dram.h"

#define MH_LINE_START __attribute__((aligned(MH_HOST_LINE)))

/* Scans count ticks, two to a cycle: in the odd one of a column command's gate the data bus is busy up to its burst. */
enum { MH_TICKS = 2 };

/* A unit's gates fill a line of the host: those of its candidates by kind, then those of reads and writes. */
enum mh_kind {
    MH_KIND_NONE,
    MH_KIND_COLUMN,
    MH_KIND_ACT,
    MH_KIND_PRE,
    MH_KIND_REF,
    MH_GATE_READ,
    MH_GATE_WRITE,
    MH_KINDS = 8
};

struct mh_bank {
    uint64_t act;     /* first cycle for an ACT, once the row is closed */
    uint64_t pre;     /* first cycle for a PRE, while it is open */
    uint32_t row;     /* open row, MH_NO_ROW when precharged */
    uint16_t hits[2]; /* group of the open row, per direction */
    uint16_t passed;  /* hits served before the bank's oldest request since the row was opened */
    bool fresh;       /* activated, nothing served yet */
    bool due;         /* for a refresh of its own */
    uint8_t unit, rank;
};
#define MH_NO_ROW UINT32_MAX

/* How two column commands or two ACTs stand to each other. Of two ranks only data bursts meet: rrd, faw, ccd and wtr
 * count within one. */
enum mh_relation { MH_SAME_GROUP, MH_SAME_RANK, MH_OTHER_RANK, MH_RELATIONS };

/*
 * The column commands of one request, `stride` apart; they occupy slots of the command bus ahead of time. With bank
 * groups a request's commands are chosen one by one instead, so that those of other groups fill the gaps between them.
 */
struct mh_bundle {
    uint64_t first, last;
};

/* The last column command of a unit, and from when those of its own rank count its gap. */
struct mh_ran {
    uint64_t last, next;
};

/* What the command hook is told of a bundle, each command in its turn. */
struct mh_told {
    uint64_t next; /* cycle of the next one to tell; behind the last: none */
    uint32_t bank, row, write;
};

/* Queue in which a request waits (tiers.h), from the highest priority down. Normal is all there is in FR-FCFS. */
enum mh_tier { MH_GOLDEN, MH_SILVER, MH_NORMAL, MH_TIERS };

struct mh_arrival {
    uint64_t cycle;
    struct mh_dram_request req;
    enum mh_tier tier;
};

enum { MH_DRAM_MANY = 32 };

struct mh_rank {
    uint64_t window[4]; /* ring of the last four ACTs, plus the FAW window */
    uint32_t activations;
    uint32_t waiting;            /* requests */
    uint64_t many[MH_DRAM_MANY]; /* with dram.aw32: ring of as many ACTs, plus that window */
};

/* By lines of the host: what every request needs in as few as it takes, with eight banks and one unit. */
struct mh_dram {
    uint64_t next;    /* cycle of the next command or refresh, due or not */
    uint64_t floor;   /* no command before this cycle */
    uint64_t serve;   /* no request is served before this cycle, unless one arrives */
    uint64_t refresh; /* cycle of the next one; of single banks: of the next one's falling due */
    struct mh_bundle bundle;
    uint16_t waiting[2]; /* reads, writes */
    uint16_t golden;     /* of the reads, those in a queue of their own (tiers.h) */
    uint16_t free;       /* places that any request may take */
    uint16_t inbox_count;
    uint8_t choice;  /* bank of the next command; undefined for a refresh */
    uint8_t writing; /* direction that is served now: 1 = writes */
    bool draining;
    bool turning;     /* the other direction is next (writes.h) */
    bool tiered;      /* there is more than one queue; or was, and they are not empty yet */
    bool aside;       /* dram.write_queue or dram.queue_latency: requests may wait outside the queues */
    bool acts_first;  /* activates are scarcer than the data bus: no column command takes the slot of one */
    bool odd_columns; /* column commands that keep the data bus busy go before ACTs (pick.h), others after them */
    bool in_turn;     /* banks take turns at the command bus */
    uint8_t last;     /* bank of the last command */
    bool closed;      /* rows are closed when no request waits for them */

    struct mh_dram_hooks hooks MH_LINE_START;
    uint64_t age;
    struct mh_dq queue;

    uint64_t active MH_LINE_START; /* bit per bank that has a candidate */
    uint32_t banks;
    bool split;     /* column commands are decided one at a time */
    uint32_t units; /* bank groups of all ranks: what the gates tell apart */
    uint32_t groups, ranks;
    uint32_t units_ran; /* bit per unit with a column command since the last turn */
    uint32_t write_high, write_low;
    uint32_t stride;                         /* between two column commands of one request */
    uint32_t latency[2];                     /* read, write: column command to the end of its burst */
    uint32_t to_pre[2];                      /* read, write: column command to PRE */
    uint32_t column_gap[MH_RELATIONS][2][2]; /* command to command, from and to a read (0) or write (1) */

    /* Of the present direction: ticks from a command to a column command of the bank, at least. */
    uint32_t until_column[MH_KINDS] MH_LINE_START;
    uint64_t column_class; /* of column commands in an order (pick.h) */
    int32_t column_to_act; /* first cycle for a column command to that for the next ACT, of one bank */
    uint32_t faw, ras, rc, rp;
    uint32_t act_gap[MH_RELATIONS];

    /* What a scan reads of each bank's candidate. Without one: slot and ready 0, and an order behind all others. */
    uint64_t ready[MH_MAX_DRAM_BANKS] MH_LINE_START; /* first tick at which the bank is ready for it */
    uint64_t order[MH_MAX_DRAM_BANKS] MH_LINE_START; /* class, age and bank of it */
    uint8_t slot[MH_MAX_DRAM_BANKS] MH_LINE_START;   /* its unit and kind */
    uint32_t ahead[MH_MAX_DRAM_BANKS];               /* ticks from it to a column command, at least */
    /* By slot: first tick for such candidates, 0 for PRE; first cycle for reads and writes. */
    uint64_t gate[MH_MAX_DRAM_GROUPS * MH_KINDS] MH_LINE_START;

    struct mh_bank bank[MH_MAX_DRAM_BANKS] MH_LINE_START;
    struct mh_dram_map map MH_LINE_START;
    struct mh_rank rank[MH_MAX_DRAM_RANKS] MH_LINE_START;

    uint8_t relation[MH_MAX_DRAM_GROUPS][MH_MAX_DRAM_GROUPS]; /* enum mh_relation, of two units */
    struct mh_ran ran[MH_MAX_DRAM_GROUPS];                    /* by unit, with several */
    uint32_t rank_run, last_rank;
    uint32_t columns;   /* column commands of a whole request */
    uint32_t bl;        /* cycles of a burst */
    uint64_t refreshes; /* of single banks: how many fell due */
    struct mh_told told;
    struct mh_tiers *tiers;
    struct mh_writes *writes; /* NULL without dram.write_queue */
    struct mh_arrival *inbox; /* arrived after a column command that is due but not issued, or not long enough ago */
    uint32_t inbox_head, inbox_size;
    struct mh_dram_cfg t;
};

/** What dram.write_queue adds (writes.h); NULL: reads and writes share one queue. */
static inline struct mh_writes *mh_dram_writes(const struct mh_dram *d)
{
    return __builtin_expect(d->aside, 0) ? d->writes : NULL;
}

/** Places for requests in all queues, however they are divided. */
static inline uint32_t mh_dram_places(const struct mh_dram_cfg *cfg)
{
    return mh_max32(cfg->queue, cfg->golden + cfg->silver + cfg->normal) + cfg->write_queue;
}

/** Entries of the queue of FR-FCFS, which is the normal one when queues are apart: room for the larger of the two, and
 * for the writes that have places of their own. */
static inline uint32_t mh_dram_entries(const struct mh_dram_cfg *cfg)
{
    return mh_max32(cfg->queue, cfg->normal) + cfg->write_queue;
}

static inline enum mh_kind mh_dram_kind(const struct mh_dram *d, uint32_t bank)
{
    return d->slot[bank] % MH_KINDS;
}

static inline uint32_t mh_dram_gate(uint32_t unit, uint32_t kind)
{
    return unit * MH_KINDS + kind;
}

/** Cycle at which the n-th refresh of a single bank falls due, n from 1. */
static inline uint64_t mh_dram_bank_refresh_at(const struct mh_dram *d, uint64_t n)
{
    return n * d->t.refi / d->banks;
}

/** First cycle for a column command of the direction to the unit. */
static inline uint64_t *mh_dram_column_gate(struct mh_dram *d, uint32_t write, uint32_t unit)
{
    return &d->gate[mh_dram_gate(unit, MH_GATE_READ + write)];
}

/** Raises the gates of one direction by what a column command of the present one, to that unit, asks for. */
static inline void mh_dram_raise(struct mh_dram *d, uint32_t unit, struct mh_ran ran, uint32_t to)
{
    const uint64_t at[MH_RELATIONS] = {ran.next + d->column_gap[MH_SAME_GROUP][d->writing][to],
                                       ran.next + d->column_gap[MH_SAME_RANK][d->writing][to],
                                       ran.last + d->column_gap[MH_OTHER_RANK][d->writing][to]};
    /* In one rank without a look at the table, a line of the host; within a group the gap is no shorter. */
    const bool one = d->ranks == 1;

    for (uint32_t u = 0; u < d->units; u++) {
        uint64_t *gate = mh_dram_column_gate(d, to, u);

        *gate = mh_max64(*gate, at[one ? MH_SAME_RANK : d->relation[unit][u]]);
    }
    uint64_t *own = mh_dram_column_gate(d, to, unit);

    *own = mh_max64(*own, at[MH_SAME_GROUP]);
}

/** Takes the gates of column commands from those of the present direction. */
void mh_dram_load_gates(struct mh_dram *d);

/** And how long a column command takes from others: a write may follow its ACT sooner. */
void mh_dram_load_timings(struct mh_dram *d);

/** Column commands of a request. */
static inline uint32_t mh_dram_bursts(const struct mh_dram *d, const struct mh_dram_request *req)
{
    return req->bursts ? req->bursts : d->columns;
}

/** Finds the bank's candidate anew. */
void mh_dram_candidate(struct mh_dram *d, uint32_t bank);
void mh_dram_all_candidates(struct mh_dram *d);

/** Finds the next command among the candidates. */
void mh_dram_scan(struct mh_dram *d);

/** Issues the next command, or does the refresh that is due instead, and finds the one after it. */
void mh_dram_issue(struct mh_dram *d);

/** Tells the command hook of the bundle's column commands before that cycle. Pre: there is a hook. */
void mh_dram_tell(struct mh_dram *d, uint64_t before);

/** Takes the oldest request of the group of the open row, one of `q`; returns its tag. */
static inline uint32_t mh_dram_take(struct mh_dram *d, struct mh_dq *q, uint32_t b, uint32_t g, int *emptied)
{
    uint32_t other = mh_dq_oldest_other(q, b, d->writing, g);

    d->bank[b].passed += other != MH_DQ_NIL && mh_dq_age(q, other) < mh_dq_age(q, g);
    return mh_dq_pop(q, g, emptied);
}

/** First free slot of the command bus for a row command. */
static inline uint64_t mh_dram_free_slot(const struct mh_dram *d, uint64_t cycle)
{
    if (cycle > d->bundle.last || cycle < d->bundle.first || (uint32_t)(cycle - d->bundle.first) % d->stride)
        return cycle;
    return d->stride == 1 ? d->bundle.last + 1 : cycle + 1;
}

#endif
