/* Records of a trace: one warp instruction each. */
#include "workload/trace_parser.h"

#include <stdlib.h>

enum {
    MAX_PCS = 1 << 16,
    MAX_GAP = 1 << 30,
    MAX_ACCESS = 32, /* bytes per lane, as in struct mh_op */
};

/* Flags of a record. */
enum { KIND = 3, HAS_MASK = 4, IS_LIST = 8, SIZE_SHIFT = 4, SIZE_FOLLOWS = 7, RESERVED = 0x80 };

static struct mh_trace_last *find_last(struct mh_trace_parser *p, uint32_t pc)
{
    uint32_t i = pc * 0x9e3779b1u >> 7;

    for (;; i++) {
        struct mh_trace_last *l = &p->last[i & (p->last_size - 1)];

        if (l->pc == pc || l->pc == 0)
            return l;
    }
}

static bool grow_last(struct mh_trace_parser *p)
{
    struct mh_trace_last *old = p->last;
    uint32_t old_size = p->last_size;

    p->last_size = old_size ? old_size * 2 : 64;
    p->last = calloc(p->last_size, sizeof *p->last);
    if (!p->last) {
        p->last = old;
        p->last_size = old_size;
        return mh_tp_fail(p, p->item, "out of memory for instructions");
    }
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i].pc)
            *find_last(p, old[i].pc) = old[i];
    free(old);
    return true;
}

/* The slot of `pc`, with address 0 at the start of each warp; NULL on failure. */
static struct mh_trace_last *last_of(struct mh_trace_parser *p, uint32_t pc)
{
    struct mh_trace_last *l;

    if (p->last_count * 2 >= p->last_size && !grow_last(p))
        return NULL;
    l = find_last(p, pc);
    if (l->pc == 0) {
        if (++p->last_count > MAX_PCS) {
            mh_tp_fail(p, p->item, "more than %d different instructions", MAX_PCS);
            return NULL;
        }
        l->pc = pc;
        l->warp = UINT64_MAX;
    }
    if (l->warp != p->t->warps) {
        l->warp = p->t->warps;
        l->address = 0;
    }
    return l;
}

static bool in_buffer(const struct mh_buffer *b, uint64_t address, uint32_t bytes)
{
    return address >= b->base && address - b->base < b->bytes && b->bytes - (address - b->base) >= bytes;
}

static bool in_buffers(struct mh_trace_parser *p, uint64_t address, uint32_t bytes)
{
    if (p->buffer_count && in_buffer(&p->buffers[p->last_buffer], address, bytes))
        return true;
    for (uint32_t i = 0; i < p->buffer_count; i++)
        if (in_buffer(&p->buffers[i], address, bytes)) {
            p->last_buffer = i;
            return true;
        }
    return false;
}

static bool check_address(struct mh_trace_parser *p, uint64_t address, uint32_t bytes)
{
    if (in_buffers(p, address, bytes))
        return true;
    return mh_tp_fail(p, p->item, "expected addresses inside the launch's buffers, found 0x%llx (%u bytes)",
                      (unsigned long long)address, bytes);
}

static bool add_record(struct mh_trace_parser *p, struct mh_trace_shape s, uint64_t base, const uint64_t *offsets)
{
    if (mh_trace_add_record(p->t, s, base, offsets))
        return true;
    return mh_tp_fail(p, p->item, "the trace is too large: more than %d records, or out of memory",
                      MH_TRACE_MAX_RECORDS);
}

/* Wrapping arithmetic is harmless here: an address that wrapped lies in no buffer, and every lane is looked up. */
static bool get_strided(struct mh_trace_parser *p, struct mh_trace_shape s, uint64_t first_address)
{
    unsigned first = (unsigned)__builtin_ctzll(s.mask);
    uint64_t stride;

    if (!mh_tp_signed(p, &stride, "a stride"))
        return false;
    for (uint64_t m = s.mask; m; m &= m - 1)
        if (!check_address(p, first_address + stride * ((unsigned)__builtin_ctzll(m) - first), s.bytes))
            return false;
    s.stride = (int64_t)stride;
    return add_record(p, s, first_address - stride * first, NULL);
}

static bool get_list(struct mh_trace_parser *p, struct mh_trace_shape s, uint64_t first_address)
{
    uint64_t offsets[MH_MAX_LANES] = {0}, delta;
    unsigned count = (unsigned)__builtin_popcountll(s.mask);

    if (!check_address(p, first_address, s.bytes))
        return false;
    for (unsigned i = 1; i < count; i++) {
        if (!mh_tp_signed(p, &delta, "the distance to the next lane's address"))
            return false;
        offsets[i] = offsets[i - 1] + delta;
        if (!check_address(p, first_address + offsets[i], s.bytes))
            return false;
    }
    return add_record(p, s, first_address, offsets);
}

static bool get_addresses(struct mh_trace_parser *p, struct mh_trace_shape s, unsigned flags)
{
    unsigned code = flags >> SIZE_SHIFT & 7;
    uint64_t bytes = (uint64_t)1 << code, delta;
    struct mh_trace_last *last = last_of(p, s.pc);

    if (!last)
        return false;
    if (code == 6)
        return mh_tp_fail(p, p->item, "expected an access size code of 0..5 or 7, found 6");
    if (code == SIZE_FOLLOWS && !mh_tp_number(p, &bytes, 1, MAX_ACCESS, "the bytes of one lane's access"))
        return false;
    if (!mh_tp_signed(p, &delta, "an address"))
        return false;
    s.bytes = (uint8_t)bytes;
    last->address += delta;
    return flags & IS_LIST ? get_list(p, s, last->address) : get_strided(p, s, last->address);
}

static bool get_mask(struct mh_trace_parser *p, uint64_t *mask, uint64_t all)
{
    uint64_t offset = mh_stream_offset(&p->in);
    unsigned byte;

    *mask = 0;
    for (unsigned i = 0; i < p->lanes / 8; i++) {
        if (!mh_tp_byte(p, &byte, "a mask of lanes"))
            return false;
        *mask |= (uint64_t)byte << (8 * i);
    }
    if (*mask == 0 || *mask & ~all)
        return mh_tp_fail(p, offset, "expected a mask of some of the lanes 0x%llx, found 0x%llx",
                          (unsigned long long)all, (unsigned long long)*mask);
    return true;
}

bool mh_tp_record(struct mh_trace_parser *p, uint64_t all)
{
    static const uint8_t kinds[] = {MH_OP_LOAD, MH_OP_STORE, MH_OP_ATOMIC, MH_OP_BARRIER};
    struct mh_trace_shape s = {.mask = all};
    uint64_t gap, pc;
    unsigned flags;

    p->item = mh_stream_offset(&p->in);
    if (!mh_tp_byte(p, &flags, "a record"))
        return false;
    if (flags & RESERVED)
        return mh_tp_fail(p, p->item, "expected a record, found flags 0x%02x with a reserved bit", flags);
    if (!mh_tp_number(p, &gap, 0, MAX_GAP, "an instruction count") ||
        !mh_tp_number(p, &pc, 1, UINT32_MAX, "an instruction's id") || (flags & HAS_MASK && !get_mask(p, &s.mask, all)))
        return false;
    s.gap = (uint32_t)gap;
    s.pc = (uint32_t)pc;
    s.kind = kinds[flags & KIND];
    if (s.kind != MH_OP_BARRIER)
        return get_addresses(p, s, flags);
    p->barriers++;
    return add_record(p, s, 0, NULL);
}
