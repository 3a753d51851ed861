#include "corun.h"

void corun_read_sm(const struct gpu_caps *caps, struct ccbp_sm *sm)
{
    sm->amount[CCBP_REGISTERS] = gpu_cap(SM_REGISTERS);
    sm->amount[CCBP_SHARED] = gpu_cap(SM_SHARED);
    sm->amount[CCBP_THREADS] = caps->warps * caps->lanes;
    sm->slots = caps->cta_slots;
}

void corun_read_cta(const struct gpu_caps *caps, uint32_t tenant, struct ccbp_sm *sm)
{
    struct gpu_cta cta;

    gpu_read_cta(tenant, &cta);
    sm->amount[CCBP_REGISTERS] = cta.registers;
    sm->amount[CCBP_SHARED] = cta.shared;
    sm->amount[CCBP_THREADS] = (cta.threads + caps->lanes - 1) / caps->lanes * caps->lanes;
    sm->slots = 1;
}

/* memcmp() takes 300 mcu cycles for as much. */
static bool is_other(const struct ccbp_sm *a, const struct ccbp_sm *b)
{
    uint32_t differ = a->slots ^ b->slots;

    for (uint32_t r = 0; r < CCBP_STATICS; r++)
        differ |= a->amount[r] ^ b->amount[r];
    return differ;
}

bool corun_find(struct corun *corun, const struct gpu_caps *caps, struct ccbp_sm *ctas)
{
    uint32_t there = reg_read(MH_REG_TENANTS);
    bool other = false;

    corun->count = 0;
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        struct ccbp_sm cta;

        if (!(there >> tenant & 1))
            continue;
        corun_read_cta(caps, tenant, &cta);
        other |= is_other(&cta, &ctas[corun->count]);
        ctas[corun->count] = cta;
        corun->tenant[corun->count++] = (uint8_t)tenant;
    }
    return other;
}

static uint32_t since(uint32_t *before, uint32_t tenant, enum mh_counter_index counter)
{
    uint32_t now = gpu_count(tenant, counter), difference = now - *before;

    *before = now;
    return difference;
}

void corun_snapshot(struct corun *corun)
{
    uint32_t cycle;

    gpu_snapshot_window();
    cycle = gpu_snap_cycle_low();
    corun->cycles = cycle - corun->cycle;
    corun->cycle = cycle;
    for (uint32_t k = 0; k < corun->count; k++) {
        struct corun_counts *before = &corun->before[k], *window = &corun->window[k];
        uint32_t tenant = corun->tenant[k];

        window->instructions = since(&before->instructions, tenant, MH_COUNTER_WARP_INSTR);
        window->requests = since(&before->requests, tenant, MH_COUNTER_REQUESTS);
        window->reads = since(&before->reads, tenant, MH_COUNTER_REQUEST_READS);
        window->dram = since(&before->dram, tenant, MH_COUNTER_DRAM_CAUSED);
        window->demand = since(&before->demand, tenant, MH_COUNTER_ISSUE_DEMAND);
    }
}

struct ccbp_window corun_window(const struct corun *corun, uint32_t k)
{
    const struct corun_counts *w = &corun->window[k];

    return (struct ccbp_window){
        .cycles = corun->cycles, .requests = w->requests, .caused = {w->reads, w->dram}, .demand = w->demand};
}

static bool obeys(const struct corun *corun, const struct gpu_caps *caps, uint32_t sm, const uint8_t *limits)
{
    uint32_t held = 0, held_word = UINT32_MAX;

    for (uint32_t k = 0; k < corun->count; k++) {
        bool may = !corun->split || corun_owns(k, sm, caps->sms, corun->count);
        uint32_t word = corun->tenant[k] / 4, byte = corun->tenant[k] % 4;

        if (word != held_word)
            held = gpu_sm_ctas(sm, word);
        held_word = word;
        if ((held >> 8 * byte & 255) > (may ? limits[k] : 0))
            return false;
    }
    return true;
}

bool corun_drained(struct corun *corun, const struct gpu_caps *caps, const uint8_t *limits)
{
    uint32_t end = corun->drained + CORUN_SMS_AT_ONCE;

    while (corun->drained < caps->sms && corun->drained < end && obeys(corun, caps, corun->drained, limits))
        corun->drained++;
    return corun->drained == caps->sms;
}
