/*
 * Speed of the model alone, single thread, in a window after a warm-up; and what the GPU did in it, so that an idle GPU
 * cannot look fast. One line of `name value` pairs for tests/bench/run.sh.
 *
 *     bench_model WORKLOAD CYCLES WARM-UP [PRESET] [key=value ..]
 *
 * PRESET: `mask` unless given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "memhelm/config_file.h"
#include "memhelm/hwmodel.h"
#include "script.h"
#include "seconds.h"

struct sums {
    uint64_t cycles, events, l2, dram, walks, warp_instr, lane_instr;
};

static void fail(const char *text)
{
    fprintf(stderr, "bench_model: %s\n", text);
    exit(1);
}

static struct sums sum(struct mh_gpu *gpu)
{
    const struct mh_stats *s = mh_gpu_stats(gpu);
    struct sums r = {.cycles = s->cycles, .events = s->events};

    for (uint32_t i = 0; i < s->tenants; i++) {
        const struct mh_counters *c = &s->tenant[i];

        r.l2 += c->l2_access + pte_accesses(c).sum;
        r.dram += c->dram_read + c->dram_write + c->dram_walk;
        r.walks += c->walks;
        r.warp_instr += c->warp_instr;
        r.lane_instr += c->lane_instr;
    }
    return r;
}

static void advance(struct mh_gpu *gpu, uint64_t until)
{
    while (mh_gpu_now(gpu) < until && !mh_gpu_ended(gpu))
        mh_gpu_advance(gpu, until);
    if (mh_gpu_deadlock(gpu))
        fail(mh_gpu_deadlock(gpu));
}

static void report(const struct sums *a, const struct sums *b, double wall)
{
    double cycles = (double)(b->cycles - a->cycles), l2 = (double)(b->l2 - a->l2);
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    printf("seconds %.6f cycles_per_s %.0f ns_per_l2 %.1f l2_per_s %.0f warp_instr_per_s %.0f events_per_s %.0f ", wall,
           cycles / wall, 1e9 * wall / l2, l2 / wall, (double)(b->warp_instr - a->warp_instr) / wall,
           (double)(b->events - a->events) / wall);
    printf("l2 %.0f ipc %.2f warp_ipc %.3f l2_per_cycle %.3f dram_per_cycle %.3f walks_per_kcycle %.2f rss_mib %.1f\n",
           l2, (double)(b->lane_instr - a->lane_instr) / cycles, (double)(b->warp_instr - a->warp_instr) / cycles,
           l2 / cycles, (double)(b->dram - a->dram) / cycles, 1e3 * (double)(b->walks - a->walks) / cycles,
           (double)usage.ru_maxrss / 1024);
}

static void configure(struct mh_config *cfg, int argc, char **argv)
{
    struct mh_error err;
    int set = argc > 4 && !strchr(argv[4], '=') ? 5 : 4;

    if (mh_config_preset(cfg, set == 5 ? argv[4] : "mask", &err) || mh_config_workload(cfg, argv[1], &err))
        fail(err.text);
    cfg->l1tlb.mshrs = 32; /* the preset's one missing page per SM leaves the model little to do */
    cfg->run.cycles = strtoull(argv[2], NULL, 0) + strtoull(argv[3], NULL, 0);
    for (int i = set; i < argc; i++)
        if (mh_config_set(cfg, argv[i], &err))
            fail(err.text);
    if (mh_config_resolve(cfg, &err))
        fail(err.text);
}

int main(int argc, char **argv)
{
    static struct mh_config cfg;
    struct mh_error err;

    if (argc < 4) {
        fprintf(stderr, "usage: bench_model WORKLOAD CYCLES WARM-UP [PRESET] [key=value ..]\n");
        return 2;
    }
    configure(&cfg, argc, argv);
    struct mh_gpu *gpu = mh_gpu_create(&cfg, &err);

    if (!gpu)
        fail(err.text);
    advance(gpu, strtoull(argv[3], NULL, 0));
    struct sums warm = sum(gpu);
    double start = seconds();

    advance(gpu, cfg.run.cycles);
    double wall = seconds() - start;
    struct sums end = sum(gpu);

    report(&warm, &end, wall);
    mh_gpu_destroy(gpu);
    return 0;
}
