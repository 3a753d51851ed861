/*
 * The decision of DWS++ (Pratheek et al., "Improving GPU Multi-tenancy with Page Walk Stealing", HPCA 2021, sec. VI-B
 * and VII-C, tables IV and VII): by how much another tenant's pending walks must exceed those of a walker's owner
 * before the walker steals although its owner has walks queued.
 */
#ifndef FIRMWARE_WALK_DWSPP_H
#define FIRMWARE_WALK_DWSPP_H

#include <stdint.h>

#include "../policy.h"

/** Rows of the tables: ratios up to and including 1.5, 2, 3, 4, and above. */
enum { DWSPP_RATIOS = 5 };

/** One column of table VII. */
struct dwspp_table {
    uint16_t diff_thres[DWSPP_RATIOS]; /**< thousandths; MH_DIFF_NEVER = no stealing */
    uint16_t queue_percent;            /**< QUEUE_THRES, % of a queue's entries */
};

/** Table VII. The conservative one steals only while its own queue is short, the aggressive one at every ratio. */
enum { DWSPP_DEFAULT, DWSPP_CONSERVATIVE, DWSPP_AGGRESSIVE, DWSPP_TABLES };
extern const struct dwspp_table dwspp_tables[DWSPP_TABLES];

/**
 * DIFF_THRES of each tenant, from the walks that it and the others began in the last walk epoch, 0..65535 each.
 *
 * A tenant compares itself with the largest of the others (sec. VI-C: "each tenant compares itself against that
 * maximum"), larger / smaller: with two tenants that is one ratio for both, as in the paper. A smaller of 0 is the last
 * row, as in the authors' code ([DWS] pagewalk.cc:145-154: the ratio is then the epoch's length), and so is a tenant
 * alone (ours). Not all are 0.
 */
void dwspp_decide(const struct dwspp_table *table, uint32_t tenants, const uint32_t *enq, uint16_t *diff_thres);

/** QUEUE_THRES in walks, rounded down: with 12 entries 51 % is up to 6, 17 % up to 2. */
uint32_t dwspp_queue_thres(const struct dwspp_table *table, uint32_t entries);

#endif
