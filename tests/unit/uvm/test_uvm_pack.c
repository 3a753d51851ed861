/* Compressed units: the room that they take, metadata, and what overflows cost. */
#include "script.h"
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "uvm_fixture.h"

enum { LINE = 128, PAGE_LINES = 32, CHANNELS = 8 };

static const struct mh_counters *count(struct mh_gpu *g)
{
    return &mh_gpu_stats(g)->tenant[0];
}

static struct mh_config packing_config(uint32_t units, uint32_t ratio)
{
    struct mh_config cfg = paging_config(1, 1, units);

    set_word(&cfg, "uvm.compression", "lcp");
    cfg.uvm.compression_ratio = ratio;
    cfg.uvm.compress_cycles = cfg.uvm.decompress_cycles = 0;
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    return cfg;
}

/* Eight units, each touched twice, in the memory of four. */
static struct mh_gpu *twice(const struct mh_config *cfg, uint32_t knob)
{
    static const uint32_t list[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    struct mh_gpu *g = paging_chain(cfg, 8, list, 16);
    script_knob(g, MH_REG_COMPRESS, knob);
    paging_run(g);
    return g;
}

static void assert_twice(uint32_t ratio, uint32_t knob, uint32_t faults, uint32_t evictions, uint64_t bytes)
{
    struct mh_config cfg = packing_config(4, ratio);
    struct mh_gpu *g = twice(&cfg, knob);
    assert_int_equal(count(g)->uvm_faults, faults);
    assert_int_equal(count(g)->uvm_evictions, evictions);
    assert_int_equal(count(g)->uvm_bytes, bytes);
    script_end(g);
}

/* All fit at a ratio of two; a hundredth less, and the oldest is always the next that is wanted. */
TEST(test_ratio)
{
    assert_twice(200, 1, 8, 0, 262144);
    assert_twice(800, 1, 8, 0, 65536);
    assert_twice(100, 1, 16, 12, 262144);
    assert_twice(200, 0, 16, 12, 262144);
    assert_twice(199, 1, 16, 9, 7 * 32933);
}

TEST(test_off)
{
    struct mh_config cfg = packing_config(4, 800);
    set_word(&cfg, "uvm.compression", "none");
    struct mh_gpu *g = twice(&cfg, 1);
    assert_int_equal(count(g)->uvm_faults, 16);
    assert_int_equal(count(g)->metadata_hits + count(g)->metadata_misses, 0);
    script_end(g);
}

/* The contents of a script's memory are unknown. */
TEST(test_no_values)
{
    struct mh_config cfg = packing_config(4, 0);
    struct mh_gpu *g = twice(&cfg, 1);
    assert_int_equal(count(g)->uvm_faults, 16);
    assert_int_equal(count(g)->uvm_bytes, 262144);
    assert_int_equal(count(g)->metadata_misses, 0);
    script_end(g);
}

/* What came before the knob stays whole. */
TEST(test_from_now_on)
{
    static const uint32_t list[] = {0, 1};
    struct mh_config cfg = packing_config(4, 400);
    struct script *s = paging_script(2);
    paging_loads(s, list, 1);
    script_add(s, 0, 0, 0, op_after(100000, op_barrier()));
    paging_loads(s, list + 1, 1);
    struct mh_gpu *g = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.uvm_in_bytes, 65536);
    script_knob(g, MH_REG_COMPRESS, 1);
    paging_run(g);
    assert_int_equal(count(g)->uvm_bytes, 65536 + 16384);
    script_end(g);
}

/* A quota is of memory, not of units: four of half the size are within one of two. */
TEST(test_quota_counts_bytes)
{
    struct mh_config cfg = packing_config(2, 200);
    static const uint32_t list[] = {0, 1, 2, 3};
    struct mh_gpu *g = paging_chain(&cfg, 4, list, 4);
    script_write(g, MH_REG_UVM_QUOTA, 2);
    script_knob(g, MH_REG_COMPRESS, 1);
    paging_run(g);
    assert_int_equal(count(g)->uvm_resident, 4);
    assert_int_equal(count(g)->uvm_evictions, 0);
    assert_int_equal(mh_uvm_free(g), 0);
    script_end(g);
}

/* Loads of `lines` lines from `offset` on, each after the one before, with nothing of them in the caches. */
static struct mh_gpu *walk_lines(const struct mh_config *cfg, struct script **s, const uint64_t *offset, uint32_t lines)
{
    *s = paging_script(2);
    for (uint32_t i = 0; i < lines; i++)
        script_add(*s, 0, 0, 0, op_wait(op_load(in_unit(0, offset[i]))));
    script_add(*s, 0, 0, 0, op_wait(op_barrier()));
    struct mh_gpu *g = script_gpu(cfg, s);
    script_knob(g, MH_REG_COMPRESS, 1);
    paging_run(g);
    return g;
}

/* Each channel's cache has the page after the first of its lines. */
TEST(test_metadata_of_each_channel)
{
    struct mh_config cfg = packing_config(2, 200);
    struct script *s;
    uint64_t offset[PAGE_LINES];
    bool used[CHANNELS] = {0};
    uint32_t channels = 0;
    for (uint32_t i = 0; i < PAGE_LINES; i++)
        offset[i] = i * LINE;
    struct mh_gpu *g = walk_lines(&cfg, &s, offset, PAGE_LINES);
    for (uint32_t i = 0; i < PAGE_LINES; i++)
        used[mh_mem_channel(g, mh_noc_bank(g->noc, 0, (g->uvm->frame[0] << g->page_shift) + i))] = true;
    for (uint32_t c = 0; c < CHANNELS; c++)
        channels += used[c];
    assert_true(channels > 1);
    assert_int_equal(count(g)->metadata_misses, channels);
    assert_int_equal(count(g)->metadata_hits, PAGE_LINES - channels);
    script_end(g);
}

/* Two pages in turn. One entry per channel holds one of them, two entries hold both. No channel has less than one. */
static uint64_t misses_of(uint32_t entries)
{
    struct mh_config cfg = packing_config(2, 200);
    struct script *s;
    uint64_t offset[2 * PAGE_LINES];
    cfg.uvm.metadata_entries = entries;
    for (uint32_t i = 0; i < 2 * PAGE_LINES; i++)
        offset[i] = i % 2 * 4096 + i / 2 * LINE;
    struct mh_gpu *g = walk_lines(&cfg, &s, offset, 2 * PAGE_LINES);
    uint64_t misses = count(g)->metadata_misses;
    assert_int_equal(misses + count(g)->metadata_hits, 2 * PAGE_LINES);
    script_end(g);
    return misses;
}

TEST(test_metadata_entries)
{
    assert_true(misses_of(CHANNELS) > misses_of(2 * CHANNELS));
    assert_int_equal(misses_of(1), misses_of(CHANNELS));
    assert_int_equal(misses_of(2 * CHANNELS), misses_of(512));
}

/* Cycles from load `i` to the next. */
static uint64_t took(const struct script *s, uint32_t i)
{
    return script_issued(s, 0, 0, 0, i + 1) - script_issued(s, 0, 0, 0, i);
}

/* The first line of the page brings the unit; the second of its channel finds the metadata there. */
TEST(test_what_metadata_cost)
{
    struct mh_config cfg;
    struct script *s;
    uint64_t offset[PAGE_LINES], whole[PAGE_LINES], longer = 0;
    for (uint32_t i = 0; i < PAGE_LINES; i++)
        offset[i] = i * LINE;
    cfg = packing_config(2, 100);
    script_end(walk_lines(&cfg, &s, offset, 1));
    struct mh_gpu *g = walk_lines(&cfg, &s, offset, PAGE_LINES);
    for (uint32_t i = 1; i < PAGE_LINES; i++)
        whole[i] = took(s, i);
    script_end(g);
    cfg.uvm.compression_ratio = 200;
    cfg.uvm.decompress_cycles = 10;
    g = walk_lines(&cfg, &s, offset, PAGE_LINES);
    for (uint32_t i = 1; i < PAGE_LINES; i++) {
        uint64_t more = took(s, i) - whole[i];
        assert_true(more >= 10 && more < 40); /* decompression, and another burst from an open row */
        longer += more > 10;
    }
    assert_int_equal(longer, count(g)->metadata_misses - 1);
    script_end(g);
}

static struct mh_gpu *kernel_gpu(const char *kernel, const char *capacity, uint32_t knob)
{
    struct mh_config cfg = script_config(4, 1);
    struct mh_error err;
    assert_int_equal(mh_config_workload(&cfg, kernel, &err), 0);
    cfg.uvm.mode = MH_UVM_ON;
    strcpy(cfg.uvm.capacity, capacity);
    cfg.uvm.compression = MH_COMPRESSION_LCP;
    cfg.uvm.prefetch = MH_PREFETCH_TREE;
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    cfg.uvm.fault_ns = 1000;
    cfg.l2.bytes = 65536;
    assert_good(!mh_config_resolve(&cfg, &err), err);
    struct mh_gpu *g = mh_gpu_create(&cfg, &err);
    assert_good(g, err);
    script_knob(g, MH_REG_COMPRESS, knob);
    return g;
}

static void run_kernel(struct mh_gpu *g)
{
    while (!g->tenant[0].count.completions) {
        mh_gpu_advance(g, mh_gpu_now(g) + 20000);
        mh_gpu_check(g);
        if (mh_gpu_deadlock(g) || mh_gpu_now(g) > 50000000)
            fail_msg("%s", mh_gpu_deadlock(g) ? mh_gpu_deadlock(g) : "too long");
    }
}

/* LPS is ones and zeros: at half of its memory whole units come and go, compressed ones stay. */
TEST(test_kernel_fits)
{
    struct mh_gpu *g = kernel_gpu("LPS:40", "50%", 0);
    run_kernel(g);
    uint64_t faults = count(g)->uvm_faults, evictions = count(g)->uvm_evictions;
    assert_true(evictions > 0);
    assert_int_equal(count(g)->metadata_misses + count(g)->page_overflows, 0);
    mh_gpu_destroy(g);
    g = kernel_gpu("LPS:40", "50%", 1);
    run_kernel(g);
    assert_true(count(g)->uvm_evictions < evictions / 4);
    assert_true(count(g)->uvm_faults <= faults);
    assert_true(count(g)->metadata_misses > 0 && count(g)->page_overflows > 0);
    assert_true(count(g)->uvm_bytes_2k > 0);
    assert_true(count(g)->uvm_bytes <= g->uvm->memory);
    mh_gpu_destroy(g);
}

/* Zeros become sums that do not compress: what is there grows past memory, and others leave for it. */
TEST(test_kernel_overflows)
{
    LOCAL_GPU(g) = kernel_gpu("SCAN:262144", "25%", 1);
    while (!g->tenant[0].count.completions) {
        mh_gpu_advance(g, mh_gpu_now(g) + 500);
        mh_gpu_check(g);
        /* A unit of reserve, and what grows until the next look. */
        assert_true(g->uvm->taken <= g->uvm->memory + g->uvm->leaving_bytes + 2 * MH_UVM_UNIT_BYTES);
        assert_true(mh_gpu_now(g) < 50000000);
    }
    assert_true(count(g)->page_overflows > 10);
    assert_true(count(g)->uvm_evictions > 0);
    assert_true(count(g)->uvm_bytes_1k > 0); /* the input */
}

/* What does not compress is left whole, and asks for no metadata: the run is the one without. */
TEST(test_kernel_that_does_not_compress)
{
    struct mh_gpu *g = kernel_gpu("CONS:128", "unlimited", 0), *packed = kernel_gpu("CONS:128", "unlimited", 1);
    run_kernel(g);
    run_kernel(packed);
    assert_true(count(packed)->uvm_bytes > 128 * 128 * 4);
    assert_int_equal(count(packed)->uvm_faults, count(g)->uvm_faults);
    mh_gpu_destroy(g);
    mh_gpu_destroy(packed);
}

/* Knobs at any time, memory for a few units, kernels that write in place, from array to array, and start again. */
TEST(test_random)
{
    static const char *const kernels[] = {"LPS:20", "LUD:96", "SCAN:32768", "SRAD:64", "FDTD:60", "COVAR:64"};
    uint64_t rng = 99, overflows = 0, evictions = 0;
    for (uint32_t i = 0; i < 24; i++) {
        char capacity[16];
        snprintf(capacity, sizeof capacity, "%u", 65536 * (1 + i / 6));
        LOCAL_GPU(g) = kernel_gpu(kernels[i % 6], capacity, 1);
        while (g->tenant[0].count.completions < 2) {
            mh_gpu_advance(g, mh_gpu_now(g) + 1 + random_next(&rng) % 20000);
            mh_gpu_check(g);
            if (random_next(&rng) % 4 == 0)
                script_knob(g, MH_REG_COMPRESS, random_next(&rng) % 2);
            if (mh_gpu_deadlock(g) || mh_gpu_now(g) > 50000000)
                fail_msg("%s: %s", kernels[i % 6], mh_gpu_deadlock(g) ? mh_gpu_deadlock(g) : "too long");
        }
        overflows += count(g)->page_overflows;
        evictions += count(g)->uvm_evictions;
    }
    assert_true(overflows > 100 && evictions > 100);
}

TEST_GROUP(.slow = true);
