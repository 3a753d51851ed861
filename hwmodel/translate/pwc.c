#include "translate/pwc.h"

#include "engine/gpu.h"
#include "pages/page_table.h"
#include "translate/walk.h"

/* State of a tag: MH_TAG_VALID, and the counter above it. */
enum { COUNT_SHIFT = 1, COUNT_MASK = MH_PWC_COUNT_MAX << COUNT_SHIFT };
_Static_assert((COUNT_MASK & MH_TAG_VALID) == 0 && (COUNT_MASK | MH_TAG_STATE) == MH_TAG_STATE, "fits the state");

int mh_pwc_init(struct mh_walkers *w, const struct mh_config *cfg)
{
    w->pwc_shift = cfg->walk.pwc_index != MH_PWC_INDEX_NODE ? 0 : MH_PT_MAX_BITS;
    return mh_tags_init(&w->pwc, cfg->walk.pwc_bytes / MH_PTE_BYTES / cfg->walk.pwc_ways, cfg->walk.pwc_ways);
}

/* Node and index name an entry as its physical address would. A node is of one address space, so a tag is, too. */
static uint32_t tag_of(const struct mh_gpu *g, uint32_t node, uint32_t vpn, uint32_t depth)
{
    return node * MH_PT_ENTRIES + mh_pt_index(g->pages, vpn, depth);
}

/* walk.pwc_index: by the low bits of the entry's address or of its node's number. */
static uint32_t *set_of(const struct mh_walkers *w, uint32_t tag)
{
    return mh_tags_set(&w->pwc, tag >> w->pwc_shift & (w->pwc.sets - 1));
}

static uint32_t count_of(uint32_t entry)
{
    return (entry & COUNT_MASK) >> COUNT_SHIFT;
}

static uint32_t changed(uint32_t entry, enum mh_pwc_count change)
{
    uint32_t count = count_of(entry);

    if (change == MH_PWC_UP)
        count += count < MH_PWC_COUNT_MAX;
    else
        count -= count > 0;
    return (entry & ~(uint32_t)COUNT_MASK) | count << COUNT_SHIFT;
}

/* The walk goes on below the deepest entry that is there, whether or not those above it are. */
struct mh_pwc_found mh_pwc_look_up(struct mh_gpu *g, uint32_t tenant, uint32_t root, uint32_t vpn,
                                   enum mh_pwc_count change, uint32_t counted)
{
    struct mh_walkers *w = mh_walkers_of(g, tenant);
    const struct mh_tags *pwc = &w->pwc;
    struct mh_pwc_found found = {.node = root, .depth = 1};
    uint32_t node = root;

    for (uint32_t depth = 1; pwc->sets && depth < g->pages->levels; depth++) {
        uint32_t tag = tag_of(g, node, vpn, depth), *set = set_of(w, tag), bit = 1u << (depth - 1);
        int way = mh_tags_find(pwc, set, tag);

        /* The table itself tells the next level's tag. Hardware compares the prefixes of all levels at once. */
        node = mh_pt_entry(g->pages, node, vpn, depth);
        MH_CHECK(node != MH_PT_NONE);
        if (way < 0)
            continue;
        mh_tags_front(set, (uint32_t)way, change && (counted & bit) ? changed(set[way], change) : set[way]);
        found = (struct mh_pwc_found){node, (uint8_t)(depth + 1), (uint8_t)(found.levels | bit)};
    }
    return found;
}

/* Least recently used way whose counter is 0, else least recently used. An empty way is one whose counter is 0. */
static uint32_t victim(const struct mh_tags *pwc, const uint32_t *set)
{
    for (uint32_t way = pwc->ways; way--;)
        if (!count_of(set[way]))
            return way;
    return pwc->ways - 1;
}

void mh_pwc_fill(struct mh_gpu *g, uint32_t tenant, uint32_t node, uint32_t vpn, uint32_t depth)
{
    struct mh_walkers *w = mh_walkers_of(g, tenant);
    const struct mh_tags *pwc = &w->pwc;

    if (!pwc->sets)
        return;
    uint32_t tag = tag_of(g, node, vpn, depth), *set = set_of(w, tag);
    int way = mh_tags_find(pwc, set, tag);

    /* Another walk has read the entry meanwhile: its counter stays. */
    if (way >= 0)
        mh_tags_front(set, (uint32_t)way, set[way]);
    else
        mh_tags_front(set, victim(pwc, set), tag << MH_TAG_BITS | MH_TAG_VALID);
}

uint32_t mh_pwc_pins(const struct mh_tags *pwc)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < pwc->sets * pwc->stride; i++)
        sum += count_of(pwc->entry[i]);
    return sum;
}
