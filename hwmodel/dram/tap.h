/* Lets the observer see what enters and leaves one channel (run.log_dram). */
#ifndef MEMHELM_DRAM_TAP_H
#define MEMHELM_DRAM_TAP_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/dram.h"
#include "memhelm/hwmodel.h"

struct mh_gpu;
struct mh_memory;

struct mh_tap {
    struct mh_observer obs;
    uint32_t channel;  /**< UINT32_MAX = none */
    uint64_t *entered; /**< DRAM cycle, by MSHR of the channel's banks and the first sector that is asked for */
    uint64_t migrated; /**< the same, of the last line of a unit that migrates */
};

/** Post: m->tap.channel is set. -1: no memory. Pre: m->banks_per_channel. */
int mh_tap_init(struct mh_memory *m, const struct mh_config *cfg);
void mh_tap_free(struct mh_memory *m);

/** A request enters the channel at this DRAM cycle. */
void mh_tap_enter(struct mh_gpu *g, uint64_t cycle, const struct mh_dram_request *r);

/** The request with this tag is served: its data come at DRAM cycle `finish`. */
void mh_tap_serve(struct mh_gpu *g, uint32_t tag, uint64_t finish, bool row_hit);

#endif
