/* Records of a GMT trace: one warp instruction each. */
#include "workload/trace/gmt.h"

enum {
    MAX_GAP = 1 << 30,
    MAX_ACCESS = 32, /* bytes per lane, as in struct mh_op */
};

/* What is checked once need not be again, unless something was moved. */
static bool looks(const struct mh_gmt *p)
{
    return !p->checked || p->r.about.moved;
}

/* All lanes of a short stride lie in one buffer: the common case. An address that wrapped lies in none. */
static bool in_one_buffer(struct mh_gmt *p, const struct mh_op *op, uint64_t first_address, uint64_t stride)
{
    unsigned first = (unsigned)__builtin_ctzll(op->mask), last = 63 - (unsigned)__builtin_clzll(op->mask);
    bool is_short = stride + ((uint64_t)1 << 39) < (uint64_t)1 << 40;

    return is_short && mh_gmt_in_one_buffer(p, first_address, first_address + stride * (last - first), op->bytes);
}

/* Each lane by itself: those that lie outside move, or are a failure. */
static bool emit_lanes(struct mh_gmt *p, struct mh_op *op, uint64_t *addr)
{
    for (uint64_t m = op->mask; m; m &= m - 1)
        if (!mh_gmt_address(p, &addr[__builtin_ctzll(m)], op->bytes))
            return false;
    mh_trace_set_addresses(op, addr);
    return mh_gmt_emit(p, op, op->list ? addr : NULL);
}

static bool get_strided(struct mh_gmt *p, struct mh_op *op, uint64_t first_address)
{
    unsigned first = (unsigned)__builtin_ctzll(op->mask);
    uint64_t stride, addr[MH_MAX_LANES];

    if (!mh_gmt_signed(p, &stride, "a stride"))
        return false;
    if (looks(p) && !in_one_buffer(p, op, first_address, stride)) {
        for (uint64_t m = op->mask; m; m &= m - 1)
            addr[__builtin_ctzll(m)] = first_address + stride * ((unsigned)__builtin_ctzll(m) - first);
        return emit_lanes(p, op, addr);
    }
    op->stride = (int64_t)stride;
    op->base = first_address - stride * first;
    return mh_gmt_emit(p, op, NULL);
}

static bool get_list(struct mh_gmt *p, struct mh_op *op, uint64_t address)
{
    uint64_t addr[MH_MAX_LANES], delta = 0;

    op->list = true;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        if (m != op->mask && !mh_gmt_signed(p, &delta, "the distance to the next lane's address"))
            return false;
        address += delta;
        addr[__builtin_ctzll(m)] = address;
        if (looks(p) && !mh_gmt_address(p, &addr[__builtin_ctzll(m)], op->bytes))
            return false;
        if (m == op->mask)
            op->base = addr[__builtin_ctzll(m)];
    }
    return mh_gmt_emit(p, op, addr);
}

static bool get_size(struct mh_gmt *p, struct mh_op *op, unsigned flags)
{
    unsigned code = flags >> MH_GMT_SIZE_SHIFT & 7;
    uint64_t bytes;

    if (code == MH_GMT_SIZE_FOLLOWS) {
        if (!mh_gmt_number(p, &bytes, 1, MAX_ACCESS, "the bytes of one lane's access"))
            return false;
        op->bytes = (uint8_t)bytes;
        return true;
    }
    if (code > 5)
        return mh_gmt_fail(p, p->item, "expected an access size code of 0..5 or 7, found %u", code);
    op->bytes = (uint8_t)(1u << code);
    return true;
}

static bool get_addresses(struct mh_gmt *p, struct mh_op *op, unsigned flags)
{
    struct mh_gmt_last *last;
    uint64_t delta;

    if (!get_size(p, op, flags) || !mh_gmt_signed(p, &delta, "an address"))
        return false;
    last = mh_gmt_table_get(&p->table, op->pc, p->serial);
    if (!last)
        return mh_gmt_fail(p, p->item, "more than %d different instructions, or out of memory", MH_TRACE_MAX_PCS);
    last->address += delta;
    return flags & MH_GMT_IS_LIST ? get_list(p, op, last->address) : get_strided(p, op, last->address);
}

static bool get_mask(struct mh_gmt *p, uint64_t *mask, uint64_t all)
{
    uint64_t offset = mh_stream_offset(&p->in);
    unsigned byte;

    *mask = 0;
    for (unsigned i = 0; i < p->lanes / 8; i++) {
        if (!mh_gmt_byte(p, &byte, "a mask of lanes"))
            return false;
        *mask |= (uint64_t)byte << (8 * i);
    }
    if (*mask == 0 || *mask & ~all)
        return mh_gmt_fail(p, offset, "expected a mask of some of the lanes 0x%llx, found 0x%llx",
                           (unsigned long long)all, (unsigned long long)*mask);
    return true;
}

bool mh_gmt_gap(struct mh_gmt *p, uint32_t *gap)
{
    uint64_t v;

    if (!mh_gmt_number(p, &v, 0, MAX_GAP, "an instruction count"))
        return false;
    *gap = (uint32_t)v;
    return true;
}

bool mh_gmt_need(struct mh_gmt *p, struct mh_op *op, bool optional)
{
    uint64_t offset = mh_stream_offset(&p->in), packed;

    if (!mh_gmt_number(p, &packed, optional ? 0 : 1, MH_NEEDS(15, UINT16_MAX), "which loads are needed"))
        return false;
    mh_op_set_needs(op, (uint32_t)packed);
    if (packed && (!op->wait || op->wait > MH_WAIT_MAX || op->ahead > op->gap))
        return mh_gmt_fail(p, offset,
                           "expected which loads are needed (1..%d) and up to %u instructions ahead, found %u and %u",
                           MH_WAIT_MAX, op->gap, op->wait, op->ahead);
    return true;
}

bool mh_gmt_record(struct mh_gmt *p, uint64_t all)
{
    static const uint8_t kinds[] = {MH_OP_LOAD, MH_OP_STORE, MH_OP_ATOMIC, MH_OP_BARRIER};
    struct mh_op op = {.mask = all};
    unsigned flags;
    uint64_t pc;

    p->item = mh_stream_offset(&p->in);
    if (!mh_gmt_byte(p, &flags, "a record"))
        return false;
    if (flags & MH_GMT_DEPENDS && !p->second)
        return mh_gmt_fail(p, p->item, "expected a record, found flags 0x%02x with a reserved bit", flags);
    if (!mh_gmt_gap(p, &op.gap) || !mh_gmt_number(p, &pc, 1, UINT32_MAX, "an instruction's id") ||
        (flags & MH_GMT_DEPENDS && !mh_gmt_need(p, &op, false)) ||
        (flags & MH_GMT_HAS_MASK && !get_mask(p, &op.mask, all)))
        return false;
    op.pc = (uint32_t)pc;
    op.kind = kinds[flags & MH_GMT_KIND];
    if (!p->second)
        mh_gmt_uses_apply(&p->uses, &p->warp, &op);
    return op.kind == MH_OP_BARRIER ? mh_gmt_emit(p, &op, NULL) : get_addresses(p, &op, flags);
}
