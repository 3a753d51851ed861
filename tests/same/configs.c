/*
 * Every configuration that built-in files make, as YAML: presets, alone and with each design, with each DRAM set, and
 * resolved with a workload. `make build/configs`, then keep what it prints before a change of the house, and diff
 * after.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memhelm/config_file.h"

static struct mh_error err;

static void must(int status)
{
    if (!status)
        return;
    fprintf(stderr, "configs: %s\n", err.text);
    exit(1);
}

static void print(const char *preset, const char *with, const struct mh_config *cfg)
{
    printf("=== %s %s\n", preset, with);
    must(mh_config_write(cfg, stdout, &err));
}

/* What changes a GPU, over `cfg`. */
static void print_with(const char *preset, const struct mh_config *cfg, const char *const *names,
                       int (*change)(struct mh_config *, const char *, struct mh_error *))
{
    struct mh_config changed;
    for (; *names; names++) {
        memcpy(&changed, cfg, sizeof changed);
        must(change(&changed, *names, &err));
        print(preset, *names, &changed);
    }
}

int main(void)
{
    struct mh_config cfg = {0};
    print_with("nothing", &cfg, mh_dram_preset_names(), mh_config_dram_preset);
    print_with("nothing", &cfg, mh_design_names(), mh_config_design);
    for (const char *const *preset = mh_preset_names(); *preset; preset++) {
        must(mh_config_preset(&cfg, *preset, &err));
        print(*preset, "alone", &cfg);
        print_with(*preset, &cfg, mh_design_names(), mh_config_design);
        print_with(*preset, &cfg, mh_dram_preset_names(), mh_config_dram_preset);
        must(mh_config_workload(&cfg, "MVT+GUPS", &err) || mh_config_resolve(&cfg, &err));
        print(*preset, "resolved", &cfg);
    }
    return 0;
}
