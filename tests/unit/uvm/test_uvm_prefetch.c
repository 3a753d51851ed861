/* What comes with a faulted unit: `tree` and `zheng`; and the rows of faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "chain.h"
#include "paging.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct mh_gpu *prefetching(const char *how, uint32_t capacity, uint32_t units, const uint32_t *list,
                                  uint32_t count)
{
    struct mh_config cfg;
    paging_config(&cfg, 1, 1, capacity);
    strcpy(cfg.uvm.prefetch, how);
    return paging_chain(&cfg, units, list, count);
}

/* The next unit that comes; the first one that is here and was not. */
static uint32_t next_arrival(struct mh_gpu *g)
{
    script_until(g, &g->tenant[0].count.uvm_in_bytes, g->tenant[0].count.uvm_in_bytes + 1);
    return g->uvm->newest;
}

/* --- tree. Units of a buffer of 8: 2 makes three of four, 4 makes five of eight; 3 and 5 are
 * asked for while they come. */
static void test_tree(void **state)
{
    (void)state;
    static const uint32_t list[] = {0, 1, 2, 3, 4, 5};
    struct mh_gpu *g = prefetching("tree", 8, 8, list, COUNT(list));
    const struct mh_counters *c = &g->tenant[0].count;
    paging_run(g);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000);
    assert_int_equal(c->uvm_faults, 6);
    assert_int_equal(c->uvm_prefetches, 4);
    assert_int_equal(c->uvm_in_bytes, 8 * MH_UVM_UNIT_BYTES);
    assert_int_equal(g->uvm->here, 8);
    script_end(g);
}

/* --- zheng. */

/* The unit that faulted first, then the rest of its 2 MB in order; nothing of the next 2 MB. */
static void test_zheng_in_order(void **state)
{
    (void)state;
    static const uint32_t list[] = {5};
    struct mh_gpu *g = prefetching("zheng", 64, 64, list, 1);
    assert_int_equal(next_arrival(g), 5);
    for (uint32_t i = 0; i < 32; i++)
        if (i != 5)
            assert_int_equal(next_arrival(g), i);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000);
    assert_int_equal(g->uvm->here, 32);
    assert_int_equal(g->tenant[0].count.uvm_faults, 1);
    assert_int_equal(g->tenant[0].count.uvm_prefetches, 31);
    script_end(g);
}

/* The other region faults while the first one comes: its units go first, then the first region goes on. */
static void test_zheng_last_fault_first(void **state)
{
    (void)state;
    static const uint32_t list[] = {5, 40};
    struct mh_gpu *g = prefetching("zheng", 64, 64, list, 2);
    uint32_t here[64], n = 0;
    while (n < 64)
        here[n++] = next_arrival(g);
    assert_int_equal(here[0], 5);
    uint32_t at = 0;
    while (here[at] != 40)
        at++;
    assert_in_range(at, 1, 20);
    for (uint32_t i = 0, unit = 32; i < 31; i++, unit++) {
        unit += unit == 40;
        assert_int_equal(here[at + 1 + i], unit);
    }
    assert_int_equal(here[63], 31);
    assert_int_equal(g->tenant[0].count.uvm_faults, 2);
    script_end(g);
}

/* Memory for 8 units: the region comes all the same, others leave, and it ends. */
static void test_zheng_with_memory_full(void **state)
{
    (void)state;
    static const uint32_t list[] = {0};
    struct mh_gpu *g = prefetching("zheng", 8, 32, list, 1);
    mh_gpu_advance(g, 2000000);
    assert_int_equal(g->tenant[0].count.uvm_prefetches, 31);
    assert_int_equal(g->tenant[0].count.uvm_in_bytes, 32 * MH_UVM_UNIT_BYTES);
    assert_true(g->tenant[0].count.uvm_evictions >= 24);
    assert_int_equal(g->uvm->here + g->uvm->free_count, 8);
    script_end(g);
}

/* --- Rows. */

struct rows {
    struct mh_page_fault row[8];
    uint32_t count;
};

static void note(void *ctx, const struct mh_page_fault *f)
{
    struct rows *r = ctx;
    assert_in_range(r->count, 0, 7);
    r->row[r->count++] = *f;
}

static void observe(struct mh_gpu *g, struct rows *r)
{
    *r = (struct rows){.count = 0};
    mh_gpu_observe(g, &(struct mh_observer){.ctx = r, .fault = note});
}

static void test_rows(void **state)
{
    (void)state;
    static const uint32_t list[] = {3, 1, 2};
    struct rows r;
    struct mh_config cfg;
    paging_config(&cfg, 2, 2, 2);
    cfg.uvm.evict_bytes = MH_UVM_UNIT_BYTES;
    struct script *s[] = {script_computing(1, 10), paging_script(4)};
    paging_loads(s[1], list, COUNT(list));
    struct mh_gpu *g = script_gpu(&cfg, s);
    observe(g, &r);
    paging_run(g);
    const struct mh_counters *c = &g->tenant[1].count;
    assert_int_equal(r.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(r.row[i].address, in_unit(list[i], 0));
        assert_int_equal(r.row[i].tenant, 1);
        assert_int_equal(r.row[i].sm, 1);
        assert_int_equal(r.row[i].evicted, i == 2);
        assert_int_equal(r.row[i].prefetched, 0);
        assert_true(r.row[i].cycle > script_issued(s[1], 0, 0, 0, i));
        assert_true(r.row[i].cycle + r.row[i].latency < script_issued(s[1], 0, 0, 0, i + 1));
    }
    assert_int_equal(r.row[0].latency, r.row[1].latency);
    assert_true(r.row[2].latency > r.row[1].latency + 4000); /* the eviction */
    assert_int_equal(r.row[0].latency + r.row[1].latency + r.row[2].latency, c->uvm_fault_cycles);
    script_end(g);
}

/* Who asks for a unit that is on its way already waits for less; the fault that brought it says so. */
static void test_rows_of_prefetches(void **state)
{
    (void)state;
    static const uint32_t list[] = {5, 0};
    struct rows r;
    struct mh_gpu *g = prefetching("zheng", 8, 8, list, 2);
    observe(g, &r);
    paging_run(g);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.row[0].prefetched, 7);
    assert_int_equal(r.row[1].prefetched, 0);
    assert_true(r.row[1].latency < r.row[0].latency - g->uvm->fault_cycles);
    assert_int_equal(r.row[0].latency + r.row[1].latency, g->tenant[0].count.uvm_fault_cycles);
    assert_int_equal(g->tenant[0].count.uvm_faults, 2);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000); /* the others come */
    script_end(g);
}

int test_uvm_prefetch(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_zheng_in_order),
        cmocka_unit_test(test_zheng_last_fault_first),
        cmocka_unit_test(test_zheng_with_memory_full),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_rows_of_prefetches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
