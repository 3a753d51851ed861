#include "translate/steal.h"

#include "engine/gpu.h"
#include "translate/walk.h"

enum { WORDS = MH_MAX_WALKER_QUEUES / 64, NOBODY = MH_MAX_TENANTS };

/* --- Sets of walkers. */

static void put(struct mh_walker_set *s, uint32_t walker, bool in)
{
    uint64_t bit = 1ull << walker % 64;

    if (in)
        s->word[walker / 64] |= bit;
    else
        s->word[walker / 64] &= ~bit;
}

static struct mh_walker_set both(const struct mh_walker_set *a, const struct mh_walker_set *b)
{
    struct mh_walker_set s;

    for (uint32_t i = 0; i < WORDS; i++)
        s.word[i] = a->word[i] & b->word[i];
    return s;
}

static bool meet(const struct mh_walker_set *a, const struct mh_walker_set *b)
{
    uint64_t common = 0;

    for (uint32_t i = 0; i < WORDS; i++)
        common |= a->word[i] & b->word[i];
    return common;
}

uint32_t mh_walker_set_next(const struct mh_walker_set *s, uint32_t from)
{
    for (uint32_t i = from / 64; i < WORDS; i++) {
        uint64_t rest = s->word[i];

        if (i == from / 64)
            rest &= ~0ull << from % 64;
        if (rest)
            return i * 64 + (uint32_t)__builtin_ctzll(rest);
    }
    return MH_NO_WALKER;
}

/* The paper chooses the queue with most free slots. Of equals the lowest ([DWS] :748-761). */
static uint32_t shortest(const struct mh_steal *s, const struct mh_walker_set *among)
{
    uint32_t best = mh_walker_set_next(among, 0);

    for (uint32_t w = best; w != MH_NO_WALKER; w = mh_walker_set_next(among, w + 1))
        if (s->queue[w].count < s->queue[best].count)
            best = w;
    return best;
}

/* Of the queues of a tenant's walkers; MH_NO_WALKER: all are empty. */
static uint32_t longest(const struct mh_steal *s, uint32_t owner)
{
    struct mh_walker_set among = both(&s->owned[owner], &s->loaded);
    uint32_t best = mh_walker_set_next(&among, 0);

    for (uint32_t w = best; w != MH_NO_WALKER; w = mh_walker_set_next(&among, w + 1))
        if (s->queue[w].count > s->queue[best].count)
            best = w;
    return best;
}

/* --- Owners of walkers. */

uint32_t mh_steal_walkers(const struct mh_config *cfg)
{
    uint32_t walkers = mh_config_walkers(cfg);

    if (cfg->walk.private || walkers > MH_MAX_WALKER_QUEUES || walkers < cfg->tenants_count ||
        mh_walk_places(cfg) < walkers)
        return 0;
    return walkers;
}

void mh_steal_init(struct mh_steal *s, const struct mh_config *cfg)
{
    s->walkers = mh_steal_walkers(cfg);
    s->places = mh_walk_places(cfg);
    s->entries = s->walkers ? s->places / s->walkers : 0;
    s->epoch_left = UINT64_MAX;
    for (uint32_t w = 0; w < s->walkers; w++) {
        put(&s->all, w, true);
        mh_walk_queue_init(&s->queue[w]);
    }
}

void mh_steal_set_owners(struct mh_gpu *g)
{
    struct mh_steal *s = g->steal;

    memset(s->owned, 0, sizeof s->owned);
    memset(s->owns, 0, sizeof s->owns);
    for (uint32_t w = 0; w < s->walkers; w++) {
        uint32_t owner = g->knobs.walker_owner[w];

        s->owner[w] = (uint8_t)owner;
        put(&s->owned[owner], w, true);
        s->owns[owner]++;
    }
}

/* The walkers whose queues a tenant's walks may enter: its own or, if it has none, all (ours). */
static const struct mh_walker_set *walkers_of(const struct mh_steal *s, uint32_t tenant)
{
    return s->owns[tenant] ? &s->owned[tenant] : &s->all;
}

/* --- Arrival. */

/*
 * Idle, and of a tenant that has nothing queued. The paper steals when a walk ends, and only then: a walker that is
 * idle by that time would never look again. So an arrival wakes it ([DWS] :618).
 */
static uint32_t idle_to_steal(const struct mh_gpu *g)
{
    const struct mh_steal *s = g->steal;

    if (g->knobs.walk_steal == MH_STEAL_NEVER)
        return MH_NO_WALKER;
    uint32_t w = mh_walker_set_next(&s->idle, 0);

    while (w != MH_NO_WALKER && meet(&s->owned[s->owner[w]], &s->loaded))
        w = mh_walker_set_next(&s->idle, w + 1);
    return w;
}

static uint32_t walker_for(const struct mh_gpu *g, uint32_t tenant)
{
    struct mh_walker_set own = both(walkers_of(g->steal, tenant), &g->steal->idle);
    uint32_t walker = mh_walker_set_next(&own, 0);

    return walker == MH_NO_WALKER ? idle_to_steal(g) : walker;
}

bool mh_steal_room(const struct mh_gpu *g, uint32_t tenant)
{
    const struct mh_steal *s = g->steal;

    if (walker_for(g, tenant) != MH_NO_WALKER)
        return true;
    /* All places may be taken though this queue has one: others may be overfilled since WALK_QUEUES became 1. */
    return s->queued < s->places && s->queue[shortest(s, walkers_of(s, tenant))].count < s->entries;
}

void mh_steal_give(struct mh_gpu *g, uint32_t walk, uint32_t walker)
{
    struct mh_steal *s = g->steal;
    struct mh_walk *w = &g->l2tlb->walk[walk];

    put(&s->idle, walker, false);
    w->walker = (uint8_t)walker;
    s->serves[walker] = w->tenant;
}

uint32_t mh_steal_enter(struct mh_gpu *g, uint32_t walk)
{
    struct mh_steal *s = g->steal;
    uint32_t queue = shortest(s, walkers_of(s, g->l2tlb->walk[walk].tenant));

    mh_walk_queue_push(&s->queue[queue], g->l2tlb->walk, walk);
    put(&s->loaded, queue, true);
    s->queued++;
    return queue;
}

/* The walker of this queue is not idle: the arrival waits for the walk that it serves as well. */
static void wait_in_queue(struct mh_gpu *g, uint32_t walk)
{
    const struct mh_steal *s = g->steal;
    uint32_t tenant = g->l2tlb->walk[walk].tenant, queue = mh_steal_enter(g, walk);

    g->tenant[tenant].count.walks_foreign +=
        mh_walk_queue_foreign(&s->queue[queue], tenant) + (s->serves[queue] != tenant);
}

bool mh_steal_arrive(struct mh_gpu *g, uint32_t walk)
{
    uint32_t walker = walker_for(g, g->l2tlb->walk[walk].tenant);

    if (walker == MH_NO_WALKER) {
        wait_in_queue(g, walk);
        return false;
    }
    /* It has not waited, but counts as served last all the same (order.h). */
    g->steal->queue[walker].last = g->l2tlb->walk[walk].instruction;
    mh_steal_give(g, walk, walker);
    return true;
}

/* --- Completion. */

static void left(struct mh_steal *s, uint32_t queue)
{
    put(&s->loaded, queue, s->queue[queue].count);
    s->queued--;
}

/*
 * The victim, NOBODY if there is none: of the other tenants with walks queued, the one with most pending. Pending walks
 * are also those that have a walker, so whether there is something to steal is asked of the queues ([DWS] :791).
 */
static uint32_t victim_of(const struct mh_gpu *g, uint32_t owner)
{
    const struct mh_steal *s = g->steal;
    uint32_t victim = NOBODY;

    for (uint32_t t = 0; t < g->tenants; t++)
        if (t != owner && meet(&s->owned[t], &s->loaded) &&
            (victim == NOBODY || g->tenant[t].count.walks_live > g->tenant[victim].count.walks_live))
            victim = t;
    return victim;
}

/*
 * DWS++: a walker may steal though its owner has walks queued. The difference of pending walks counts against the
 * entries that one tenant owns: what the paper's "number of entries in the page walk queue" (sec. VI-B) means is in
 * [DWS] :803-815.
 */
static bool steals_early(const struct mh_gpu *g, uint32_t walker, uint32_t victim)
{
    const struct mh_steal *s = g->steal;
    const struct mh_knobs *k = &g->knobs;
    uint32_t owner = s->owner[walker];

    if (k->walk_steal != MH_STEAL_DWSPP || victim == NOBODY || s->serves[walker] != owner ||
        s->queue[walker].count > k->queue_thres || k->diff_thres[owner] == MH_DIFF_NEVER)
        return false;
    uint64_t theirs = g->tenant[victim].count.walks_live, ours = g->tenant[owner].count.walks_live;

    return theirs > ours && (theirs - ours) * 1000 > (uint64_t)k->diff_thres[owner] * s->entries * s->owns[owner];
}

/*
 * The queue that a free walker takes a walk from, MH_NO_WALKER if none. Sec. VI-B: its own, else another one of its
 * owner's, else a victim's. DWS++ asks first whether the victim comes before.
 */
static uint32_t source_for(const struct mh_gpu *g, uint32_t walker)
{
    const struct mh_steal *s = g->steal;
    uint32_t victim = g->knobs.walk_steal == MH_STEAL_NEVER ? NOBODY : victim_of(g, s->owner[walker]);

    if (!steals_early(g, walker, victim)) {
        uint32_t own = s->queue[walker].count ? walker : longest(s, s->owner[walker]);

        if (own != MH_NO_WALKER)
            return own;
    }
    return victim == NOBODY ? MH_NO_WALKER : longest(s, victim);
}

/* Also counts the walks that the stolen walk overtakes. */
static void count_steal(struct mh_gpu *g, uint32_t walker, uint32_t walk)
{
    const struct mh_steal *s = g->steal;
    uint32_t tenant = g->l2tlb->walk[walk].tenant, owner = s->owner[walker];

    if (tenant == owner)
        return;
    g->tenant[tenant].count.walks_stolen++;
    g->tenant[owner].count.walks_foreign += s->queue[walker].of[owner];
}

uint32_t mh_steal_next(struct mh_gpu *g, uint32_t walker)
{
    struct mh_steal *s = g->steal;
    uint32_t queue = source_for(g, walker), walk = MH_NO_WALK;

    /* Until it is given the walk. */
    put(&s->idle, walker, true);
    if (queue != MH_NO_WALKER) {
        walk = mh_order_pick(g, &s->queue[queue]);
        mh_order_leave(g, &s->queue[queue], walk);
        left(s, queue);
        mh_steal_give(g, walk, walker);
        count_steal(g, walker, walk);
    }
    return walk;
}

/* Each queue is in order of arrival, so the oldest walk is the head of one. */
uint32_t mh_steal_oldest(struct mh_gpu *g)
{
    struct mh_steal *s = g->steal;
    struct mh_walk *walk = g->l2tlb->walk;
    uint32_t best = mh_walker_set_next(&s->loaded, 0);

    for (uint32_t w = best; w != MH_NO_WALKER; w = mh_walker_set_next(&s->loaded, w + 1))
        if (mh_walk_since(&walk[s->queue[w].oldest]) < mh_walk_since(&walk[s->queue[best].oldest]))
            best = w;
    uint32_t id = s->queue[best].oldest;

    mh_walk_queue_remove(&s->queue[best], walk, id);
    left(s, best);
    return id;
}
