/* Idle reads to the cycle, and the peaks in the window. Streams, conflicts, each way of a read: make validate. */
#include "script.h"
#include "unit/test.h"
#include "chain.h"
#include "idle_read.h"
#include "gpu/gpu.h"

enum { LSU = 1 /* issue takes the cycle before */, L1 = 1 + 1 /* L1 TLB, L1D */ };
enum { READS = 250 };

/* Sixteen pages far apart (several leaf nodes), reads of few lines, some twice in a row. */
TEST(test_idle_reads)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct mh_config cfg = script_config(1, 1);
        struct script *s;
        uint64_t addr[READS] = {0}, rng = seed, at = 0, kinds[3] = {0};
        cfg.clock.dram_hz = 1674000000;
        cfg.run.seed = seed;
        cfg.l1tlb.entries = 1;
        cfg.l1d.bytes = MH_LINE_BYTES;
        cfg.l1d.ways = 1;
        for (uint32_t i = 0; i < READS; i++)
            addr[i] = i && random_next(&rng) % 4 == 0
                          ? addr[i - 1]
                          : in_page(random_next(&rng) % 16 * 123, random_next(&rng) % 1024 * 4);
        LOCAL_GPU(g) = chain_ended(&cfg, READS, addr, &s);
        struct idle *m = idle_new(g);
        for (uint32_t i = 0; i < READS; i++) {
            assert_int_equal(script_issued(s, 0, 0, 0, i), at);
            uint64_t done = idle_read(m, addr[i], at, NULL);
            kinds[done - at == LSU + L1 ? 0 : done - at <= 60 ? 1 : 2]++;
            at = done;
        }
        assert_int_equal(script_issued(s, 0, 0, 0, READS), at);
        for (uint32_t k = 0; k < 3; k++) /* near, middling, far: all of them were there */
            assert_true(kinds[k] > 20);
        idle_free(m);
    }
}

static void expect(struct mh_gpu *g, uint32_t interval, uint32_t reply, uint32_t line, uint32_t noc, uint32_t dram)
{
    assert_int_equal(script_read(g, MH_REG_CAP_RATE_INTERVAL), interval);
    assert_int_equal(script_read(g, MH_REG_CAP_REPLY_BYTES), reply);
    assert_int_equal(script_read(g, MH_REG_CAP_LINE_BYTES), line);
    assert_int_equal(script_read(g, MH_REG_CAP_NOC_PEAK), noc);
    assert_int_equal(script_read(g, MH_REG_CAP_DRAM_PEAK), dram);
    mh_gpu_destroy(g);
}

static struct mh_gpu *idle(const struct mh_config *cfg)
{
    struct script *s = script_new();

    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    return script_gpu(cfg, &s);
}

/*
 * CCBP table 1: 16 ports x 1.2 GHz x 32 B = 614.4 GB/s, at 1.8 GHz 341.33 B a cycle, x 1024 = 349 525.33. DRAM 319
 * GB/s: 16 x 16 B x 1246.09375 / 1800 = 177.22 B, x 1024 = 181 475.56. 200 NoC cycles are 300 GPU cycles, x 256 = 76
 * 800.
 */
TEST(test_preset_ccbp)
{
    struct mh_config cfg = script_preset("ccbp", 0, 1);

    expect(idle(&cfg), 76800, 160, 128, 349525, 181475);
    cfg = script_preset("ccbp", 0, 1);
    set_word(&cfg, "l1d.rate_clock", "gpu");
    cfg.clock.noc_hz = 0; /* the GPU's: 512 B a cycle */
    expect(idle(&cfg), 51200, 160, 128, 524288, 181475);
}

/* One FIFO: no intervals. Two SMs, DRAM at the GPU's clock: 8 channels of 16 B. */
TEST(test_without_subqueues)
{
    struct mh_config cfg = script_config(2, 1);

    cfg.dram.channels = 8;
    cfg.dram.bus_bytes = 4;
    cfg.dram.data_rate = 4;
    cfg.clock.noc_hz = 0;
    assert_int_equal(mh_rate_interval(&cfg), 0);
    assert_int_equal(mh_noc_peak(&cfg), 1024 * 2 * cfg.noc.flit_bytes);
    assert_int_equal(mh_dram_peak(&cfg), 1024 * 8 * 16);
}

/* A payload fills whole flits: 128 bytes are 3 of 48; more than 32 bits hold is the most that they hold. */
TEST(test_rounding)
{
    struct mh_config cfg = script_config(2, 1);

    cfg.memory.line_bytes = 128;
    cfg.noc.flit_bytes = 48;
    assert_int_equal(mh_reply_bytes(&cfg), 192);
    cfg.noc.flit_bytes = 256;
    assert_int_equal(mh_reply_bytes(&cfg), 512);
    cfg.clock.gpu_hz = 1000000;
    cfg.clock.dram_hz = 10000000000;
    cfg.dram.channels = 32;
    cfg.dram.bus_bytes = 128;
    cfg.dram.data_rate = 8;
    assert_int_equal(mh_dram_peak(&cfg), UINT32_MAX);
}
