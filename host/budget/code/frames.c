#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "mcu/insn.h"
#include "base/memory.h"

enum { DEPTH_MAX = 1 << 16, UNSEEN = -1, BACK = 16 };
enum { CSR_MSTATUS = 0x300, MSTATUS_MIE = 8 };

/* One function under way. Halves are 16-bit words of its code. */
struct walk {
    struct frame *f;
    const uint8_t *code;
    uint32_t address, size;
    bool table, switching;
    int32_t *depth;  /* before the instruction at each half; UNSEEN */
    bool *joined;    /* something jumps there */
    uint32_t *queue; /* halves whose depth has grown */
    unsigned queued;
    bool *waiting;
    struct mh_error *err;
};

static uint32_t half_of(const struct walk *w, uint32_t at)
{
    return (at - w->address) / 2;
}

static bool inside(const struct walk *w, uint32_t at)
{
    return at - w->address < w->size && !(at & 1);
}

static void decode(const struct walk *w, uint32_t at, struct insn *i)
{
    uint8_t bytes[4] = {0};
    uint32_t left = w->size - (at - w->address);
    memcpy(bytes, w->code + (at - w->address), left < 4 ? left : 4);
    insn_decode(bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24, i);
}

/* Control comes to `at` with `depth` bytes on the stack. */
static void reach(struct walk *w, uint32_t at, int32_t depth)
{
    uint32_t half = half_of(w, at);
    if (depth <= w->depth[half])
        return;
    w->depth[half] = depth;
    if (!w->waiting[half])
        w->queue[w->queued++] = half;
    w->waiting[half] = true;
}

static void jump(struct walk *w, uint32_t to, int32_t depth)
{
    if (!inside(w, to))
        return;
    w->joined[half_of(w, to)] = true;
    reach(w, to, depth);
}

/* A switch may go to any instruction of the function: there are no constants between them. */
static void jump_anywhere(struct walk *w, int32_t depth)
{
    struct insn i;
    for (uint32_t to = w->address; inside(w, to); to += i.size) {
        decode(w, to, &i);
        if (w->depth[half_of(w, to)] == UNSEEN)
            jump(w, to, depth);
    }
}

/* ---- Straight line backwards, when the walk has seen what there is. */

/* The instruction that comes before `at` on every way to it; 0 when there is no such. */
static uint32_t before(const struct walk *w, uint32_t at, struct insn *i)
{
    for (uint32_t size = 2; size <= 4 && !w->joined[half_of(w, at)]; size += 2) {
        if (!inside(w, at - size) || w->depth[half_of(w, at - size)] == UNSEEN)
            continue;
        decode(w, at - size, i);
        if (i->size == size)
            return insn_leaves(i) && !insn_calls(i) ? 0 : at - size;
    }
    return 0;
}

/* s0 .. s11 */
static bool callee_saved(uint8_t reg)
{
    return reg == 8 || reg == 9 || (reg >= 18 && reg <= 27);
}

/* The instruction that has set `reg` when `at` is executed; 0 when that is not clear. */
static uint32_t setter(const struct walk *w, uint32_t at, uint8_t reg, struct insn *i)
{
    for (unsigned n = 0; n < BACK && (at = before(w, at, i)); n++) {
        if (i->rd == reg)
            return at;
        if (insn_calls(i) && !callee_saved(reg))
            return 0;
    }
    return 0;
}

static bool upper(const struct insn *i)
{
    return insn_is_auipc(i) || insn_is_lui(i);
}

/* The constant that `reg` holds when `at` is executed; false when that is not clear. */
static bool constant(const struct walk *w, uint32_t at, uint8_t reg, uint32_t *value)
{
    struct insn set;
    uint32_t from = setter(w, at, reg, &set);
    bool adds = from && insn_is_addi(&set);
    uint32_t imm = adds ? (uint32_t)set.imm : 0;
    if (adds && set.rs1)
        from = setter(w, from, set.rs1, &set);
    *value = imm + (adds && !set.rs1 ? 0 : (uint32_t)set.imm);
    return from && ((adds && !set.rs1) || insn_is_lui(&set));
}

/* ---- sp. */

/* The second half of `la sp`, which sets it afresh. */
static bool ends_la(const struct walk *w, uint32_t at)
{
    struct insn set;
    return w->switching && before(w, at, &set) && set.rd == REG_SP && upper(&set);
}

/* The depth behind the instruction; negative for what no function does. */
static int32_t behind(const struct walk *w, uint32_t at, const struct insn *i, int32_t depth)
{
    if (i->rd != REG_SP)
        return depth;
    if (!insn_is_addi(i) || i->rs1 != REG_SP || ends_la(w, at))
        return 0;
    return depth - i->imm;
}

static int step(struct walk *w, uint32_t at)
{
    struct insn i;
    int32_t depth = w->depth[half_of(w, at)];
    decode(w, at, &i);
    if (i.cls == INSN_BRANCH || (i.cls == INSN_JAL && !insn_calls(&i)))
        jump(w, insn_target(&i, at), depth);
    else if (i.cls == INSN_JALR && !insn_calls(&i) && !insn_returns(&i) && w->table)
        jump_anywhere(w, depth);
    depth = behind(w, at, &i, depth);
    if (depth > DEPTH_MAX)
        return mh_fail(w->err, "at 0x%x: the stack grows without bound", at);
    bool on = !insn_leaves(&i) || insn_calls(&i);
    if (on && inside(w, at + i.size)) /* on the way to the deeper end of two that meet here, it may look too shallow */
        reach(w, at + i.size, depth < 0 ? 0 : depth);
    return 0;
}

static int follow(struct walk *w)
{
    reach(w, w->address, 0);
    while (w->queued) {
        uint32_t half = w->queue[--w->queued];
        w->waiting[half] = false;
        if (step(w, w->address + 2 * half))
            return -1;
    }
    return 0;
}

/* ---- What was found. */

static void add_call(struct walk *w, struct call call)
{
    struct frame *f = w->f;
    f->calls = grow(f->calls, f->count, &f->room, sizeof *f->calls);
    f->calls[f->count++] = call;
}

/* A far jump is auipc and jalr; any other goes through a pointer. */
static void note_jalr(struct walk *w, const struct insn *i, struct call call)
{
    struct insn set;
    uint32_t from = setter(w, call.at, i->rs1, &set);
    call.indirect = true;
    call.offset = -1;
    if (from && insn_is_auipc(&set)) {
        call.indirect = false;
        call.target = from + (uint32_t)set.imm + (uint32_t)i->imm;
    } else if (from && set.cls == INSN_LOAD && !i->imm) {
        call.offset = set.imm;
    }
    if (!call.indirect || !call.tail || !w->table)
        add_call(w, call);
}

static void note_call(struct walk *w, uint32_t at, const struct insn *i, int32_t depth)
{
    struct call call = {.at = at, .depth = (uint32_t)depth, .tail = !insn_calls(i), .target = insn_target(i, at)};
    if (i->cls == INSN_JALR && !insn_returns(i))
        note_jalr(w, i, call);
    bool leaves = i->cls == INSN_BRANCH || i->cls == INSN_JAL;
    if (leaves && (!call.tail || !inside(w, call.target)))
        add_call(w, call);
}

static int note_sp(struct walk *w, uint32_t at, const struct insn *i, int32_t depth)
{
    struct frame *f = w->f;
    bool constant = insn_is_addi(i) && i->rs1 == REG_SP && !ends_la(w, at);
    if (i->cls == INSN_WFI && (uint32_t)depth > f->asleep)
        f->asleep = (uint32_t)depth;
    if (i->rd != REG_SP)
        return 0;
    if (!constant && !w->switching)
        return mh_fail(w->err, "at 0x%x: sp is set to what is no constant away", at);
    if (behind(w, at, i, depth) < 0)
        return mh_fail(w->err, "at 0x%x: more is taken off the stack than was put on it", at);
    f->switches |= !constant;
    if (behind(w, at, i, depth) > (int32_t)f->bytes)
        f->bytes = (uint32_t)behind(w, at, i, depth);
    return 0;
}

/* Of csrrw, csrrs and their immediate forms; mret gives back what there was. */
static void note_csr(struct walk *w, uint32_t at, const struct insn *i)
{
    uint32_t value, form = i->word >> 12 & 7;
    if (i->cls != INSN_CSR_FLUSH || i->word >> 20 != CSR_MSTATUS)
        return;
    if (form & 4)
        value = i->word >> 15 & 31;
    else if (!constant(w, at, i->rs1, &value))
        value = MSTATUS_MIE; /* it may */
    if (value & MSTATUS_MIE)
        w->f->enables = at;
}

static int collect(struct walk *w)
{
    struct insn i;
    for (uint32_t at = w->address; at - w->address < w->size; at += 2) {
        int32_t depth = w->depth[half_of(w, at)];
        if (depth == UNSEEN)
            continue;
        decode(w, at, &i);
        if (i.cls == INSN_ILLEGAL)
            return mh_fail(w->err, "at 0x%x: no instruction", at);
        note_csr(w, at, &i);
        if (note_sp(w, at, &i, depth))
            return -1;
        note_call(w, at, &i, depth);
    }
    return 0;
}

static int walk(struct walk *w)
{
    for (uint32_t i = 0; i <= w->size / 2; i++)
        w->depth[i] = UNSEEN;
    return follow(w) || collect(w) ? -1 : 0;
}

int frame_walk(struct frame *f, const uint8_t *code, uint32_t address, uint32_t size, bool table, bool switching,
               struct mh_error *err)
{
    size_t halves = size / 2 + 1;
    struct walk w = {.f = f, .code = code, .address = address, .size = size, .table = table, .switching = switching};
    w.err = err;
    memset(f, 0, sizeof *f);
    w.depth = must_have(halves, sizeof *w.depth);
    w.queue = must_have(halves, sizeof *w.queue);
    w.joined = must_have(halves, sizeof *w.joined);
    w.waiting = must_have(halves, sizeof *w.waiting);
    int status = size < 2 ? mh_fail(err, "at 0x%x: a function without code", address) : walk(&w);
    free(w.depth);
    free(w.queue);
    free(w.joined);
    free(w.waiting);
    if (status)
        frame_free(f);
    return status;
}

void frame_free(struct frame *f)
{
    free(f->calls);
    memset(f, 0, sizeof *f);
}
