/*
 * Speed of the model alone, single thread: GPU cycles per second of wall time, and what the GPU did in them, so that
 * an idle GPU cannot look fast.   bench_model WORKLOAD CYCLES [key=value ..]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "memhelm/config_file.h"
#include "memhelm/hwmodel.h"

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const struct mh_error *err)
{
    fprintf(stderr, "bench_model: %s\n", err->text);
    exit(1);
}

static void report(const struct mh_stats *s, double wall)
{
    uint64_t l2 = 0, instr = 0, walks = 0, dram = 0;

    for (uint32_t i = 0; i < s->tenants; i++) {
        const struct mh_counters *c = &s->tenant[i];

        l2 += c->l2_access + c->pte1_access + c->pte2_access + c->pte3_access + c->pte4_access;
        instr += c->warp_instr;
        walks += c->walks;
        dram += c->dram_read + c->dram_write + c->dram_walk;
    }
    double cycles = (double)s->cycles;

    printf("%.0f cycles/s, %.0f ns per L2 request, %.0f L2 requests/s, %.0f warp instructions/s, %.0f events/s\n",
           cycles / wall, 1e9 * wall / (double)l2, (double)l2 / wall, (double)instr / wall, (double)s->events / wall);
    printf("  per cycle: %.3f warp instructions, %.3f L2 requests, %.3f DRAM lines; %.2f walks per 1000 cycles\n",
           (double)instr / cycles, (double)l2 / cycles, (double)dram / cycles, 1e3 * (double)walks / cycles);
}

int main(int argc, char **argv)
{
    struct mh_config cfg;
    struct mh_error err;

    if (argc < 3) {
        fprintf(stderr, "usage: bench_model WORKLOAD CYCLES [key=value ..]\n");
        return 2;
    }
    if (mh_config_preset(&cfg, "mask", &err) || mh_config_workload(&cfg, argv[1], &err))
        fail(&err);
    cfg.run.cycles = strtoull(argv[2], NULL, 0);
    for (int i = 3; i < argc; i++)
        if (mh_config_set(&cfg, argv[i], &err))
            fail(&err);
    if (mh_config_resolve(&cfg, &err))
        fail(&err);
    double created = seconds();
    struct mh_gpu *gpu = mh_gpu_create(&cfg, &err);

    if (!gpu)
        fail(&err);
    double start = seconds();

    while (!mh_gpu_ended(gpu))
        mh_gpu_advance(gpu, UINT64_MAX);
    double end = seconds();

    report(mh_gpu_stats(gpu), end - start);
    printf("  created in %.3f s\n", start - created);
    mh_gpu_destroy(gpu);
    return 0;
}
