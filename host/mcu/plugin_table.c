#include "plugin_table.h"

#include "code.h"
#include "hooks.h"
#include "memhelm/registers.h"

/* With the jump through the vector table. */
unsigned core_table_entry(const struct core *c, enum core_row row)
{
    const struct core_value *v = &c->values[c->values[row].given ? row : CORE_IRQ_ENTRY];
    return v->cycles[CORE_CYCLES] + c->values[CORE_VECTOR_JUMP].cycles[CORE_CYCLES];
}

static void write_head(const struct elf *elf, const struct core *c, FILE *out)
{
    uint32_t bottom = 0, top = 0, trap = 0;
    if (!symbol_value(elf, "__stack_bottom", &bottom) || !symbol_value(elf, "__stack_top", &top))
        bottom = top = 0;
    (void)symbol_value(elf, "trap_entry", &trap);
    fprintf(out, "memhelm-core-table 2\ncore %s\nrange 0x%08x 0x%x stack 0x%08x 0x%08x\ntrap 0x%08x %u %u\n", c->name,
            MH_ITCM_BASE, MH_ITCM_BYTES, bottom, top, trap, core_table_entry(c, CORE_IRQ_ENTRY),
            core_table_entry(c, CORE_IRQ_WAKE));
}

static void write_lines(const struct functions *f, const struct hooks *h, const struct code *code, FILE *out)
{
    for (unsigned k = 0; k < CORE_CLASS_ROWS; k++)
        fprintf(out, "k %u %s\n", k, core_row_name((enum core_row)k));
    for (unsigned i = 0; i < f->count; i++)
        fprintf(out, "f %u 0x%08x %s\n", i, f->list[i].address, f->list[i].name);
    for (unsigned i = 0; i < h->count; i++)
        fprintf(out, "h %u 0x%08x %s %s\n", i, h->list[i].address, h->list[i].policy, h->list[i].kind);
    for (unsigned i = 0; i < code->count; i++) {
        const struct code_line *l = &code->list[i];
        const struct cost *cost = &l->cost[CORE_CYCLES];
        fprintf(out, "i 0x%08x %u 0x%04x %u %u %u %u %u\n", l->address, l->insn.size, l->flags, cost->extra,
                cost->taken, cost->landing, l->function, (unsigned)core_row_of(&l->insn));
    }
}

int core_table_write(const struct image *image, const struct core *c, FILE *out, struct mh_error *err)
{
    struct functions functions;
    struct hooks hooks;
    struct code code = {0};
    if (functions_find(&functions, image->elf, image->name, err))
        return -1;
    int status = hooks_find(&hooks, image->elf, image->name, err);
    if (!status)
        status = code_read(&code, image->elf, &functions, c, image->name, err);
    if (!status) {
        write_head(image->elf, c, out);
        write_lines(&functions, &hooks, &code, out);
        if (ferror(out))
            status = mh_fail(err, "%s: the core table cannot be written: is the disk full?", image->name);
    }
    code_free(&code);
    functions_free(&functions);
    return status;
}
