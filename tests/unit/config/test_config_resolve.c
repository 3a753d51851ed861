/* Presets, completion, cross-field rules, and writing back. */
#include "unit/config_text.h"

static struct mh_error err;

static void assert_share(const struct mh_config *cfg, uint32_t t, uint32_t first, uint32_t count, uint32_t asid)
{
    assert_int_equal(cfg->tenants[t].sm_first, first);
    assert_int_equal(cfg->tenants[t].sm_count, count);
    assert_int_equal(cfg->tenants[t].asid, asid);
}

TEST(test_presets_resolve)
{
    struct mh_config cfg;
    assert_non_null(*mh_preset_names());
    for (const char *const *n = mh_preset_names(); *n; n++) {
        assert_int_equal(mh_config_preset(&cfg, *n, &err), 0);
        assert_string_equal(cfg.preset, *n);
        assert_non_null(mh_preset_summary(*n));
        assert_int_equal(mh_config_workload(&cfg, "MVT+GUPS", &err), 0);
        resolve(&cfg);
    }
    assert_null(mh_preset_summary("none"));
    assert_int_equal(mh_config_preset(&cfg, "none", &err), -1);
    assert_has(err.text, "unknown preset 'none'; there are: mask");
}

/* MASK table 1; the timings are those of test_presets. */
TEST(test_mask_is_the_paper)
{
    struct mh_config c;

    preset(&c);
    assert_int_equal(c.l2.banks * c.l2.ports, 32);
    assert_int_equal(c.dram.channels * c.dram.banks, 64);
}

TEST(test_equal_shares)
{
    struct mh_config cfg;
    ready(&cfg, "A+B");
    resolve(&cfg);
    assert_share(&cfg, 0, 0, 15, 1);
    assert_share(&cfg, 1, 15, 15, 2);
    ready(&cfg, "A+B+C+D"); /* 30 = 8 + 8 + 7 + 7 */
    resolve(&cfg);
    assert_share(&cfg, 0, 0, 8, 1);
    assert_share(&cfg, 1, 8, 8, 2);
    assert_share(&cfg, 2, 16, 7, 3);
    assert_share(&cfg, 3, 23, 7, 4);
}

/* A limit above the slots could never be reached. */
TEST(test_cta_limits)
{
    struct mh_config cfg;
    ready(&cfg, "A+B");
    cfg.sm.cta_slots = 8;
    cfg.tenants[1].cta_limit = 8;
    resolve(&cfg);
    cfg.tenants[1].cta_limit = 9;
    assert_int_equal(mh_config_resolve(&cfg, &err), -1);
    assert_has(err.text, "tenants[1].cta_limit: 9 CTAs, but an SM has 8 slots (sm.cta_slots); 1..8, or 0");
}

TEST(test_schedulers)
{
    struct mh_config cfg;
    ready(&cfg, "A+B");
    cfg.sm.scheduler_alone = MH_LRR;
    resolve(&cfg);
    assert_int_equal(mh_config_set(&cfg, "sm.scheduler_alone=rr", &err), -1);
    assert_has(err.text, "sm.scheduler_alone: there is no 'rr'; allowed: gto, lrr, lrr-gto, two-level, same");
}

TEST(test_given_shares)
{
    struct mh_config cfg;
    ready(&cfg, "A+B");
    cfg.tenants[0].sm_count = 20;
    cfg.tenants[1].sm_count = 10;
    cfg.tenants[0].asid = 2;
    resolve(&cfg);
    assert_share(&cfg, 0, 0, 20, 2);
    assert_share(&cfg, 1, 20, 10, 1);
    ready(&cfg, "A"); /* an alone run: its place stays */
    cfg.tenants[0] = (struct mh_tenant_cfg){.kernel = "A", .asid = 7, .sm_first = 15, .sm_count = 15};
    resolve(&cfg);
    assert_share(&cfg, 0, 15, 15, 7);
    resolve(&cfg); /* resolving twice changes nothing */
    assert_share(&cfg, 0, 15, 15, 7);
    assert_int_equal(mh_config_workload(&cfg, "A", &err), 0);
    resolve(&cfg);
    assert_share(&cfg, 0, 0, 30, 1);
}

/* Everybody on all SMs; or on ranges that overlap, which start where they say, 0 included. */
TEST(test_shared_sms)
{
    struct mh_config cfg;
    ready(&cfg, "A+B");
    cfg.sm.share = 1;
    resolve(&cfg);
    assert_share(&cfg, 0, 0, 30, 1);
    assert_share(&cfg, 1, 0, 30, 2);
    resolve(&cfg); /* resolving twice changes nothing */
    assert_share(&cfg, 1, 0, 30, 2);
    cfg.tenants[0].sm_count = 20;
    cfg.tenants[1].sm_first = 10;
    cfg.tenants[1].sm_count = 20;
    resolve(&cfg);
    assert_share(&cfg, 0, 0, 20, 1);
    assert_share(&cfg, 1, 10, 20, 2);
    ready(&cfg, "A+B");
    cfg.sm.share = 1;
    cfg.sm.count = 1; /* room for more tenants than SMs */
    resolve(&cfg);
    assert_share(&cfg, 1, 0, 1, 2);
}

/* GTX 480: 6 channels, 12 banks of 64 KiB; an L1D of 24 sets, L2 banks of 48. */
TEST(test_numbers_of_any_kind)
{
    static const char *const sets[] = {"dram.channels=6", "l2.banks=12",     "l2.bytes=1179648",
                                       "l2.ways=16",      "l1d.bytes=24576", "l1d.ways=8"};
    struct mh_config cfg;
    ready(&cfg, "A");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        assert_int_equal(mh_config_set(&cfg, sets[i], &err), 0);
    resolve(&cfg);
}

TEST(test_rules)
{
    refuse("A+B", "sm.count=1", "2 tenants on 1 SMs");
    refuse("A+B", "tenants[1].arrive=500 tenants[1].leave=500",
           "tenants[1].leave: cycle 500, but it arrives at 500: later, or 0 to stay");
    refuse("A+B", "run.cycles=5000 tenants[1].arrive=5000",
           "tenants[1].arrive: cycle 5000, but the run ends at 5000 (run.cycles)");
    refuse("A+B", "tenants[0].sm_count=5", "give sm_count for every tenant");
    refuse("A+B", "tenants[1].sm_first=5", "give sm_count for every tenant");
    refuse("A+B", "tenants[0].sm_count=16 tenants[1].sm_count=15", "tenants[1]: SMs 16..30, but sm.count is 30");
    refuse("A+B", "tenants[0].sm_count=5 tenants[1].sm_count=5 tenants[1].sm_first=4", "both claim SM 4");
    refuse("A+B", "sm.share=1 tenants[0].sm_count=16", "give sm_count for every tenant");
    refuse("A+B", "sm.share=1 tenants[0].sm_count=31 tenants[1].sm_count=3",
           "tenants[0]: SMs 0..30, but sm.count is 30");
    refuse("A+B", "tenants[0].asid=3 tenants[1].asid=3", "tenants[0] and tenants[1] share asid 3");
    refuse("A", "sm.lanes=48", "allowed: 32 or 64");
    refuse("A", "l2.banks=12 l2.bytes=1572864", "l2.banks: 12 is not a multiple of dram.channels, 8");
    refuse("A", "dram.channels=6", "l2.banks: 16 is not a multiple of dram.channels, 6");
    refuse("A", "noc.queues=inputs", "noc.queues: there is no 'inputs'; allowed: output, input");
    refuse("A", "clock.noc_hz=999999", "clock.noc_hz: 999999 Hz; at least 1000000, or 0");
    refuse("A", "l1d.ways=3", "l1d.bytes: 16384 bytes do not make whole sets of 384 bytes (ways x line)");
    refuse("A", "l2.bytes=1048575", "do not divide into 16 banks");
    refuse("A", "l2.ways=12", "l2.bytes per bank: 131072 bytes do not make whole sets of 1536 bytes");
    refuse("A", "l2tlb.entries=48", "power of two of sets of 16 entries (ways)");
    refuse("A", "l2tlb.entries=500", "l2tlb.entries: 500 entries");
    refuse("A", "l1tlb.ways=24", "l1tlb.entries by l1tlb.ways: 64 entries do not make a power of two of sets of 24");
    refuse("A", "l1tlb.index=hash", "l1tlb.index: there is no 'hash'; allowed: modulo, fold");
    refuse("A", "l2tlb.index=hash", "l2tlb.index: there is no 'hash'; allowed: modulo, fold");
    refuse("A", "l1d.index=hash", "l1d.index: there is no 'hash'; allowed: modulo, fold");
    refuse("A", "walk.pwc_bytes=1000", "walk.pwc_bytes: 1000 bytes");
    refuse("A", "walk.pwc_bytes=1024 walk.pwc_ways=48", "walk.pwc_bytes: 1024 bytes");
    refuse("A", "walk.buffer=129", "walk.buffer: 129 walks, but l2tlb.mshrs is 128");
    refuse("A", "iommu.l2_entries=256", "iommu.l2_entries: 256, but iommu.l1_entries is 0");
    refuse("A", "iommu.l1_entries=32 iommu.l2_entries=256 iommu.l2_ways=12",
           "iommu.l2_entries: 256 entries do not make");
    refuse("A", "iommu.l1_entries=32 iommu.l2_entries=8 iommu.l2_ways=16", "iommu.l2_entries: 8 entries do not make");
    refuse("A", "dram.burst=32", "more than a request of 128 bytes");
    refuse("A", "dram.ccd=1", "dram.ccd: 1 cycles, but a burst of 8 beats at 4 per cycle (dram.data_rate) takes 2");
    refuse("A", "dram.write_low=64", "write_low < write_high <= queue");
    refuse("A", "dram.queue=32", "write_low < write_high <= queue");
    refuse("A", "sm.count=257", "sm.count: 257 is out of range; allowed: 1..256 SMs");
    refuse("A", "dram.channels=257", "dram.channels: 257 is out of range; allowed: 1..256 channels");
    refuse("A", "l2.banks=257", "l2.banks: 257 is out of range; allowed: 1..256 banks");
    refuse("A", "dram.banks=128", "dram.banks: 128 is out of range; allowed: 1..64 banks");
    refuse("A", "dram.rc=50", "dram.rc: 50 is shorter than dram.ras 51");
    refuse("A", "dram.refi=200", "dram.refi: 200 leaves no time");
    refuse("A", "memory.bytes=16777217", "memory.bytes: 16777217 is not a multiple");
    refuse("A",
           "dram.channels=12 l2.banks=12 l2.bytes=1572864 memory.page_bytes=2097152 walk.levels=3 "
           "memory.bytes=3222274048",
           "memory.bytes: 3222274048 is not a multiple of memory.page_bytes, 2097152");
    refuse("A", "memory.bytes=274877906945", "memory.bytes: 274877906945 is out of range");
    refuse("A", "memory.bytes=274877906944 memory.line_bytes=64",
           "memory.bytes: 256 GiB are more than 2^31 lines of 64");
    refuse("A", "memory.bytes=274877906944 l1d.bytes=4096 l1d.ways=8",
           "l1d.bytes by l1d.ways: 4 sets tell 128 GiB of lines of 128 bytes apart, but memory.bytes is 256 GiB; at "
           "least 8 sets");
    refuse("A", "memory.bytes=274877906944 l2.bytes=262144 l2.banks=16 l2.ways=32",
           "l2.bytes by l2.banks and l2.ways: 4 sets tell 128 GiB");
    refuse("A", "workload.instructions=sass", "workload.instructions: there is no 'sass'; allowed: llvm, ptx");
    refuse("A", "mcu.on_fault=perhaps", "mcu.on_fault: there is no 'perhaps'; allowed: stop, recover");
    refuse("A", "uvm.mode=yes", "uvm.mode: there is no 'yes'; allowed: off, on");
    refuse("A", "uvm.evict=oldest", "uvm.evict: there is no 'oldest'; allowed: age, lru, random");
    refuse("A", "uvm.evict=lr", "uvm.evict: there is no 'lr'");
    refuse("A", "uvm.prefetch=trees", "uvm.prefetch: there is no 'trees'; allowed: none, tree, zheng");
    refuse("A", "uvm.mode=on l1tlb.ideal=1", "uvm.mode: on, but l1tlb.ideal is 1");
    refuse("A+B+C", "dram.channels=2 dram.partition=1",
           "dram.partition: 3 tenants, but dram.channels is 2, and each needs a channel: set dram.partition to 0");
    refuse("A+B+C", "l2.ways=2 l2.partition=1", "l2.partition: 3 tenants, but l2.ways is 2, and each needs a way");
    refuse("A", "l2.banks=4", "l2.banks: 4 is not a multiple of dram.channels, 8");
}

/* Three sizes and no other, at either end and between them; each with its levels. */
TEST(test_page_sizes)
{
    static const uint32_t sizes[] = {4096, 65536, 2097152};
    struct mh_config cfg;
    for (uint32_t i = 0; i < 3; i++) {
        ready(&cfg, "A");
        cfg.memory.page_bytes = sizes[i];
        cfg.walk.levels = i < 2 ? 4 : 3;
        resolve(&cfg);
    }
    refuse("A", "memory.page_bytes=8192", "memory.page_bytes: 8192; pages are 4096, 65536 or 2097152 bytes");
    refuse("A", "memory.page_bytes=2097151 walk.levels=3", "memory.page_bytes: 2097151; pages are 4096, 65536 or");
    refuse("A", "memory.page_bytes=4097", "memory.page_bytes: 4097; pages are 4096, 65536 or 2097152 bytes");
    refuse("A", "memory.page_bytes=2097152 walk.levels=5",
           "walk.levels: 5, but pages of 2097152 bytes (memory.page_bytes) take 3 or 4");
    refuse("A", "l2.queue_latency=1000 clock.noc_hz=10G clock.gpu_hz=100M",
           "l2.queue_latency: 1000 GPU cycles are 100000 of the crossbar's clock; at most 10000");
    refuse("A", "walk.pte_bytes=24", "walk.pte_bytes: 24; allowed: 8, 16, 32, 64, 128");
    refuse("A", "walk.levels=3", "walk.levels: 3, but pages of 4096 bytes (memory.page_bytes) take 4 or 5 levels");
}

/* Ranges are checked again for configurations that were made in C. */
TEST(test_ranges)
{
    struct mh_config cfg;
    ready(&cfg, "A");
    cfg.l2.ways = 0;
    assert_int_equal(mh_config_resolve(&cfg, &err), -1);
    preset(&cfg);
    assert_int_equal(mh_config_resolve(&cfg, &err), -1);
    assert_has(err.text, "choose a workload");
    ready(&cfg, "A");
    cfg.tenants[0].kernel[0] = 0;
    assert_int_equal(mh_config_resolve(&cfg, &err), -1);
    assert_has(err.text, "tenants[0] has no kernel");
    ready(&cfg, "A");
    memset(cfg.tenants[0].kernel, 'x', sizeof cfg.tenants[0].kernel);
    assert_int_equal(mh_config_resolve(&cfg, &err), -1);
    assert_has(err.text, "tenants[0].kernel: text without an end");
}

TEST(test_round_trip)
{
    struct mh_config cfg;
    ready(&cfg, "MVT:77+GUPS");
    check_round_trip(&cfg);
    resolve(&cfg);
    check_round_trip(&cfg);
    cfg.mcu.hz = 0;
    cfg.walk.walkers = 0;
    cfg.run.seed = INT64_MAX;
    strcpy(cfg.tenants[0].kernel, "trace:a \"b\": {x}, # 'c'\\\n\t- \xc3\xa4*&%@!~ ");
    strcpy(cfg.tenants[1].kernel, "null");
    check_round_trip(&cfg);
    memset(cfg.tenants[1].kernel, 'y', MH_PATH_MAX - 1);
    check_round_trip(&cfg);
}

/* A design in a resolved file undoes no other key of it. */
TEST(test_round_trip_of_a_design)
{
    struct mh_config cfg;
    for (const char *const *n = mh_design_names(); *n; n++) {
        ready(&cfg, "MVT+GUPS");
        assert_int_equal(mh_config_design(&cfg, *n, &err), 0);
        resolve(&cfg);
        check_round_trip(&cfg);
        cfg.l2tlb.entries = 256;
        cfg.walk.pwc_bytes = cfg.l1tlb.ideal = cfg.l2.partition = cfg.dram.partition = 0;
        cfg.walk.walkers = 7;
        cfg.l2tlb.mshrs = 99;
        check_round_trip(&cfg);
    }
}

TEST(test_shared_memory)
{
    refuse(
        "A", "sm.conflict_cycles=2",
        "sm.conflict_cycles: 2, but shared memory takes no time (sm.shared_latency 0): give it a latency, or 0 here");
    refuse("A", "sm.alu_latency=1001", "sm.alu_latency: 1001");
}

TEST(test_subqueues)
{
    struct mh_config cfg;
    refuse("A", "l1d.subqueues=1", "l1d.subqueues: 1 is no division; allowed: 0 (one FIFO), or 2..8");
    refuse("A", "l1d.subqueues=6", "l1d.subqueues: 6 sub-queues, but l1d.miss_queue is 16: not a multiple");
    refuse("A+B+C", "l1d.subqueues=2 sm.share=1",
           "l1d.subqueues: 3 tenants on SM 0, but there are 2 sub-queues, and each needs one");
    refuse("A", "l1d.rate_clock=dram", "l1d.rate_clock: there is no 'dram'; allowed: noc, gpu");
    refuse("A", "l2.partial_stores=never", "l2.partial_stores: there is no 'never'; allowed: fetch, lazy");
    refuse("A", "l2.partial_stores=lazy",
           "l2.partial_stores: lazy is of sectors, but l2.sector_bytes is 0: 32 or 64, or fetch");
    refuse("A", "l2.sector_bytes=48", "l2.sector_bytes: 48; allowed: 32, 64, or 0 (the line)");
    refuse(
        "A", "l2.sector_bytes=32",
        "l2.sector_bytes: 32, but a burst of DRAM has 64 bytes (dram.bus_bytes x dram.burst); allowed: whole bursts, "
        "32 or 64, or 0 (the line)");
    refuse("A", "l2.sector_bytes=64 uvm.mode=on uvm.compression=lcp",
           "l2.sector_bytes: 64 beside uvm.compression lcp: a compressed line of 128 bytes is read whole; set "
           "l2.sector_bytes to 0, or uvm.compression to none");
    refuse("A", "l1d.store_hit=evict", "l1d.store_hit: there is no 'evict'; allowed: keep, drop");
    refuse("A", "l1tlb.on_miss=wait", "l1tlb.on_miss: there is no 'wait'; allowed: pass, hold");
    refuse("A", "l2tlb.lanes=two", "l2tlb.lanes: there is no 'two'; allowed: tenant, one");
    refuse("A", "l2tlb.mshr_table=two", "l2tlb.mshr_table: there is no 'two'; allowed: split, one");
    refuse("A", "walk.pwc_index=set", "walk.pwc_index: there is no 'set'; allowed: entry, node");
    refuse("A", "l2.stores=around", "l2.stores: there is no 'around'; allowed: back, through");
    refuse("A", "l2.stores=through l2.sector_bytes=64",
           "l2.sector_bytes: 64 beside l2.stores through, which writes lines; set one of them to 0 or back");
    refuse("A", "sm.lsu_order=fair", "sm.lsu_order: there is no 'fair'; allowed: shared, per-kernel");
    refuse("A+B+C", "sm.lsu_order=per-kernel sm.share=1 sm.lsu_queue=2",
           "sm.lsu_queue: 3 tenants on SM 0, but 2 instructions, and with sm.lsu_order per-kernel each needs a place");
    /* On SMs of their own a place is enough. */
    ready(&cfg, "A+B+C");
    cfg.l1d.subqueues = 2;
    cfg.sm.lsu_queue = 1;
    cfg.sm.lsu_order = MH_LSU_PER_KERNEL;
    check_round_trip(&cfg);
}

TEST(test_not_utf8)
{
    struct mh_config cfg;
    FILE *f = fopen("/dev/null", "w");
    ready(&cfg, "A");
    strcpy(cfg.tenants[0].kernel, "trace:\xff.gmt");
    assert_int_equal(mh_config_write(&cfg, f, &err), -1);
    assert_has(err.text, "UTF-8");
    fclose(f);
}

static void count_key(void *ctx, const char *key, const char *text, bool number)
{
    int *n = ctx;
    ++*n;
    if (!strcmp(key, "mcu.hz"))
        assert_string_equal(text, "inf");
    if (!strcmp(key, "tenants[1].kernel"))
        assert_false(number);
}

TEST(test_visit)
{
    int keys = 0;
    size_t length, lines = 0;
    struct mh_config cfg;
    ready(&cfg, "A+B");
    cfg.mcu.hz = 0;
    mh_config_visit(&cfg, count_key, &keys);
    char *text = written(&cfg, &length);
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    free(text);
    assert_int_equal(keys, lines - 17); /* 16 sections and `tenants` have a line of their own */
}
