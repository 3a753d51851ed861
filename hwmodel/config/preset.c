#include "config/internal.h"

#include <string.h>

#include "memhelm/config_file.h"

/* The assembler finds the files by the compiler's -I hwmodel, so that no generator is needed. */
#define EMBED(symbol, path)                                                                                            \
    extern const char mh_yaml_##symbol##_text[], mh_yaml_##symbol##_end[];                                             \
    __asm__(".pushsection .rodata\n"                                                                                   \
            ".global mh_yaml_" #symbol "_text, mh_yaml_" #symbol "_end\n"                                              \
            "mh_yaml_" #symbol "_text: .incbin \"config/" path "\"\n"                                                  \
            "mh_yaml_" #symbol "_end: .byte 0\n"                                                                       \
            ".popsection\n");
#define MH_PRESET(symbol, name, summary)      EMBED(symbol, "presets/" name ".yaml")
#define MH_DRAM_PRESET(symbol, name, summary) EMBED(symbol, "presets/dram/" name ".yaml")
#define MH_DESIGN(symbol, name, summary)      EMBED(symbol, "designs/" name ".yaml")
#include "config/presets.def"

#define ROW(symbol, name, summary, path) {name, summary, path, mh_yaml_##symbol##_text, mh_yaml_##symbol##_end},

static const struct mh_preset presets[] = {
#define MH_PRESET(symbol, name, summary) ROW(symbol, name, summary, "presets/" name ".yaml")
#include "config/presets.def"
};

static const struct mh_preset dram_presets[] = {
#define MH_DRAM_PRESET(symbol, name, summary) ROW(symbol, name, summary, "presets/dram/" name ".yaml")
#include "config/presets.def"
};

static const struct mh_preset designs[] = {
#define MH_DESIGN(symbol, name, summary) ROW(symbol, name, summary, "designs/" name ".yaml")
#include "config/presets.def"
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

const struct mh_preset_set mh_dram_presets = {"preset", dram_presets, COUNT(dram_presets), NULL};
const struct mh_preset_set mh_presets = {"preset", presets, COUNT(presets), &mh_dram_presets};
const struct mh_preset_set mh_designs = {"design", designs, COUNT(designs), NULL};

const struct mh_preset *mh_preset_find(const struct mh_preset_set *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (!strcmp(set->preset[i].name, name))
            return &set->preset[i];
    return NULL;
}

static const char *summary_of(const struct mh_preset *p)
{
    return p ? p->summary : NULL;
}

const char *const *mh_preset_names(void)
{
    static const char *const names[] = {
#define MH_PRESET(symbol, name, summary) name,
#include "config/presets.def"
        NULL,
    };

    return names;
}

const char *mh_preset_summary(const char *name)
{
    return summary_of(mh_preset_find(&mh_presets, name));
}

const char *const *mh_dram_preset_names(void)
{
    static const char *const names[] = {
#define MH_DRAM_PRESET(symbol, name, summary) name,
#include "config/presets.def"
        NULL,
    };

    return names;
}

const char *mh_dram_preset_summary(const char *name)
{
    return summary_of(mh_preset_find(&mh_dram_presets, name));
}

const char *const *mh_design_names(void)
{
    static const char *const names[] = {
#define MH_DESIGN(symbol, name, summary) name,
#include "config/presets.def"
        NULL,
    };

    return names;
}

const char *mh_design_summary(const char *name)
{
    return summary_of(mh_preset_find(&mh_designs, name));
}
