/*
 * Zero-load latency of every way that a read can take, in every preset: a chain of reads by one warp on an idle GPU
 * against the sum of parts of tests/idle_read.c. A row is one way; the chain takes it many times, and the first read
 * that differs (or else the first) is shown.
 */
#include <stdio.h>
#include <stdlib.h>

#include "idle_read.h"
#include "memhelm/config_file.h"
#include "script.h"
#include "validate/stream.h"
#include "validate/table.h"

enum { REGIONS = 4, PLACES = 3, PAGES = 8, READS = 2000, MAX_ENTRIES = 5 };

/* Pages that share the root, the second, the third and, within a place, the last level of the page table. */
static uint64_t page_address(const struct mh_config *cfg, uint32_t region, uint32_t place, uint32_t page)
{
    return SCRIPT_BASE + ((uint64_t)region << 30) + ((uint64_t)place << 26) + (uint64_t)page * cfg->memory.page_bytes;
}

/* One warp whose reads each wait for the one before. */
static struct script *chain(const struct mh_config *cfg, const uint64_t *address)
{
    struct script *s = script_new();

    for (uint32_t r = 0; r < REGIONS; r++)
        for (uint32_t p = 0; p < PLACES; p++)
            script_buffer(s, page_address(cfg, r, p, 0), (uint64_t)PAGES * cfg->memory.page_bytes);
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = cfg->sm.lanes});
    for (uint32_t i = 0; i < READS; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(address[i])));
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
    return s;
}

/* One of 32 lines of the page, in groups of four neighbours; the groups lie anywhere, so that no set of the L2 is full.
 */
static uint64_t line_address(const struct mh_config *cfg, uint64_t page, uint64_t number)
{
    uint64_t rng = page + number / 4, group = 4 * cfg->memory.line_bytes;

    return page + random_next(&rng) % (cfg->memory.page_bytes / group) * group + number % 4 * cfg->memory.line_bytes;
}

/* A third of the reads go where the last one went, a third stay in its page. Few lines a page, so that they come again.
 */
static void choose_addresses(const struct mh_config *cfg, uint64_t *address)
{
    uint64_t rng = 1, page = 0;

    for (uint32_t i = 0; i < READS; i++) {
        uint64_t dice = random_next(&rng) % 3, where = random_next(&rng), line = random_next(&rng) % 32;

        if (!i || dice == 2)
            page = page_address(cfg, where % REGIONS, where / REGIONS % PLACES, where / REGIONS / PLACES % PAGES);
        address[i] = i && !dice ? address[i - 1] : line_address(cfg, page, line);
    }
}

struct way {
    struct idle_path path;
    uint64_t expected, measured, seen;
};

struct ways {
    struct way way[64];
    uint32_t count;
};

/* How many of the entries that a walk reads come from DRAM. */
enum missed { NONE, SOME, ALL };

static enum missed missed(const struct idle_path *p)
{
    return !p->entries_missed ? NONE : p->entries_missed < p->entries ? SOME : ALL;
}

/* With a hit in the L1 TLB it is the data that matter, else the translation. */
static bool same_way(const struct idle_path *a, const struct idle_path *b)
{
    if (a->translated != b->translated)
        return false;
    return a->translated == IDLE_L1_TLB ? a->data == b->data : a->entries == b->entries && missed(a) == missed(b);
}

static void note(struct ways *ways, const struct idle_path *path, uint64_t expected, uint64_t measured)
{
    uint32_t i = 0;

    while (i < ways->count && !same_way(&ways->way[i].path, path))
        i++;
    struct way *w = &ways->way[i];
    if (i == ways->count) {
        ways->count++;
        *w = (struct way){.path = *path, .expected = expected, .measured = measured};
    }
    if (expected != measured && w->expected == w->measured) {
        w->expected = expected;
        w->measured = measured;
    }
    w->seen++;
}

static void run_chain(const struct mh_config *cfg, struct ways *ways)
{
    static uint64_t address[READS];
    choose_addresses(cfg, address);
    struct script *s = chain(cfg, address);
    LOCAL_GPU(g) = script_gpu(cfg, &s);
    struct idle *m = idle_new(g);

    script_until(g, &g->tenant[0].count.completions, 1);
    for (uint32_t i = 0; i < READS; i++) {
        struct idle_path path = {.entries = 0};
        uint64_t issued = script_issued(s, 0, 0, 0, i);

        note(ways, &path, idle_read(m, address[i], issued, &path) - issued, script_issued(s, 0, 0, 0, i + 1) - issued);
    }
    idle_free(m);
}

static void print_way(const struct way *w)
{
    static const char *const tlb[] = {"L1 TLB", "GPC's TLB", "L2 TLB", "IOMMU's first TLB", "IOMMU's second TLB"};
    static const char *const entries[] = {"all in the L2", "some from DRAM", "all from DRAM"};
    static const char *const found[IDLE_FOUND] = {
        [IDLE_L1D] = "L1D hit",
        [IDLE_L2] = "L2 hit",
        [IDLE_ROW_OPEN] = "DRAM, row open",
        [IDLE_BANK_CLOSED] = "DRAM, bank closed",
        [IDLE_CONFLICT] = "DRAM, conflict",
        [IDLE_FAR + IDLE_L2] = "far L2 hit",
        [IDLE_FAR + IDLE_ROW_OPEN] = "far DRAM, row open",
        [IDLE_FAR + IDLE_BANK_CLOSED] = "far DRAM, bank closed",
        [IDLE_FAR + IDLE_CONFLICT] = "far DRAM, conflict",
    };
    unsigned long long seen = w->seen;

    if (w->path.translated == IDLE_L1_TLB)
        table_exact(w->expected, w->measured, "L1 TLB hit, %s (%llu reads)", found[w->path.data], seen);
    else if (w->path.translated != IDLE_WALK)
        table_exact(w->expected, w->measured, "%s hit (%llu reads)", tlb[w->path.translated], seen);
    else
        table_exact(w->expected, w->measured, "walk, %u page table entries, %s (%llu reads)", w->path.entries,
                    entries[missed(&w->path)], seen);
}

static int order(const void *a, const void *b)
{
    const struct idle_path *x = &((const struct way *)a)->path, *y = &((const struct way *)b)->path;
    int key[2];

    for (int i = 0; i < 2; i++) {
        const struct idle_path *p = i ? y : x;
        key[i] = (int)p->translated * 1000 +
                 (p->translated == IDLE_L1_TLB ? (int)p->data : (int)p->entries * 3 + (int)missed(p));
    }
    return key[0] - key[1];
}

/*
 * One page and one line in the L1s, few pages in the other TLBs, so that misses are common; room in the L2. The
 * latencies are the preset's.
 */
static void latencies(const char *name, const char *variant, const struct mh_config *preset)
{
    struct mh_config cfg = *preset;
    struct ways ways = {.count = 0};

    cfg.dram.refi = 0;
    cfg.l1tlb.entries = 1;
    cfg.l2.bytes *= 4;
    cfg.l1d.bytes = cfg.memory.line_bytes;
    cfg.l1d.ways = 1;
    if (cfg.gpctlb.entries)
        cfg.gpctlb.entries = cfg.gpctlb.ways = 4;
    cfg.l2tlb.entries = cfg.l2tlb.ways = 16;
    cfg.l1tlb.covers = cfg.l1tlb.covers > 1 ? 2 : 1;
    cfg.gpctlb.covers = cfg.gpctlb.covers > 1 ? 2 : 1;
    cfg.l2tlb.covers = cfg.l2tlb.covers > 1 ? 2 : 1;
    if (cfg.iommu.l1_entries)
        cfg.iommu.l1_entries = 24;
    if (cfg.iommu.l2_entries)
        cfg.iommu.l2_entries = cfg.iommu.l2_ways = 32;
    run_chain(&cfg, &ways);
    qsort(ways.way, ways.count, sizeof *ways.way, order);
    table_layer("%s%s", name, variant);
    for (uint32_t i = 0; i < ways.count; i++)
        print_way(&ways.way[i]);
}

/* With or without a PWC; then that, with other bytes fetched and other pages. */
static void variants(const char *name, const char *way, const struct mh_config *preset)
{
    struct mh_config cfg = *preset;
    char layer[64];

    snprintf(layer, sizeof layer, "%s%s", name, way);
    cfg.l1tlb.ideal = 0;
    cfg.walk.pwc_bytes = preset->walk.pwc_bytes ? 0 : 8192;
    cfg.walk.pwc_ways = 16;
    latencies(layer, cfg.walk.pwc_bytes ? ", PWC" : ", no PWC", &cfg);
    for (cfg.l1d.sector_bytes = 32; cfg.l1d.sector_bytes < cfg.memory.line_bytes; cfg.l1d.sector_bytes *= 2)
        latencies(layer, cfg.l1d.sector_bytes == 32 ? ", 32 B fetched" : ", 64 B fetched", &cfg);
    cfg.l1d.sector_bytes = preset->l1d.sector_bytes;
    set_page_size(&cfg, 64 << 10);
    latencies(layer, ", 64 KiB pages", &cfg);
    set_page_size(&cfg, 2 << 20);
    latencies(layer, ", 2 MiB pages", &cfg);
}

/* A queue before the L2, a line for each page table entry, misses that hold the LSU. */
static void at_once(const char *name, const char *way, const struct mh_config *preset)
{
    struct mh_config cfg = *preset;
    char layer[64];

    snprintf(layer, sizeof layer, "%s%s", name, way);
    cfg.l1tlb.ideal = 0;
    cfg.l2.queue_latency = 85;
    cfg.walk.pte_bytes = 128;
    cfg.l1tlb.on_miss = MH_ON_MISS_HOLD;
    latencies(layer, ", queue", &cfg);
}

/* A TLB between those of the SM and the L2 TLB; then entries that cover two pages each. */
static void more_tlbs(const char *name, const struct mh_config *preset)
{
    struct mh_config cfg = *preset;

    cfg.l1tlb.ideal = 0;
    cfg.gpctlb.entries = 1;
    cfg.gpctlb.latency = 7;
    cfg.gpctlb.wire = 5;
    latencies(name, ", GPC TLB", &cfg);
    cfg.gpctlb.covers = cfg.l2tlb.covers = 2;
    latencies(name, ", GPC TLB, two pages an entry", &cfg);
    cfg.l1tlb.covers = 2;
    latencies(name, ", GPC TLB, two pages an entry everywhere", &cfg);
}

/* The other rule for lines of the far half. */
static void halves(const char *name, const struct mh_config *preset)
{
    struct mh_config cfg = *preset;

    if (cfg.l2.halves == 1)
        return;
    cfg.l2.far = cfg.l2.far == MH_FAR_COPY ? MH_FAR_HOME : MH_FAR_COPY;
    latencies(name, cfg.l2.far == MH_FAR_COPY ? ", far lines copied" : ", far lines at home", &cfg);
}

int main(int argc, char **argv)
{
    table_open(argc, argv);
    for (const char *const *name = mh_preset_names(); *name; name++) {
        struct mh_config cfg = script_preset(*name, 0, 1);

        latencies(*name, "", &cfg);
        variants(*name, "", &cfg);
        at_once(*name, "", &cfg);
        more_tlbs(*name, &cfg);
        halves(*name, &cfg);
        cfg.l1tlb.ideal = 0;
        cfg.walk.uncached = !cfg.walk.uncached;
        const char *way = cfg.walk.uncached ? ", past the L2" : ", through the L2";
        latencies(*name, way, &cfg);
        variants(*name, way, &cfg);
        at_once(*name, way, &cfg);
    }
    return table_close();
}
