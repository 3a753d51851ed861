#include "gpu.h"

#define GPU_ID 0x4d48454cu /* ASCII MHEL */

enum gpu_status gpu_probe(struct gpu_caps *caps)
{
    if (reg_read(MH_REG_ID) != GPU_ID)
        return GPU_NO_WINDOW;
    if (reg_read(MH_REG_VERSION) != MH_REGISTERS_VERSION)
        return GPU_WRONG_VERSION;
    caps->sms = reg_read(MH_REG_CAP_SMS);
    caps->tenants = reg_read(MH_REG_CAP_TENANTS);
    caps->warps = reg_read(MH_REG_CAP_WARPS);
    caps->lanes = reg_read(MH_REG_CAP_LANES);
    caps->cta_slots = reg_read(MH_REG_CAP_CTA_SLOTS);
    caps->walkers = reg_read(MH_REG_CAP_WALKERS);
    caps->levels = reg_read(MH_REG_CAP_LEVELS);
    caps->l2tlb = reg_read(MH_REG_CAP_L2TLB);
    caps->bypass = reg_read(MH_REG_CAP_BYPASS);
    caps->channels = reg_read(MH_REG_CAP_CHANNELS);
    caps->features = reg_read(MH_REG_CAP_FEATURES);
    caps->epoch = reg_read(MH_REG_CAP_EPOCH);
    caps->walk_queue = reg_read(MH_REG_CAP_WALK_QUEUE);
    caps->uvm = reg_read(MH_REG_CAP_UVM);
    caps->uvm_unit = reg_read(MH_REG_CAP_UVM_UNIT);
    return caps->tenants >= 1 && caps->tenants <= GPU_MAX_TENANTS ? GPU_OK : GPU_TOO_MANY_TENANTS;
}

void gpu_snapshot(void)
{
    reg_write(MH_REG_SNAPSHOT, MH_SNAPSHOT_EPOCH);
}

void gpu_snapshot_window(void)
{
    reg_write(MH_REG_SNAPSHOT, MH_SNAPSHOT_WINDOW);
}

uint64_t gpu_counter(uint32_t tenant, enum mh_counter_index counter)
{
    uint32_t offset = MH_COUNTER_BASE + tenant * MH_COUNTER_STRIDE + 8 * (uint32_t)counter;
    uint32_t low = reg_read(offset);

    /* Two statements: the order of the halves is part of the access log that mcu and twin agree in. */
    return (uint64_t)reg_read(offset + 4) << 32 | low;
}

void gpu_read_cta(uint32_t tenant, struct gpu_cta *cta)
{
    uint32_t offset = tenant * MH_TENANT_STRIDE;

    cta->threads = reg_read(MH_REG_CTA_THREADS + offset);
    cta->registers = reg_read(MH_REG_CTA_REGISTERS + offset);
    cta->shared = reg_read(MH_REG_CTA_SHARED + offset);
}

void gpu_reset_knobs(void)
{
    reg_write(MH_REG_KNOB_RESET, 1);
}

enum gpu_status gpu_commit(uint32_t *offset)
{
    reg_write(MH_REG_COMMIT, 1);
    if (reg_read(MH_REG_COMMIT_STATUS) == 0)
        return GPU_OK;
    *offset = reg_read(MH_REG_COMMIT_BAD);
    return GPU_REJECTED;
}

bool gpu_pop_event(struct gpu_event *event)
{
    uint32_t word = reg_read(MH_REG_EVENT_POP);

    event->kind = (uint8_t)word;
    event->tenant = (uint8_t)(word >> 8);
    event->argument = (uint16_t)(word >> 16);
    return event->kind != MH_EVENT_NONE;
}

bool gpu_pop_arrival(struct gpu_arrival *arrival)
{
    uint32_t word = reg_read(MH_REG_WALK_ARRIVAL);

    arrival->instruction = word & ((1u << MH_WALK_INSTR_BITS) - 1);
    arrival->tenant = word >> MH_WALK_ARRIVAL_TENANT & 15;
    arrival->reads = word >> MH_WALK_ARRIVAL_READS & 7;
    return (word & MH_WALK_ARRIVAL_VALID) != 0;
}

bool gpu_pop_page_fault(struct gpu_page_fault *fault)
{
    uint32_t word = reg_read(MH_REG_PAGE_FAULT);

    fault->tenant = word >> MH_PAGE_FAULT_TENANT & 15;
    fault->sm = (uint8_t)(word >> MH_PAGE_FAULT_SM);
    fault->come = (word & MH_PAGE_FAULT_COME) != 0;
    fault->evicted = (word & MH_PAGE_FAULT_EVICTED) != 0;
    return (word & MH_PAGE_FAULT_VALID) != 0;
}

void gpu_score_walks(uint32_t instruction, uint32_t score)
{
    reg_write(MH_REG_WALK_SCORE, score << MH_WALK_INSTR_BITS | instruction);
}

bool gpu_timer_start(uint32_t timer, uint32_t interval, enum gpu_timer_mode mode)
{
    uint32_t offset = timer * (uint32_t)MH_REG_TIMER_INTERVAL_STRIDE;

    reg_write(MH_REG_TIMER_INTERVAL + offset, interval);
    if (reg_read(MH_REG_TIMER_INTERVAL + offset) != interval)
        return false;
    reg_write(MH_REG_TIMER_CTRL + offset, mode);
    return true;
}

uint32_t gpu_take_irqs(void)
{
    uint32_t pending = reg_read(MH_REG_IRQ_PENDING);

    reg_write(MH_REG_IRQ_PENDING, pending);
    return pending;
}

void gpu_clear_irqs(uint32_t mask)
{
    reg_write(MH_REG_IRQ_PENDING, mask);
}

void gpu_enable_irqs(uint32_t mask)
{
    reg_write(MH_REG_IRQ_ENABLE, mask);
}
