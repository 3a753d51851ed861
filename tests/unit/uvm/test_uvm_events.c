/* What firmware hears of page faults, and what a user may write of demand paging. */
#include "unit/test.h"
#include "uvm_fixture.h"
#include "unit/config_text.h"
#include "memhelm/hwmodel.h"

static uint32_t get(struct mh_gpu *g, uint32_t offset)
{
    uint32_t value;
    assert_int_equal(mh_gpu_read(g, offset, 4, &value), MH_ACCESS_OK);
    return value;
}

static uint32_t word(bool come, bool evicted, uint32_t tenant, uint32_t sm)
{
    return MH_PAGE_FAULT_VALID | (come ? MH_PAGE_FAULT_COME : 0) | (evicted ? MH_PAGE_FAULT_EVICTED : 0) |
           tenant << MH_PAGE_FAULT_TENANT | sm << MH_PAGE_FAULT_SM;
}

/* Up to the cycle in which the next fault is queued. */
static uint64_t next_fault(struct mh_gpu *g)
{
    while (!get(g, MH_REG_PAGE_FAULTS))
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return mh_gpu_now(g);
}

static struct mh_gpu *chain(uint32_t capacity, const uint32_t *list, uint32_t count, uint32_t events)
{
    struct mh_config cfg = paging_config(1, 1, capacity);
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    struct mh_gpu *g = paging_chain(&cfg, 4, list, count);
    script_write(g, MH_REG_IRQ_ENABLE, MH_IRQ_PAGE_FAULT);
    script_knob(g, MH_REG_FAULT_EVENTS, events);
    return g;
}

/* Raised when the walk has ended, come when the unit is there: in between are the handler and the link. */
TEST(test_one_fault)
{
    static const uint32_t list[] = {2};
    struct mh_gpu *g = chain(4, list, 1, MH_FAULT_RAISED | MH_FAULT_COME);
    uint64_t raised = next_fault(g);
    assert_int_equal(g->tenant[0].count.uvm_faults, 1);
    assert_true(mh_gpu_irq(g));
    assert_int_equal(get(g, MH_REG_PAGE_FAULT), word(false, false, 0, 0));
    script_write(g, MH_REG_IRQ_PENDING, MH_IRQ_PAGE_FAULT);
    assert_false(mh_gpu_irq(g));
    uint64_t come = next_fault(g);
    assert_int_equal(unit_state(g, 2), MH_UNIT_HERE);
    assert_int_equal(come - raised, g->tenant[0].count.uvm_fault_cycles);
    assert_int_equal(get(g, MH_REG_PAGE_FAULT), word(true, false, 0, 0));
    paging_run(g);
    assert_int_equal(get(g, MH_REG_PAGE_FAULTS), 0);
    script_end(g);
}

TEST(test_nobody_asks)
{
    static const uint32_t list[] = {0, 1, 2};
    struct mh_gpu *g = chain(4, list, 3, 0);
    paging_run(g);
    assert_int_equal(g->tenant[0].count.uvm_faults, 3);
    assert_int_equal(get(g, MH_REG_PAGE_FAULTS), 0);
    assert_int_equal(get(g, MH_REG_IRQ_PENDING) & MH_IRQ_PAGE_FAULT, 0);
    assert_int_equal(mh_gpu_stats(g)->control.source[MH_SOURCE_PAGE_FAULT].raised, 0);
    script_end(g);
}

/* Memory for one unit: the second fault finds it full. What leaves for it is in its own entry when it has come. */
TEST(test_evictions_since_armed)
{
    static const uint32_t list[] = {0, 1, 2, 3};
    struct mh_gpu *g = chain(1, list, 4, MH_FAULT_RAISED | MH_FAULT_COME);
    static const struct {
        bool come, evicted;
    } expected[] = {{false, false}, {true, false}, {false, false}, {true, true}, {false, true}, {true, true}};
    for (unsigned i = 0; i < 6; i++) {
        next_fault(g);
        assert_int_equal(get(g, MH_REG_PAGE_FAULT), word(expected[i].come, expected[i].evicted, 0, 0));
    }
    script_write(g, MH_REG_EVICT_ARM, 0);
    next_fault(g);
    assert_int_equal(get(g, MH_REG_PAGE_FAULT), word(false, false, 0, 0));
    next_fault(g);
    assert_int_equal(get(g, MH_REG_PAGE_FAULT), word(true, true, 0, 0));
    paging_run(g);
    script_end(g);
}

/* Two tenants, each with an SM of its own; only the second one's units leave. */
TEST(test_whose_and_where)
{
    static const uint32_t first[] = {0}, second[] = {0, 1, 2};
    struct mh_config cfg = paging_config(2, 2, 2);
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    struct script *s[] = {paging_script(3), paging_script(3)};
    paging_loads(s[0], first, 1);
    paging_loads(s[1], second, 3);
    struct mh_gpu *g = script_gpu(&cfg, s);
    script_write(g, MH_REG_UVM_QUOTA, 1);
    script_write(g, MH_REG_UVM_QUOTA + MH_REG_UVM_QUOTA_STRIDE, 0);
    script_knob(g, MH_REG_FAULT_EVENTS, MH_FAULT_COME);
    unsigned of[2] = {0}, evicted[2] = {0};
    for (unsigned i = 0; i < 4; i++) {
        next_fault(g);
        uint32_t fault = get(g, MH_REG_PAGE_FAULT), tenant = fault >> MH_PAGE_FAULT_TENANT & 15;
        assert_int_equal(fault >> MH_PAGE_FAULT_SM & 255, tenant);
        of[tenant]++;
        evicted[tenant] += (fault & MH_PAGE_FAULT_EVICTED) != 0;
    }
    assert_int_equal(of[0], 1);
    assert_int_equal(of[1], 3);
    assert_int_equal(evicted[0], 0);
    assert_int_equal(evicted[1], 2);
    paging_run(g);
    script_end(g);
}

/* A small GPU whose workload has five units and something; what is refused says `why`. NULL: it runs, to the end. */
static void check(const char *text, const char *why)
{
    struct mh_config cfg;
    struct mh_error err = {""};
    preset(&cfg);
    assert_int_equal(mh_config_set(&cfg, "sm.count=2", &err), 0);
    assert_int_equal(mh_config_set(&cfg, "run.cycles=60000", &err), 0);
    assert_int_equal(mh_config_workload(&cfg, "MVT:256", &err), 0);
    struct mh_gpu *g = NULL;
    int bad = load_text(&cfg, text, &err) || mh_config_resolve(&cfg, &err);
    if (!bad)
        g = mh_gpu_create(&cfg, &err);
    if (why && g)
        fail_msg("accepted: %s", text);
    if (why) {
        assert_has(err.text, why);
        return;
    }
    if (!g)
        fail_msg("%s\nrefused: %s", text, err.text);
    while (!mh_gpu_ended(g))
        mh_gpu_advance(g, 60000);
    if (mh_gpu_deadlock(g))
        fail_msg("%s\n%s", text, mh_gpu_deadlock(g));
    mh_gpu_destroy(g);
}

static void check_capacity(const char *value, const char *why)
{
    char text[100];
    snprintf(text, sizeof text, "uvm: {mode: on, capacity: %s}\n", value);
    check(text, why);
}

TEST(test_capacity)
{
    static const char whole[] = " bytes are not whole units of 65536 bytes (64 KB, or a page if that is larger), ";
    static const char *const good[] = {"65536", "131072",      "50%",       "99%",  "100%",
                                       "101%",  "4000000000%", "unlimited", "'75%'"};
    static const char *const bad[] = {
        "75 %",    "-1",     "-50%",   "1e9", "75%%", "7.5%",  "'% '", "'75 '",
        "0x10000", "' 75%'", "'+75%'", "all", "64KB", "'%75'", "''",   "99999999999999999999"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        check_capacity(good[i], NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_capacity(bad[i], "uvm.capacity: ");
    check_capacity("'75 %'", "'75 %'; a number of bytes, a part such as 75%, or unlimited");
    check_capacity("0", whole);
    check_capacity("65535", "one or more: 65536");
    check_capacity("65537", "uvm.capacity: 65537 bytes are not");
    check_capacity("100000", "one or more: 131072");
    check_capacity("0%", "uvm.capacity: 0% is 0 bytes of this workload's ");
    check_capacity("1%", "less than a unit, 65536 bytes");
    check("uvm: {capacity: 75x}\n", "uvm.capacity: '75x'"); /* also when it is off */
    check("memory: {page_bytes: 2097152}\nwalk: {levels: 3}\nuvm: {mode: on, capacity: 65536}\n",
          "65536 bytes are not whole units of 2097152 bytes");
}

/* With its line, where a line is what is wrong. */
TEST(test_words)
{
    check("uvm: {mode: yes}\n", "uvm.mode: there is no 'yes'; allowed: off, on");
    check("uvm: {evict: oldest}\n", "uvm.evict: there is no 'oldest'; allowed: age, ");
    check("uvm: {evict_amount: half}\n", "uvm.evict_amount: there is no 'half'; allowed: page, fault, batch");
    check("uvm: {prefetch: all}\n", "uvm.prefetch: there is no 'all'; allowed: none, tree");
    check("uvm:\n  mode: on\n  buffer: 0\n", "F:3: ");
    check("uvm:\n  mode: on\n  in_rate: 999999\n", "F:3: uvm.in_rate");
    check("uvm:\n  out_rate: 1000000000001\n", "F:2: uvm.out_rate");
    check("uvm:\n  mode: on\n  evict_bytes: 65535\n", "F:3: uvm.evict_bytes");
    check("uvm:\n  capacity: 123456789012345678901234\n", "F:2: uvm.capacity");
    check("uvm:\n  pages: 3\n", "F:2: ");
    check("l1tlb: {ideal: 1}\nuvm: {mode: on}\n", "uvm.mode: on, but l1tlb.ideal is 1");
}

/* At the ends of their ranges, alone and together. */
TEST(test_extremes)
{
    static const char *const ends[] = {
        "in_rate: 1000000",   "in_rate: 1000000000000", "out_rate: 1000000", "out_rate: 1000000000000",
        "fault_ns: 1",        "fault_ns: 100000000",    "link_ns: 0",        "link_ns: 1000000",
        "buffer: 1",          "buffer: 65536",          "batch: 1",          "batch: 65536",
        "evict_bytes: 65536", "evict_bytes: 2097152",   "prefetch: tree"};
    char text[300];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(text, sizeof text, "uvm: {mode: on, capacity: 65536, %s}\n", ends[i]);
        check(text, NULL);
    }
    check("uvm: {mode: on, capacity: 65536, fault_ns: 1, link_ns: 0, in_rate: 1000000000000, out_rate: 1000000000000, "
          "buffer: 1, batch: 1}\n",
          NULL);
    check("clock: {gpu_hz: 10000000000}\nuvm: {mode: on, fault_ns: 100000000, link_ns: 1000000, in_rate: 1000000}\n",
          NULL);
    check("clock: {gpu_hz: 1000000}\nuvm: {mode: on, capacity: 65536}\n", NULL);
}
