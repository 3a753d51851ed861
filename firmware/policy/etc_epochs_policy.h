/*
 * For policies that have ETC's epochs: the timer and the latch of evictions follow the phase. The policy owns
 * TIMER_CTRL, and may define the lengths.
 */
#include "etc_epochs.h"

/*
 * Lengths, GPU cycles (ours: the paper has none). A fault takes 20 us, 20 400 cycles at 1020 MHz, and an SM with one
 * missing page raises no other meanwhile: a detection epoch of one or two of these would end without a fault because
 * all SMs wait for one. Five of them are long enough to tell. An execution epoch is as long: an SM that is released
 * asks for its pages in the first of them, and works with them in the others.
 */
#ifndef ETC_DETECTION_CYCLES
#define ETC_DETECTION_CYCLES 102000
#endif
#ifndef ETC_EXECUTION_CYCLES
#define ETC_EXECUTION_CYCLES 102000
#endif

/* A phase begins. */
static void etc_epochs_begin(const struct etc_epochs *epochs, uint32_t tenants)
{
    switch (epochs->phase) {
    case ETC_IDLE:
        gpu_stop_timer();
        break;
    case ETC_DETECTION:
        for (uint32_t tenant = 0; tenant < tenants; tenant++)
            if (epochs->watched >> tenant & 1)
                gpu_arm_eviction(tenant);
        gpu_set_timer(ETC_DETECTION_CYCLES);
        break;
    case ETC_EXECUTION:
        gpu_set_timer(ETC_EXECUTION_CYCLES);
        break;
    }
}
