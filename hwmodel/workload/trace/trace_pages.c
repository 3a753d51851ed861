#include "workload/trace/traceg.h"

#include <stdlib.h>
#include <string.h>

#define MAX_REGIONS ((uint32_t)((((uint64_t)1 << 39) - MH_REGION_BASE) >> MH_REGION_SHIFT))

static uint32_t slot_of(const struct mh_pages *p, uint64_t id)
{
    uint32_t i = (uint32_t)(id * 0x9e3779b97f4a7c15u >> 40) & (p->table_size - 1);

    while (p->table[i] && p->regions[p->table[i] - 1].id != id)
        i = (i + 1) & (p->table_size - 1);
    return i;
}

static bool index_regions(struct mh_pages *p)
{
    if (!p->table)
        return true;
    memset(p->table, 0, p->table_size * sizeof *p->table);
    for (uint32_t i = 0; i < p->count; i++)
        p->table[slot_of(p, p->regions[i].id)] = i + 1;
    return true;
}

static bool grow(struct mh_pages *p)
{
    uint32_t capacity = p->capacity ? p->capacity * 2 : 64;
    struct mh_region *regions = realloc(p->regions, capacity * sizeof *regions);
    uint32_t *table;

    if (!regions)
        return false;
    p->regions = regions;
    table = malloc(2 * capacity * sizeof *table);
    if (!table)
        return false;
    free(p->table);
    p->table = table;
    p->table_size = 2 * capacity;
    p->capacity = capacity;
    return index_regions(p);
}

static enum mh_pages_status find_or_add(struct mh_pages *p, uint64_t id)
{
    uint32_t slot;

    if (p->count && p->regions[p->last].id == id)
        return MH_PAGES_OK;
    if (p->count == p->capacity && !grow(p))
        return MH_PAGES_MEMORY;
    slot = slot_of(p, id);
    if (!p->table[slot]) {
        if (p->count == MAX_REGIONS)
            return MH_PAGES_FULL;
        p->regions[p->count] = (struct mh_region){.id = id};
        p->table[slot] = ++p->count;
    }
    p->last = p->table[slot] - 1;
    return MH_PAGES_OK;
}

enum mh_pages_status mh_pages_touch(struct mh_pages *p, uint64_t address, uint32_t bytes)
{
    uint64_t first = address >> MH_REGION_PAGE_SHIFT, last = (address + bytes - 1) >> MH_REGION_PAGE_SHIFT;

    for (uint64_t page = first; page <= last; page++) {
        enum mh_pages_status status = find_or_add(p, page >> (MH_REGION_SHIFT - MH_REGION_PAGE_SHIFT));
        uint32_t bit = (uint32_t)page % MH_REGION_PAGES;

        if (status != MH_PAGES_OK)
            return status;
        p->regions[p->last].pages[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
    return MH_PAGES_OK;
}

static int by_id(const void *a, const void *b)
{
    const struct mh_region *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

bool mh_pages_seal(struct mh_pages *p)
{
    if (p->count)
        qsort(p->regions, p->count, sizeof *p->regions, by_id);
    p->sealed = true;
    p->last = 0;
    return index_regions(p);
}

uint64_t mh_pages_map(struct mh_pages *p, uint64_t address, bool *ok)
{
    uint64_t id = address >> MH_REGION_SHIFT;

    if (p->count == 0 || p->regions[p->last].id != id) {
        uint32_t found = p->count ? p->table[slot_of(p, id)] : 0;

        if (!found) {
            *ok = false;
            return 0;
        }
        p->last = found - 1;
    }
    return MH_REGION_BASE + ((uint64_t)p->last << MH_REGION_SHIFT) + (address & (((uint64_t)1 << MH_REGION_SHIFT) - 1));
}

static bool touched(const struct mh_pages *p, uint64_t page)
{
    const struct mh_region *r = &p->regions[page / MH_REGION_PAGES];

    return r->pages[page % MH_REGION_PAGES / 64] >> (page % 64) & 1;
}

struct mh_buffer *mh_pages_ranges(const struct mh_pages *p, uint32_t *count)
{
    uint64_t pages = (uint64_t)p->count * MH_REGION_PAGES, start;
    uint32_t capacity = 64;
    struct mh_buffer *ranges = malloc(capacity * sizeof *ranges), *grown;

    *count = 0;
    for (uint64_t page = 0; ranges && page < pages; page++) {
        if (!touched(p, page))
            continue;
        for (start = page; page < pages && touched(p, page); page++)
            ;
        if (*count == capacity) {
            grown = realloc(ranges, (size_t)(capacity *= 2) * sizeof *ranges);
            if (!grown)
                free(ranges);
            ranges = grown;
        }
        if (ranges)
            ranges[(*count)++] = (struct mh_buffer){.base = MH_REGION_BASE + (start << MH_REGION_PAGE_SHIFT),
                                                    .bytes = (page - start) << MH_REGION_PAGE_SHIFT};
    }
    return ranges;
}

void mh_pages_free(struct mh_pages *p)
{
    free(p->regions);
    free(p->table);
    *p = (struct mh_pages){0};
}
