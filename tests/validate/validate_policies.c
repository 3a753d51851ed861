/*
 * What walk policies do to recordings of real programs, and to the kernels that generate the same programs: the same
 * sign, or the row says which input differs. The policies are those that set knobs once: DWS and its static partition
 * for two tenants (Pratheek et al., HPCA 2021), the SIMT-aware order of walks for one (Shin et al., ISCA 2018).
 *
 * The expected number is the recording's, the measured one the kernel's: by how much the memory instructions of all
 * tenants grow. GMT1 lacks the instructions after a warp's last access, so that IPC is not comparable.
 */
#include <stdio.h>
#include <string.h>

#include "engine/gpu.h"
#include "gpu/gpu.h"
#include "memhelm/config_file.h"
#include "script.h"
#include "validate/table.h"

enum { LEAST = 2 /* %: less is none, as in `memhelm reproduce` */ };

struct setting {
    const char *preset;
    uint64_t cycles;
};
/* In 500 000 cycles ATAX issues 800 in preset simt, and the sign is that of its start. */
static const struct setting two_tenants = {"dws", 500000}, one_tenant = {"simt", 2000000};

static void partition(struct mh_gpu *g)
{
    const uint32_t walkers = mh_config_walkers(&g->cfg);

    script_write(g, MH_REG_WALK_QUEUES, 1);
    for (uint32_t w = 0; w < walkers; w++)
        script_write(g, MH_REG_WALKER_OWNER + w * MH_REG_WALKER_OWNER_STRIDE, w * g->tenants / walkers);
    script_commit(g);
}

static void steal(struct mh_gpu *g)
{
    partition(g);
    script_knob(g, MH_REG_WALK_STEAL, MH_STEAL_DWS);
}

static void fcfs(struct mh_gpu *g)
{
    script_knob(g, MH_REG_WALK_ORDER, MH_WALK_FCFS);
}

static void simt(struct mh_gpu *g)
{
    script_knob(g, MH_REG_WALK_ORDER, MH_WALK_SIMT);
}

typedef void knobs(struct mh_gpu *g);

/* Memory instructions of all tenants; 0 and `err`: there is no run. */
static uint64_t accesses(const struct setting *in, const char *workload, knobs *set, struct mh_error *err)
{
    struct mh_config cfg = {0};
    uint64_t sum = 0;

    if (mh_config_preset(&cfg, in->preset, err) || mh_config_workload(&cfg, workload, err))
        return 0;
    cfg.run.cycles = in->cycles;
    LOCAL_GPU(g) = mh_config_resolve(&cfg, err) ? NULL : mh_gpu_create(&cfg, err);

    if (!g)
        return 0;
    if (set)
        set(g);
    mh_gpu_advance(g, in->cycles);
    for (uint32_t t = 0; t < g->tenants; t++)
        sum += g->tenant[t].count.mem_instr;
    return sum;
}

/* In %. */
static int effect(double *gain, const struct setting *in, const char *workload, knobs *policy, knobs *baseline,
                  struct mh_error *err)
{
    const uint64_t before = accesses(in, workload, baseline, err);
    const uint64_t after = before ? accesses(in, workload, policy, err) : 0;

    *gain = before ? 100 * ((double)after / (double)before - 1) : 0;
    return after ? 0 : -1;
}

struct pair {
    const char *recorded, *generated;
    const char *differs; /* why the effects have other signs; NULL: they have not */
};

/* `make validate` runs in the top folder, and so do these paths count. */
#define TRACE(name, lanes) "trace:" MH_TEST_DATA "/" name ".w" lanes ".gmt.zst"

static const struct pair pairs[] = {
    {"GUPS+" TRACE("rod_hotspot", "32"), "GUPS+HS@launch=0", NULL},
    {"GUPS+" TRACE("rod_srad", "32"), "GUPS+SRAD@launches=0-4", NULL},
    {"GUPS+" TRACE("shoc_fft", "32"), "GUPS+FFT", NULL},
    {"GUPS+" TRACE("parb_sad", "32"), "GUPS+SAD", NULL},
    {TRACE("gups", "32") "+HS", "GUPS+HS", NULL},
};

static const struct pair alone[] = {
    {TRACE("pb_atax_k1", "64"), "ATAX@launch=0:4096", NULL},
    {TRACE("pb_atax_k2", "64"), "ATAX@launch=1:4096", NULL},
    {TRACE("pb_bicg", "64"), "BICG:4096", NULL},
    {TRACE("rod_nw", "64"), "NW@launches=60-90:2048", "shorter paths, and more"},
    {TRACE("rod_backprop", "64"), "BP", NULL},
    {TRACE("rod_hotspot", "64"), "HS@launch=0", NULL},
};

static void compare(const struct setting *in, const struct pair *p, const char *name, knobs *policy, knobs *baseline)
{
    struct mh_error err = {"no access was issued"};
    double expected, measured;

    table_layer("%s %s", in->preset, p->generated);
    if (effect(&expected, in, p->recorded, policy, baseline, &err) ||
        effect(&measured, in, p->generated, policy, baseline, &err))
        table_miss(err.text, "%s", name);
    else
        table_sign(!p->differs, expected, measured, LEAST, "%s: recorded, generated%s%s", name, p->differs ? "; " : "",
                   p->differs ? p->differs : "");
}

int main(int argc, char **argv)
{
    table_open(argc, argv);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        compare(&two_tenants, &pairs[i], "static partition", partition, NULL);
        compare(&two_tenants, &pairs[i], "DWS", steal, NULL);
    }
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        compare(&one_tenant, &alone[i], "SIMT-aware", simt, fcfs);
    return table_close();
}
