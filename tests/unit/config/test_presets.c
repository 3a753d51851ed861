/* The built-in presets as texts: every key is there, every value has a source, and the numbers are the papers'. */
#include "unit/config_text.h"

#include "config/internal.h"

static struct mh_error err;

static void named(struct mh_config *cfg, const char *name)
{
    assert_good(!mh_config_preset(cfg, name, &err), err);
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

TEST(test_keys)
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

TEST(test_sources)
{
    each(&mh_presets, check_sources);
    each(&mh_dram_presets, check_sources);
}

/* The line begins with the key and has the value. */
static void check_line(const struct mh_field *f, const struct mh_config *c, const struct mh_key_source *s)
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
TEST(test_lines)
{
    struct mh_key_source *of = calloc(mh_config_fields.count, sizeof *of);
    struct mh_config c;
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

TEST(test_dram_queues)
{
    struct mh_config c;
    for (const char *const *n = mh_preset_names(); *n; n++) {
        named(&c, *n);
        check_dram_queues(&c.dram);
    }
    for (const char *const *n = mh_dram_preset_names(); *n; n++) {
        assert_int_equal(mh_config_dram_preset(&c, *n, &err), 0);
        check_dram_queues(&c.dram);
    }
}

/* What the papers say of their GPUs, and the peak bandwidth of all channels. */
TEST(test_papers)
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

/* The timings of simt are those of the DRAM set. */
TEST(test_ddr3)
{
    struct mh_config c, set;
    named(&c, "simt");
    set = c;
    assert_int_equal(mh_config_dram_preset(&set, "ddr3-1600", &err), 0);
    assert_int_equal(set.dram.banks, 8); /* of a device; table I has 16 */
    set.dram.banks = c.dram.banks;
    assert_memory_equal(&set, &c, sizeof c);
}
