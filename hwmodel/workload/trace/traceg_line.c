#include "workload/trace/traceg.h"

#include <string.h>

struct scan {
    const char *at;
    struct mh_traceg_fault *fault;
};

static bool fail(struct scan *s, const char *expected, const char *found)
{
    *s->fault = (struct mh_traceg_fault){expected, found};
    return false;
}

static void skip_blanks(struct scan *s)
{
    while (*s->at == ' ' || *s->at == '\t')
        s->at++;
}

static bool at_end(const struct scan *s)
{
    return *s->at == ' ' || *s->at == '\t' || !*s->at;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* A number up to `max`, in a column of its own. */
static bool number(struct scan *s, unsigned base, uint64_t max, uint64_t *v, const char *expected)
{
    const char *from;

    skip_blanks(s);
    from = s->at;
    if (base == 16 && s->at[0] == '0' && (s->at[1] | 0x20) == 'x' && digit(s->at[2]) < 16)
        s->at += 2;
    if (digit(*s->at) >= (int)base)
        return fail(s, expected, from);
    for (*v = 0; digit(*s->at) < (int)base; s->at++) {
        uint64_t d = (uint64_t)digit(*s->at);

        if (d > max || *v > (max - d) / base)
            return fail(s, expected, from);
        *v = *v * base + d;
    }
    return at_end(s) || fail(s, expected, from);
}

static bool count(struct scan *s, uint64_t max, uint32_t *v, const char *expected)
{
    uint64_t wide;

    if (!number(s, 10, max, &wide, expected))
        return false;
    *v = (uint32_t)wide;
    return true;
}

/* Two's complement. */
static bool signed_number(struct scan *s, uint64_t *v, const char *expected)
{
    bool minus;

    skip_blanks(s);
    minus = *s->at == '-';
    s->at += minus;
    if (s->at[0] == '0' && (s->at[1] | 0x20) == 'x' ? !number(s, 16, UINT64_MAX, v, expected)
                                                    : !number(s, 10, UINT64_MAX, v, expected))
        return false;
    if (minus)
        *v = 0 - *v;
    return true;
}

static bool registers(struct scan *s, uint32_t *n, uint8_t *list, const char *expected)
{
    uint64_t v;

    if (!count(s, MH_TRACEG_REGISTERS, n, expected))
        return false;
    for (uint32_t i = 0; i < *n; i++) {
        skip_blanks(s);
        if (*s->at != 'R')
            return fail(s, "a register (R0 to R255)", s->at);
        s->at++;
        if (!number(s, 10, 255, &v, "a register (R0 to R255)"))
            return false;
        list[i] = (uint8_t)v;
    }
    return true;
}

static bool opcode(struct scan *s, char name[MH_TRACEG_OPCODE])
{
    const char *from;
    size_t length;

    skip_blanks(s);
    from = s->at;
    if (*from < 'A' || *from > 'Z')
        return fail(s, "an opcode", from);
    while (!at_end(s))
        s->at++;
    length = (size_t)(s->at - from);
    if (length >= MH_TRACEG_OPCODE)
        length = MH_TRACEG_OPCODE - 1;
    memcpy(name, from, length);
    name[length] = 0;
    return true;
}

static bool list(struct scan *s, struct mh_traceg_inst *inst)
{
    for (uint32_t m = inst->mask; m; m &= m - 1)
        if (!number(s, 16, UINT64_MAX, &inst->address[__builtin_ctz(m)], "an address for each active lane"))
            return false;
    return true;
}

static bool base_and_stride(struct scan *s, struct mh_traceg_inst *inst)
{
    uint64_t base, stride;
    unsigned first = inst->mask ? (unsigned)__builtin_ctz(inst->mask) : 0;
    uint64_t block = (uint64_t)inst->mask >> first;
    const char *from;

    skip_blanks(s);
    from = s->at;
    if (!number(s, 16, UINT64_MAX, &base, "a base address") || !signed_number(s, &stride, "a stride"))
        return false;
    if (block & (block + 1))
        return fail(s, "active lanes without gaps for address mode 1 (base and stride)", from);
    for (uint32_t m = inst->mask; m; m &= m - 1)
        inst->address[__builtin_ctz(m)] = base + stride * ((unsigned)__builtin_ctz(m) - first);
    return true;
}

static bool base_and_deltas(struct scan *s, struct mh_traceg_inst *inst)
{
    uint64_t address, delta;

    if (!number(s, 16, UINT64_MAX, &address, "a base address"))
        return false;
    for (uint32_t m = inst->mask; m; m &= m - 1) {
        delta = 0;
        if (m != inst->mask && !signed_number(s, &delta, "the distance to the address of the next active lane"))
            return false;
        address += delta;
        inst->address[__builtin_ctz(m)] = address;
    }
    return true;
}

static bool addresses(struct scan *s, struct mh_traceg_inst *inst)
{
    uint32_t mode;

    if (!count(s, 2, &mode, "an address mode (0 list, 1 base and stride, 2 base and deltas)"))
        return false;
    return mode == 0 ? list(s, inst) : mode == 1 ? base_and_stride(s, inst) : base_and_deltas(s, inst);
}

/* An immediate; Accel-Sim's reader takes one more delta in mode 2, so some writers put one there. */
static bool rest(struct scan *s, struct mh_traceg_inst *inst)
{
    uint64_t v;

    for (int i = 0; skip_blanks(s), *s->at; i++) {
        if (i == 2)
            return fail(s, "the end of the line", s->at);
        if (!signed_number(s, &v, "an immediate or the end of the line"))
            return false;
        if (i == 0)
            inst->immediate = (int64_t)v;
    }
    return true;
}

bool mh_traceg_parse(const char *line, struct mh_traceg_columns columns, struct mh_traceg_inst *inst,
                     struct mh_traceg_fault *fault)
{
    struct scan s = {line, fault};
    uint64_t v;

    inst->immediate = 0;
    inst->opcode[0] = 0;
    for (int i = 0; columns.ids && i < 4; i++)
        if (!number(&s, 10, UINT32_MAX, &v, "a CTA's x, y, z and a warp's number"))
            return false;
    if (columns.line && !number(&s, 10, UINT32_MAX, &v, "a line number"))
        return false;
    if (!number(&s, 16, UINT64_MAX, &inst->pc, "a pc (hexadecimal)") ||
        !number(&s, 16, UINT32_MAX, &v, "a mask of 32 lanes (hexadecimal)"))
        return false;
    inst->mask = (uint32_t)v;
    if (!registers(&s, &inst->dest_count, inst->dest, "a number of destination registers") ||
        !opcode(&s, inst->opcode) ||
        !registers(&s, &inst->source_count, inst->source, "a number of source registers") ||
        !count(&s, 1 << 16, &inst->width, "a memory width"))
        return false;
    return (inst->width == 0 || addresses(&s, inst)) && rest(&s, inst);
}
