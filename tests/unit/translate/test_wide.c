/* A TLB whose entries cover several pages, against the obvious way to do it. */
#include "unit/test.h"
#include "random.h"
#include "translate/tlb.h"

enum { PAGES = 96, TENANTS = 2, MOST_ENTRIES = 16, MOST_COVERS = 16 };

/* Entries in no order, with the time of their last use; 0: free. */
struct list {
    struct {
        uint32_t tenant, group;
        uint64_t used;
        int64_t frame[MOST_COVERS];
    } entry[MOST_ENTRIES];
    uint32_t entries, sets, covers;
    uint64_t time;
};

static int find(const struct list *l, uint32_t tenant, uint32_t group)
{
    for (uint32_t i = 0; i < l->entries; i++)
        if (l->entry[i].used && l->entry[i].tenant == tenant && l->entry[i].group == group)
            return (int)i;
    return -1;
}

/* Entry i belongs to set i % sets. */
static uint32_t victim(const struct list *l, uint32_t set)
{
    uint32_t v = set;
    for (uint32_t i = set; i < l->entries; i += l->sets)
        if (l->entry[i].used < l->entry[v].used)
            v = i;
    return v;
}

static int64_t list_lookup(struct list *l, uint32_t tenant, uint32_t page)
{
    int i = find(l, tenant, page / l->covers);
    if (i < 0 || l->entry[i].frame[page % l->covers] < 0)
        return -1;
    l->entry[i].used = ++l->time;
    return l->entry[i].frame[page % l->covers];
}

static void list_fill(struct list *l, uint32_t tenant, uint32_t page, uint32_t frame)
{
    uint32_t group = page / l->covers;
    int i = find(l, tenant, group);
    if (i < 0) {
        i = (int)victim(l, group % l->sets);
        l->entry[i].tenant = tenant;
        l->entry[i].group = group;
        memset(l->entry[i].frame, 0xff, sizeof l->entry[i].frame);
    }
    l->entry[i].frame[page % l->covers] = frame;
    l->entry[i].used = ++l->time;
}

static void list_drop(struct list *l, uint32_t tenant, uint32_t page)
{
    int i = find(l, tenant, page / l->covers);
    bool left = false;
    if (i < 0)
        return;
    l->entry[i].frame[page % l->covers] = -1;
    for (uint32_t p = 0; p < l->covers; p++)
        left |= l->entry[i].frame[p] >= 0;
    if (!left)
        l->entry[i].used = 0;
}

static void list_flush(struct list *l, uint32_t tenant)
{
    for (uint32_t i = 0; i < l->entries; i++)
        if (l->entry[i].tenant == tenant)
            l->entry[i].used = 0;
}

static void step(struct mh_wide *w, struct list *l, uint64_t *rng)
{
    uint32_t tenant = pick(rng, 0, TENANTS - 1), page = pick(rng, 0, PAGES - 1), key = mh_page_key(tenant, page);
    switch (pick(rng, 0, 99)) {
    case 0:
        mh_wide_flush(w, tenant);
        list_flush(l, tenant);
        return;
    case 1 ... 9:
        mh_wide_drop(w, key);
        list_drop(l, tenant, page);
        return;
    case 10 ... 40:
        mh_wide_fill(w, key, 1000 * tenant + page);
        list_fill(l, tenant, page, 1000 * tenant + page);
        return;
    default:
        assert_int_equal(mh_wide_lookup(w, key), list_lookup(l, tenant, page));
    }
}

static void compare(uint32_t sets, uint32_t ways, uint32_t covers)
{
    struct mh_wide w;
    struct list l = {.entries = sets * ways, .sets = sets, .covers = covers};
    uint64_t rng = sets * 100 + ways * 10 + covers, hits = 0;
    assert_int_equal(mh_wide_init(&w, sets * ways, ways, MH_SETS_MODULO, covers), 0);
    for (uint32_t i = 0; i < 20000; i++)
        step(&w, &l, &rng);
    for (uint32_t t = 0; t < TENANTS; t++)
        for (uint32_t p = 0; p < PAGES; p++)
            hits += mh_wide_lookup(&w, mh_page_key(t, p)) >= 0;
    assert_true(hits);
    mh_wide_free(&w);
}

TEST(test_random)
{
    for (uint32_t covers = 1; covers <= MOST_COVERS; covers *= 2) {
        compare(1, 1, covers);
        compare(1, 5, covers);
        compare(4, 4, covers);
        compare(8, 2, covers);
    }
}
