#include "timing.h"
#include "images.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/yaml_tree.h"

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

static const char *const names[] = {
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
    char list[256] = "";
    if (*meant.text)
        return mh_fail(err, "unknown core '%.60s'%s", what, meant.text);
    for (const char *const *n = names; *n; n++)
        snprintf(list + strlen(list), sizeof list - strlen(list), " %s", *n);
    return mh_fail(err,
                   "unknown core '%.60s'%s; there are:%s; or give the path of a YAML file, as host/mcu/cores has them",
                   what, nearest_name(what, names).text, list);
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
    return names;
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
