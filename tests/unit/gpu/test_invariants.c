/*
 * The invariants of a debug build bite, when something is translated across address spaces or something is lost. Each
 * fault is put into a running GPU in a child process, which must stop at once.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "shared_sms.h"
#include "sm/lsu_order.h"

enum { FAULT_AT = 4000 };

typedef void fault(struct mh_gpu *g);
typedef struct mh_gpu *running(void);

/* Traffic of two tenants, with all that a GPU can have. */
static struct mh_gpu *busy_gpu(void)
{
    struct mh_config cfg;
    static struct mix mix[2];
    shared_config(&cfg, 2);
    cfg.l2tlb.entries = 128;
    cfg.iommu.l1_entries = 16;
    cfg.iommu.l2_entries = 512;
    cfg.iommu.l2_ways = 16;
    return mixed_gpu(&cfg, mix);
}

/* The same, with requests and replies that wait for each other at the inputs of the crossbars. */
static struct mh_gpu *queued_gpu(void)
{
    struct mh_config cfg;
    static struct mix mix[2];
    shared_config(&cfg, 2);
    strcpy(cfg.noc.queues, "input");
    cfg.noc.vcs = 2;
    cfg.noc.flit_bytes = 8;
    return mixed_gpu(&cfg, mix);
}

/*
 * Tenant 0 loads page 0 and page 1, and page 0 again long after the fault. TLBs of one entry forget page 0 meanwhile:
 * the other tenant's frames are there to be mistaken for its own.
 */
static struct mh_gpu *reader_gpu(const struct mh_config *cfg)
{
    struct script *s[2];
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_new();
        script_buffer(s[t], SCRIPT_BASE, 256 * SCRIPT_PAGE);
        script_warps(s[t], 1);
    }
    script_add(s[0], 0, 0, 0, op_load(in_page(0, 0)));
    script_add(s[0], 0, 0, 0, op_wait(op_load(in_page(1, 0))));
    script_add(s[0], 0, 0, 0, op_after(2 * FAULT_AT, op_wait(op_load(in_page(0, 0)))));
    return script_gpu(cfg, s);
}

static struct mh_gpu *reads_by_l1tlb(void)
{
    struct mh_config cfg;
    shared_config(&cfg, 2);
    return reader_gpu(&cfg);
}

static struct mh_gpu *reads_by_l2tlb(void)
{
    struct mh_config cfg;
    shared_config(&cfg, 2);
    cfg.l1tlb.entries = 1;
    return reader_gpu(&cfg);
}

static struct mh_gpu *reads_by_iommu(void)
{
    struct mh_config cfg;
    shared_config(&cfg, 2);
    cfg.l1tlb.entries = cfg.l2tlb.entries = cfg.l2tlb.ways = 1;
    cfg.l2tlb.bypass_entries = 0;
    cfg.iommu.l1_entries = 1;
    cfg.iommu.l2_entries = 16;
    cfg.iommu.l2_ways = 16;
    return reader_gpu(&cfg);
}

/* Nobody has a token: what is walked fills the bypass cache. */
static struct mh_gpu *reads_by_bypass(void)
{
    struct mh_config cfg;
    shared_config(&cfg, 2);
    cfg.l1tlb.entries = 1;
    struct mh_gpu *g = reader_gpu(&cfg);
    script_knob(g, MH_REG_TOKENS, 0);
    return g;
}

static struct mh_gpu *reads_by_iommu_l1(void)
{
    struct mh_config cfg;
    shared_config(&cfg, 2);
    cfg.l1tlb.entries = cfg.l2tlb.entries = cfg.l2tlb.ways = 1;
    cfg.l2tlb.bypass_entries = 0;
    cfg.iommu.l1_entries = 2;
    return reader_gpu(&cfg);
}

static struct mh_gpu *reads_by_walk(void)
{
    struct mh_config cfg;
    shared_config(&cfg, 2);
    cfg.l1tlb.entries = cfg.l2tlb.entries = cfg.l2tlb.ways = 1;
    cfg.l2tlb.bypass_entries = 0;
    return reader_gpu(&cfg);
}

/* The last load finds page 0 just where the fault will be. */
static void test_readers_find_it_there(void **state)
{
    (void)state;
    static const struct {
        running *start;
        uint64_t l1, l2, bypass, iommu_l1, iommu_l2, walks;
    } rows[] = {{reads_by_l1tlb, 1, 0, 0, 0, 0, 2},    {reads_by_l2tlb, 0, 1, 0, 0, 0, 2},
                {reads_by_bypass, 0, 0, 1, 0, 0, 2},   {reads_by_iommu, 0, 0, 0, 0, 1, 2},
                {reads_by_iommu_l1, 0, 0, 0, 1, 0, 2}, {reads_by_walk, 0, 0, 0, 0, 0, 3}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mh_gpu *g = rows[i].start();
        const struct mh_counters *c = &g->tenant[0].count;
        mh_gpu_advance(g, FAULT_AT);
        assert_int_equal(c->l1d_access, 2);
        script_assert_idle(g);
        mh_gpu_advance(g, 5 * FAULT_AT);
        assert_int_equal(c->l1d_access, 3);
        assert_int_equal(c->l1tlb_hit, rows[i].l1);
        assert_int_equal(c->l2tlb_hit, rows[i].l2);
        assert_int_equal(c->bypass_hit, rows[i].bypass);
        assert_int_equal(c->iommu_l1_hit, rows[i].iommu_l1);
        assert_int_equal(c->iommu_l2_hit, rows[i].iommu_l2);
        assert_int_equal(c->walks, rows[i].walks);
        mh_gpu_destroy(g);
    }
}

/* What the last child said on standard error. */
static char said[2048];

static void listen_to_child(int from)
{
    size_t length = 0;
    ssize_t n;
    while ((n = read(from, said + length, sizeof said - 1 - length)) > 0)
        length += (size_t)n;
    said[length] = 0;
    close(from);
}

static void run_with_fault(running *start, fault *break_it)
{
    struct mh_gpu *g = start();
    mh_gpu_advance(g, FAULT_AT);
    break_it(g);
    mh_gpu_advance(g, 5 * FAULT_AT);
    mh_gpu_latch(g);
}

static bool child_aborts(running *start, fault *break_it)
{
    int status, end[2];
    assert_int_equal(pipe(end), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        dup2(end[1], STDERR_FILENO);
        run_with_fault(start, break_it);
        _exit(0);
    }
    close(end[1]);
    listen_to_child(end[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void no_fault(struct mh_gpu *g)
{
    (void)g;
}

/* All L1 TLB entries of the tenant lead to frames of the other one. */
static void foreign_l1tlb(struct mh_gpu *g)
{
    struct mh_assoc *a = &g->sm[0].tlb;
    for (uint32_t i = 0; i < a->used; i++)
        a->entry[i].ppn = script_line(g, !(a->entry[i].key >> 27), in_page(0, 0)) / 32;
}

static void foreign_l2tlb(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.l2tlb.entries; i++)
        g->l2tlb->copy[0].tlb.ppn[i] = script_line(g, !(g->l2tlb->copy[0].tlb.key[i] >> 27), in_page(0, 0)) / 32;
}

static void foreign_bypass(struct mh_gpu *g)
{
    struct mh_assoc *a = &g->l2tlb->copy[0].bypass;
    for (uint32_t i = 0; i < a->used; i++)
        a->entry[i].ppn = script_line(g, !(a->entry[i].key >> 27), in_page(0, 0)) / 32;
}

static void foreign_iommu_l1(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->iommu->l1.used; i++)
        g->iommu->l1.entry[i].ppn = script_line(g, !(g->iommu->l1.entry[i].key >> 27), in_page(0, 0)) / 32;
}

static void foreign_iommu(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.iommu.l2_entries; i++)
        g->iommu->l2.ppn[i] = script_line(g, !(g->iommu->l2.key[i] >> 27), in_page(0, 0)) / 32;
}

/* The page tables of one tenant hold the other's frames. */
static void foreign_page_table(struct mh_gpu *g)
{
    for (uint32_t page = 0; page < 256; page++)
        g->pages->owner[script_line(g, 0, in_page(page, 0)) / 32] = 2;
}

/* A page table entry of tenant 0 leads to the other's frame, as if the one who wrote it had taken the wrong table. */
static void foreign_entry(struct mh_gpu *g)
{
    uint32_t vpn = (uint32_t)(in_page(0, 0) / SCRIPT_PAGE), leaf = g->pages->levels;
    uint32_t node = mh_pt_at(g->pages, g->tenant[0].page_root, vpn, leaf);
    g->pages->node[node].entry[mh_pt_index(g->pages, vpn, leaf)] = script_line(g, 1, in_page(0, 0)) / 32;
}

/* A walk that has read its first entry goes on in the other's page table. */
static void foreign_walk(struct mh_gpu *g)
{
    struct mh_walk *w = g->l2tlb->walk;
    while (!w->runs || w->depth < 2)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    w->node = mh_pt_at(g->pages, g->tenant[1].page_root, w->vpn, w->depth);
}

/* The entry is the tenant's own, of another page. */
static void other_page_l1tlb(struct mh_gpu *g)
{
    struct mh_assoc *a = &g->sm[0].tlb;
    for (uint32_t i = 0; i < a->used; i++)
        a->entry[i].ppn = script_line(g, 0, in_page(9, 0)) / 32;
}

/* Beyond the end of memory. */
static void no_frame_l1tlb(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->sm[0].tlb.used; i++)
        g->sm[0].tlb.entry[i].ppn = 1u << g->pages->frame_bits;
}

/* Pages have moved, and what they left is free, but no TLB was told. */
static void untold_move(struct mh_gpu *g)
{
    for (uint32_t page = 0; page < 16; page++)
        (void)mh_gpu_remap(g, 0, (uint32_t)(in_page(page, 0) / SCRIPT_PAGE));
    mh_pt_free_left(g->pages, g->tenant[0].asid);
}

/* The same, told. */
static void told_move(struct mh_gpu *g)
{
    for (uint32_t page = 0; page < 16; page++)
        (void)mh_gpu_remap(g, 0, (uint32_t)(in_page(page, 0) / SCRIPT_PAGE));
    script_write(g, MH_REG_PTE_CHANGED, 0);
}

static void lost_pending_line(struct mh_gpu *g)
{
    g->sm[0].free_pending = g->sm[0].pending[g->sm[0].free_pending].next;
}

static void lost_walk(struct mh_gpu *g)
{
    g->l2tlb->free_walk = g->l2tlb->walk[g->l2tlb->free_walk].next_free;
}

static void lost_walker(struct mh_gpu *g)
{
    g->walkers[0].idle--;
}

static void lost_on_its_way(struct mh_gpu *g)
{
    g->iommu->on_their_way--;
}

static void lost_warp(struct mh_gpu *g)
{
    g->sm[1].free_warps &= g->sm[1].free_warps - 1;
}

static void lost_request(struct mh_gpu *g)
{
    g->noc->live--;
}

static void reply_from_nowhere(struct mh_gpu *g)
{
    g->noc->replies++;
}

static void credit_from_nowhere(struct mh_gpu *g)
{
    for (uint32_t b = 0; b < g->noc->banks; b++)
        g->noc->bank[b].credits++;
}

/* A crossbar in which some head waits for a wire, and nobody for a credit. */
static struct mh_crossbar *waited_for(struct mh_gpu *g)
{
    for (;; mh_gpu_advance(g, mh_gpu_now(g) + 1))
        for (uint32_t way = 0; way < MH_WAYS; way++) {
            struct mh_crossbar *x = &g->noc->inputs->crossbar[way];
            if (x->wanted[0] & ~x->closed[0])
                return x;
        }
}

static void lost_turn(struct mh_gpu *g)
{
    waited_for(g)->pending = 0;
    mh_gpu_check(g);
}

static void lost_head(struct mh_gpu *g)
{
    struct mh_crossbar *x = waited_for(g);
    x->wants[__builtin_ctzll(x->wanted[0]) * x->words] = 0;
    mh_gpu_check(g);
}

static void lost_count(struct mh_gpu *g)
{
    g->noc->inputs->waiting[0]++;
    mh_gpu_check(g);
}

static void lost_queue(struct mh_gpu *g)
{
    struct mh_inputs *in = g->noc->inputs;
    uint32_t way = waited_for(g) == &in->crossbar[MH_WAY_THERE] ? MH_WAY_THERE : MH_WAY_BACK;
    for (uint32_t q = 0; q < in->crossbar[way].shape.inputs * 2; q++)
        in->fifo[way][q].head = MH_NONE;
    mh_gpu_check(g);
}

static void closed_for_good(struct mh_gpu *g)
{
    g->noc->inputs->crossbar[MH_WAY_THERE].closed[0] ^= 1;
    mh_gpu_check(g);
}

/* --- Sub-queues of L1D miss queues, with issue rates; the SMs' LSUs have an order of their own. */

static struct mh_gpu *divided_gpu(void)
{
    struct mh_config cfg;
    static struct mix mix[2];
    shared_config(&cfg, 2);
    cfg.l1d.subqueues = 2;
    cfg.l1d.rate_interval = 50;
    strcpy(cfg.sm.lsu_order, "per-kernel");
    struct mh_gpu *g = mixed_gpu(&cfg, mix);
    script_knob(g, MH_REG_MISS_QUEUES, 1);
    script_knob(g, MH_REG_ISSUE_RATE, 300);
    return g;
}

/* One whose first head of tenant 0 waits for an issue credit. */
static struct mh_virtual_queue *filled_queue(struct mh_gpu *g)
{
    struct mh_virtual_queue *v = &g->missq->sm[0].of[0];
    while (v->count < 2)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return v;
}

static void lost_in_subqueue(struct mh_gpu *g)
{
    struct mh_virtual_queue *v = filled_queue(g);
    v->head = g->noc->req[v->head].next;
    mh_gpu_check(g);
}

static void above_its_share(struct mh_gpu *g)
{
    struct mh_virtual_queue *v = filled_queue(g);
    v->limit = v->share = 1;
    mh_gpu_check(g);
}

static void issue_credit_from_nowhere(struct mh_gpu *g)
{
    filled_queue(g)->credits.left += 256;
    mh_gpu_check(g);
}

static void not_in_line(struct mh_gpu *g)
{
    filled_queue(g)->waiting ^= true;
    mh_gpu_check(g);
}

static void arbiter_asleep(struct mh_gpu *g)
{
    struct mh_virtual_queue *v = filled_queue(g);
    while (v->waiting || !v->count)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    g->missq->sm[0].wakes_at = UINT64_MAX;
    mh_gpu_check(g);
}

static void paid_by_nobody(struct mh_gpu *g)
{
    filled_queue(g)->paid ^= true;
    mh_gpu_check(g);
}

static void lost_place_of_the_lsu(struct mh_gpu *g)
{
    g->sm[0].lsu_order->place[0] = g->sm[0].lsu_order->place[1];
    mh_gpu_check(g);
}

static void test_losses_of_subqueues_are_found(void **state)
{
    (void)state;
    static fault *const losses[] = {lost_in_subqueue, above_its_share, issue_credit_from_nowhere, not_in_line,
                                    arbiter_asleep,   paid_by_nobody,  lost_place_of_the_lsu};
    assert_false(child_aborts(divided_gpu, no_fault));
    for (uint32_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (!child_aborts(divided_gpu, losses[i]))
            fail_msg("loss %u is not found", i);
}

static const char to_frame[] = "translates virtual page 0x100000 to frame 0x";

static const struct {
    running *start;
    fault *break_it;
    const char *does, *owner;
} faults[] = {
    {reads_by_l1tlb, foreign_l1tlb, to_frame, "which is tenant 1's (asid 2); its page"},
    {reads_by_l1tlb, foreign_page_table, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_l1tlb, other_page_l1tlb, to_frame, "which is its own; its page table"},
    {reads_by_l1tlb, no_frame_l1tlb, to_frame, "which memory does not have; its page"},
    {reads_by_l2tlb, foreign_l2tlb, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_bypass, foreign_bypass, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_iommu, foreign_iommu, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_iommu_l1, foreign_iommu_l1, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_walk, foreign_entry, to_frame, "which is tenant 1's (asid 2)"},
    {reads_by_walk, foreign_walk, "walks at depth 3 to virtual page 0x100000 in frame 0x",
     "which is tenant 1's (asid 2)"},
};

/* Wherever the translation comes from, it is found when it is used, and the message says whose the frame is. */
static void test_foreign_translations_are_found(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        assert_false(child_aborts(faults[i].start, no_fault));
        assert_string_equal(said, "");
        assert_true(child_aborts(faults[i].start, faults[i].break_it));
        if (!strstr(said, "tenant 0 (asid 1)") || !strstr(said, faults[i].does) || !strstr(said, faults[i].owner))
            fail_msg("fault %u says: %s", i, said);
    }
}

static void test_stale_translations_are_found(void **state)
{
    (void)state;
    static running *const readers[] = {reads_by_l1tlb, reads_by_l2tlb, reads_by_iommu};
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(child_aborts(readers[i], untold_move));
        assert_non_null(strstr(said, "which is its own and was freed; its page table says frame 0x"));
        assert_false(child_aborts(readers[i], told_move));
    }
}

static void test_losses_are_found(void **state)
{
    (void)state;
    static fault *const losses[] = {lost_pending_line, lost_walk,    lost_walker,        lost_on_its_way,
                                    lost_warp,         lost_request, reply_from_nowhere, credit_from_nowhere};
    assert_false(child_aborts(busy_gpu, no_fault));
    for (uint32_t i = 0; i < sizeof losses / sizeof *losses; i++)
        assert_true(child_aborts(busy_gpu, losses[i]));
}

static void test_losses_at_the_inputs_are_found(void **state)
{
    (void)state;
    static fault *const losses[] = {lost_turn,       lost_head,    lost_count,         lost_queue,
                                    closed_for_good, lost_request, reply_from_nowhere, credit_from_nowhere};
    assert_false(child_aborts(queued_gpu, no_fault));
    for (uint32_t i = 0; i < sizeof losses / sizeof *losses; i++)
        assert_true(child_aborts(queued_gpu, losses[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readers_find_it_there),          cmocka_unit_test(test_foreign_translations_are_found),
        cmocka_unit_test(test_stale_translations_are_found),   cmocka_unit_test(test_losses_are_found),
        cmocka_unit_test(test_losses_at_the_inputs_are_found), cmocka_unit_test(test_losses_of_subqueues_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
