#include "engine/gpu.h"
#include "sm/sm.h"

/*
 * Positions under GTO and lrr-gto: a new warp stands behind all others, and one that exits leaves a gap. When the end
 * is reached, the others move up; with half of the positions in use that is once in 32 warps.
 */

/* The bits of `mask` at the places that are set in `kept`, moved together. */
static uint64_t squeeze(uint64_t mask, uint64_t kept)
{
    uint64_t out = 0;

    for (uint32_t to = 0; kept; kept &= kept - 1, to++)
        out |= (mask >> __builtin_ctzll(kept) & 1) << to;
    return out;
}

static void move_port(struct mh_issue_port *port, uint64_t kept)
{
    port->warps = squeeze(port->warps, kept);
    if (port->last != MH_NONE)
        port->last = mh_bits(kept & ((1ull << port->last) - 1));
}

static void move_turn(struct mh_sm_turn *turn, uint64_t kept)
{
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        if (turn->greedy[t] != MH_NOBODY)
            turn->greedy[t] = (uint8_t)mh_bits(kept & ((1ull << turn->greedy[t]) - 1));
}

static void close_gaps(struct mh_sm *sm)
{
    const uint64_t kept = sm->standing;
    uint32_t to = 0;

    for (uint64_t m = kept; m; m &= m - 1, to++) {
        sm->slot_at[to] = sm->slot_at[__builtin_ctzll(m)];
        sm->warp[sm->slot_at[to]].position = (uint8_t)to;
    }
    sm->can_issue = squeeze(sm->can_issue, kept);
    sm->memory = squeeze(sm->memory, kept);
    sm->faulting = squeeze(sm->faulting, kept);
    /* Inverted: the places that become free are allowed, as those of warps to come are. */
    sm->allowed = ~squeeze(~sm->allowed, kept);
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        sm->of_tenant[t] = squeeze(sm->of_tenant[t], kept);
    for (uint32_t p = 0; p < sm->ports; p++) {
        move_port(&sm->port[p], kept);
        move_turn(&sm->turns[p], kept);
    }
    sm->standing = (1ull << to) - 1;
    sm->next_position = to;
}

/* Round robin goes by slots: their order is all that it needs. */
static uint32_t new_position(struct mh_sm *sm, uint32_t slot)
{
    if (!mh_by_age(sm->scheduler))
        return slot;
    if (sm->next_position == MH_MAX_WARPS)
        close_gaps(sm);
    return sm->next_position++;
}

void mh_sm_enter(struct mh_sm *sm, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[slot];
    uint32_t position = new_position(sm, slot);

    w->position = (uint8_t)position;
    w->port = (uint8_t)(slot % sm->ports);
    sm->slot_at[position] = (uint8_t)slot;
    sm->standing |= 1ull << position;
    sm->port[w->port].warps |= 1ull << position;
    sm->of_tenant[w->tenant] |= 1ull << position;
    if (sm->rationed)
        mh_quota_hold(sm);
}

void mh_sm_leave(struct mh_sm *sm, uint32_t slot)
{
    const struct mh_warp *w = &sm->warp[slot];
    uint8_t *greedy = &sm->turns[w->port].greedy[w->tenant];
    uint64_t bit = 1ull << w->position;

    sm->can_issue &= ~bit;
    sm->faulting &= ~bit;
    sm->standing &= ~bit;
    sm->port[w->port].warps &= ~bit;
    sm->of_tenant[w->tenant] &= ~bit;
    if (*greedy == w->position)
        *greedy = MH_NOBODY; /* whoever gets this position next is young */
    if (sm->rationed)
        mh_quota_hold(sm);
}

uint64_t mh_sm_positions(const struct mh_sm *sm, uint64_t slots)
{
    uint64_t positions = 0;

    if (!mh_by_age(sm->scheduler))
        return slots;
    for (; slots; slots &= slots - 1)
        positions |= 1ull << sm->warp[__builtin_ctzll(slots)].position;
    return positions;
}
