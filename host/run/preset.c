#include "preset.h"

#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "mcu/meant.h"

static void list_names(char *list, size_t size, const char *const *names)
{
    for (; *names; names++)
        snprintf(list + strlen(list), size - strlen(list), " %s", *names);
}

static int unknown(const char *kind, const char *name, const char *const *names, struct mh_error *err)
{
    const struct meant meant = meant_by(name, *kind == 'p' ? MEANT_PRESET : MEANT_DESIGN);
    char list[512] = "";
    if (*meant.text)
        return mh_fail(err, "unknown %s '%.60s'%s", kind, name, meant.text);
    list_names(list, sizeof list, names);
    return mh_fail(err, "unknown %s '%.60s'%s; there are:%s", kind, name, nearest_name(name, names).text, list);
}

bool preset_is_file(const char *name)
{
    return names_file(name, ".yaml");
}

/* A sweep asks for the same one a thousand times. */
int preset_load(struct mh_config *cfg, const char *name, struct mh_error *err)
{
    static struct mh_config last;
    if (!mh_preset_summary(name))
        return unknown("preset", name, mh_preset_names(), err);
    if (strcmp(last.preset, name) && mh_config_preset(&last, name, err)) {
        *last.preset = 0;
        return -1;
    }
    memcpy(cfg, &last, sizeof *cfg);
    return 0;
}

int preset_design(struct mh_config *cfg, const char *name, struct mh_error *err)
{
    return mh_design_summary(name) ? mh_config_design(cfg, name, err) : unknown("design", name, mh_design_names(), err);
}

int preset_agrees(const struct mh_config *cfg, const char *preset, const char *config, struct mh_error *err)
{
    char line[16] = "";
    if (!preset || !strcmp(preset, cfg->preset))
        return 0;
    unsigned n = mh_config_line(config, "preset");
    if (n) /* a pipe cannot be read again */
        snprintf(line, sizeof line, ":%u", n);
    return mh_fail(err, "%.300s%s: preset '%s', but --preset %.60s: leave out one of them", config, line, cfg->preset,
                   preset);
}

int preset_sources(const char *preset, const char *design, FILE *out, struct mh_error *err)
{
    if (!mh_preset_summary(preset))
        return unknown("preset", preset, mh_preset_names(), err);
    if (design && !mh_design_summary(design))
        return unknown("design", design, mh_design_names(), err);
    return mh_config_describe_sources(preset, design, out, err);
}

int preset_dram(struct mh_config *cfg, const char *name, struct mh_error *err)
{
    char sets[256] = "", presets[512] = "";
    struct nearest near = nearest_begin(name, "");
    if (mh_dram_preset_summary(name))
        return mh_config_dram_preset(cfg, name, err);
    if (mh_preset_summary(name))
        return mh_config_preset(cfg, name, err);
    for (const char *const *n = mh_dram_preset_names(); *n; n++)
        nearest_try(&near, *n);
    for (const char *const *n = mh_preset_names(); *n; n++)
        nearest_try(&near, *n);
    list_names(sets, sizeof sets, mh_dram_preset_names());
    list_names(presets, sizeof presets, mh_preset_names());
    return mh_fail(err, "unknown DRAM set '%.60s'%s; there are:%s; and presets:%s", name, near.text, sets, presets);
}
