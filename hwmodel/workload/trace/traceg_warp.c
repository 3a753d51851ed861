/* The instructions of a warp: what becomes an op, what becomes a gap, what waits. */
#include "workload/trace/traceg.h"

#include <stdlib.h>
#include <string.h>

/* ---- static instructions ---- */

static uint32_t slot_of(const struct mh_traceg_pcs *t, const char *kernel, uint64_t offset)
{
    uint32_t i = (uint32_t)((offset + ((uint64_t)(uint8_t)kernel[0] << 32)) * 0x9e3779b97f4a7c15u >> 40);

    for (;; i++) {
        uint32_t n = t->table[i & (t->table_size - 1)];

        /* Kernels' names are stored once, so that their addresses tell them apart. */
        if (n == 0 || (t->pc[n - 1].offset == offset && t->pc[n - 1].kernel == kernel))
            return i & (t->table_size - 1);
    }
}

static bool grow_pcs(struct mh_traceg_pcs *t)
{
    uint32_t capacity = t->capacity ? t->capacity * 2 : 64;
    struct mh_trace_pc *pc = realloc(t->pc, capacity * sizeof *pc);
    uint32_t *table = pc ? calloc(2 * capacity, sizeof *table) : NULL;

    if (pc)
        t->pc = pc;
    if (!table)
        return false;
    free(t->table);
    t->table = table;
    t->table_size = 2 * capacity;
    t->capacity = capacity;
    for (uint32_t i = 0; i < t->count; i++)
        t->table[slot_of(t, t->pc[i].kernel, t->pc[i].offset)] = i + 1;
    return true;
}

static bool number_of(struct mh_traceg *p, const struct mh_traceg_inst *inst, uint32_t *pc)
{
    struct mh_traceg_pcs *t = &p->pcs;
    uint32_t slot;

    if (t->count == t->capacity && !grow_pcs(t))
        return mh_traceg_fail(p, "out of memory for instructions");
    slot = slot_of(t, p->kernel_name, inst->pc);
    if (!t->table[slot]) {
        if (t->count == MH_TRACE_MAX_PCS)
            return mh_traceg_fail(p, "more than %d different global memory instructions", MH_TRACE_MAX_PCS);
        t->pc[t->count] = (struct mh_trace_pc){.kernel = p->kernel_name, .offset = inst->pc};
        memcpy(t->pc[t->count].opcode, inst->opcode, sizeof inst->opcode);
        t->table[slot] = ++t->count;
    }
    *pc = t->table[slot];
    return true;
}

/* ---- addresses ---- */

static bool touch(struct mh_traceg *p, const struct mh_traceg_inst *inst, uint32_t bytes)
{
    for (uint32_t m = inst->mask; m; m &= m - 1) {
        uint64_t a = inst->address[__builtin_ctz(m)];

        if (a + bytes - 1 < a)
            return mh_traceg_fail(p, "expected an address, found 0x%llx, which wraps around", (unsigned long long)a);
        switch (mh_pages_touch(&p->pages, a, bytes)) {
        case MH_PAGES_OK:
            break;
        case MH_PAGES_MEMORY:
            return mh_traceg_fail(p, "out of memory for pages");
        case MH_PAGES_FULL:
            return mh_traceg_fail(p, "the kernels touch more 2 MiB regions than fit below 2^39");
        }
    }
    return true;
}

static bool map(struct mh_traceg *p, struct mh_traceg_inst *inst)
{
    bool ok = true;

    for (uint32_t m = inst->mask; m; m &= m - 1)
        inst->address[__builtin_ctz(m)] = mh_pages_map(&p->pages, inst->address[__builtin_ctz(m)], &ok);
    return ok || mh_traceg_fail(p, "an address that was not there before");
}

/* ---- instructions ---- */

static bool emit(struct mh_traceg *p, struct mh_op *op, const uint64_t *addr)
{
    op->gap = p->gap;
    mh_need_take(&p->deps.need, op);
    p->gap = 0;
    if (p->sink->op(p->sink, op, addr))
        return true;
    return mh_traceg_fail(p, "the CTA's operations take more than 1 GiB, or out of memory");
}

static bool memory(struct mh_traceg *p, struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes)
{
    static const uint8_t kinds[] = {[MH_SASS_LOAD] = MH_OP_LOAD,
                                    [MH_SASS_STORE] = MH_OP_STORE,
                                    [MH_SASS_ATOMIC] = MH_OP_ATOMIC,
                                    [MH_SASS_ASYNC] = MH_OP_LOAD};
    struct mh_op op = {.kind = kinds[kind], .bytes = (uint8_t)bytes, .mask = inst->mask};

    if (!(p->checked ? map(p, inst) : touch(p, inst, bytes)) || !number_of(p, inst, &op.pc))
        return false;
    mh_trace_set_addresses(&op, inst->address);
    if (!emit(p, &op, inst->address))
        return false;
    if (kind != MH_SASS_STORE)
        mh_traceg_loaded(&p->deps, inst, kind, bytes);
    return true;
}

static bool barrier(struct mh_traceg *p, const struct mh_traceg_inst *inst)
{
    struct mh_op op = {.kind = MH_OP_BARRIER, .mask = inst->mask};

    return number_of(p, inst, &op.pc) && emit(p, &op, NULL);
}

static bool inside(uint64_t base, uint64_t address)
{
    return base && address >= base && address - base < MH_TRACEG_WINDOW;
}

/* What a generic access is: its first active lane decides, as in Accel-Sim. */
static enum mh_sass resolve(const struct mh_traceg *p, const struct mh_traceg_inst *inst, enum mh_sass kind)
{
    uint64_t first;

    if (kind < MH_SASS_GENERIC_LOAD || kind > MH_SASS_GENERIC_ATOMIC)
        return kind;
    if (inst->mask && inst->width) {
        first = inst->address[__builtin_ctz(inst->mask)];
        if (inside(p->shared_base, first))
            return MH_SASS_SHARED;
        if (inside(p->local_base, first))
            return MH_SASS_LOCAL;
    }
    return kind - MH_SASS_GENERIC_LOAD + MH_SASS_LOAD;
}

static bool is_global(enum mh_sass kind)
{
    return kind == MH_SASS_LOAD || kind == MH_SASS_STORE || kind == MH_SASS_ATOMIC || kind == MH_SASS_ASYNC;
}

static void count_in_gap(struct mh_traceg *p, enum mh_sass kind)
{
    struct mh_trace_mix *m = &p->mix;

    p->gap++;
    if (p->checked)
        return;
    m->shared += kind == MH_SASS_SHARED;
    m->local += kind == MH_SASS_LOCAL;
    m->constant += kind == MH_SASS_CONSTANT;
    m->texture += kind == MH_SASS_TEXTURE;
    m->idle += is_global(kind) || kind == MH_SASS_BARRIER;
}

/* Their lines have a grammar of their own. */
static bool fail_bulk(struct mh_traceg *p, const struct mh_traceg_inst *inst)
{
    return mh_traceg_fail(p, "%s: bulk copies (TMA) cannot be simulated", inst->opcode);
}

static bool check(struct mh_traceg *p, const struct mh_traceg_inst *inst, enum mh_sass kind)
{
    uint32_t threads = p->r.head.threads - p->warp * MH_TRACEG_LANES;
    uint32_t all = UINT32_MAX >> (threads < 32 ? 32 - threads : 0);

    if (inst->mask & ~all)
        return mh_traceg_fail(p, "expected a mask of some of the lanes %08x, found %08x", all, inst->mask);
    if (kind == MH_SASS_BULK)
        return fail_bulk(p, inst);
    if (is_global(kind) && !inst->width)
        return mh_traceg_fail(p, "expected a memory width above 0 for %s", inst->opcode);
    return true;
}

static bool execute(struct mh_traceg *p, struct mh_traceg_inst *inst)
{
    enum mh_sass kind = resolve(p, inst, mh_sass_of(inst->opcode));
    uint32_t bytes = mh_sass_bytes(inst->opcode);

    if (!check(p, inst, kind))
        return false;
    if (inst->mask)
        mh_traceg_use(&p->deps, inst, kind, bytes, p->gap);
    if (inst->mask && is_global(kind))
        return memory(p, inst, kind, bytes);
    if (inst->mask && kind == MH_SASS_BARRIER)
        return barrier(p, inst);
    count_in_gap(p, kind);
    return true;
}

static bool fail_line(struct mh_traceg *p, const char *line, const struct mh_traceg_fault *fault)
{
    if (*fault->found)
        return mh_traceg_fail(p, "expected %s, found '%.*s'", fault->expected, (int)strcspn(fault->found, " \t"),
                              fault->found);
    return mh_traceg_fail(p, "expected %s, found the end of '%.60s'", fault->expected, line);
}

static bool get_instruction(struct mh_traceg *p, uint32_t index, uint32_t count, struct mh_traceg_inst *inst)
{
    struct mh_traceg_fault fault;
    const char *line;

    if (!mh_traceg_next_line(p, &line, "an instruction"))
        return false;
    if (*line == '#' || strncmp(line, "warp", 4) == 0)
        return mh_traceg_fail(p, "expected instruction %u of the %u that the warp announces, found '%.40s'", index + 1,
                              count, line);
    if (mh_traceg_parse(line, p->columns, inst, &fault))
        return true;
    return mh_sass_of(inst->opcode) == MH_SASS_BULK ? fail_bulk(p, inst) : fail_line(p, line, &fault);
}

bool mh_traceg_empty_warp(struct mh_traceg *p)
{
    p->deps = (struct mh_traceg_deps){.groups = 0};
    p->gap = 0;
    return emit(p, &(struct mh_op){.kind = MH_OP_EXIT}, NULL);
}

bool mh_traceg_warp(struct mh_traceg *p, uint32_t count)
{
    struct mh_traceg_inst inst;

    p->deps = (struct mh_traceg_deps){.groups = 0};
    p->gap = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!get_instruction(p, i, count, &inst))
            return false;
        /* Lanes may leave one after the other; the warp's end is the last instruction. */
        if (i + 1 == count && mh_sass_of(inst.opcode) == MH_SASS_EXIT)
            break;
        if (!execute(p, &inst))
            return false;
    }
    return emit(p, &(struct mh_op){.kind = MH_OP_EXIT}, NULL);
}
