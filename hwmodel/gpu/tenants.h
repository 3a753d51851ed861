/*
 * Who is there, and on which SMs: tenants that come and go during the run, and page table roots of SMs.
 *
 * A tenant that comes starts its workload from the beginning. One that leaves is taken away as a driver tears a context
 * down: its CTAs are killed, what they have issued drains, then its translations are flushed. An SM that changes its
 * root drains first (MASK sec. 5.1); its CTAs finish.
 */
#ifndef MEMHELM_GPU_TENANTS_H
#define MEMHELM_GPU_TENANTS_H

#include <stdbool.h>
#include <stdint.h>

struct mh_gpu;
struct mh_sm;

/** Presence, SMs and roots as the configuration has them; before the register window is made. */
void mh_tenants_init(struct mh_gpu *g);

/** At cycle next_change, after its events: tenants leave, then others come. */
void mh_tenants_change(struct mh_gpu *g);

/** After a cycle with `attention`: ends the drains of SMs and of tenants that have left, as far as they are done. */
void mh_tenants_drain(struct mh_gpu *g);

/** The firmware is gone: SMs go back to whom they were of at the start. */
void mh_tenants_give_back(struct mh_gpu *g);

/** struct mh_control_ops: registers TENANTS, UVM_FREE, SM_DRAINING and SM_HOLDS; SM_ROOT, TLB_FLUSH and PTE_CHANGED. */
uint32_t mh_tenants_status(void *gpu, uint32_t offset);
bool mh_tenants_command(void *gpu, uint32_t offset, uint32_t value);

#endif
