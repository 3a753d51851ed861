/* invariants: of the debug build alone */
/*
 * The invariants of demand paging bite: a unit lost, there twice, or freed while somebody has it. Each fault is put
 * into a running GPU in a child process, which must stop at its next check.
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

#include "mix.h"
#include "uvm/internal.h"
#include "uvm_sums.h"

/* Memory for three units of eight, in the middle of its traffic: two units are there, at least. */
static struct mh_gpu *running(void)
{
    static struct mix mix;
    struct mh_config cfg;
    script_config(&cfg, 4, 1);
    cfg.memory.page_bytes = 65536;
    cfg.uvm.evict_bytes = 65536;
    uvm_units(&cfg, 3);
    mix = (struct mix){.seed = 5, .bytes = 8 * 65536, .ops = 12, .lanes = 64, .threads = 256};
    struct script *s = mix_script(&mix, 1, 8);
    struct mh_gpu *g = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.uvm_in_bytes, 10 * 65536);
    while (g->uvm->here < 2)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return g;
}

static void no_fault(struct mh_gpu *g)
{
    (void)g;
}

static void set_lost(struct mh_gpu *g)
{
    g->uvm->sets++;
}

static void unit_lost(struct mh_gpu *g)
{
    g->uvm->unit[g->uvm->oldest].state = MH_UNIT_PLACED;
}

static void two_in_one_place(struct mh_gpu *g)
{
    g->uvm->unit[g->uvm->oldest].frames = g->uvm->unit[g->uvm->newest].frames;
}

static void freed_and_there(struct mh_gpu *g)
{
    g->uvm->free_sets[g->uvm->free_count++] = g->uvm->unit[g->uvm->oldest].frames;
}

/* The page table lets go of it, the TLBs and the list of units do not. */
static void not_mapped(struct mh_gpu *g)
{
    mh_pt_lift(g->pages, g->tenant[0].page_root, g->uvm->unit[g->uvm->oldest].vpn);
}

/* It has left, and lines of it are in the caches. */
static void freed_and_cached(struct mh_gpu *g)
{
    mh_pt_give_back(g->pages, mh_unit_frames(g->uvm, &g->uvm->unit[g->uvm->oldest])[0]);
}

static void forgotten_waiter(struct mh_gpu *g)
{
    for (uint32_t u = 0; u < g->uvm->units; u++)
        if (g->uvm->unit[u].head != MH_NONE)
            g->uvm->unit[g->uvm->oldest].head = g->uvm->unit[u].head;
}

static bool aborts(void (*fault)(struct mh_gpu *g))
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        close(STDERR_FILENO);
        struct mh_gpu *g = running();
        fault(g);
        mh_gpu_check(g);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void test_invariants_bite(void **state)
{
    (void)state;
    static void (*const faults[])(struct mh_gpu * g) = {set_lost,   unit_lost,        two_in_one_place, freed_and_there,
                                                        not_mapped, freed_and_cached, forgotten_waiter};
    assert_false(aborts(no_fault));
    for (uint32_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (!aborts(faults[i]))
            fail_msg("fault %u is not found", i);
}

int test_uvm_invariants(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_invariants_bite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
