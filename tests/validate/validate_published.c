/*
 * Presets of today's GPUs against published microbenchmarks: what is expected is what somebody measured on the GPU, of
 * several numbers the nearest. host/reproduce/published.yaml names the sources and has the curves between these points.
 */
#include <stdio.h>

#include "engine/gpu.h"
#include "gpu/gpu.h"
#include "memhelm/config_file.h"
#include "script.h"
#include "validate/table.h"

enum { PERCENT = 10 };

/* BYTES: those of loads that the L1D does not keep, as it has 2 KiB. */
enum counted { LOADS, INSTRUCTIONS, BYTES };

/* A load of STREAM: 32 lanes of 16 bytes. */
enum { LOAD_BYTES = 512 };

struct microbenchmark {
    const char *what, *workload;
    double least, most; /**< published: GPU cycles for each that is counted; bandwidth: GB/s */
    uint64_t from, to;  /**< cycles between which it is counted */
    enum counted counted;
};

static const struct microbenchmark a100[] = {
    {"load, hit in the L1D", "CHASE:65536", 36, 39, 500000, 1000000, LOADS},
    {"load, 4 MiB: near half of the L2", "CHASE:4194304", 208, 213, 25000000, 27000000, LOADS},
    {"load, 34 MiB: both halves", "CHASE:35651584", 415, 425, 180000000, 220000000, LOADS},
    {"load, 128 MiB: DRAM", "CHASE:134217728", 548, 574, 1000000, 20000000, LOADS},
    {"atomic whose result the next one needs", "ATOMIC@chain:65536", 233, 233, 100000, 500000, LOADS},
    {"16 MiB: L2", "STREAM:16777216", 4365, 5482, 30000, 60000, BYTES},
    {"128 MiB: DRAM", "STREAM:134217728", 1769, 1867, 30000, 60000, BYTES},
    {"dependent instruction", "ALU", 4, 4, 100000, 500000, INSTRUCTIONS},
    {"read of shared memory", "SHARED", 23, 23, 100000, 500000, INSTRUCTIONS},
    {"read of shared memory, 2 ways", "SHARED@2", 25, 25, 100000, 500000, INSTRUCTIONS},
    {"read of shared memory, 4 ways", "SHARED@4", 29, 29, 100000, 500000, INSTRUCTIONS},
    {"read of shared memory, 8 ways", "SHARED@8", 37, 37, 100000, 500000, INSTRUCTIONS},
    {.what = NULL},
};

static const struct microbenchmark h100[] = {
    {"load, hit in the L1D", "CHASE:65536", 34, 41, 500000, 1000000, LOADS},
    {"load, 4 MiB: near half of the L2", "CHASE:4194304", 258, 292, 30000000, 33000000, LOADS},
    {"load, 34 MiB: both halves", "CHASE:35651584", 470, 500, 210000000, 250000000, LOADS},
    {"load, 128 MiB: DRAM", "CHASE:134217728", 644, 703, 1000000, 20000000, LOADS},
    {"16 MiB: L2", "STREAM:16777216", 6912, 9765, 30000, 60000, BYTES},
    {"128 MiB: DRAM", "STREAM:134217728", 2970, 3180, 30000, 60000, BYTES},
    {"dependent instruction", "ALU", 4, 4, 100000, 500000, INSTRUCTIONS},
    {.what = NULL},
};

static uint64_t count(const struct mh_gpu *g, enum counted counted)
{
    const struct mh_counters *c = &g->tenant[0].count;

    return counted == INSTRUCTIONS ? c->warp_instr : c->mem_instr;
}

static double nearest(const struct microbenchmark *m, double measured)
{
    return measured < m->least ? m->least : measured > m->most ? m->most : measured;
}

static void measure(const char *preset, const struct microbenchmark *m)
{
    struct mh_config cfg = {0};
    struct mh_error err;

    if (mh_config_preset(&cfg, preset, &err) || mh_config_workload(&cfg, m->workload, &err)) {
        table_miss(err.text, "%s", m->what);
        return;
    }
    cfg.run.cycles = m->to;
    if (m->counted == BYTES) {
        cfg.l1d.bytes = 2048;
        cfg.l1d.ways = 4;
    }
    LOCAL_GPU(g) = mh_config_resolve(&cfg, &err) ? NULL : mh_gpu_create(&cfg, &err);

    if (!g) {
        table_miss(err.text, "%s", m->what);
        return;
    }
    mh_gpu_advance(g, m->from);
    const uint64_t before = count(g, m->counted);

    mh_gpu_advance(g, m->to);
    const double n = (double)(count(g, m->counted) - before), cycles = (double)(m->to - m->from);
    const double measured = m->counted == BYTES ? n * LOAD_BYTES / cycles * (double)cfg.clock.gpu_hz / 1e9 : cycles / n;

    table_within(nearest(m, measured), measured, PERCENT, "%s; published %g..%g %s", m->what, m->least, m->most,
                 m->counted == BYTES ? "GB/s" : "cycles");
}

static void compare(const char *preset, const struct microbenchmark *list)
{
    table_layer("%s published", preset);
    for (const struct microbenchmark *m = list; m->what; m++)
        measure(preset, m);
}

int main(int argc, char **argv)
{
    table_open(argc, argv);
    compare("a100", a100);
    compare("h100", h100);
    return table_close();
}
