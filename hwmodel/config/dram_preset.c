/* Parameter sets of one DRAM channel: a YAML file each, made part of the library as presets are (preset.c). */
#include <string.h>

#include "config/preset.h"
#include "memhelm/config_file.h"

#define MH_DRAM_PRESET(symbol, name, summary)                                                                          \
    extern const char mh_dram_preset_##symbol##_text[], mh_dram_preset_##symbol##_end[];                               \
    __asm__(".pushsection .rodata\n"                                                                                   \
            ".global mh_dram_preset_" #symbol "_text, mh_dram_preset_" #symbol "_end\n"                                \
            "mh_dram_preset_" #symbol "_text: .incbin \"config/presets/dram/" name ".yaml\"\n"                         \
            "mh_dram_preset_" #symbol "_end: .byte 0\n"                                                                \
            ".popsection\n");
#include "config/dram_presets.def"

static const struct mh_preset presets[] = {
#define MH_DRAM_PRESET(symbol, name, summary)                                                                          \
    {name, summary, mh_dram_preset_##symbol##_text, mh_dram_preset_##symbol##_end},
#include "config/dram_presets.def"
};

static const char *const names[] = {
#define MH_DRAM_PRESET(symbol, name, summary) name,
#include "config/dram_presets.def"
    NULL,
};

const char *const *mh_dram_preset_names(void)
{
    return names;
}

const struct mh_preset *mh_dram_preset_find(const char *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (!strcmp(presets[i].name, name))
            return &presets[i];
    return NULL;
}

const char *mh_dram_preset_summary(const char *name)
{
    const struct mh_preset *p = mh_dram_preset_find(name);
    return p ? p->summary : NULL;
}
