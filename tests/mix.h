/*
 * A random mix of operations, the same whenever it is asked for: loads, stores, atomics and barriers of every shape
 * inside one buffer; the sums that any run of it must give; random TLBs for it to run on. cmocka.h comes first.
 */
#ifndef TESTS_MIX_H
#define TESTS_MIX_H

#include "script.h"
#include "memhelm/config.h"
#include "random.h"

struct mix {
    uint64_t seed;
    uint64_t bytes;      /**< of the buffer at SCRIPT_BASE */
    uint32_t ops;        /**< per warp, at most */
    uint32_t lanes;      /**< per warp */
    uint32_t threads;    /**< per CTA; the last warp may be partial */
    uint32_t line_bytes; /**< for the sums; 0 = 128 */
    bool results;        /**< half of the atomics return one */
};

/** What the counters must say after one run of everything. */
struct mix_sums {
    uint64_t warp_instr, lane_instr, mem_instr;
    uint64_t load_lines, write_lines; /**< line transactions of loads; of stores and atomics */
};

static inline uint64_t mix_lanes(const struct mix *m, uint32_t warp)
{
    uint32_t left = m->threads - warp * m->lanes;
    return UINT64_MAX >> (64 - (left < m->lanes ? left : m->lanes));
}

static inline uint64_t mix_mask(uint64_t all, uint64_t *rng)
{
    uint64_t mask = all;
    switch (random_next(rng) % 4) {
    case 0:
        mask &= random_next(rng);
        break;
    case 1:
        mask &= 1ull << random_next(rng) % 64;
        break;
    }
    return mask ? mask : all;
}

static inline void mix_affine(const struct mix *m, struct mh_op *op, uint64_t *rng)
{
    static const int64_t strides[] = {0, 4, 8, 16, 128, 136, 260, 1024, -4, -8, -132};
    op->stride = random_next(rng) % 2 ? op->bytes : strides[random_next(rng) % 11];
    uint64_t reach = 63 * (uint64_t)(op->stride < 0 ? -op->stride : op->stride) + op->bytes;
    op->base = SCRIPT_BASE + random_next(rng) % (m->bytes - reach) + (op->stride < 0 ? reach - op->bytes : 0);
}

/* 64 places next to each other, from the start of a line on, in any order: often a list that fills its lines. */
static inline void mix_shuffled(const struct mix *m, const struct mh_op *op, uint64_t *addr, uint64_t *rng)
{
    uint64_t start = random_next(rng) % (m->bytes / MH_LINE_BYTES - 8) * MH_LINE_BYTES, odd = random_next(rng) | 1;
    for (uint64_t l = 0; l < MH_MAX_LANES; l++)
        addr[l] = SCRIPT_BASE + start + l * odd % MH_MAX_LANES * op->bytes;
}

static inline void mix_list(const struct mix *m, struct mh_op *op, uint64_t *addr, uint64_t *rng)
{
    uint64_t span = random_next(rng) % 2 ? m->bytes : m->bytes / 16, start = random_next(rng) % (m->bytes - span + 1);
    op->list = true;
    if (random_next(rng) % 4 == 0) {
        mix_shuffled(m, op, addr, rng);
        return;
    }
    for (uint32_t l = 0; l < MH_MAX_LANES; l++)
        addr[l] = SCRIPT_BASE + start + random_next(rng) % (span - op->bytes);
}

/** A script_next; ctx is a struct mix. */
static inline bool mix_next(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct mix *m = ctx;
    uint64_t rng = m->seed ^ ((uint64_t)c->launch << 48 | (uint64_t)c->cta << 24 | c->warp), ops = random_next(&rng);
    rng += i * 0x2545f4914f6cdd1d;
    if (i >= 1 + ops % m->ops)
        return false;
    uint32_t dice = random_next(&rng) % 20;
    enum mh_op_kind kind = dice < 10 ? MH_OP_LOAD : dice < 16 ? MH_OP_STORE : dice < 19 ? MH_OP_ATOMIC : MH_OP_BARRIER;
    const bool returns = kind == MH_OP_ATOMIC && m->results && rng >> 40 & 1;
    kind = returns ? MH_OP_LOAD : kind;
    *op = (struct mh_op){
        .kind = (uint8_t)kind, .bytes = (uint8_t)(1u << random_next(&rng) % 5), .pc = returns ? MH_PC_RESULT | 1 : 1};
    op->gap = random_next(&rng) % 3 ? random_next(&rng) % 4 : random_next(&rng) % 60;
    op->wait = random_next(&rng) % 3 ? 0 : (uint8_t)(random_next(&rng) % 2 ? 1 : 1 + random_next(&rng) % MH_WAIT_MAX);
    op->ways = dice % 4 ? 0 : (uint8_t)(1 + op->gap);
    op->ahead = op->wait && random_next(&rng) % 2 ? (uint16_t)(random_next(&rng) % (op->gap + 1)) : 0;
    if (kind == MH_OP_BARRIER)
        return true;
    op->mask = mix_mask(mix_lanes(m, c->warp), &rng);
    if (random_next(&rng) % 3)
        mix_affine(m, op, &rng);
    else
        mix_list(m, op, addr, &rng);
    return true;
}

static inline void mix_count(const struct mix *m, const struct mh_cursor *c, struct mix_sums *sum)
{
    struct mh_op op;
    struct mh_lines lines;
    uint64_t addr[MH_MAX_LANES];
    uint32_t line_shift = m->line_bytes == 64 ? 6 : 7;
    for (uint64_t i = 0; mix_next((void *)m, c, i, &op, addr); i++) {
        bool memory = op.kind < MH_OP_BARRIER;
        sum->warp_instr += op.gap + 1;
        sum->lane_instr += (op.gap + 1) * (uint64_t)__builtin_popcountll(memory ? op.mask : mix_lanes(m, c->warp));
        sum->mem_instr += memory;
        if (!memory)
            continue;
        mh_coalesce(&op, addr, line_shift, 12 - line_shift, &lines);
        *(op.kind == MH_OP_LOAD && !(op.pc & MH_PC_RESULT) ? &sum->load_lines : &sum->write_lines) += lines.count;
    }
}

/** Over `launches` launches of `ctas` CTAs each. */
static inline struct mix_sums mix_total(const struct mix *m, uint32_t launches, uint32_t ctas)
{
    struct mix_sums sum = {0};
    for (uint32_t launch = 0; launch < launches; launch++)
        for (uint32_t cta = 0; cta < ctas; cta++)
            for (uint32_t warp = 0; warp * m->lanes < m->threads; warp++)
                mix_count(m, &(struct mh_cursor){.launch = launch, .cta = cta, .warp = warp}, &sum);
    return sum;
}

/** The script of a mix, which must live as long as it. */
static inline struct script *mix_script(struct mix *m, uint32_t launches, uint32_t ctas)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, m->bytes);
    for (uint32_t l = 0; l < launches; l++)
        script_launch(s, (struct mh_launch){.ctas = ctas, .threads = m->threads});
    script_generate(s, mix_next, m);
    return s;
}

/** Changes while anything moves. */
static inline uint64_t mix_progress(const struct mh_gpu *g)
{
    uint64_t sum = g->uvm->in.line + g->uvm->out.line;
    for (uint32_t t = 0; t < g->tenants; t++)
        sum += g->tenant[t].count.l1tlb_access + g->tenant[t].count.l2_access + g->tenant[t].count.warp_instr +
               g->tenant[t].count.dram_read + g->tenant[t].count.dram_write + g->tenant[t].count.uvm_in_bytes +
               g->tenant[t].count.uvm_out_bytes;
    return sum;
}

/** Every tenant has finished this many launches, or has left. */
static inline bool mix_done(const struct mh_gpu *g, uint32_t launches)
{
    for (uint32_t t = 0; t < g->tenants; t++)
        if (g->tenant[t].presence != MH_LEFT && g->tenant[t].count.launches < launches)
            return false;
    return true;
}

/** After the last launch: stores are still on their way. Fails the test if anything is held when they have come. */
static inline void mix_settle(struct mh_gpu *g)
{
    uint64_t seen;
    do {
        seen = mix_progress(g);
        mh_gpu_advance(g, mh_gpu_now(g) + 20000 + mh_uvm_longest_wait(&g->cfg));
    } while (mix_progress(g) != seen);
    script_assert_idle(g);
}

/** What was asked of the tenant was done, once, and no level served what did not miss the one before. */
static inline void mix_check(const struct mh_gpu *g, uint32_t tenant, const struct mix *m, uint32_t launches,
                             uint32_t ctas)
{
    const struct mh_counters *c = &g->tenant[tenant].count;
    struct mix_sums sum = mix_total(m, launches, ctas);
    assert_int_equal(c->warp_instr, sum.warp_instr);
    assert_int_equal(c->lane_instr, sum.lane_instr);
    assert_int_equal(c->mem_instr, sum.mem_instr);
    assert_int_equal(c->l1d_access, sum.load_lines);
    assert_int_equal(c->ctas, launches * ctas);
    /* A page that leaves memory while the LSU has its translation is looked up once more. */
    if (!c->uvm_evictions)
        assert_true(c->l1tlb_access <= sum.load_lines + sum.write_lines + c->l1tlb_hit);
    assert_true(c->l2_access >= sum.write_lines);
    assert_true(c->l2_access <= sum.write_lines + c->l1d_access - c->l1d_hit);
    assert_true(c->dram_read <= c->l2_access - c->l2_hit);
    assert_int_equal(c->latency_reads, c->l2_access - sum.write_lines);
    assert_int_equal(c->walks_live, 0);
}

/**
 * TLBs of GPCs and entries that cover several pages, for half of the seeds, with hardly any room. Its random numbers
 * are its own: configurations without such TLBs stay as they are.
 */
static inline void random_tlbs(struct mh_config *c, uint64_t seed)
{
    uint64_t rng = seed ^ 0x71b5;

    if (pick(&rng, 0, 1))
        return;
    c->sm.gpcs = pick(&rng, 1, c->sm.count);
    c->gpctlb.ways = pick(&rng, 1, 3);
    c->gpctlb.entries = pick(&rng, 0, 4) ? c->gpctlb.ways << pick(&rng, 0, 2) : 0;
    c->gpctlb.index = pick(&rng, 0, 1) ? MH_SETS_MODULO : MH_SETS_FOLD;
    c->gpctlb.covers = 1u << pick(&rng, 0, 4);
    c->gpctlb.ports = pick(&rng, 1, 4);
    c->gpctlb.latency = pick(&rng, 1, 20);
    c->gpctlb.mshrs = pick(&rng, 1, 4);
    c->gpctlb.wire = pick(&rng, 0, 1) * pick(&rng, 1, 9);
    c->l1tlb.covers = 1u << pick(&rng, 0, 1) * pick(&rng, 1, 4);
    c->l2tlb.covers = 1u << pick(&rng, 0, 4);
}

#endif
