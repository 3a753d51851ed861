#define _GNU_SOURCE
#include "options.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "mcu/params.h"
#include "base/file.h"
#include "base/nearest.h"
#include "mcu/images.h"

static const struct {
    const char *name, *key;
    bool of_core, cycles;
} shorts[SHORTS] = {
    [SHORT_CYCLES] = {"--cycles", "run.cycles", false, true},
    [SHORT_WARMUP] = {"--warmup", "run.warmup", false, true},
    [SHORT_SEED] = {"--seed", "run.seed", false, false},
    [SHORT_STATUS] = {"--status", "run.status_every", false, true},
    [SHORT_MCU_HZ] = {"--mcu-hz", "mcu.hz", false, false},
    [SHORT_CORE] = {"--core", "mcu.core", true, false},
    [SHORT_ON_FAULT] = {"--on-fault", "mcu.on_fault", true, false},
    [SHORT_TRACE_LENIENT] = {"--trace-lenient", "workload.trace_lenient", false, false},
    [SHORT_SERIES] = {"--series-cycles", "run.log_series", false, true},
    [SHORT_DRAM_CHANNEL] = {"--dram-trace-channel", "run.log_dram_channel", false, false},
};

void options_init(struct options *o)
{
    cpu_set_t set;
    memset(o, 0, sizeof *o);
    o->jobs = sched_getaffinity(0, sizeof set, &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

int options_add(struct options *o, const char *set)
{
    if (o->set_count == MAX_SETS)
        return -1;
    o->sets[o->set_count++] = set;
    return 0;
}

int options_add_short(struct options *o, enum option_short which, const char *value)
{
    char digits[24];
    uint64_t cycles;
    if (o->texts == MAX_SHORTS)
        return -1;
    if (shorts[which].cycles && number_scaled(value, &cycles)) { /* the key takes digits alone */
        snprintf(digits, sizeof digits, "%" PRIu64, cycles);
        value = digits;
    }
    char *text = o->text[o->texts];
    if (snprintf(text, sizeof o->text[0], "%s=%s", shorts[which].key, value) >= (int)sizeof o->text[0] ||
        options_add(o, text))
        return -1;
    o->texts++;
    if (shorts[which].of_core)
        o->of_core = shorts[which].name;
    return 0;
}

int options_add_param(struct options *o, const char *setting)
{
    if (o->texts == MAX_SHORTS)
        return -1;
    char *text = o->text[o->texts];
    if (snprintf(text, sizeof o->text[0], PARAM_KEY "%s", setting) >= (int)sizeof o->text[0] || options_add(o, text))
        return -1;
    o->texts++;
    return 0;
}

const char *options_short_name(enum option_short which)
{
    return shorts[which].name;
}

void options_typed(const struct options *o, unsigned i, char *text, size_t size)
{
    const char *set = o->sets[i], *const room = o->text[0], *value = strchr(set, '=');
    bool is_short = set >= room && set < room + sizeof o->text;
    for (size_t k = 0; is_short && k < SHORTS; k++)
        if (!strncmp(set, shorts[k].key, (size_t)(value - set))) {
            snprintf(text, size, "%s %s", shorts[k].name, value + 1);
            return;
        }
    snprintf(text, size, "--set %s", set);
}

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
