/* Tenants that share SMs, each with its own buffers at the same virtual addresses. */
#ifndef TESTS_SHARED_SMS_H
#define TESTS_SHARED_SMS_H

#include "chain.h"
#include "mix.h"

/** All tenants on the same two SMs. */
static inline struct mh_config shared_config(uint32_t tenants)
{
    struct mh_config cfg = script_config(2, tenants);

    script_share_sms(&cfg);
    return cfg;
}

/** A GPU at cycle 0 on which each tenant repeats a random mix, mix[t]; the caller keeps these as long as the GPU. */
static inline struct mh_gpu *mixed_gpu(const struct mh_config *cfg, struct mix *mix)
{
    struct script *s[MH_MAX_TENANTS];
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        mix[t] = (struct mix){.seed = 70 + t, .bytes = 1 << 20, .ops = 20, .lanes = 64, .threads = 128};
        s[t] = mix_script(&mix[t], 1, 6);
        script_repeat(s[t]);
    }
    return script_gpu(cfg, s);
}

#endif
