/* The built-in presets as texts: every key is there, every value has a source, and the numbers are the papers'. */
#include "unit/config_text.h"

#include "config/field.h"
#include "config/load.h"

static void named(struct mh_config *cfg, const char *name)
{
    struct mh_error err;
    if (mh_config_preset(cfg, name, &err))
        fail_msg("%s", err.text);
}

static void each(const struct mh_preset_set *set, void (*check)(const struct mh_preset *))
{
    for (size_t i = 0; i < set->count; i++)
        check(&set->preset[i]);
}

/* A key that is left out would keep what was there. */
static void check_keys(const struct mh_preset *p)
{
    struct mh_config given, over;
    struct mh_error err;
    size_t lengths[2];
    named(&given, p->name);
    memset(&over, 0x5a, sizeof over);
    if (load_bytes(&over, p->text, (size_t)(p->end - p->text), &err))
        fail_msg("%s: %s", p->name, err.text);
    memcpy(over.preset, given.preset, sizeof over.preset);
    memset(over.design, 0, sizeof over.design);
    over.tenants_count = 0;
    char *a = written(&given, &lengths[0]), *b = written(&over, &lengths[1]);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

static void test_keys(void **state)
{
    each(&mh_presets, check_keys);
}

static bool is_value(const char *line)
{
    return !strncmp(line, "  ", 2) && line[2] != '#';
}

/* 0 = the feature is off: what is off needs no source. */
static void check_sources(const struct mh_preset *p)
{
    char line[512];
    for (const char *at = p->text, *eol; at < p->end; at = eol + 1) {
        eol = memchr(at, '\n', (size_t)(p->end - at));
        assert_non_null(eol);
        assert_true((size_t)(eol - at) < sizeof line);
        snprintf(line, sizeof line, "%.*s", (int)(eol - at), at);
        size_t length = strlen(line);
        if (is_value(line) && !strchr(line, '#') && strcmp(line + length - 3, ": 0"))
            fail_msg("%s.yaml: no source for '%s'", p->name, line);
    }
}

static void test_sources(void **state)
{
    each(&mh_presets, check_sources);
    each(&mh_dram_presets, check_sources);
}

/* The line begins with the key and has the value. */
static void check_line(const struct mh_field *f, const struct mh_config *c, const struct mh_source *s)
{
    char value[MH_VALUE_MAX], start[2 * MH_VALUE_MAX];
    const char *at = s->file->text;
    mh_field_print(f, c, value);
    for (unsigned line = 1; line < s->line; line++)
        at = strchr(at, '\n') + 1;
    int n = snprintf(start, sizeof start, "  %s: %s", strchr(f->name, '.') + 1, value);
    if (strncmp(at, start, (size_t)n) || !strchr(" \n", at[n]))
        fail_msg("%s = %s, but %s:%u has %.60s", f->name, value, s->file->file, s->line, at);
}

/* Each key of each preset, with each design, stands where it is said to stand. */
static void test_lines(void **state)
{
    struct mh_source *of = calloc(mh_config_fields.count, sizeof *of);
    struct mh_config c;
    struct mh_error err;
    assert_non_null(of);
    for (size_t p = 0; p < mh_presets.count; p++)
        for (size_t d = 0; d <= mh_designs.count; d++) {
            memset(&c, 0, sizeof c);
            memset(of, 0, mh_config_fields.count * sizeof *of);
            assert_int_equal(mh_load_named(&c, &mh_presets, mh_presets.preset[p].name, of, &err), 0);
            if (d)
                assert_int_equal(mh_load_named(&c, &mh_designs, mh_designs.preset[d - 1].name, of, &err), 0);
            for (size_t i = 0; i < mh_config_fields.count; i++)
                if (strchr(mh_config_fields.field[i].name, '.'))
                    check_line(&mh_config_fields.field[i], &c, &of[i]);
        }
    free(of);
}

/* Peak of all channels, bytes per second. */
static uint64_t bandwidth(const struct mh_config *c)
{
    return (uint64_t)c->dram.channels * c->dram.bus_bytes * c->dram.data_rate * c->clock.dram_hz;
}

/* MASK sec. 7.4: 16, 64 and 192, and a queue of 256. */
static void check_dram_queues(const struct mh_dram_cfg *d)
{
    assert_int_equal(d->golden, d->queue / 16 > 2 ? d->queue / 16 : 2);
    assert_int_equal(d->silver, d->queue / 4);
    assert_int_equal(d->normal, d->queue - d->silver);
}

static void test_dram_queues(void **state)
{
    struct mh_config c;
    struct mh_error err;
    for (const char *const *n = mh_preset_names(); *n; n++) {
        named(&c, *n);
        check_dram_queues(&c.dram);
    }
    for (const char *const *n = mh_dram_preset_names(); *n; n++) {
        assert_int_equal(mh_config_dram_preset(&c, *n, &err), 0);
        check_dram_queues(&c.dram);
    }
}

/* GPGPU-Sim's GDDR5 in cycles of 924 MHz, at another clock: ceil(n * hz / 924 MHz). */
static void check_gddr5(const struct mh_config *c)
{
    const struct mh_dram_cfg *d = &c->dram;
    const struct {
        uint32_t ours, theirs;
    } rows[] = {{d->cl, 12}, {d->cwl, 4}, {d->rcd, 12}, {d->rp, 12}, {d->ras, 28},
                {d->rc, 40}, {d->rrd, 6}, {d->wr, 12},  {d->wtr, 5}, {d->rtp, 2}};
    uint64_t hz = c->clock.dram_hz, khz = hz / 1000;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(rows[i].ours, (rows[i].theirs * hz + 924000000 - 1) / 924000000);
    assert_int_equal(d->faw, (23 * hz + 999999999) / 1000000000); /* 23 ns */
    assert_int_equal(d->refi, 39 * khz / 10000);                  /* 3.9 us */
    assert_int_equal(d->rfc, (110 * hz + 999999999) / 1000000000);
    assert_int_equal(d->ccd, d->burst / d->data_rate);
}

static void test_gddr5(void **state)
{
    static const char *const names[] = {"mask", "fermi", "etc", "ccbp"};
    struct mh_config c;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        named(&c, names[i]);
        check_gddr5(&c);
    }
}

/* What the papers say of their GPUs, and the peak bandwidth of all channels. */
static void test_papers(void **state)
{
    static const struct {
        const char *preset, *keys;
        uint64_t bandwidth;
    } papers[] = {
        /* MASK table 1 */
        {"mask",
         "sm.count=30 sm.lanes=64 clock.gpu_hz=1020000000 l1d.bytes=16384 l1tlb.entries=64 l1tlb.mshrs=1 "
         "l2.bytes=2097152 "
         "l2tlb.entries=512 walk.walkers=64 walk.pwc_bytes=0 l1d.index=modulo dram.golden=16 dram.silver=64 "
         "dram.normal=192",
         0},
        /* MASK table 4: GPGPU-Sim's GTX 480, whose L2 its own comment calls 786 KB, on 384 bits of GDDR5 */
        {"fermi", "l1tlb.mshrs=1 l1d.bytes=16384 l2.bytes=786432 l1d.index=fold", 177408000000},
        {"integrated", "l1tlb.mshrs=1 walk.walkers=32", 85376000000},
        {"simt",
         "sm.count=8 sm.schedulers=4 memory.line_bytes=64 l1d.bytes=32768 l2.bytes=4194304 walk.walkers=8 "
         "walk.buffer=256 "
         "iommu.l1_entries=32 iommu.l2_entries=256",
         25600000000},
        {"dws",
         "sm.count=30 l1tlb.entries=32 l1tlb.mshrs=12 l2tlb.entries=1024 walk.walkers=16 walk.buffer=192 "
         "walk.pwc_bytes=1024 l2.banks=16",
         345600000000},
        {"etc", "l1tlb.mshrs=1 memory.page_bytes=65536 walk.pwc_bytes=8192", 0},
        /* sections 3.1 and table 1 */
        {"ccbp",
         "noc.queues=input noc.vcs=1 sm.registers=65536 l1d.bytes=24576 l1tlb.ideal=1 sm.share=1 sm.scheduler=lrr "
         "sm.scheduler_alone=gto",
         319000000000},
    };

    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++) {
        struct mh_config c, same;
        struct mh_error err;
        char keys[512];

        named(&c, papers[i].preset);
        same = c;
        snprintf(keys, sizeof keys, "%s", papers[i].keys);
        for (char *k = strtok(keys, " "); k; k = strtok(NULL, " "))
            if (mh_config_set(&same, k, &err) || memcmp(&same, &c, sizeof c))
                fail_msg("%s is not %s", papers[i].preset, k);
        if (papers[i].bandwidth)
            assert_int_equal(bandwidth(&c), papers[i].bandwidth);
    }
}

static void test_fermi(void **state)
{
    struct mh_config c, mask;

    named(&c, "fermi");
    named(&mask, "mask");
    assert_int_equal(c.sm.count * c.sm.lanes, 480);
    assert_int_equal(c.sm.warps * c.sm.lanes, 1536);
    assert_int_equal(c.dram.channels * c.dram.bus_bytes * 8, 384);
    assert_memory_equal(&c.l2tlb, &mask.l2tlb, sizeof c.l2tlb);
    assert_memory_equal(&c.walk, &mask.walk, sizeof c.walk);
    assert_int_equal(c.l1tlb.entries, mask.l1tlb.entries);
}

/* 130 ns from the crossbar to the last flit of a line, and to the L2 TLB and back. */
static void test_integrated(void **state)
{
    struct mh_config c;

    named(&c, "integrated");
    uint32_t far = (uint32_t)(130 * c.clock.gpu_hz / 1000000000);
    assert_int_equal(far, 182);
    assert_int_equal(2 * c.noc.latency + c.l2.latency + 128 / c.noc.flit_bytes, far);
    assert_int_equal(2 * c.noc.tlb_latency + c.l2tlb.latency, far);
    assert_int_equal(c.l1tlb.latency + c.l1d.latency, 15 * c.clock.gpu_hz / 1000000000);
    assert_int_equal(c.sm.schedulers * c.sm.lanes / c.sm.issue_cycles, 32);
}

static void test_simt(void **state)
{
    struct mh_config c;

    named(&c, "simt");
    assert_int_equal(c.sm.lanes / c.sm.issue_cycles, 16); /* a SIMD unit */
    assert_int_equal(c.dram.channels * c.dram.ranks * c.dram.banks, 64);
    assert_int_equal(2 * c.noc.tlb_latency + c.l2tlb.latency, 69);
    assert_int_equal(2 * c.iommu.latency + c.iommu.l1_latency + c.iommu.l2_latency, 150);
    assert_true(c.memory.bytes / MH_MAX_TENANTS > 532u << 20); /* NW, 531.82 MB (table II), and its page table */
    assert_int_equal(c.l1tlb.mshrs, c.l1tlb.entries);          /* gem5's cut: the ways of a fully associative TLB */
    assert_int_equal(c.sm.count * c.l1tlb.mshrs, c.walk.buffer);
}

/* The timings of simt are those of the DRAM set. */
static void test_ddr3(void **state)
{
    struct mh_config c, set;
    struct mh_error err;
    named(&c, "simt");
    set = c;
    assert_int_equal(mh_config_dram_preset(&set, "ddr3-1600", &err), 0);
    assert_int_equal(set.dram.banks, 8); /* of a device; table I has 16 */
    set.dram.banks = c.dram.banks;
    assert_memory_equal(&set, &c, sizeof c);
}

/* csl-iisc/DWS-HPCA2021, v3.x/pthread_benchmark/gpgpusim.config, in its own terms. */
static void check_dws_simulator(const struct mh_config *c)
{
    const struct mh_dram_cfg *d = &c->dram;
    const uint32_t timing[] = {d->rrd, d->rcd, d->ras, d->rp, d->rc, d->cl, d->cwl, d->wtr, d->wr, d->rtp};
    static const uint32_t theirs[] = {6, 12, 28, 12, 40, 12, 4, 5, 12, 2}; /* gpgpu_dram_timing_opt */
    assert_memory_equal(timing, theirs, sizeof timing);
    assert_int_equal(c->clock.dram_hz, 2700000000);
    assert_int_equal(d->channels * d->bus_bytes * 4 * c->clock.dram_hz, 1382400000000); /* not of [T1], see data_rate */
    assert_int_equal(d->banks, 8);
    assert_int_equal(d->queue, 64);
    assert_int_equal(d->row_bytes, 64 << 6);           /* six C, 64 bytes */
    assert_int_equal(c->sm.warps * c->sm.lanes, 1536); /* gpgpu_shader_core_pipeline */
    assert_int_equal(c->sm.schedulers, 2);
    assert_int_equal(c->l1d.bytes, 32 * 128 * 4); /* gpgpu_cache:dl1 */
    assert_int_equal(c->l1d.mshrs, 128);
    assert_int_equal(c->l1d.miss_queue, 8);
    assert_int_equal(c->l2.bytes, 16 * 64 * 128 * 16); /* gpgpu_cache:dl2 */
    assert_int_equal(c->l2.mshrs, 128);
    assert_int_equal(c->l2.latency + c->memory.latency, 110); /* rop_latency, dram_latency */
    assert_int_equal(c->walk.pwc_bytes / 8 / c->walk.pwc_ways, 16);
    assert_int_equal(c->walk.levels * c->walk.node_bits, 20); /* va_mask */
    assert_int_equal(c->walk.pte_bytes << c->walk.node_bits, c->memory.page_bytes);
}

static void test_dws(void **state)
{
    struct mh_config c;

    named(&c, "dws");
    check_dws_simulator(&c);
}

/* Where ETC's table and MASK's both speak they agree, but for pages, their cache and the ports of the L2. */
static void test_etc(void **state)
{
    struct mh_config c, mask;
    named(&c, "etc");
    named(&mask, "mask");
    assert_int_equal(c.l2.ports * c.l2.banks / c.dram.channels, 2);
    assert_memory_equal(&c.dram, &mask.dram, sizeof c.dram);
    assert_memory_equal(&c.sm, &mask.sm, sizeof c.sm);
    assert_memory_equal(&c.l1d, &mask.l1d, sizeof c.l1d);
    assert_memory_equal(&c.clock, &mask.clock, sizeof c.clock);
}

static void test_ccbp(void **state)
{
    struct mh_config c;

    named(&c, "ccbp");
    assert_int_equal(c.clock.noc_hz * c.sm.count * c.noc.flit_bytes, 614400000000);
    assert_int_equal(c.l2.bytes / c.l2.banks, 128 << 10);
    assert_int_equal(c.sm.warps * c.sm.lanes, 2048);
}

int test_presets(void)
{
    return RUN_GROUP(test_keys, test_sources, test_gddr5, test_fermi, test_integrated, test_simt, test_ddr3,
                     test_papers, test_dws, test_etc, test_ccbp, test_dram_queues, test_lines);
}
