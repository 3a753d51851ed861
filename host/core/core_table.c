#include "core_table.h"

#include "cost.h"
#include "functions.h"
#include "hooks.h"
#include "memhelm/registers.h"

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

static unsigned flags_of(const struct insn *i)
{
    switch (i->cls) {
    case INSN_LOAD:
        return CORE_FLAG_LOAD;
    case INSN_STORE:
        return CORE_FLAG_STORE;
    case INSN_BRANCH:
        return CORE_FLAG_BRANCH;
    case INSN_JAL:
    case INSN_JALR:
        return CORE_FLAG_JUMP | (insn_calls(i) ? CORE_FLAG_CALL : 0) | (insn_returns(i) ? CORE_FLAG_RETURN : 0);
    case INSN_MRET:
        return CORE_FLAG_MRET;
    case INSN_WFI:
        return CORE_FLAG_WFI;
    default:
        return 0;
    }
}

struct writer {
    const struct elf *elf;
    const struct core *core;
    FILE *out;
};

/* Does the branch decide between an ebreak and the rest? */
static bool checks(const struct writer *w, const struct cost_window *window, uint32_t address, uint32_t end)
{
    struct insn target;
    if (window->at[0].cls != INSN_BRANCH)
        return false;
    if (window->at[1].size && window->at[1].cls == INSN_EBREAK)
        return true;
    target = fetch(w->elf, insn_target(&window->at[0], address), end);
    return target.size && target.cls == INSN_EBREAK;
}

static void write_instruction(const struct writer *w, const struct cost_window *window, uint32_t address, uint32_t end,
                              unsigned function)
{
    const struct insn *i = &window->at[0];
    struct cost cost = core_cost(w->core, CORE_CYCLES, window, address);
    unsigned flags = flags_of(i) | (checks(w, window, address, end) ? CORE_FLAG_CHECK : 0);
    fprintf(w->out, "i 0x%08x %u 0x%04x %u %u %u %u\n", address, i->size, flags, cost.extra, cost.taken, cost.landing,
            function);
}

static void write_function(const struct writer *w, const struct function *f, unsigned id)
{
    uint32_t address = f->address, end = f->address + f->size;
    struct cost_window window;
    for (window.at[0] = fetch(w->elf, address, end); window.at[0].size;
         address += window.at[0].size, window.at[0] = window.at[1]) {
        uint32_t next = address + window.at[0].size;
        window.at[1] = fetch(w->elf, next, end);
        window.at[2] = fetch(w->elf, next + window.at[1].size, end);
        write_instruction(w, &window, address, end, id);
    }
}

/* Cycles in front of the handler, beside the table that the core jumps through. */
static unsigned entry_cycles(const struct core *c, enum core_row row)
{
    const struct core_value *v = &c->values[c->values[row].given ? row : CORE_IRQ_ENTRY];
    return v->cycles[CORE_CYCLES] + c->values[CORE_VECTOR_JUMP].cycles[CORE_CYCLES];
}

static void write_head(const struct writer *w)
{
    uint32_t bottom = 0, top = 0, trap = 0;
    if (!symbol_value(w->elf, "__stack_bottom", &bottom) || !symbol_value(w->elf, "__stack_top", &top))
        bottom = top = 0;
    (void)symbol_value(w->elf, "trap_entry", &trap);
    fprintf(w->out, "memhelm-core-table 1\ncore %s\nrange 0x%08x 0x%x stack 0x%08x 0x%08x\ntrap 0x%08x %u %u\n",
            w->core->name, MH_ITCM_BASE, MH_ITCM_BYTES, bottom, top, trap, entry_cycles(w->core, CORE_IRQ_ENTRY),
            entry_cycles(w->core, CORE_IRQ_WAKE));
}

int core_table_write(const struct image *image, const struct core *c, FILE *out, struct mh_error *err)
{
    struct writer w = {image->elf, c, out};
    struct functions functions;
    struct hooks hooks;
    if (functions_find(&functions, image->elf, image->name, err))
        return -1;
    int status = hooks_find(&hooks, image->elf, image->name, err);
    if (!status) {
        write_head(&w);
        for (unsigned i = 0; i < functions.count; i++)
            fprintf(out, "f %u 0x%08x %s\n", i, functions.list[i].address, functions.list[i].name);
        for (unsigned i = 0; i < hooks.count; i++)
            fprintf(out, "h %u 0x%08x %s %s\n", i, hooks.list[i].address, hooks.list[i].policy, hooks.list[i].kind);
        for (unsigned i = 0; i < functions.count; i++)
            write_function(&w, &functions.list[i], i);
        if (ferror(out))
            status = mh_fail(err, "%s: the core table cannot be written: is the disk full?", image->name);
    }
    functions_free(&functions);
    return status;
}
