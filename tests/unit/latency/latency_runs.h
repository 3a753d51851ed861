/*
 * Made-up runs of a latency experiment: IMAGES images, named c, b, a, on WORKLOADS workloads, named A, B, C, with SEEDS
 * seeds. All passed, and none gains. cmocka.h comes first.
 */
#ifndef TESTS_LATENCY_RUNS_H
#define TESTS_LATENCY_RUNS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mcu/image.h"
#include "latency/latency.h"

enum { IMAGES = 3, WORKLOADS = 3, SEEDS = 5, RUNS = POINTS * WORKLOADS * SEEDS };

static struct latency_request request;
static struct latency all;
static struct image files[IMAGES];
static struct kept_sim *sims, *alone; /* [image][point][workload][seed]; one for all */
static struct point cells[IMAGES][RUNS], guarded[IMAGES][POINTS * WORKLOADS];

static inline struct kept_sim *sim_of(unsigned image, unsigned point, unsigned workload, unsigned seed)
{
    return &sims[image * RUNS + (point * WORKLOADS + workload) * request.seeds + seed];
}

/* Thread instructions in 100 000 cycles; alone there are as many, so that the speedup is that part of it. */
static inline void put(unsigned image, unsigned point, unsigned workload, unsigned seed, double speedup)
{
    sim_of(image, point, workload, seed)->sim.result.stats.tenant[0].lane_instr = (uint64_t)(1e5 * speedup + 0.5);
}

/* The speedups of the seeds at points `first` to `last`. */
static inline void put_seeds(unsigned image, unsigned first, unsigned last, unsigned workload,
                             const double speedups[SEEDS])
{
    for (unsigned point = first; point <= last; point++)
        for (unsigned s = 0; s < request.seeds; s++)
            put(image, point, workload, s, speedups[s]);
}

/* One speedup for all seeds. */
static inline void put_all(unsigned image, unsigned first, unsigned last, unsigned workload, double speedup)
{
    put_seeds(image, first, last, workload, (const double[SEEDS]){speedup, speedup, speedup, speedup, speedup});
}

static inline void pass(struct kept_sim *s, const char *kernel)
{
    s->sim.state = SIM_DONE;
    s->sim.result.end = MH_END_PASS;
    s->sim.result.stats.cycles = 100000;
    s->sim.result.stats.tenants = 1;
    s->sim.result.stats.tenant[0].lane_instr = 100000;
    s->sim.cfg.tenants_count = 1;
    snprintf(s->sim.cfg.tenants[0].kernel, sizeof s->sim.cfg.tenants[0].kernel, "%s", kernel);
}

static inline void make_image(unsigned i)
{
    static const char *const names[IMAGES] = {"c", "b", "a"}, *const kernels[WORKLOADS] = {"A", "B", "C"};
    struct latency_image *made = &all.images[i];
    *made = (struct latency_image){.what = names[i], .workload_count = WORKLOADS, .core = "ibex"};
    made->how = (struct set_preset){.preset = "mask", .cycles = 100000};
    memcpy(made->workloads, kernels, sizeof kernels);
    made->cells = cells[i];
    made->guarded = guarded[i];
    snprintf(files[i].name, sizeof files[i].name, "%s", names[i]);
    for (unsigned k = 0; k < RUNS; k++) {
        struct kept_sim *s = &sims[i * RUNS + k];
        pass(s, kernels[k / request.seeds % WORKLOADS]);
        s->sim.image = &files[i];
        cells[i][k].run = s;
        cells[i][k].alone[0] = alone;
    }
}

static inline int make_runs(unsigned seeds)
{
    memset(&all, 0, sizeof all);
    memset(cells, 0, sizeof cells);
    memset(guarded, 0, sizeof guarded);
    sims = calloc((size_t)IMAGES * RUNS, sizeof *sims);
    alone = calloc(1, sizeof *alone);
    if (!sims || !alone)
        abort();
    request = (struct latency_request){.seed_first = 1, .seeds = seeds};
    all.request = &request;
    all.image_count = IMAGES;
    pass(alone, "A");
    for (unsigned i = 0; i < IMAGES; i++)
        make_image(i);
    return 0;
}

static inline int setup(void **state)
{
    (void)state;
    return make_runs(SEEDS);
}

static inline int teardown(void **state)
{
    (void)state;
    free(sims);
    free(alone);
    return 0;
}

#endif
