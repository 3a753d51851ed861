#include "gpu/peaks.h"

#include <string.h>

#include "engine/clock.h"
#include "memhelm/registers.h"

enum { PEAK_CYCLES = 1024 /* GPU cycles in which peaks are counted */ };

static uint64_t noc_hz(const struct mh_config *cfg)
{
    return cfg->clock.noc_hz ? cfg->clock.noc_hz : cfg->clock.gpu_hz;
}

/* amount * num / den; what does not fit is the most that does. */
static uint32_t scale(uint64_t amount, uint64_t num, uint64_t den)
{
    mh_u128 scaled = (mh_u128)amount * num / den;

    return scaled > UINT32_MAX ? UINT32_MAX : (uint32_t)scaled;
}

uint32_t mh_rate_interval(const struct mh_config *cfg)
{
    uint64_t hz = !strcmp(cfg->l1d.rate_clock, "noc") ? noc_hz(cfg) : cfg->clock.gpu_hz;

    return cfg->l1d.subqueues ? scale(256ull * cfg->l1d.rate_interval, cfg->clock.gpu_hz, hz) : 0;
}

uint32_t mh_reply_bytes(const struct mh_config *cfg)
{
    uint32_t flit = cfg->noc.flit_bytes;

    return (1 + (cfg->memory.line_bytes + flit - 1) / flit) * flit;
}

uint32_t mh_noc_peak(const struct mh_config *cfg)
{
    uint64_t bytes = (uint64_t)cfg->sm.count * cfg->noc.flit_bytes;

    return scale(PEAK_CYCLES * bytes, noc_hz(cfg), cfg->clock.gpu_hz);
}

uint32_t mh_dram_peak(const struct mh_config *cfg)
{
    uint64_t bytes = (uint64_t)cfg->dram.channels * cfg->dram.bus_bytes * cfg->dram.data_rate;

    return scale(PEAK_CYCLES * bytes, cfg->clock.dram_hz, cfg->clock.gpu_hz);
}
