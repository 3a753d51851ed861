/* Rules between keys, for tests that break one at a time. */
#ifndef TESTS_UNIT_CONFIG_RULES_H
#define TESTS_UNIT_CONFIG_RULES_H

#include "unit/config_text.h"

static struct mh_error err;

static inline void ready(struct mh_config *cfg, const char *workload)
{
    preset(cfg);
    assert_int_equal(mh_config_workload(cfg, workload, &err), 0);
}

static inline void resolve(struct mh_config *cfg)
{
    assert_good(!mh_config_resolve(cfg, &err), err);
}

/* Each rule is broken alone, by assignments to a configuration that works. */
static inline void refuse(const char *workload, const char *sets, const char *part)
{
    char copy[256];
    struct mh_config cfg;
    ready(&cfg, workload);
    resolve(&cfg);
    ready(&cfg, workload);
    snprintf(copy, sizeof copy, "%s", sets);
    *err.text = 0;
    for (char *s = strtok(copy, " "); s; s = strtok(NULL, " "))
        if (mh_config_set(&cfg, s, &err)) /* a word that is none */
            break;
    if (!*err.text && mh_config_resolve(&cfg, &err) != -1)
        fail_msg("accepted: %s", sets);
    assert_has(err.text, part);
}

static inline void check_round_trip(const struct mh_config *cfg)
{
    struct mh_config back;
    size_t length;
    char *text = written(cfg, &length);
    memset(&back, 0x5a, sizeof back); /* every key is written: nothing of this may stay */
    memset(back.tenants, 0, sizeof back.tenants);
    memset(back.design, 0, sizeof back.design); /* one that was chosen before would be refused */
    assert_good(!load_bytes(&back, text, length, &err), err);
    assert_memory_equal(&back, cfg, sizeof back);
    free(text);
}

#endif
