/*
 * Reach of the TLBs in every preset: as many pages as entries x pages that an entry covers are all found again in
 * order; with a group of pages more in each set, least recently used first, none is.
 */
#include <stdio.h>

#include "script.h"
#include "memhelm/config_file.h"
#include "validate/stream.h"
#include "validate/table.h"

enum { MOST_ENTRIES = 128 };

/** A level, alone but for an L1 TLB of one page. */
struct level {
    const char *name;
    uint32_t entries, ways, covers;
    size_t hits; /**< counter of look-ups that hit */
};

/* Two rounds over the pages, one load after the other. */
static uint64_t hits(const struct mh_config *cfg, const struct level *l, uint64_t pages)
{
    struct script *s = script_paged(pages, 1);

    for (uint64_t i = 0; i < 2 * pages; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(SCRIPT_BASE + i % pages * SCRIPT_PAGE)));
    LOCAL_GPU(g) = script_gpu(cfg, &s);
    script_until(g, &g->tenant[0].count.completions, 1);
    uint64_t n = *(const uint64_t *)((const char *)&g->tenant[0].count + l->hits);

    return n;
}

static void reach(const struct mh_config *cfg, const struct level *l)
{
    uint64_t sets = l->entries / l->ways, pages = (uint64_t)l->entries * l->covers;

    table_exact(pages, hits(cfg, l, pages), "%s of %u entries of %u pages: found again, of %llu pages", l->name,
                l->entries, l->covers, (unsigned long long)pages);
    pages += sets * l->covers;
    table_exact(0, hits(cfg, l, pages), "the same, of %llu pages", (unsigned long long)pages);
}

static struct mh_config alone(const struct mh_config *preset)
{
    struct mh_config cfg = *preset;

    cfg.sm.count = cfg.sm.gpcs = 1;
    cfg.tenants[0].sm_count = 1;
    set_page_size(&cfg, SCRIPT_PAGE);
    cfg.l1tlb.ideal = 0;
    cfg.l1tlb.entries = 1;
    cfg.l1tlb.ways = 0;
    cfg.l1tlb.covers = 1;
    cfg.gpctlb.entries = 0;
    cfg.l2tlb.bypass_entries = 0;
    return cfg;
}

static uint32_t few(uint32_t entries, uint32_t ways)
{
    while (entries > MOST_ENTRIES && entries > ways)
        entries /= 2;
    return entries;
}

static void l1(const struct mh_config *preset, uint32_t covers)
{
    struct mh_config cfg = alone(preset);
    uint32_t entries = preset->l1tlb.entries < 64 ? preset->l1tlb.entries : 64;

    cfg.l1tlb.entries = entries;
    cfg.l1tlb.covers = covers;
    reach(&cfg, &(struct level){"L1 TLB", entries, entries, covers, STREAM_COUNTER(l1tlb_hit)});
}

static void gpc(const struct mh_config *preset, uint32_t covers)
{
    struct mh_config cfg = alone(preset);

    cfg.gpctlb.ways = preset->gpctlb.entries ? preset->gpctlb.ways : 8;
    cfg.gpctlb.entries = preset->gpctlb.entries ? few(preset->gpctlb.entries, preset->gpctlb.ways) : 64;
    cfg.gpctlb.covers = covers;
    reach(&cfg, &(struct level){"GPC's TLB", cfg.gpctlb.entries, cfg.gpctlb.ways, covers, STREAM_COUNTER(gpctlb_hit)});
}

static void l2(const struct mh_config *preset, uint32_t covers)
{
    struct mh_config cfg = alone(preset);

    cfg.l2tlb.entries = few(preset->l2tlb.entries, preset->l2tlb.ways);
    cfg.l2tlb.covers = covers;
    reach(&cfg, &(struct level){"L2 TLB", cfg.l2tlb.entries, cfg.l2tlb.ways, covers, STREAM_COUNTER(l2tlb_hit)});
}

static void layer(const struct mh_config *cfg)
{
    static const uint32_t covers[] = {1, 4, 16};

    for (uint32_t i = 0; i < sizeof covers / sizeof *covers; i++) {
        l1(cfg, covers[i]);
        gpc(cfg, covers[i]);
        if (cfg->l2tlb.entries)
            l2(cfg, covers[i]);
    }
}

int main(int argc, char **argv)
{
    return stream_validate(argc, argv, script_preset, layer);
}
