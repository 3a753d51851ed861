/* Rules of what GPUs of today have. */
#include "unit/config_text.h"

static struct mh_error err;

/* Levels of each format and page size, and one less and one more. */
TEST(test_formats)
{
    static const struct {
        enum mh_walk_format format;
        uint32_t page, low, high;
    } cases[] = {
        {MH_WALK_FORMAT_PLAIN, 4 << 10, 4, 5},   {MH_WALK_FORMAT_PLAIN, 2 << 20, 3, 4},
        {MH_WALK_FORMAT_AMPERE, 4 << 10, 5, 5},  {MH_WALK_FORMAT_AMPERE, 64 << 10, 5, 5},
        {MH_WALK_FORMAT_AMPERE, 2 << 20, 4, 4},  {MH_WALK_FORMAT_HOPPER, 4 << 10, 6, 6},
        {MH_WALK_FORMAT_HOPPER, 64 << 10, 6, 6}, {MH_WALK_FORMAT_HOPPER, 2 << 20, 5, 5},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t levels = 3; levels <= 6; levels++) {
            struct mh_config cfg;
            ready(&cfg, "A");
            cfg.walk.format = cases[i].format;
            cfg.walk.levels = levels;
            cfg.memory.page_bytes = cases[i].page;
            bool fits = levels >= cases[i].low && levels <= cases[i].high;
            assert_int_equal(mh_config_resolve(&cfg, &err), fits ? 0 : -1);
        }
    refuse("A", "walk.format=hopper",
           "walk.levels: 4, but pages of 4096 bytes (memory.page_bytes) take 6 levels in walk.format hopper");
    refuse("A", "walk.format=ampere walk.levels=5 walk.pte_bytes=16",
           "walk.pte_bytes: 16, but entries of walk.format ampere");
    refuse("A", "walk.format=hopper walk.levels=6 walk.node_bits=8",
           "walk.node_bits: 8, but nodes of walk.format hopper");
}

TEST(test_large_pages)
{
    struct mh_config cfg;
    ready(&cfg, "A");
    cfg.memory.page_bytes = 64 << 10;
    cfg.memory.large_bytes = 2 << 20;
    resolve(&cfg);
    refuse("A", "memory.page_bytes=65536 memory.large_bytes=1048576",
           "memory.large_bytes: 1048576; large pages have 2097152 bytes");
    refuse("A", "memory.large_bytes=2097152",
           "memory.large_bytes: 2097152 among pages of 4096 bytes (memory.page_bytes)");
    refuse("A",
           "memory.page_bytes=65536 memory.large_bytes=2097152 memory.bytes=4295032832 dram.channels=1 l2.banks=1 "
           "dram.row_bytes=2048",
           "memory.bytes: 4295032832 is not a multiple of memory.large_bytes, 2097152");
    refuse("A", "memory.page_bytes=65536 memory.large_bytes=2097152 uvm.mode=on",
           "memory.large_bytes: 2097152 beside uvm.mode on");
}

TEST(test_lines_an_event)
{
    refuse("A", "sm.lsu_lines=8 sm.stall_reasons=1",
           "sm.lsu_lines: 8 beside sm.stall_reasons 1, which looks at each line in its cycle: set it to 1");
    refuse("A", "sm.lsu_lines=2 noc.queues=input", "sm.lsu_lines: 2 beside noc.queues input");
    refuse("A", "sm.lsu_lines=9", "sm.lsu_lines: 9");
}

TEST(test_halves)
{
    struct mh_config cfg;
    refuse("A", "l2.far_latency=9", "l2.far_latency: 9, but l2.halves is 1, and no bank is far: 0, or l2.halves 2");
    refuse("A", "l2.link_bytes=9", "l2.link_bytes: 9, but l2.halves is 1, and there is no link: 0, or l2.halves 2");
    refuse("A", "l2.halves=2 dram.channels=1", "l2.halves: 2, but dram.channels is 1: an even number, or l2.halves 1");
    refuse("A", "l2.halves=2 sm.count=1", "l2.halves: 2, but sm.count is 1: 2 or more, or l2.halves 1");
    refuse("A", "l2.halves=2 noc.queues=input", "noc.queues: input, but l2.halves is 2: output, or l2.halves 1");
    refuse("A", "l2.far=copy", "l2.far: copy, but l2.halves is 1, and no line is far: home, or l2.halves 2");
    refuse("A", "l2.halves=2 l2.far=copy", "l2.far: copy, but l2.sector_bytes is 0: 32 or 64, or l2.far home");
    refuse("A", "l2.halves=2 l2.far=copy l2.sector_bytes=64 dram.partition=1",
           "l2.far: copy, but dram.partition is 1, and copies would lie in another tenant's banks: 0, or l2.far home");
    ready(&cfg, "A");
    cfg.l2.halves = 2;
    cfg.l2.far_latency = 10000;
    cfg.l2.link_bytes = 65536;
    check_round_trip(&cfg);
}

TEST(test_atomics)
{
    struct mh_config cfg;
    refuse("A", "l2.atomics=sm", "l2.atomics: there is no 'sm'; allowed: off, bank");
    refuse("A", "l2.atomic_cycles=1", "l2.atomic_cycles: 1, but l2.atomics is off: 0, or l2.atomics bank");
    refuse("A", "l2.atomic_latency=5", "l2.atomic_latency: 5, but l2.atomics is off: 0, or l2.atomics bank");
    refuse("A", "l2.atomics=bank", "l2.atomic_cycles: 0, but l2.atomics is bank: 1..64, or l2.atomics off");
    ready(&cfg, "A");
    cfg.l2.atomics = MH_ATOMICS_BANK;
    cfg.l2.atomic_cycles = 64;
    cfg.l2.atomic_latency = 1000;
    check_round_trip(&cfg);
}

TEST(test_store_miss)
{
    struct mh_config cfg;
    refuse("A", "l1d.store_miss=write", "l1d.store_miss: there is no 'write'; allowed: no_allocate, allocate");
    refuse("A", "l1d.store_miss=allocate",
           "l1d.store_miss: allocate, but l1d.store_hit is drop: keep, or l1d.store_miss no_allocate");
    ready(&cfg, "A");
    cfg.l1d.store_hit = MH_STORE_HIT_KEEP;
    cfg.l1d.store_miss = MH_STORE_MISS_ALLOCATE;
    check_round_trip(&cfg);
}
