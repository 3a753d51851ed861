/* State of one channel, shared by the files of dram/ that schedule it. Private to dram/. */
#ifndef MEMHELM_DRAM_CHANNEL_H
#define MEMHELM_DRAM_CHANNEL_H

#include "dram/dram.h"
#include "dram/queue.h"

enum mh_kind { MH_KIND_NONE, MH_KIND_COLUMN, MH_KIND_ACT, MH_KIND_PRE, MH_KINDS };

struct mh_bank {
    uint32_t row;           /* open row, MH_NO_ROW when precharged */
    uint16_t hits[2];       /* group of the open row, per direction */
    uint16_t passed;        /* hits served before the bank's oldest request since the row was opened */
    bool fresh;             /* activated, nothing served yet */
    uint64_t act, col, pre; /* first cycle for each command */
};
#define MH_NO_ROW UINT32_MAX

/* The column commands of one request, `ccd` apart; they occupy slots of the command bus ahead of time. */
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
    /* What a scan reads. */
    uint64_t ready[MH_MAX_DRAM_BANKS]; /* of the bank's candidate */
    uint64_t order[MH_MAX_DRAM_BANKS]; /* class, age and bank of it; KEY_NONE */
    uint64_t gate[MH_KINDS];           /* of the channel; 0 for none and PRE */
    uint64_t ahead[MH_KINDS];          /* cycles from the candidate to its bank's next column command, at least */
    uint8_t kind[MH_MAX_DRAM_BANKS];
    uint32_t banks;

    /* What it found. */
    uint64_t next;   /* cycle of the next command or refresh, due or not */
    uint32_t choice; /* its bank; undefined for a refresh */
    uint64_t serve;  /* no request is served before this cycle, unless one arrives */
    uint64_t floor;  /* no command before this cycle */

    uint32_t writing; /* direction that is served now: 1 = writes */
    bool draining;
    uint32_t waiting[2]; /* reads, writes */
    uint64_t column_gate[2];
    uint64_t activated[4]; /* ring of the last four ACTs, plus the FAW window */
    uint32_t activations;
    uint64_t refresh;
    struct mh_bundle bundle;
    uint64_t age;

    struct mh_dq queue;
    struct mh_arrival *inbox; /* arrived after a column command that is due but not issued */
    uint32_t inbox_head, inbox_count;

    uint32_t columns, bl, span; /* commands per line, cycles per burst, first to last command of a line */
    uint32_t row_bits, bank_bits, bank_mask;
    uint32_t read_to_write, write_to_read, write_to_pre;
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
    if (cycle > d->bundle.last || cycle < d->bundle.first || (uint32_t)(cycle - d->bundle.first) % d->t.ccd)
        return cycle;
    return d->t.ccd == 1 ? d->bundle.last + 1 : cycle + 1;
}

#endif
