/* State of one channel, shared by the files of dram/ that schedule it. Private to dram/. */
#ifndef MEMHELM_DRAM_CHANNEL_H
#define MEMHELM_DRAM_CHANNEL_H

#include "dram/dram.h"
#include "dram/map.h"
#include "dram/queue.h"

/* Scans count ticks, two to a cycle: in the odd one of a column command's gate the data bus is busy up to its burst. */
enum { MH_TICKS = 2 };

enum mh_kind { MH_KIND_NONE, MH_KIND_COLUMN, MH_KIND_ACT, MH_KIND_PRE, MH_KIND_REF, MH_KINDS = 8 };

struct mh_bank {
    uint32_t row;           /* open row, MH_NO_ROW when precharged */
    uint16_t hits[2];       /* group of the open row, per direction */
    uint16_t passed;        /* hits served before the bank's oldest request since the row was opened */
    bool fresh;             /* activated, nothing served yet */
    bool due;               /* for a refresh of its own */
    uint64_t act, col, pre; /* first cycle for each command */
};
#define MH_NO_ROW UINT32_MAX

/* How two column commands or two ACTs stand to each other. */
enum mh_relation { MH_SAME_GROUP, MH_SAME_RANK, MH_OTHER_RANK, MH_RELATIONS };

/*
 * The column commands of one request, `stride` apart; they occupy slots of the command bus ahead of time. With bank
 * groups a request's commands are chosen one by one instead, so that those of other groups fill the gaps between them.
 */
struct mh_bundle {
    uint64_t first, last;
    uint64_t traced; /* next one to tell the command hook */
    uint32_t bank, row, write;
};

struct mh_arrival {
    uint64_t cycle;
    struct mh_dram_request req;
};

struct mh_dram {
    /* What a scan reads; of a bank that has no candidate: slot and ready 0, and an order behind all others. */
    uint64_t ready[MH_MAX_DRAM_BANKS];                /* tick of the bank's candidate */
    uint64_t order[MH_MAX_DRAM_BANKS];                /* class, age and bank of it */
    uint64_t gate[MH_MAX_DRAM_BANKS * MH_KINDS];      /* by slot, which is unit and kind: first tick for it; 0 for PRE */
    uint32_t ahead[MH_MAX_DRAM_BANKS];                /* ticks from it to a column command, at least */
    uint8_t slot[MH_MAX_DRAM_BANKS];                  /* of the bank's candidate; 0 = none */
    uint32_t banks;
    uint32_t active; /* bit per bank that has a candidate */

    /* What it found. */
    uint64_t next;   /* cycle of the next command or refresh, due or not */
    uint32_t choice; /* its bank; undefined for a refresh */
    uint64_t serve;  /* no request is served before this cycle, unless one arrives */
    uint64_t floor;  /* no command before this cycle */

    uint32_t writing; /* direction that is served now: 1 = writes */
    bool draining;
    uint32_t waiting[2]; /* reads, writes */
    uint64_t column_gate[2][MH_MAX_DRAM_BANKS];
    uint64_t activated[MH_MAX_DRAM_BANKS][4]; /* of a rank: ring of the last four ACTs, plus the FAW window */
    uint32_t activations[MH_MAX_DRAM_BANKS];
    uint64_t refresh;   /* cycle of the next one; of single banks: of the next one's falling due */
    uint64_t refreshes; /* of single banks: how many fell due */
    struct mh_bundle bundle;
    uint64_t age;

    struct mh_dq queue;
    struct mh_arrival *inbox; /* arrived after a column command that is due but not issued */
    uint32_t inbox_head, inbox_count;

    uint32_t columns, bl;  /* commands per request, cycles per burst */
    uint32_t stride, span; /* between the commands of one request; first to last of those decided at once */
    bool split;            /* one at a time is decided */
    bool acts_first;       /* activates are scarcer than the data bus: no column command takes the slot of one */
    bool closed;           /* rows are closed when no request waits for them */
    uint32_t write_to_pre;
    uint32_t column_gap[2][2][MH_RELATIONS]; /* command to command, from and to a read (0) or write (1) */
    uint32_t act_gap[MH_RELATIONS];
    uint32_t until_column[MH_KINDS]; /* ticks from a command to the bank's next column command, at least */

    /* Unit = bank group of a rank: what the gates tell apart. */
    uint32_t units, groups, ranks;
    uint8_t unit[MH_MAX_DRAM_BANKS], rank[MH_MAX_DRAM_BANKS]; /* of each bank */
    uint8_t relation[MH_MAX_DRAM_BANKS][MH_MAX_DRAM_BANKS];   /* enum mh_relation, of two units */
    uint32_t rank_waiting[MH_MAX_DRAM_BANKS], rank_run, last_rank;

    struct mh_dram_map map;
    struct mh_dram_cfg t;
    struct mh_dram_hooks hooks;
    struct mh_bank bank[MH_MAX_DRAM_BANKS];
};

static inline uint64_t mh_max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t mh_min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline enum mh_kind mh_dram_kind(const struct mh_dram *d, uint32_t bank)
{
    return d->slot[bank] % MH_KINDS;
}

static inline uint32_t mh_dram_gate(uint32_t unit, enum mh_kind kind)
{
    return unit * MH_KINDS + kind;
}

/** Cycle at which the n-th refresh of a single bank falls due, n from 1. */
static inline uint64_t mh_dram_bank_refresh_at(const struct mh_dram *d, uint64_t n)
{
    return n * d->t.refi / d->banks;
}

/** Takes the gates of column commands from those of the present direction. */
void mh_dram_load_gates(struct mh_dram *d);

/** Finds the bank's candidate anew. */
void mh_dram_candidate(struct mh_dram *d, uint32_t bank);
void mh_dram_all_candidates(struct mh_dram *d);

/** Finds the next command among the candidates. */
void mh_dram_scan(struct mh_dram *d);

/** Chooses between reads and writes after their numbers changed. */
void mh_dram_choose_direction(struct mh_dram *d);

/** The oldest request of the bank that the open row (group `hits`) does not serve, MH_DQ_NIL when there is none. */
static inline uint32_t mh_dram_oldest_other(const struct mh_dram *d, uint32_t b, uint32_t hits)
{
    uint32_t g = d->queue.first[d->writing][b];
    return g != MH_DQ_NIL && g == hits ? d->queue.group[g].next : g;
}

/** First free slot of the command bus for a row command. */
static inline uint64_t mh_dram_free_slot(const struct mh_dram *d, uint64_t cycle)
{
    if (cycle > d->bundle.last || cycle < d->bundle.first || (uint32_t)(cycle - d->bundle.first) % d->stride)
        return cycle;
    return d->stride == 1 ? d->bundle.last + 1 : cycle + 1;
}

#endif
