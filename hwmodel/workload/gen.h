/*
 * What generated kernels share: buffer layout, launches, and a small coroutine style in which a kernel's body reads
 * like its source.
 *
 * A body is called once per op. It computes what depends on the thread at its top; then a switch over c->state has
 * all else behind `case 0`, and MH_END last. MH_LOAD and friends emit one op and return, and the next call goes on
 * behind them. Local variables do not
 * live across an op: loop counters belong in c->v[], everything else is recomputed at the top, or, where that is much,
 * computed while c->state is still 0 and kept in c->v[]. Each emitting macro needs a source line of its own.
 */
#ifndef MEMHELM_WORKLOAD_GEN_H
#define MEMHELM_WORKLOAD_GEN_H

#include "engine/random.h"
#include "workload/workload.h"

enum {
    MH_GEN_BUFFERS = 40,
    MH_GEN_PARAMS = 8,
};

/** Emits the next op of the warp at `c` of the launch this body belongs to. */
typedef void mh_gen_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr);

/** A generated workload. */
struct mh_gen {
    struct mh_workload w;     /**< first: its callbacks find the rest behind it */
    struct mh_launch *launch; /**< w.launch_count of them, room for launch_room */
    mh_gen_body **body;
    uint32_t launch_room;
    struct mh_buffer sorted[MH_GEN_BUFFERS]; /**< for w.buffers */
    uint64_t base[MH_GEN_BUFFERS];           /**< in the order of mh_gen_buffer() calls */
    uint64_t top, slab, slab_end;            /**< allocator: next 2 MiB boundary, current slab of small buffers */
    uint32_t lanes;
    uint32_t variant; /**< of the kernel */
    uint64_t n;       /**< problem size */
    const struct mh_input
        *input;                /**< data from a file, n of it rows, while the kernel is built. NULL: there is no file */
    uint64_t reached;          /**< of a file's n rows: those that have work; 0: there is no file */
    bool starts;               /**< they are those that a search from one of them finds */
    uint64_t seed;             /**< of the input data */
    uint64_t p[MH_GEN_PARAMS]; /**< the kernel's own */
    void *data;                /**< the kernel's own, from malloc; freed with the workload */
    bool ptx;                  /**< count and issue what the kernel's PTX does (MH_GAP) */
    bool results;              /**< warps wait for the results of atomics (l2.atomics bank) */
    bool overflow;             /**< a buffer did not fit below 2^39 */
    bool no_memory;            /**< for launches or data */
    bool failed;               /**< `err` says why */
    struct mh_error *err;      /**< while the kernel is built */
};

/**
 * Adds a buffer and returns its base. As in the recorded traces: from 4 GiB up, 1 MiB and more on a 2 MiB boundary,
 * smaller ones packed at 512 B in 2 MiB slabs. The order of calls is the source's order of allocations.
 */
uint64_t mh_gen_buffer(struct mh_gen *g, uint64_t bytes);

/** Adds a buffer of each of these sizes, in bytes. */
void mh_gen_buffers(struct mh_gen *g, uint32_t count, const uint64_t *bytes);

#define MH_BUFFERS(g, ...)                                                                                             \
    mh_gen_buffers(g, sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t), (const uint64_t[]){__VA_ARGS__})

/** Adds a launch; the fields are those of struct mh_launch. Any number of them. */
void mh_gen_launch(struct mh_gen *g, struct mh_launch launch, mh_gen_body *body);

/** The generated workload behind `w`, whole also where `w` has some of its launches; NULL: it is another kind. */
const struct mh_gen *mh_gen_of(const struct mh_workload *w);

static inline uint64_t mh_ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/** Number in the launch of the warp's first thread, with CTAs of `block` threads. */
static inline uint64_t mh_thread(const struct mh_gen *g, const struct mh_cursor *c, uint64_t block)
{
    return c->cta * block + c->warp * g->lanes;
}

/** Square root, rounded down. */
static inline uint64_t mh_root(uint64_t square)
{
    uint64_t r = 0;

    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((r + bit) * (r + bit) <= square)
            r += bit;
    return r;
}

/** Lanes 0 .. count-1; any count. */
static inline uint64_t mh_mask_first(uint64_t count)
{
    return count >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1;
}

/** Lanes whose element first + lane is below `limit`, at most `lanes` of them. */
static inline uint64_t mh_mask_below(uint64_t first, uint64_t limit, uint32_t lanes)
{
    uint64_t count = first < limit ? limit - first : 0;

    return mh_mask_first(count < lanes ? count : lanes);
}

/** Lanes l of a `width`-column tile with l % width == column; width divides `lanes` or is a multiple of it. */
static inline uint64_t mh_mask_column(uint32_t column, uint32_t width, uint32_t lanes)
{
    uint64_t mask = 0;

    for (uint32_t l = column; l < lanes; l += width)
        mask |= (uint64_t)1 << l;
    return mask;
}

/** Leaves in `mask` the lanes for which `condition` is true, an expression in `lane`. */
#define MH_KEEP_LANES(mask, lane, condition)                                                                           \
    do {                                                                                                               \
        for (uint64_t m_ = (mask); m_; m_ &= m_ - 1) {                                                                 \
            const unsigned lane = (unsigned)__builtin_ctzll(m_);                                                       \
                                                                                                                       \
            if (!(condition))                                                                                          \
                (mask) &= ~((uint64_t)1 << lane);                                                                      \
        }                                                                                                              \
    } while (0)

/** Gives each active lane of `op` its address, an expression in `lane`. */
#define MH_LIST_LANES(op, addr, lane, address)                                                                         \
    do {                                                                                                               \
        (op)->list = true;                                                                                             \
        for (uint64_t m_ = (op)->mask; m_; m_ &= m_ - 1) {                                                             \
            const unsigned lane = (unsigned)__builtin_ctzll(m_);                                                       \
                                                                                                                       \
            (addr)[lane] = address;                                                                                    \
        }                                                                                                              \
    } while (0)

/**
 * Address of lane l = base + stride * l. `wait`, here and in the macros, is whether the gap, or the op, uses what the
 * loads before it have loaded: false, true, or MH_NEEDS(n, ahead) where the source says more: the newest n - 1 loads
 * are not used yet, and the first `ahead` instructions of the gap use nothing that was loaded.
 */
static inline void mh_op_affine(struct mh_op *op, enum mh_op_kind kind, uint32_t pc, uint32_t bytes, uint32_t gap,
                                uint32_t wait, uint64_t mask, uint64_t base, int64_t stride)
{
    *op = (struct mh_op){.kind = (uint8_t)kind,
                         .bytes = (uint8_t)bytes,
                         .gap = gap,
                         .pc = pc,
                         .mask = mask,
                         .base = base,
                         .stride = stride};
    mh_op_set_needs(op, wait);
}

/** Address of lane l = base + (l % width) * sx + (l / width) * sy; one row where the lanes turn out to be affine. */
static inline void mh_op_tile(struct mh_op *op, uint32_t lanes, uint32_t width, int64_t sx, int64_t sy)
{
    op->stride = sx;
    if (lanes <= width || sy == (int64_t)width * sx)
        return;
    op->row = (uint8_t)width;
    op->pitch = sy;
}

/** A gap in operations of LLVM IR, or, with workload.instructions ptx, in PTX instructions. For use in a body. */
#define MH_GAP(llvm, ptx_) ((uint32_t)(g->ptx ? (ptx_) : (llvm)))

#define MH_GEN_DONE        UINT32_MAX

/* The op is filled in already: hand it out and come back here. */
#define MH_YIELD                                                                                                       \
    do {                                                                                                               \
        c->state = __LINE__;                                                                                           \
        return;                                                                                                        \
    case __LINE__:;                                                                                                    \
    } while (0)

/* An instruction that no lane executes is not issued. */
#define MH_MEM(kind, pc, bytes, gap, wait, mask, base, stride)                                                         \
    do {                                                                                                               \
        (void)addr; /* all programs have the same parameters */                                                        \
        if (mask) {                                                                                                    \
            mh_op_affine(op, kind, pc, bytes, gap, wait, mask, base, stride);                                          \
            c->state = __LINE__;                                                                                       \
            return;                                                                                                    \
        case __LINE__:;                                                                                                \
        }                                                                                                              \
    } while (0)

#define MH_MEM_TILE(kind, pc, bytes, gap, wait, mask, base, width, sx, sy)                                             \
    do {                                                                                                               \
        (void)addr; /* all programs have the same parameters */                                                        \
        if (mask) {                                                                                                    \
            mh_op_affine(op, kind, pc, bytes, gap, wait, mask, base, 0);                                               \
            mh_op_tile(op, g->lanes, width, sx, sy);                                                                   \
            c->state = __LINE__;                                                                                       \
            return;                                                                                                    \
        case __LINE__:;                                                                                                \
        }                                                                                                              \
    } while (0)

#define MH_LOAD(...)       MH_MEM(MH_OP_LOAD, __VA_ARGS__)
#define MH_STORE(...)      MH_MEM(MH_OP_STORE, __VA_ARGS__)
#define MH_LOAD_TILE(...)  MH_MEM_TILE(MH_OP_LOAD, __VA_ARGS__)
#define MH_STORE_TILE(...) MH_MEM_TILE(MH_OP_STORE, __VA_ARGS__)

#define MH_BARRIER(pc_, gap_, wait_)                                                                                   \
    do {                                                                                                               \
        *op = (struct mh_op){.kind = MH_OP_BARRIER, .gap = gap_, .pc = pc_};                                           \
        mh_op_set_needs(op, wait_);                                                                                    \
        c->state = __LINE__;                                                                                           \
        return;                                                                                                        \
    case __LINE__:;                                                                                                    \
    } while (0)

/* Ends the body; `wait`: the gap before the end uses loaded data. */
#define MH_END(gap_, wait_)                                                                                            \
    do {                                                                                                               \
        *op = (struct mh_op){.kind = MH_OP_EXIT, .gap = gap_};                                                         \
        mh_op_set_needs(op, wait_);                                                                                    \
        c->state = MH_GEN_DONE;                                                                                        \
        return;                                                                                                        \
    default:                                                                                                           \
        *op = (struct mh_op){.kind = MH_OP_EXIT};                                                                      \
    } while (0)

#endif
