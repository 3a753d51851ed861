#define _GNU_SOURCE
#include "setup.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/words.h"
#include "mcu/image.h"

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

/* Assignment `i` as it was typed: `--set l2.ways=8`, or `--cycles 5`. */
static void options_typed(const struct options *o, unsigned i, char *text, size_t size)
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

static int unknown(const char *kind, const char *name, const char *const *names, struct mh_error *err)
{
    const struct meant meant = meant_by(name, *kind == 'p' ? MEANT_PRESET : MEANT_DESIGN);
    const struct nearest near = nearest_name(name, names);
    if (*meant.text)
        return mh_fail(err, "unknown %s '%.60s'%s", kind, name, meant.text);
    return mh_fail(err, "unknown %s '%.60s'%s; there are:%s", kind, name, near.text, near.names);
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
    if (mh_dram_preset_summary(name))
        return mh_config_dram_preset(cfg, name, err);
    if (mh_preset_summary(name))
        return mh_config_preset(cfg, name, err);
    const struct nearest sets = nearest_name(name, mh_dram_preset_names());
    const struct nearest presets = nearest_name(name, mh_preset_names());
    return mh_fail(err, "unknown DRAM set '%.60s'%s; there are:%.255s; and presets:%.511s", name,
                   sets.distance <= presets.distance ? sets.text : presets.text, sets.names, presets.names);
}

enum { PLACE = 400 };

/* The key that a text begins with: up to a colon or a blank. */
static void key_of(const struct mh_error *err, char key[static 64])
{
    snprintf(key, 64, "%.*s", (int)strcspn(err->text, ": "), err->text);
}

/* What follows "'l2.wayz=3': ", which the place says, too. */
static const char *without_set(const char *text, const char *set)
{
    size_t n = strlen(set);
    return *text == '\'' && !strncmp(text + 1, set, n) && !strncmp(text + 1 + n, "': ", 3) ? text + n + 4 : text;
}

int origin_set(struct mh_config *cfg, const char *set, struct mh_error *err)
{
    struct mh_error why;
    if (!mh_config_set(cfg, set, &why))
        return 0;
    return mh_fail(err, "--set %.200s: %.800s", set, without_set(why.text, set));
}

static bool gives(const char *set, const char *key)
{
    size_t n = strlen(key);
    return !strncmp(set, key, n) && set[n] == '=';
}

/* Assignments of the same key go with it: the last one counts. */
static void leave_out(struct options *o, unsigned i)
{
    char key[80];
    unsigned kept = 0;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(o->sets[i], "="), o->sets[i]);
    for (unsigned k = 0; k < o->set_count; k++)
        if (k != i && !gives(o->sets[k], key))
            o->sets[kept++] = o->sets[k];
    o->set_count = kept;
}

static bool passes_without(const struct options *o, unsigned i, origin_make *make)
{
    struct mh_error ignored;
    struct options *less = must_have(1, sizeof *less);
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    *less = *o;
    leave_out(less, i);
    bool passes = !make(less, cfg, &ignored);
    free(cfg);
    free(less);
    return passes;
}

/* Is it refused with the same text by itself, without the other assignments? */
static bool is_refused(const char *set, const struct mh_error *err)
{
    struct mh_error why = {""};
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    bool refused = mh_config_set(cfg, set, &why) && !strcmp(why.text, err->text);
    free(cfg);
    return refused;
}

/* The assignment to blame, or set_count. */
static unsigned find_set(const struct options *o, origin_make *make, const char *key, const struct mh_error *err)
{
    for (unsigned i = 0; i < o->set_count; i++)
        if (is_refused(o->sets[i], err))
            return i;
    for (unsigned i = o->set_count; i-- > 0;)
        if (passes_without(o, i, make))
            return i;
    for (unsigned i = o->set_count; i-- > 0;)
        if (gives(o->sets[i], key))
            return i;
    return o->set_count;
}

/* Is it refused in the same words with these tenants, on the preset, and nothing else? */
static bool is_designs(const struct mh_config *cfg, const struct mh_error *err)
{
    struct mh_error why = {""};
    struct mh_config *alone = must_have(1, sizeof *alone);
    if (*cfg->design && !mh_config_preset(alone, cfg->preset, &why) && !mh_config_design(alone, cfg->design, &why)) {
        memcpy(alone->tenants, cfg->tenants, sizeof alone->tenants);
        alone->tenants_count = cfg->tenants_count;
        (void)mh_config_resolve(alone, &why);
    }
    free(alone);
    return !strcmp(why.text, err->text);
}

static void put_line(const struct options *o, const char *key, const char *before, char place[static PLACE])
{
    unsigned line = o->config ? mh_config_line(o->config, key) : 0;
    if (line)
        snprintf(place, PLACE, "%s%.300s:%u", before, o->config, line);
}

/* A tenant's line says more than the assignment that it does not go with. */
static void put_set(const struct options *o, unsigned i, const char *key, char place[static PLACE])
{
    options_typed(o, i, place, PLACE / 2);
    if (!o->workload && !gives(o->sets[i], key) && !strncmp(key, "tenants[", strlen("tenants[")))
        put_line(o, key, ", ", place + strlen(place));
}

int origin_name(const struct options *o, origin_make *make, const struct mh_config *cfg, struct mh_error *err)
{
    char key[64], place[2 * PLACE] = "";
    struct mh_error copy = *err;
    key_of(err, key);
    unsigned set = find_set(o, make, key, err);
    const char *text = set < o->set_count ? without_set(copy.text, o->sets[set]) : copy.text;
    if (set < o->set_count)
        put_set(o, set, key, place);
    else if (o->workload && !strncmp(key, "tenants", strlen("tenants")))
        snprintf(place, sizeof place, "--workload %.200s", o->workload);
    else if (is_designs(cfg, err) && o->design)
        snprintf(place, sizeof place, "--design %s", o->design);
    else
        put_line(o, is_designs(cfg, err) ? "design" : key, "", place);
    return *place ? mh_fail(err, "%s: %.*s", place, (int)(sizeof err->text - strlen(place) - 3), text) : -1;
}
