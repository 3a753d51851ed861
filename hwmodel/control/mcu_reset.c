/* A reset of the mcu alone: what MH_REG_MCU_RESET rows of the register table say, and knobs. */
#include "control/internal.h"

#include <string.h>

enum effect { MCU_RESET_NONE, MCU_RESET_VALUE, MCU_RESET_FORGETS, MCU_RESET_OWN, MCU_RESET_STAYS, MCU_RESET_NOTHING };

static const uint8_t effect_on[MH_ROW_COUNTER + 1] = {
#define MH_REG_MCU_RESET(name, effect, doc) [MH_ROW_##name] = MCU_RESET_##effect,
#include "memhelm/registers.def"
};

static void forget_snapshot(struct mh_control *c)
{
    memset(c->snap, 0, sizeof c->snap);
    c->snap_cycle = 0;
}

/* What waits in a FIFO is the next firmware's, even if the one before has acknowledged it. */
static uint32_t waiting(const struct mh_control *c)
{
    return (c->fifo.count ? MH_IRQ_EVENT : 0) | (c->arrivals.count ? MH_IRQ_WALK_ARRIVAL : 0) |
           (c->faults.count ? MH_IRQ_PAGE_FAULT : 0);
}

static void reset_register(struct mh_control *c, const struct mh_reg_desc *d)
{
    if (d->access == MH_ACC_SNAP || effect_on[d->row] == MCU_RESET_VALUE)
        c->value[d - c->map.desc] = d->reset;
    else if (d->row == MH_ROW_TIMER_CTRL && d->copy > 0)
        mh_control_timer_set(c, 0, d->copy, 0);
}

/* An epoch that is open gets its row before the knobs change: they were in force in it. */
void mh_control_safe(struct mh_control *c)
{
    mh_control_drop(c);
    mh_control_reset_knobs(c);
    for (uint32_t i = 1; i <= c->map.count; i++)
        reset_register(c, &c->map.desc[i]);
    forget_snapshot(c);
    c->commit_status = 0;
    c->evicted = 0;
    c->pending = waiting(c);
}
