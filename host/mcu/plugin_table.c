#include "plugin_table.h"

#include "functions.h"
#include "memhelm/registers.h"

/* With the jump through the vector table. */
unsigned core_table_entry(const struct core *c, enum core_row row)
{
    const struct core_value *v = &c->values[c->values[row].given ? row : CORE_IRQ_ENTRY];
    return v->cycles[CORE_CYCLES] + c->values[CORE_VECTOR_JUMP].cycles[CORE_CYCLES];
}

/* 0 0 unless it is in data memory: the plugin takes what is stored there for stack. */
static void write_stack(const struct elf *elf, FILE *out)
{
    uint32_t bottom, top;
    if (!symbol_value(elf, "__stack_bottom", &bottom) || !symbol_value(elf, "__stack_top", &top) || bottom > top ||
        bottom < MH_DTCM_BASE || top > MH_DTCM_BASE + MH_DTCM_BYTES)
        bottom = top = 0;
    fprintf(out, "stack 0x%08x 0x%08x\n", bottom, top);
}

static void write_core(const struct core *c, FILE *out)
{
    fprintf(out, "irq %u %u\n", core_table_entry(c, CORE_IRQ_ENTRY), core_table_entry(c, CORE_IRQ_WAKE));
    for (unsigned k = 0; k < CORE_ROWS; k++)
        fprintf(out, "k %u %s %u\n", k, core_row_name((enum core_row)k), c->values[k].cycles[CORE_CYCLES]);
}

static void write_image(const struct functions *f, const struct hooks *h, FILE *out)
{
    for (unsigned i = 0; i < f->count; i++)
        fprintf(out, "f %u 0x%08x %u %s\n", i, f->list[i].address, f->list[i].size, f->list[i].name);
    for (unsigned i = 0; i < h->count; i++)
        fprintf(out, "h %u 0x%08x %s %s\n", i, h->list[i].address, h->list[i].policy, h->list[i].kind);
}

int core_table_write(const struct image *image, const struct core *c, bool names, FILE *out, struct mh_error *err)
{
    struct functions functions;
    struct hooks hooks;
    if (functions_find(&functions, image->elf, image->name, err))
        return -1;
    int status = hooks_find(&hooks, image->elf, image->name, err);
    if (!status) {
        fprintf(out, "memhelm-core-table 3\ncore %s\n", c->name);
        write_stack(image->elf, out);
        write_core(c, out);
        if (names)
            write_image(&functions, &hooks, out);
        if (ferror(out))
            status = mh_fail(err, "%s: the core table cannot be written: is the disk full?", image->name);
    }
    functions_free(&functions);
    return status;
}
