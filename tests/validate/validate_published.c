/*
 * Presets of today's GPUs against published microbenchmarks: what is expected is what somebody measured on the GPU, of
 * several numbers the nearest. host/reproduce/today.yaml names the sources and has the curves between these points.
 */
#include <stdio.h>

#include "engine/gpu.h"
#include "gpu/gpu.h"
#include "memhelm/config_file.h"
#include "script.h"
#include "validate/table.h"

enum { PERCENT = 10 };

struct microbenchmark {
    const char *what, *workload;
    double least, most; /**< published: GPU cycles for each that is counted */
    uint64_t from, to;  /**< cycles between which it is counted */
    size_t counter;     /**< its offset in struct mh_counters */
};

#define LOADS        offsetof(struct mh_counters, mem_instr)
#define INSTRUCTIONS offsetof(struct mh_counters, warp_instr)

static const struct microbenchmark a100[] = {
    {"load, hit in the L1D", "CHASE:65536", 36, 39, 500000, 1000000, LOADS},
    {"load, 4 MiB: near half of the L2", "CHASE:4194304", 208, 213, 25000000, 27000000, LOADS},
    {"load, 34 MiB: both halves", "CHASE:35651584", 415, 425, 180000000, 220000000, LOADS},
    {"load, 128 MiB: DRAM", "CHASE:134217728", 548, 574, 1000000, 20000000, LOADS},
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
    {"dependent instruction", "ALU", 4, 4, 100000, 500000, INSTRUCTIONS},
    {.what = NULL},
};

static uint64_t counted(const struct mh_gpu *g, size_t counter)
{
    return *(const uint64_t *)((const char *)&g->tenant[0].count + counter);
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
    LOCAL_GPU(g) = mh_config_resolve(&cfg, &err) ? NULL : mh_gpu_create(&cfg, &err);

    if (!g) {
        table_miss(err.text, "%s", m->what);
        return;
    }
    mh_gpu_advance(g, m->from);
    const uint64_t before = counted(g, m->counter);

    mh_gpu_advance(g, m->to);
    const double measured = (double)(m->to - m->from) / (double)(counted(g, m->counter) - before);

    table_within(nearest(m, measured), measured, PERCENT, "%s; published %g..%g cycles", m->what, m->least, m->most);
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
