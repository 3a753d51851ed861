/*
 * For tests that look into the model's blocks: hand-made workloads, keys of a configuration, sums of counters.
 *
 * A workload is launches, and an array of operations per warp. Every warp's stream remembers the cycle at which each of
 * its operations issued, so that a test can compare cycles counted by hand.
 *
 * A test makes scripts, gives them to script_gpu() and reads script_issued(). A load whose successor has `wait` set
 * took issued(successor) - issued(load) cycles: the successor issues in the very cycle in which the data are there.
 */
#ifndef TESTS_SCRIPT_H
#define TESTS_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"
#include "workload/workload.h"
#include "cache/l2.h"
#include "control/control.h"
#include "dram/memory.h"
#include "engine/gpu.h"
#include "gpu/gpu.h"
#include "missq/missq.h"
#include "noc/noc.h"
#include "sm/sm.h"
#include "translate/gpctlb.h"
#include "translate/instruction.h"
#include "translate/iommu.h"
#include "translate/l2tlb.h"
#include "pages/page_table.h"
#include "translate/pwc.h"
#include "translate/steal.h"
#include "translate/walk.h"
#include "uvm/uvm.h"
#include "memhelm/config_file.h"
#include "memhelm/hwmodel.h"

struct script;

/** Where the buffers of most tests start. */
#define SCRIPT_BASE  0x100000000ull
#define SCRIPT_PAGE  4096ull

#define SCRIPT_NEVER UINT64_MAX

/** Fills op number `i` of the warp at `c` (and addr[] of a list); false = the warp is done. */
typedef bool script_next(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr);

/** No launch, no buffer. Belongs to the GPU once script_gpu() has it. */
struct script *script_new(void);

/** Adds a buffer; in rising order of `base`. */
void script_buffer(struct script *s, uint64_t base, uint64_t bytes);

/** Adds a launch and returns its index. Warps without operations exit at once. */
uint32_t script_launch(struct script *s, struct mh_launch launch);

/**
 * Lets the GPU relaunch the script for ever, as it does with any workload. Without this it runs once: the tenant loses
 * its SMs when the last CTA is placed.
 */
void script_repeat(struct script *s);

/** One CTA of `warps` warps of 64 threads. */
uint32_t script_warps(struct script *s, uint32_t warps);

/** A script with a buffer of `pages` at SCRIPT_BASE and one CTA of `warps` warps. */
struct script *script_paged(uint64_t pages, uint32_t warps);

/** Appends an operation to a warp's stream; an exit follows the last one. */
void script_add(struct script *s, uint32_t launch, uint32_t cta, uint32_t warp, struct mh_op op);

/** Appends operations: `script_ops(s, 0, 0, 0, op_load(a), op_wait(op_barrier()))`. */
#define script_ops(s, launch, cta, warp, ...)                                                                          \
    script_add_ops(s, launch, cta, warp, (const struct mh_op[]){__VA_ARGS__},                                          \
                   sizeof((const struct mh_op[]){__VA_ARGS__}) / sizeof(struct mh_op))
void script_add_ops(struct script *s, uint32_t launch, uint32_t cta, uint32_t warp, const struct mh_op *op,
                    uint32_t count);

/** Appends an operation with an address list; addr[MH_MAX_LANES] is copied. */
void script_add_list(struct script *s, uint32_t launch, uint32_t cta, uint32_t warp, struct mh_op op,
                     const uint64_t *addr);

/** All streams come from `next` in place of arrays; nothing is remembered of them. */
void script_generate(struct script *s, script_next *next, void *ctx);

/** Cycle at which operation `index` issued when its warp ran for the first time; SCRIPT_NEVER = not yet. */
uint64_t script_issued(const struct script *s, uint32_t launch, uint32_t cta, uint32_t warp, uint32_t index);

/** Cycle at which the CTA was placed when it ran for the first time; SCRIPT_NEVER = not yet. */
uint64_t script_placed(const struct script *s, uint32_t launch, uint32_t cta);

/**
 * A preset with `sms` SMs (0: as many as it has) in equal shares for `tenants` tenants (asid = index + 1). Never ends
 * by itself.
 */
struct mh_config script_preset(const char *preset, uint32_t sms, uint32_t tenants);

/**
 * Preset `mask` with `sms` SMs in equal shares for `tenants` tenants (asid = index + 1), without refresh and with a
 * DRAM clock equal to the GPU's, so that DRAM cycles add up without rounding. An L1 TLB has 32 MSHRs where the preset
 * has one, so that a single SM can load what lies behind it. Never ends by itself.
 */
struct mh_config script_config(uint32_t sms, uint32_t tenants);

/** All SMs for every tenant, in the place of equal shares. */
void script_share_sms(struct mh_config *cfg);

/** The GPU that runs the scripts, one per tenant; a failure ends the test program with its error. */
struct mh_gpu *script_gpu(const struct mh_config *cfg, struct script *const scripts[]);

/** Advances to the cycle at which the tenant has next finished its whole workload, and returns it. */
uint64_t script_finish(struct mh_gpu *g, uint32_t tenant);

/** Advances until the counter at `counter` (of g) is at least `value`; returns that cycle. */
uint64_t script_until(struct mh_gpu *g, const uint64_t *counter, uint64_t value);

/** Physical line of a mapped virtual address. */
uint32_t script_line(const struct mh_gpu *g, uint32_t tenant, uint64_t address);

/** The L2 bank of a line. */
uint32_t script_bank(const struct mh_gpu *g, uint32_t line);

/** The place of a line in DRAM. */
struct script_place {
    uint32_t channel, bank, row, column; /**< column: line of the row */
};
struct script_place script_place(const struct mh_gpu *g, uint32_t line);

/** Fails the test unless nothing is under way: all MSHRs, credits, walkers, requests are back where they belong. */
void script_assert_idle(const struct mh_gpu *g);

/** script_assert_idle(), then destroys the GPU. */
void script_end(struct mh_gpu *g);

/** Register access that must succeed. */
uint32_t script_read(struct mh_gpu *g, uint32_t offset);
void script_write(struct mh_gpu *g, uint32_t offset, uint32_t value);

/** COMMIT of the knobs that were written; fails the test unless it is accepted. */
void script_commit(struct mh_gpu *g);

/** One knob and its COMMIT, which must be accepted. */
void script_knob(struct mh_gpu *g, uint32_t offset, uint32_t value);

/** One knob and its COMMIT, which must be rejected because of this register. */
void script_refused(struct mh_gpu *g, uint32_t offset, uint32_t value);

/** Operations. One lane of 4 bytes unless said otherwise. */
static inline struct mh_op op_lanes(enum mh_op_kind kind, uint32_t bytes, uint64_t mask, uint64_t base, int64_t stride)
{
    return (struct mh_op){
        .kind = (uint8_t)kind, .bytes = (uint8_t)bytes, .pc = 1, .mask = mask, .base = base, .stride = stride};
}

static inline struct mh_op op_load(uint64_t address)
{
    return op_lanes(MH_OP_LOAD, 4, 1, address, 0);
}

static inline struct mh_op op_store(uint64_t address)
{
    return op_lanes(MH_OP_STORE, 4, 1, address, 0);
}

static inline struct mh_op op_atomic(uint64_t address)
{
    return op_lanes(MH_OP_ATOMIC, 4, 1, address, 0);
}

/** An atomic whose result is a load's data. */
static inline struct mh_op op_atomic_read(uint64_t address)
{
    struct mh_op op = op_load(address);
    op.pc |= MH_PC_RESULT;
    return op;
}

/** Stores `lines` whole lines with 32 lanes each of 4 bytes; 1 or 2. */
static inline struct mh_op op_store_lines(uint64_t address, uint32_t lines)
{
    return op_lanes(MH_OP_STORE, 4, lines == 1 ? UINT32_MAX : UINT64_MAX, address, 4);
}

static inline struct mh_op op_barrier(void)
{
    return (struct mh_op){.kind = MH_OP_BARRIER, .pc = 1};
}

static inline struct mh_op op_exit(void)
{
    return (struct mh_op){.kind = MH_OP_EXIT};
}

/** `op` and its gap need the data of the loads before it. */
static inline struct mh_op op_wait(struct mh_op op)
{
    op.wait = 1;
    return op;
}

/** `op` needs the loads before it but for the newest n - 1, after `ahead` instructions of its gap. */
static inline struct mh_op op_needs(uint32_t n, uint32_t ahead, struct mh_op op)
{
    op.wait = (uint8_t)n;
    op.ahead = (uint16_t)ahead;
    return op;
}

/** `gap` compute instructions before `op`. */
static inline struct mh_op op_after(uint32_t gap, struct mh_op op)
{
    op.gap = gap;
    return op;
}

static inline void script_destroy(struct mh_gpu **g)
{
    mh_gpu_destroy(*g);
}

/** Declares a GPU that is destroyed at the end of its block: `LOCAL_GPU(g) = script_gpu(&cfg, &s);` */
#define LOCAL_GPU(g) __attribute__((cleanup(script_destroy))) struct mh_gpu *g

/** `key` becomes `word`, which is one of its words. */
static inline void set_word(struct mh_config *cfg, const char *key, const char *word)
{
    struct mh_error err;
    char assignment[128];

    snprintf(assignment, sizeof assignment, "%s=%s", key, word);
    if (mh_config_set(cfg, assignment, &err))
        abort();
}

/** `bytes` is 4 KiB, 64 KiB or 2 MiB; a plain table has the fewest levels that it may have. */
static inline void set_page_size(struct mh_config *cfg, uint32_t bytes)
{
    static const uint32_t levels[] = {
        [MH_WALK_FORMAT_PLAIN] = 4, [MH_WALK_FORMAT_AMPERE] = 5, [MH_WALK_FORMAT_HOPPER] = 6};

    cfg->memory.page_bytes = bytes;
    cfg->memory.large_bytes = 0;
    cfg->walk.levels = levels[cfg->walk.format] - (bytes == 2 << 20);
}

enum { PTE_DEPTHS = 6 };

/** L2 look-ups of page walks, or those that hit, of depths 1 to PTE_DEPTHS. */
struct pte_counts {
    uint64_t of[PTE_DEPTHS];
    uint64_t sum;
};

static inline struct pte_counts pte_counts_from(const uint64_t *of)
{
    struct pte_counts p = {{0}, 0};

    for (uint32_t d = 0; d < PTE_DEPTHS; d++)
        p.sum += p.of[d] = of[d];
    return p;
}

static inline struct pte_counts pte_accesses(const struct mh_counters *c)
{
    return pte_counts_from((const uint64_t[]){c->pte1_access, c->pte2_access, c->pte3_access, c->pte4_access,
                                              c->pte5_access, c->pte6_access});
}

static inline struct pte_counts pte_hits(const struct mh_counters *c)
{
    return pte_counts_from(
        (const uint64_t[]){c->pte1_hit, c->pte2_hit, c->pte3_hit, c->pte4_hit, c->pte5_hit, c->pte6_hit});
}

#endif
