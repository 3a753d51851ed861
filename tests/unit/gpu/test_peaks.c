/* What the window says of bandwidths and intervals: by hand, from the presets' clocks and widths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "gpu/peaks.h"
#include "script.h"

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
static void test_preset_ccbp(void **state)
{
    struct mh_config cfg;

    (void)state;
    script_preset(&cfg, "ccbp", 0, 1);
    expect(idle(&cfg), 76800, 160, 128, 349525, 181475);
    script_preset(&cfg, "ccbp", 0, 1);
    strcpy(cfg.l1d.rate_clock, "gpu");
    cfg.clock.noc_hz = 0; /* the GPU's: 512 B a cycle */
    expect(idle(&cfg), 51200, 160, 128, 524288, 181475);
}

/* One FIFO: no intervals. Two SMs, DRAM at the GPU's clock: 8 channels of 16 B. */
static void test_without_subqueues(void **state)
{
    struct mh_config cfg;

    (void)state;
    script_config(&cfg, 2, 1);
    cfg.dram.channels = 8;
    cfg.dram.bus_bytes = 4;
    cfg.dram.data_rate = 4;
    cfg.clock.noc_hz = 0;
    assert_int_equal(mh_rate_interval(&cfg), 0);
    assert_int_equal(mh_noc_peak(&cfg), 1024 * 2 * cfg.noc.flit_bytes);
    assert_int_equal(mh_dram_peak(&cfg), 1024 * 8 * 16);
}

/* A payload fills whole flits: 128 bytes are 3 of 48; more than 32 bits hold is the most that they hold. */
static void test_rounding(void **state)
{
    struct mh_config cfg;

    (void)state;
    script_config(&cfg, 2, 1);
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

int test_peaks(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preset_ccbp),
        cmocka_unit_test(test_without_subqueues),
        cmocka_unit_test(test_rounding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
