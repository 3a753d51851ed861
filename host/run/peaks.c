#include "peaks.h"

/* GPU cycles in cycles of a clock; 0: it is the GPU's own. */
static double in_clock(const struct mh_config *cfg, uint64_t cycles, uint64_t hz)
{
    return hz ? (double)cycles * (double)hz / (double)cfg->clock.gpu_hz : (double)cycles;
}

double peaks_noc_flits(const struct mh_config *cfg, uint64_t cycles)
{
    return in_clock(cfg, cycles, cfg->clock.noc_hz) * cfg->sm.count;
}

uint32_t peaks_reply_flits(const struct mh_config *cfg)
{
    return 1 + (cfg->memory.line_bytes + cfg->noc.flit_bytes - 1) / cfg->noc.flit_bytes;
}

double peaks_dram_lines(const struct mh_config *cfg, uint64_t cycles)
{
    double bytes = (double)cfg->dram.channels * cfg->dram.bus_bytes * cfg->dram.data_rate;

    return in_clock(cfg, cycles, cfg->clock.dram_hz) * bytes / cfg->memory.line_bytes;
}

double peaks_gbs(const struct mh_config *cfg, double lines)
{
    return lines * cfg->memory.line_bytes * (double)cfg->clock.gpu_hz / 1e9;
}
