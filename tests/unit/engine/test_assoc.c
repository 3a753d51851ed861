/* The LRU arrays of translations, fully associative and in sets, against lists in order of use. */
#include "unit/test.h"
#include "memhelm/hwmodel.h"
#include "random.h"
#include "engine/assoc.h"
#include "translate/tlb.h"

enum { MOST = 64 };

/* The reference: newest first. */
struct list {
    uint32_t key[MOST], ppn[MOST], count, capacity;
};

static int64_t list_lookup(struct list *l, uint32_t key)
{
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->key[i] != key)
            continue;
        uint32_t ppn = l->ppn[i];
        memmove(l->key + 1, l->key, i * sizeof *l->key);
        memmove(l->ppn + 1, l->ppn, i * sizeof *l->ppn);
        l->key[0] = key;
        l->ppn[0] = ppn;
        return ppn;
    }
    return -1;
}

static void list_fill(struct list *l, uint32_t key, uint32_t ppn)
{
    if (list_lookup(l, key) >= 0 || !l->capacity)
        return;
    if (l->count < l->capacity)
        l->count++;
    memmove(l->key + 1, l->key, (l->count - 1) * sizeof *l->key);
    memmove(l->ppn + 1, l->ppn, (l->count - 1) * sizeof *l->ppn);
    l->key[0] = key;
    l->ppn[0] = ppn;
}

/* A set's whole order of use, from newest to oldest and back. */
static void assert_same_order(const struct mh_assoc *a, uint32_t set, const struct list *l)
{
    const struct mh_assoc_set *s = &a->set[set];
    uint16_t i = s->newest;
    assert_int_equal(s->used, l->count);
    for (uint32_t n = 0; n < l->count; n++, i = a->entry[i].older) {
        assert_int_equal(a->entry[i].key, l->key[n]);
        if (n + 1 < l->count)
            assert_int_equal(a->entry[a->entry[i].older].newer, i);
        else
            assert_int_equal(s->oldest, i);
    }
}

static void list_flush(struct list *l, uint32_t tenant)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; i++)
        if (mh_tenant_of_key(l->key[i]) != tenant) {
            l->key[kept] = l->key[i];
            l->ppn[kept++] = l->ppn[i];
        }
    l->count = kept;
}

enum { MOST_SETS = 16 };

/* The set that a page should be in. */
static uint32_t set_of(uint32_t sets, enum mh_set_rule rule, uint32_t page)
{
    return (rule == MH_SETS_FOLD ? page ^ page / sets : page) % sets;
}

static void compare_in(uint32_t sets, enum mh_set_rule rule, uint32_t ways, uint32_t pages, uint64_t rng)
{
    struct mh_assoc a;
    struct list l[MOST_SETS] = {0};
    assert_int_equal(mh_assoc_init_with(&a, sets * ways, mh_sets(sets, rule), 0), 0);
    for (uint32_t s = 0; s < sets; s++)
        l[s].capacity = ways;
    for (uint32_t n = 0; n < 20000; n++) {
        uint32_t page = random_next(&rng) % pages, key = mh_page_key(page % 3, page), set = set_of(sets, rule, page);
        if (random_next(&rng) % 400 == 0) {
            mh_assoc_flush(&a, page % 3);
            for (uint32_t s = 0; s < sets; s++)
                list_flush(&l[s], page % 3);
        } else if (random_next(&rng) % 2) {
            mh_assoc_fill(&a, key, page * 5);
            list_fill(&l[set], key, page * 5);
        } else {
            assert_int_equal(mh_assoc_lookup(&a, key), list_lookup(&l[set], key));
        }
        if (ways)
            assert_same_order(&a, set, &l[set]);
    }
    mh_assoc_free(&a);
}

static void compare(uint32_t capacity, uint32_t pages, uint64_t rng)
{
    compare_in(1, MH_SETS_MODULO, capacity, pages, rng);
}

TEST(test_against_list)
{
    compare(1, 3, 1);
    compare(2, 5, 2);
    compare(7, 20, 3);
    compare(32, 40, 4);
    compare(64, 300, 5);
    compare(64, 60, 6); /* never full */
}

TEST(test_sets_of_entries)
{
    compare_in(2, MH_SETS_MODULO, 1, 5, 11);
    compare_in(4, MH_SETS_FOLD, 3, 20, 12);
    compare_in(16, MH_SETS_FOLD, 4, 300, 13);
}

TEST(test_no_capacity)
{
    struct mh_assoc a;
    assert_int_equal(mh_assoc_init(&a, 0), 0);
    mh_assoc_fill(&a, 7, 1);
    assert_int_equal(mh_assoc_lookup(&a, 7), -1);
    mh_assoc_free(&a);
}

/* 32 entries, as the bypass cache: filling 33 loses the first, unless it was used in between. */
TEST(test_lru_by_hand)
{
    for (int touch = 0; touch < 2; touch++) {
        struct mh_assoc a;
        assert_int_equal(mh_assoc_init(&a, 32), 0);
        for (uint32_t page = 0; page < 32; page++)
            mh_assoc_fill(&a, page, page);
        if (touch)
            assert_int_equal(mh_assoc_lookup(&a, 0), 0);
        mh_assoc_fill(&a, 100, 100);
        assert_int_equal(mh_assoc_lookup(&a, 0), touch ? 0 : -1);
        assert_int_equal(mh_assoc_lookup(&a, 1), touch ? -1 : 1);
        mh_assoc_free(&a);
    }
}

/* Refreshing an entry makes it the newest and keeps its translation. */
TEST(test_refresh)
{
    struct mh_assoc a;
    assert_int_equal(mh_assoc_init(&a, 2), 0);
    mh_assoc_fill(&a, 1, 10);
    mh_assoc_fill(&a, 2, 20);
    mh_assoc_fill(&a, 1, 10);
    mh_assoc_fill(&a, 3, 30);
    assert_int_equal(mh_assoc_lookup(&a, 1), 10);
    assert_int_equal(mh_assoc_lookup(&a, 2), -1);
    assert_int_equal(mh_assoc_lookup(&a, 3), 30);
    mh_assoc_free(&a);
}

/* A key that is on its way is found as its MSHR; when it comes it is the newest entry, and the oldest has gone. */
TEST(test_expected)
{
    enum { ENTRIES = 2, MSHRS = 3 };
    struct mh_assoc a;
    assert_int_equal(mh_assoc_init_with(&a, ENTRIES, mh_sets(1, MH_SETS_MODULO), MSHRS), 0);
    for (uint32_t mshr = 0; mshr < MSHRS; mshr++)
        mh_assoc_expect(&a, 10 + mshr, mshr);
    for (uint32_t mshr = 0; mshr < MSHRS; mshr++)
        assert_int_equal(mh_assoc_find(&a, 10 + mshr), ENTRIES + mshr);
    mh_assoc_arrive(&a, 11, 110);
    mh_assoc_arrive(&a, 10, 100);
    assert_int_equal(mh_assoc_find(&a, 12), ENTRIES + 2);
    assert_int_equal(mh_assoc_lookup(&a, 11), 110); /* 10 is the oldest now */
    mh_assoc_arrive(&a, 12, 120);
    assert_int_equal(mh_assoc_find(&a, 10), -1);
    assert_int_equal(mh_assoc_lookup(&a, 11), 110);
    assert_int_equal(mh_assoc_lookup(&a, 12), 120);
    mh_assoc_expect(&a, 10, 1);
    assert_int_equal(mh_assoc_find(&a, 10), ENTRIES + 1);
    mh_assoc_flush(&a, mh_tenant_of_key(10)); /* what is on its way still is */
    assert_int_equal(mh_assoc_used(&a), 0);
    assert_int_equal(mh_assoc_find(&a, 11), -1);
    assert_int_equal(mh_assoc_find(&a, 12), -1);
    assert_int_equal(mh_assoc_find(&a, 10), ENTRIES + 1);
    mh_assoc_arrive(&a, 10, 101);
    assert_int_equal(mh_assoc_lookup(&a, 10), 101);
    mh_assoc_free(&a);
}

/* Ways that are no whole number of comparisons, too. */
static void compare_sets(uint32_t sets, enum mh_set_rule rule, uint32_t ways, uint32_t pages, uint64_t rng)
{
    struct mh_tlb t;
    struct list l[MOST_SETS] = {0};
    assert_int_equal(mh_tlb_init(&t, sets * ways, ways, rule), 0);
    for (uint32_t n = 0; n < 20000; n++) {
        uint32_t page = random_next(&rng) % pages, key = mh_page_key(page % 3, page);
        struct list *set = &l[set_of(sets, rule, page)];
        int64_t found = mh_tlb_lookup(&t, key);
        set->capacity = ways;
        assert_int_equal(found, list_lookup(set, key));
        if (found < 0) {
            mh_tlb_fill(&t, key, page * 5);
            list_fill(set, key, page * 5);
        }
        if (random_next(&rng) % 400)
            continue;
        mh_tlb_flush(&t, page % 3);
        for (uint32_t i = 0; i < sets; i++)
            list_flush(&l[i], page % 3);
    }
    mh_tlb_free(&t);
}

TEST(test_sets_against_lists)
{
    compare_sets(1, MH_SETS_MODULO, 1, 4, 7);
    compare_sets(4, MH_SETS_MODULO, 3, 20, 8);
    compare_sets(16, MH_SETS_FOLD, 16, 400, 9);
    compare_sets(2, MH_SETS_MODULO, 16, 30, 10); /* never full */
}

/* One word names the address space and the page: no two pairs share it, none is the reserved key. */
TEST(test_page_key)
{
    uint32_t top = (1u << 27) - 1; /* 2^39 bytes of 4 KiB pages */
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        assert_int_equal(mh_page_key(t, 0) >> 27, t);
        assert_int_equal(mh_page_key(t, top) >> 27, t);
        assert_int_equal(mh_page_key(t, top) & top, top);
        assert_int_not_equal(mh_page_key(t, top), UINT32_MAX);
    }
}
