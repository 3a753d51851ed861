/* Designs: a YAML file of changes to a preset each, made part of the library as presets are (preset.c). */
#include <string.h>

#include "config/preset.h"
#include "memhelm/config_file.h"

#define MH_DESIGN(symbol, name, summary)                                                                               \
    extern const char mh_design_##symbol##_text[], mh_design_##symbol##_end[];                                         \
    __asm__(".pushsection .rodata\n"                                                                                   \
            ".global mh_design_" #symbol "_text, mh_design_" #symbol "_end\n"                                          \
            "mh_design_" #symbol "_text: .incbin \"config/designs/" name ".yaml\"\n"                                   \
            "mh_design_" #symbol "_end: .byte 0\n"                                                                     \
            ".popsection\n");
#include "config/designs.def"

static const struct mh_preset designs[] = {
#define MH_DESIGN(symbol, name, summary) {name, summary, mh_design_##symbol##_text, mh_design_##symbol##_end},
#include "config/designs.def"
};

static const char *const names[] = {
#define MH_DESIGN(symbol, name, summary) name,
#include "config/designs.def"
    NULL,
};

const char *const *mh_design_names(void)
{
    return names;
}

const struct mh_preset *mh_design_find(const char *name)
{
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++)
        if (!strcmp(designs[i].name, name))
            return &designs[i];
    return NULL;
}

const char *mh_design_summary(const char *name)
{
    const struct mh_preset *d = mh_design_find(name);
    return d ? d->summary : NULL;
}
