#include "translate/tlb.h"

static uint32_t group_of(const struct mh_wide *w, uint32_t key)
{
    return mh_page_key(mh_tenant_of_key(key), mh_page_of_key(key) >> w->shift);
}

static uint32_t *frames_of(const struct mh_wide *w, uint32_t row)
{
    return w->frame + ((size_t)row << w->shift);
}

static uint32_t *frame_of(const struct mh_wide *w, uint32_t row, uint32_t key)
{
    return frames_of(w, row) + (key & ((1u << w->shift) - 1));
}

int mh_wide_init(struct mh_wide *w, uint32_t entries, uint32_t ways, enum mh_set_rule rule, uint32_t covers)
{
    size_t bytes = (size_t)entries * covers * sizeof *w->frame;

    w->shift = (uint32_t)__builtin_ctz(covers);
    w->frame = mh_aligned_zeros(bytes);
    if (mh_tlb_init(&w->tag, entries, ways, rule) || !w->frame)
        return -1;
    memset(w->frame, 0xff, bytes);
    for (uint32_t row = 0; row < entries; row++)
        w->tag.ppn[row / ways * w->tag.stride + row % ways] = row;
    return 0;
}

void mh_wide_free(struct mh_wide *w)
{
    mh_tlb_free(&w->tag);
    free(w->frame);
}

int64_t mh_wide_lookup(struct mh_wide *w, uint32_t key)
{
    uint32_t group = group_of(w, key);
    size_t set = mh_tlb_set(&w->tag, group);
    int way = mh_tlb_way(&w->tag, set, group);

    if (way < 0)
        return -1;
    uint32_t row = w->tag.ppn[set + (uint32_t)way], frame = *frame_of(w, row, key);

    if (frame == MH_TLB_EMPTY)
        return -1;
    mh_tlb_to_front(&w->tag, set, (uint32_t)way, group, row);
    return frame;
}

bool mh_wide_has(const struct mh_wide *w, uint32_t key)
{
    uint32_t group = group_of(w, key);
    size_t set = mh_tlb_set(&w->tag, group);
    int way = mh_tlb_way(&w->tag, set, group);

    return way >= 0 && *frame_of(w, w->tag.ppn[set + (uint32_t)way], key) != MH_TLB_EMPTY;
}

/* The last way is the least recently used one, or an empty one. */
void mh_wide_fill(struct mh_wide *w, uint32_t key, uint32_t ppn)
{
    uint32_t group = group_of(w, key), last = w->tag.ways - 1;
    size_t set = mh_tlb_set(&w->tag, group);
    int way = mh_tlb_way(&w->tag, set, group);
    uint32_t at = way < 0 ? last : (uint32_t)way, row = w->tag.ppn[set + at];

    if (way < 0)
        memset(frames_of(w, row), 0xff, sizeof *w->frame << w->shift);
    *frame_of(w, row, key) = ppn;
    mh_tlb_to_front(&w->tag, set, at, group, row);
}

/* The way becomes empty, and the last of its set. */
static void remove_way(struct mh_wide *w, size_t set, uint32_t way)
{
    uint32_t *key = w->tag.key + set, *row = w->tag.ppn + set, last = w->tag.ways - 1, free = row[way];

    memmove(key + way, key + way + 1, (last - way) * sizeof *key);
    memmove(row + way, row + way + 1, (last - way) * sizeof *row);
    key[last] = MH_TLB_EMPTY;
    row[last] = free;
}

static bool is_empty(const struct mh_wide *w, uint32_t row)
{
    const uint32_t *frame = frames_of(w, row);

    for (uint32_t i = 0; i < 1u << w->shift; i++)
        if (frame[i] != MH_TLB_EMPTY)
            return false;
    return true;
}

void mh_wide_drop(struct mh_wide *w, uint32_t key)
{
    uint32_t group = group_of(w, key);
    size_t set = mh_tlb_set(&w->tag, group);
    int way = mh_tlb_way(&w->tag, set, group);

    if (way < 0)
        return;
    uint32_t row = w->tag.ppn[set + (uint32_t)way];

    *frame_of(w, row, key) = MH_TLB_EMPTY;
    if (is_empty(w, row))
        remove_way(w, set, (uint32_t)way);
}

void mh_wide_flush(struct mh_wide *w, uint32_t tenant)
{
    for (size_t set = 0; set < (size_t)w->tag.sets * w->tag.stride; set += w->tag.stride)
        for (uint32_t way = w->tag.ways; way--;) {
            uint32_t key = w->tag.key[set + way];

            if (key != MH_TLB_EMPTY && mh_tenant_of_key(key) == tenant)
                remove_way(w, set, way);
        }
}
