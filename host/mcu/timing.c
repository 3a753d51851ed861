#include "timing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/words.h"
#include "base/yaml_tree.h"
#include "code.h"
#include "image.h"
#include "memhelm/registers.h"

/* Paths start at the top of the tree: the assembler gets -I. from the Makefile. */
#define CORE(symbol, name)                                                                                             \
    extern const char core_##symbol##_text[], core_##symbol##_end[];                                                   \
    __asm__(".pushsection .rodata\n"                                                                                   \
            ".global core_" #symbol "_text, core_" #symbol "_end\n"                                                    \
            "core_" #symbol "_text: .incbin \"host/mcu/cores/" name ".yaml\"\n"                                        \
            "core_" #symbol "_end: .byte 0\n"                                                                          \
            ".popsection\n");
#include "cores.def"

static const struct builtin {
    const char *name, *file, *text, *end;
} builtins[] = {
#define CORE(symbol, name) {name, "host/mcu/cores/" name ".yaml", core_##symbol##_text, core_##symbol##_end},
#include "cores.def"
};

static const char *const built_in[] = {
#define CORE(symbol, name) name,
#include "cores.def"
    NULL,
};

static const struct row {
    const char *name, *meaning;
} rows[CORE_ROWS] = {
#define CORE_CLASS(SYMBOL, name, what) {#name, what},
#define CORE_EVENT(SYMBOL, name, what) {#name, what},
#include "values.def"
};

static int open_file(struct core *c, const char *path, struct mh_error *err)
{
    size_t length;
    char *text = read_file(path, &length, err);
    if (!text)
        return -1;
    int status = core_load(c, path, text, length, err);
    free(text);
    return status;
}

static int unknown(const char *what, struct mh_error *err)
{
    const struct meant meant = meant_by(what, MEANT_CORE);
    const struct nearest near = nearest_name(what, built_in);
    if (*meant.text)
        return mh_fail(err, "unknown core '%.60s'%s", what, meant.text);
    return mh_fail(err,
                   "unknown core '%.60s'%s; there are:%s; or give the path of a YAML file, as host/mcu/cores has them",
                   what, near.text, near.names);
}

bool core_is_file(const char *what)
{
    return names_file(what, ".yaml");
}

int core_open(struct core *c, const char *what, struct mh_error *err)
{
    if (core_is_file(what))
        return open_file(c, what, err);
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        const struct builtin *b = &builtins[i];
        if (!strcmp(b->name, what))
            return core_load(c, b->file, b->text, (size_t)(b->end - b->text), err);
    }
    return unknown(what, err);
}

void core_close(struct core *c)
{
    tree_free(c->doc);
    c->doc = NULL;
}

const char *const *core_names(void)
{
    return built_in;
}

const char *core_row_name(enum core_row row)
{
    return rows[row].name;
}

const char *core_row_meaning(enum core_row row)
{
    return rows[row].meaning;
}

const char *core_kind_name(enum core_kind kind)
{
    static const char *const kinds[] = {"doc", "rtl", "measured", "assumed"};
    return kinds[kind];
}

uint64_t core_check_cycles(const struct core *c, const struct core_check *check)
{
    uint64_t cycles = 0;
    for (unsigned row = 0; row < CORE_ROWS; row++)
        cycles += check->counts[row] * c->values[row].cycles[CORE_CYCLES];
    return cycles;
}

static void show_value(const struct core_value *v, enum core_row row, FILE *out)
{
    char bounds[32] = "";
    const uint16_t *n = v->cycles;
    if (n[CORE_MIN] != n[CORE_MAX])
        snprintf(bounds, sizeof bounds, "%u..%u", n[CORE_MIN], n[CORE_MAX]);
    fprintf(out, "%-19s %6u  %-7s %-9s %-14s%s\n", core_row_name(row), n[CORE_CYCLES], bounds, core_kind_name(v->kind),
            v->source ? v->source : "-", core_row_meaning(row));
    if (v->quote)
        fprintf(out, "%4s\"%s\"\n", "", v->quote);
    if (v->when)
        fprintf(out, "%4swhen %s\n", "", v->when);
    if (v->note)
        fprintf(out, "%4s%s\n", "", v->note);
}

static void show_values(const struct core *c, unsigned first, unsigned end, FILE *out)
{
    for (unsigned row = first; row < end; row++)
        if (c->values[row].given)
            show_value(&c->values[row], (enum core_row)row, out);
}

static void show_source(const struct core_source *s, FILE *out)
{
    if (s->document)
        fprintf(out, "%-14s %s\n", s->key, s->document);
    else
        fprintf(out, "%-14s %s %s @%.12s\n", s->key, s->repo, s->path, s->commit);
}

void core_show(const struct core *c, FILE *out)
{
    fprintf(out, "%s: %s, %s\n", c->name, c->title, c->isa);
    if (c->config)
        fprintf(out, "configuration: %s\n", c->config);
    fprintf(out, "assumes: %s\n\n%-19s %6s  %-7s %-9s %s\n", c->assumes, "class", "cycles", "bounds", "kind", "source");
    show_values(c, 0, CORE_CLASS_ROWS, out);
    fprintf(out, "\nevent, on top\n");
    show_values(c, CORE_CLASS_ROWS, CORE_ROWS, out);
    for (unsigned i = 0; i < c->check_count; i++) {
        const struct core_check *check = &c->checks[i];
        fprintf(out, "%s%s (%s): %" PRIu64 " instructions in %" PRIu64 " cycles, as published\n", i ? "" : "\n",
                check->name, check->source, check->instructions, core_check_cycles(c, check));
    }
    for (unsigned i = 0; i < c->source_count; i++) {
        fprintf(out, "%s", i ? "" : "\n");
        show_source(&c->sources[i], out);
    }
}

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
