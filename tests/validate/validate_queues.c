/*
 * Little's law on every queue of a GPU that runs real kernels: mean entries = entries a cycle x mean cycles. The three
 * come from different places: see README.md.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memhelm/config_file.h"
#include "validate/observer.h"
#include "validate/stream.h"
#include "validate/table.h"

/*
 * Cycles; WARM is past the burst of cold pages of a launch, which an SM misses one at a time. SETTLE is longer than any
 * entry stays, so that the observer has seen all of them come. A window is WINDOW, or as many of them as take STAYS
 * times what a request stays: what is inside at its ends is then well below a hundredth.
 */
enum { WARM = 103000, SETTLE = 12000, WINDOW = 40000, STAYS = 100, FEW = 200 };

static uint32_t used[OBSERVED]; /* runs in which a queue was in use */
static uint64_t window;         /* cycles of this run's */

/*
 * What the model's own counters say of the rate, per cycle; 0 = it has none for this queue. (A read that DRAM serves in
 * the cycle of its arrival is never seen in the queue: counted, it would spoil the mean of the others.)
 */
static double counted_rate(const struct mh_counters *c, enum observed which)
{
    const uint64_t count[OBSERVED] = {
        [OBSERVED_LSU] = c->mem_instr,
        [OBSERVED_L1TLB_MSHR] = c->l2tlb_access,
        [OBSERVED_WALKERS] = c->walks,
        [OBSERVED_BANK_QUEUE] = observer_lookups(c),
        [OBSERVED_REQUESTS] = observer_lookups(c),
        [OBSERVED_L2_MSHR] = c->dram_read + c->dram_walk,
        [OBSERVED_DRAM_WRITE] = c->dram_write,
    };

    return (double)count[which] / (double)window;
}

static void row(const char *name, double occupancy, double rate, double latency, const char *source)
{
    table_within(occupancy, rate * latency, 1, "%s: %.4f a cycle x %.1f cycles%s", name, rate, latency, source);
}

/* Of a queue that is hardly used there is no mean to speak of. */
static void little(const struct observer *o, const struct mh_counters *c, enum observed which)
{
    const struct pool *p = observer_pool(o, which);
    double rate = counted_rate(c, which);

    if (p->left < FEW)
        return;
    used[which]++;
    row(observed_names[which], pool_occupancy(p), rate > 0 ? rate : pool_rate(p), pool_latency(p),
        rate > 0 ? " (counted)" : "");
}

/* Latencies that the model adds up itself. An MSHR that waits for an IOMMU is no walk yet. */
static void counted_latencies(const struct observer *o, const struct mh_counters *c, bool iommu)
{
    const struct pool *mshrs = observer_pool(o, OBSERVED_L2_MSHR);
    double ends =
        iommu ? pool_ends(observer_pool(o, OBSERVED_WALK_BUFFER)) + pool_ends(observer_pool(o, OBSERVED_WALKERS))
              : pool_ends(observer_pool(o, OBSERVED_L2TLB_MSHR));
    double reads = (double)(c->dram_read + c->dram_walk), walks = (double)c->walks;

    if (walks > FEW)
        row("walks", observer_walks(o), walks / (double)window, ((double)c->walk_cycles + ends) / walks,
            " (both counted)");
    if (reads > FEW)
        row("L2 MSHRs", pool_occupancy(mshrs), reads / (double)window,
            (double)(c->dram_cycles + c->dram_walk_cycles) / reads, " (both counted)");
}

/* Golden, silver and normal queue in the DRAM channels, with equal turns. */
static void queues_apart(struct mh_gpu *g)
{
    mh_gpu_write(g, MH_REG_DRAM_QUEUES, 4, 1);
    mh_gpu_write(g, MH_REG_SILVER_THRESH, 4, 250);
    mh_gpu_write(g, MH_REG_SILVER_THRESH + MH_REG_SILVER_THRESH_STRIDE, 4, 250);
    mh_gpu_write(g, MH_REG_COMMIT, 4, 1);
}

enum variant { AS_IT_IS, QUEUES_APART, WALKS_PAST_L2, WALKS_THROUGH_L2 };

static const char *const variant_names[] = {"", ", DRAM queues apart", ", walks past the L2", ", walks through the L2"};

/* A sixteenth of a GPU of today: in each cycle the observer looks at every entry of it. */
static void cut(struct mh_config *cfg)
{
    if (cfg->sm.count < 64)
        return;
    cfg->sm.count /= 16;
    cfg->sm.gpcs = 1;
    cfg->dram.channels /= 16;
    cfg->l2.banks /= 16;
    cfg->l2.bytes /= 16;
}

static void observe(const char *preset, const char *pair, enum variant variant)
{
    struct mh_config cfg = {0};
    struct mh_error err = {""};

    table_layer("%s %s%s", preset, pair, variant_names[variant]);
    if (mh_config_preset(&cfg, preset, &err) || mh_config_workload(&cfg, pair, &err)) {
        table_miss("no run", "%s", err.text);
        return;
    }
    stream_simplify(&cfg);
    cut(&cfg);
    cfg.run.cycles = 1000000000;
    if (variant >= WALKS_PAST_L2)
        cfg.walk.uncached = variant == WALKS_PAST_L2;
    struct mh_gpu *g = mh_config_resolve(&cfg, &err) ? NULL : mh_gpu_create(&cfg, &err);
    if (!g) {
        table_miss("no run", "%s", err.text);
        return;
    }
    if (variant == QUEUES_APART)
        queues_apart(g);
    mh_gpu_advance(g, WARM);
    struct observer *o = observer_new(g);
    observer_run(o, WARM + SETTLE);
    window = WINDOW * (uint64_t)(1 + STAYS * pool_latency(observer_pool(o, OBSERVED_REQUESTS)) / WINDOW);
    observer_reset(o);
    observer_run(o, WARM + SETTLE + window);
    struct mh_counters c = observer_counters(o);
    for (int i = 0; i < OBSERVED; i++)
        little(o, &c, (enum observed)i);
    counted_latencies(o, &c, cfg.iommu.l1_entries);
    observer_free(o);
    mh_gpu_destroy(g);
}

int main(int argc, char **argv)
{
    table_open(argc, argv);
    for (const char *const *name = mh_preset_names(); *name; name++) {
        observe(*name, "MVT+GUPS", AS_IT_IS);
        if (!strcmp(*name, "simt"))
            observe(*name, "MVT+GUPS", WALKS_THROUGH_L2);
        if (strcmp(*name, "mask"))
            continue;
        observe(*name, "2DCONV+FDTD", AS_IT_IS);
        observe(*name, "MVT+GUPS", QUEUES_APART);
        observe(*name, "MVT+GUPS", WALKS_PAST_L2);
    }
    table_layer("all presets");
    for (int i = 0; i < OBSERVED; i++)
        table_at_least(1, used[i], "%s: runs in which it was in use", observed_names[i]);
    return table_close();
}
