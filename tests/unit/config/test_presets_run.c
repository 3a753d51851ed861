/*
 * Every preset runs: mixes of operations to their end with every sum right and nothing left behind, real kernels with
 * the invariants checked on the way, pages of every size; and the latencies that a preset's comments work out.
 */
#include "unit/test.h"
#include "gpu/gpu.h"
#include "memhelm/config_file.h"
#include "memhelm/kernels.h"
#include "mix.h"
#include "workload/gen.h"
#include "script.h"

static struct mh_error err;

enum { LAUNCHES = 2, STEP = 2000, PATIENCE = 2000000 };

static void load(struct mh_config *cfg, const char *preset, const char *workload)
{
    assert_good(!(mh_config_preset(cfg, preset, &err) || mh_config_workload(cfg, workload, &err)), err);
}

static void resolve(struct mh_config *cfg)
{
    if (mh_config_resolve(cfg, &err))
        fail_msg("%s: %s", cfg->preset, err.text);
}

static void drain(struct mh_gpu *g, const char *name)
{
    while (!mix_done(g, LAUNCHES)) {
        mh_gpu_advance(g, mh_gpu_now(g) + STEP);
        mh_gpu_check(g);
        if (mh_gpu_now(g) > PATIENCE)
            fail_msg("%s: not done after %d cycles", name, PATIENCE);
    }
    mix_settle(g);
}

/* Walks only where there is a TLB to miss. */
static void check_counts(const struct mh_gpu *g, uint32_t t, const struct mix *m, uint32_t ctas)
{
    const struct mh_counters *c = &g->tenant[t].count;
    mix_check(g, t, m, LAUNCHES, ctas);
    if (g->cfg.l1tlb.ideal)
        assert_int_equal(c->walks, 0);
    else
        assert_true(c->walks > 0);
}

static void run_mix(const char *preset, uint32_t page_bytes)
{
    enum { TENANTS = 2 };
    struct mix mix[TENANTS];
    struct script *s[TENANTS];
    struct mh_config cfg;
    uint64_t rng = 1;
    load(&cfg, preset, "mix+mix");
    if (page_bytes)
        set_page_size(&cfg, page_bytes);
    cfg.run.cycles = 1000000000000000;
    resolve(&cfg);
    const uint32_t ctas = 3 * cfg.sm.count;
    for (uint32_t t = 0; t < TENANTS; t++) {
        mix[t] = (struct mix){.seed = random_next(&rng),
                              .bytes = 4 << 20,
                              .ops = 12,
                              .lanes = cfg.sm.lanes,
                              .line_bytes = cfg.memory.line_bytes,
                              .threads = 3 * cfg.sm.lanes + 5};
        s[t] = mix_script(&mix[t], LAUNCHES, ctas);
    }
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    drain(g, preset);
    for (uint32_t t = 0; t < TENANTS; t++)
        check_counts(g, t, &mix[t], ctas);
}

TEST(test_mixes)
{
    for (const char *const *n = mh_preset_names(); *n; n++)
        run_mix(*n, 0);
}

TEST(test_page_sizes)
{
    for (const char *const *n = mh_preset_names(); *n; n++) {
        run_mix(*n, 4 << 10);
        run_mix(*n, 64 << 10);
        run_mix(*n, 2 << 20);
    }
}

/* A divergent pair, a streaming with a dense one, a graph with half-filled warps. */
static const char *const pairs[] = {"MVT+GUPS", "2DCONV+LUD", "BFS+NW"};

static void run_kernels(const char *preset, const char *pair)
{
    struct mh_config cfg;
    load(&cfg, preset, pair);
    cfg.run.cycles = 8000;
    resolve(&cfg);
    LOCAL_GPU(g) = mh_gpu_create(&cfg, &err);
    if (!g)
        fail_msg("%s, %s: %s", preset, pair, err.text);
    for (uint64_t c = STEP; !mh_gpu_ended(g); c += STEP) {
        mh_gpu_advance(g, c);
        mh_gpu_check(g);
    }
    for (uint32_t t = 0; t < 2; t++)
        assert_true(mh_gpu_stats(g)->tenant[t].l2_access > 0);
}

TEST(test_kernels)
{
    for (const char *const *n = mh_preset_names(); *n; n++)
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            run_kernels(*n, pairs[i]);
}

/* A kernel's data depends on the width of warps and the kind of instructions alone: it is made once for each. */
enum { KINDS = 4 };

static struct mh_workload *of_kind(struct mh_workload *made[KINDS], const struct mh_config *cfg)
{
    struct mh_workload **w = &made[2 * (cfg->sm.lanes == 64) + (cfg->workload.instructions == MH_INSTRUCTIONS_PTX)];
    if (!*w)
        *w = mh_workload_make(cfg, 0, &err);
    if (!*w || mh_fit_workload(cfg, 0, *w, &err))
        fail_msg("%s, %s: %s", cfg->preset, cfg->tenants[0].kernel, err.text);
    return *w;
}

/* Loads of today's GPUs: with their real sizes, other presets may lack memory or shared memory. */
static const char *const large[] = {
    "PAGED", "LINEAR", "FLASH", "DECODE", "PREFILL", "EMBED", "JOIN", "RADIX", "MOE",
};

static bool may_be_too_large(const char *preset, const char *workload)
{
    if (!strcmp(preset, "a100") || !strcmp(preset, "h100"))
        return false;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        if (!strcmp(workload, large[i]))
            return true;
    return false;
}

/* What is too large says what to raise. */
static void check_refused(const struct mh_config *cfg)
{
    LOCAL_GPU(g) = mh_gpu_create(cfg, &err);
    if (!g && !strstr(err.text, "(sm.shared_bytes)"))
        assert_has(err.text, "raise memory.bytes");
}

static void check_fits(const char *preset, const char *workload, struct mh_workload *made[KINDS])
{
    struct mh_config cfg;
    load(&cfg, preset, workload);
    resolve(&cfg);
    if (may_be_too_large(preset, workload)) {
        check_refused(&cfg);
        return;
    }
    struct mh_workload *w = of_kind(made, &cfg);
    LOCAL_GPU(g) = mh_gpu_create_of(&cfg, &w, &err);
    if (!g)
        fail_msg("%s, %s: %s", preset, workload, err.text);
}

static void free_kinds(struct mh_workload *made[KINDS])
{
    for (int i = 0; i < KINDS; i++)
        mh_workload_free(made[i]);
}

/* CTAs within an SM's resources, buffers within an address space, at the default sizes. */
TEST(test_every_kernel_fits)
{
    for (uint32_t i = 0; mh_kernels[i]; i++) {
        struct mh_workload *made[KINDS] = {NULL};
        for (const char *const *n = mh_preset_names(); *n; n++)
            check_fits(*n, mh_kernels[i]->name, made);
        free_kinds(made);
    }
}

/* Three matrices of (6816 + 1)^2 integers are the 531.82 MB of NW in table II, the largest of any paper. */
TEST(test_largest_footprint)
{
    assert_int_equal(100 * (3 * 4 * 6817ull * 6817) >> 20, 53182);
    struct mh_workload *made[KINDS] = {NULL};
    check_fits("simt", "NW:6816", made);
    free_kinds(made);
}

/*
 * A lone load of a warp on an idle GPU whose page is in the TLBs: cycles from its issue to its use. `gap` shifts it
 * against the other clocks.
 */
static uint64_t load_to_use(struct mh_config *cfg, bool in_l2, uint32_t gap)
{
    struct script *s = script_new();
    const uint64_t line = SCRIPT_BASE + 8 * cfg->memory.line_bytes;
    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    script_warps(s, 1);
    script_add(s, 0, 0, 0, op_load(SCRIPT_BASE)); /* the walk */
    if (in_l2)
        script_add(s, 0, 0, 0, op_atomic(line)); /* fetched there, not into the L1D */
    script_ops(s, 0, 0, 0, op_wait(op_after(gap, op_load(line))), op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(cfg, &s);
    mh_gpu_advance(g, 20000);
    uint32_t i = in_l2 ? 2 : 1;
    uint64_t cycles = script_issued(s, 0, 0, 0, i + 1) - script_issued(s, 0, 0, 0, i);
    return cycles;
}

/* The mean over places in the clocks' cycles, rounded; each is at most two cycles off. */
static void check_latency(const char *preset, bool in_l2, uint64_t expected)
{
    enum { PHASES = 30 };
    struct mh_config cfg;
    uint64_t sum = 0;
    load(&cfg, preset, "one");
    cfg.dram.refi = 0; /* an idle channel */
    cfg.run.cycles = 100000;
    resolve(&cfg);
    for (uint32_t i = 0; i < PHASES; i++) {
        uint64_t cycles = load_to_use(&cfg, in_l2, 5000 + i);
        assert_in_range(cycles, expected - 2, expected + 2);
        sum += cycles;
    }
    assert_int_equal((sum + PHASES / 2) / PHASES, expected);
}

/* Table 1 of CCBP. */
TEST(test_ccbp_latencies)
{
    check_latency("ccbp", true, 200);
    check_latency("ccbp", false, 380);
}

/* 1 to the LSU + 130 ns = 182 + the L1s' 15 ns = 21. */
TEST(test_integrated_latency)
{
    check_latency("integrated", true, 1 + 182 + 21);
}

/* Whether a kernel in `preset` is its PTX; `instructions` NULL: as the preset has it. */
static bool counts_ptx(const char *preset, const char *instructions)
{
    struct mh_config cfg;
    load(&cfg, preset, "BP:1024");
    if (instructions)
        set_word(&cfg, "workload.instructions", instructions);
    resolve(&cfg);
    LOCAL_GPU(g) = mh_gpu_create(&cfg, &err);
    assert_non_null(g);
    bool ptx = mh_gen_of(g->tenant[0].work)->ptx;
    return ptx;
}

/* CCBP's simulator executes PTX; presets made of it have that. */
TEST(test_instructions)
{
    for (const char *const *n = mh_preset_names(); *n; n++)
        assert_int_equal(counts_ptx(*n, NULL), strstr(*n, "ccbp") != NULL);
    assert_false(counts_ptx("ccbp", "llvm"));
    assert_true(counts_ptx("fermi", "ptx"));
}

TEST_GROUP(.slow = true);
