#include "code.h"

#include <stdlib.h>

/* The instruction at `address`; size 0 where no code is, up to `end`. */
static struct insn fetch(const struct elf *elf, uint32_t address, uint32_t end)
{
    struct insn i = {.size = 0};
    uint8_t b[4] = {0};
    if (address >= end || end - address < 2 || !elf_read(elf, address, b, 2))
        return i;
    if (end - address >= 4)
        (void)elf_read(elf, address, b, 4);
    insn_decode(b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24, &i);
    return i;
}

/* Does the branch decide between an ebreak and the rest of its function? */
static bool checks(const struct elf *elf, const struct cost_window *w, uint32_t address, uint32_t end)
{
    if (w->at[0].cls != INSN_BRANCH)
        return false;
    if (w->at[1].size && w->at[1].cls == INSN_EBREAK)
        return true;
    struct insn target = fetch(elf, insn_target(&w->at[0], address), end);
    return target.size && target.cls == INSN_EBREAK;
}

static void read_line(struct code_line *l, const struct elf *elf, const struct core *c, const struct cost_window *w,
                      uint32_t end)
{
    l->insn = w->at[0];
    l->flags = insn_flags(&l->insn) | (checks(elf, w, l->address, end) ? CODE_CHECK : 0);
    for (unsigned b = 0; b < CORE_BOUNDS; b++)
        l->cost[b] = core_cost(c->values, (enum core_bound)b, w, l->address);
}

/* Appends a function, for whose half words there is room. */
static void read_function(struct code *code, const struct elf *elf, const struct functions *f, unsigned number,
                          const struct core *c)
{
    uint32_t address = f->list[number].address, end = address + f->list[number].size;
    struct cost_window w;
    w.at[0] = fetch(elf, address, end);
    while (w.at[0].size) {
        struct code_line *l = &code->list[code->count++];
        uint32_t next = address + w.at[0].size;
        *l = (struct code_line){.address = address, .function = number};
        w.at[1] = fetch(elf, next, end);
        w.at[2] = fetch(elf, next + w.at[1].size, end);
        read_line(l, elf, c, &w, end);
        address = next;
        w.at[0] = w.at[1];
    }
}

int code_read(struct code *code, const struct elf *elf, const struct functions *f, const struct core *c,
              const char *name, struct mh_error *err)
{
    size_t room = 0;
    for (unsigned i = 0; i < f->count; i++)
        room += f->list[i].size / 2;
    *code = (struct code){.list = calloc(room + 1, sizeof *code->list)};
    if (!code->list)
        return mh_fail(err, "%s: out of memory", name);
    for (unsigned i = 0; i < f->count; i++)
        read_function(code, elf, f, i, c);
    return 0;
}

void code_free(struct code *code)
{
    free(code->list);
    *code = (struct code){0};
}

const struct code_line *code_at(const struct code *code, uint32_t address)
{
    unsigned low = 0, high = code->count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (code->list[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->count && code->list[low].address == address ? &code->list[low] : NULL;
}

void code_count(const struct code_line *l, uint64_t count, uint64_t taken, uint64_t rows[CORE_CLASS_ROWS])
{
    bool branch = l->insn.cls == INSN_BRANCH;
    rows[core_row_of(&l->insn)] += branch ? count - taken : count;
    if (branch)
        rows[CORE_BRANCH_TAKEN] += taken;
}
