#include "config/preset.h"

#include <string.h>

#include "memhelm/config_file.h"

/* The assembler finds the files by the compiler's -I hwmodel, so that no generator is needed. */
#define MH_PRESET(name, summary)                                                                                       \
    extern const char mh_preset_##name##_text[], mh_preset_##name##_end[];                                             \
    __asm__(".pushsection .rodata\n"                                                                                   \
            ".global mh_preset_" #name "_text, mh_preset_" #name "_end\n"                                              \
            "mh_preset_" #name "_text: .incbin \"config/presets/" #name ".yaml\"\n"                                    \
            "mh_preset_" #name "_end: .byte 0\n"                                                                       \
            ".popsection\n");
#include "config/presets.def"

static const struct mh_preset presets[] = {
#define MH_PRESET(name, summary) {#name, summary, mh_preset_##name##_text, mh_preset_##name##_end},
#include "config/presets.def"
};

static const char *const names[] = {
#define MH_PRESET(name, summary) #name,
#include "config/presets.def"
    NULL,
};

const char *const *mh_preset_names(void)
{
    return names;
}

const struct mh_preset *mh_preset_find(const char *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (!strcmp(presets[i].name, name))
            return &presets[i];
    return NULL;
}

const char *mh_preset_summary(const char *name)
{
    const struct mh_preset *p = mh_preset_find(name);
    return p ? p->summary : NULL;
}
