/* A request of the crossbar, as the parts of a path tell of it to each other. Private to path*.c. */
#ifndef MEMHELM_GPU_PATH_REQUEST_H
#define MEMHELM_GPU_PATH_REQUEST_H

#include <stdint.h>
#include <stdio.h>

#include "gpu/gpu.h"

/** What is known of a request by whoever waits for it. */
struct mh_wanted {
    uint32_t line;  /**< physical */
    uint32_t port;  /**< by which it goes */
    uint32_t owner; /**< L1D MSHR of the port's SM, or walk */
    enum mh_req_kind kind;
};

/** Physical address of a line, in bytes. */
static inline uint64_t mh_path_address(const struct mh_gpu *g, uint32_t line)
{
    return (uint64_t)line * g->cfg.memory.line_bytes;
}

/** Says where it is: in its port's queue, stalled at its bank, at an MSHR there, or none of these. */
void mh_path_request(const struct mh_gpu *g, const struct mh_wanted *w, FILE *out);

#endif
