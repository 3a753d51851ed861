/* Rows of made-up runs: a test says what each workload gains with each seed. */
#ifndef UNIT_REPRODUCE_MADE_UP_H
#define UNIT_REPRODUCE_MADE_UP_H

#include <stdlib.h>

#include "reproduce/outcome.h"

enum { SEEDS = 5, WORKLOADS = 5, CELLS = SEEDS * WORKLOADS, CYCLES = 1000000 };

/* A row: IPC of runs over that of others, which a test sets. */
struct made_up {
    struct row row;
    struct reproduce_row own;
    struct workload workloads[WORKLOADS];
    struct kept_sim runs[4][CELLS]; /* run, against; the same without `set` */
    struct point points[4][CELLS];
};

static inline void finish(struct kept_sim *s, double ipc)
{
    s->sim.state = SIM_DONE;
    s->sim.result.end = MH_END_PASS;
    s->sim.result.stats.cycles = CYCLES;
    s->sim.result.stats.tenants = 1;
    s->sim.result.stats.tenant[0].lane_instr = (uint64_t)(ipc * CYCLES + 0.5);
}

static inline void set_cell(struct made_up *m, unsigned workload, unsigned seed, double level, double gain)
{
    const unsigned at = seed * m->own.once.workload_count + workload;
    finish(&m->runs[0][at], level * (1 + gain));
    finish(&m->runs[1][at], level);
}

static inline void open_series(struct made_up *m, struct series *s, unsigned first, unsigned workloads, unsigned seeds)
{
    *s = (struct series){
        .measure = &m->row.measure, .workloads = m->workloads, .workload_count = workloads, .seeds = seeds};
    s->run = (struct side){.partitions = 1, .points = m->points[first]};
    s->against = (struct side){.partitions = 1, .points = m->points[first + 1]};
}

/* Every gain is 0 until a test says otherwise. */
static inline struct made_up *make_up(const char *paper, enum aggregate over, unsigned workloads, unsigned seeds)
{
    static const char *const names[WORKLOADS] = {"A+B", "C+D", "E+F", "G+H", "KMeans"};
    struct mh_error err;
    struct made_up *m = calloc(1, sizeof *m);
    m->row = (struct row){.id = "r", .figure = "f", .what = "w", .paper = paper, .over = over};
    m->row.measure = (struct measure){.metric = "ipc", .expr = expr_parse("ipc", &err), .relation = RELATION_GAIN};
    assert_int_equal(claim_parse(&m->row.claim, paper, true, &err), 0);
    for (unsigned w = 0; w < WORKLOADS; w++)
        m->workloads[w].name = (char *)(uintptr_t)names[w];
    for (unsigned side = 0; side < 4; side++)
        for (unsigned at = 0; at < CELLS; at++) {
            m->points[side][at].run = &m->runs[side][at];
            finish(&m->runs[side][at], 10);
        }
    m->own.row = &m->row;
    open_series(m, &m->own.once, 0, workloads, seeds);
    return m;
}

static inline void drop(struct made_up *m)
{
    expr_free(m->row.measure.expr);
    free(m);
}

#endif
