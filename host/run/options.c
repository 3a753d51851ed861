#define _GNU_SOURCE
#include "options.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "mcu/params.h"

static const struct {
    const char *name, *key;
    bool of_core;
} shorts[SHORTS] = {
    [SHORT_CYCLES] = {"--cycles", "run.cycles", false},
    [SHORT_SEED] = {"--seed", "run.seed", false},
    [SHORT_STATUS] = {"--status", "run.status_every", false},
    [SHORT_MCU_HZ] = {"--mcu-hz", "mcu.hz", false},
    [SHORT_CORE] = {"--core", "mcu.core", true},
    [SHORT_ON_FAULT] = {"--on-fault", "mcu.on_fault", true},
    [SHORT_TRACE_LENIENT] = {"--trace-lenient", "workload.trace_lenient", false},
    [SHORT_SERIES] = {"--series-cycles", "run.log_series", false},
    [SHORT_DRAM_CHANNEL] = {"--dram-trace-channel", "run.log_dram_channel", false},
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
    if (which == SHORT_CYCLES && number_scaled(value, &cycles)) { /* the key takes digits alone */
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
