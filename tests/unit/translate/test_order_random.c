/*
 * Random arrivals and services against a list of the test: every walk is served, in the order that the rules give, none
 * is passed by more younger ones than WALK_AGE, and the page walk cache's counters are at 0 when no walk waits.
 */
#include "unit/test.h"
#include "walk_fixture.h"

enum { SEEDS = 60, STEPS = 4000, INSTRUCTIONS = 12, MOST = 100, PAGES = 1500 };

/* A waiting walk, as the rules see it; those of a list stand in the order of arrival. */
struct waiting {
    uint32_t walk, instruction, passed;
};

struct oracle {
    struct bench b;
    struct waiting list[MOST];
    uint32_t count, last;
    uint32_t score[INSTRUCTIONS], given[INSTRUCTIONS];
    uint64_t rng, served, aged, batched;
    uint32_t most_pins;
};

static uint32_t below(struct oracle *o, uint32_t n)
{
    return (uint32_t)(random_next(&o->rng) % n);
}

static uint32_t waiting_of(const struct oracle *o, uint32_t instruction)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < o->count; i++)
        n += o->list[i].instruction == instruction;
    return n;
}

static uint32_t levels_found(struct mh_gpu *g, uint32_t tenant, uint32_t page)
{
    uint32_t vpn = (uint32_t)(SCRIPT_BASE / SCRIPT_PAGE) + page;

    return mh_pwc_look_up(g, tenant, g->tenant[tenant].page_root, vpn, MH_PWC_LEAVE, 0).depth;
}

static void arrive(struct oracle *o)
{
    uint32_t instruction = below(o, INSTRUCTIONS), tenant = instruction % BENCH_TENANTS, page = below(o, PAGES);
    const struct mh_knobs *k = &o->b.g->knobs;
    const uint32_t cost[] = {k->walk_cost_1, k->walk_cost_2, k->walk_cost_3, k->walk_cost_4};
    uint32_t reads = 4 - levels_found(o->b.g, tenant, page) + 1;

    if (!waiting_of(o, instruction))
        o->score[instruction] = o->given[instruction] = 0;
    o->score[instruction] += cost[reads - 1] + k->walk_bias[tenant];
    if (o->score[instruction] < 1)
        o->score[instruction] = 1;
    if (o->score[instruction] > 256)
        o->score[instruction] = 256;
    o->list[o->count++] = (struct waiting){bench_arrive(&o->b, instruction, tenant, page), instruction, 0};
}

static void give_score(struct oracle *o)
{
    uint32_t instruction = below(o, INSTRUCTIONS), score = 1 + below(o, 256);
    bool waits = waiting_of(o, instruction) > 0;

    assert_int_equal(mh_order_score(o->b.g, instruction, score), waits);
    if (waits)
        o->given[instruction] = score;
}

static uint32_t score_of(const struct oracle *o, uint32_t place)
{
    uint32_t instruction = o->list[place].instruction;
    bool given = o->b.g->knobs.walk_order == MH_WALK_SCORED && o->given[instruction];

    return given ? o->given[instruction] : o->score[instruction];
}

/* Place in the list of the walk that goes next. */
static uint32_t expected(struct oracle *o)
{
    uint32_t best = 0;

    if (o->list[0].passed >= o->b.g->knobs.walk_age) {
        o->aged++;
        return 0;
    }
    for (uint32_t i = 0; i < o->count && o->b.g->knobs.walk_batch; i++)
        if (o->list[i].instruction == o->last) {
            o->batched++;
            return i;
        }
    for (uint32_t i = 1; i < o->count; i++)
        if (score_of(o, i) < score_of(o, best))
            best = i;
    return best;
}

static uint32_t place_of(const struct oracle *o, uint32_t walk)
{
    uint32_t i = 0;

    while (i < o->count && o->list[i].walk != walk)
        i++;
    assert_true(i < o->count);
    return i;
}

static void serve(struct oracle *o)
{
    bool random = o->b.g->knobs.walk_order == MH_WALK_RANDOM;
    bool due = o->list[0].passed >= o->b.g->knobs.walk_age;
    uint32_t want = random ? 0 : expected(o), walk = bench_serve(&o->b), place = place_of(o, walk);

    if (!random || due)
        assert_int_equal(place, want);
    for (uint32_t i = 0; i < place; i++)
        assert_true(++o->list[i].passed <= o->b.g->knobs.walk_age);
    o->last = o->list[place].instruction;
    memmove(&o->list[place], &o->list[place + 1], (--o->count - place) * sizeof o->list[0]);
    o->served++;
}

/* What a walk reads fills the page walk cache. */
static void fill(struct oracle *o)
{
    uint32_t tenant = below(o, BENCH_TENANTS), vpn = (uint32_t)(SCRIPT_BASE / SCRIPT_PAGE) + below(o, PAGES);
    struct mh_gpu *g = o->b.g;
    uint32_t node = g->tenant[tenant].page_root, depth = 1 + below(o, 3);

    for (uint32_t d = 1; d < depth; d++)
        node = mh_pt_entry(g->pages, node, vpn, d);
    mh_pwc_fill(g, tenant, node, vpn, depth);
}

static void check(struct oracle *o)
{
    uint32_t pins = mh_pwc_pins(&o->b.g->walkers[0].pwc);

    assert_int_equal(o->b.q.count, o->count);
    assert_true(o->count || !pins);
    assert_true(pins <= 3 * o->count);
    if (pins > o->most_pins)
        o->most_pins = pins;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct mh_walk *w = bench_walk(&o->b, o->list[i].walk);

        assert_int_equal(o->b.g->instructions->record[w->record].score,
                         o->b.g->knobs.walk_order >= MH_WALK_SIMT ? o->score[o->list[i].instruction] : 0);
    }
}

static void choose_knobs(struct oracle *o, uint64_t seed)
{
    struct mh_knobs *k = &o->b.g->knobs;

    k->walk_order = MH_WALK_RANDOM + (uint32_t)(seed % 3);
    k->walk_batch = below(o, 2);
    k->walk_pin = below(o, 4) > 0;
    k->walk_age = below(o, 2) ? 1 + below(o, 30) : 2000000;
    k->walk_cost_1 = below(o, 3);
    k->walk_cost_2 = below(o, 20);
    k->walk_bias[1] = below(o, 10);
}

static void one(uint64_t seed, struct oracle *total)
{
    struct oracle o = {.b = bench_open(4u << seed % 3), .rng = seed, .last = MH_NO_INSTRUCTION};

    choose_knobs(&o, seed);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t dice = below(&o, 16);

        if (dice < 6 && o.count < MOST)
            arrive(&o);
        else if (dice < 12 && o.count)
            serve(&o);
        else if (dice < 14)
            fill(&o);
        else if (o.b.g->knobs.walk_order == MH_WALK_SCORED)
            give_score(&o);
        check(&o);
    }
    while (o.count)
        serve(&o);
    check(&o);
    total->served += o.served;
    total->aged += o.aged;
    total->batched += o.batched;
    total->most_pins = o.most_pins > total->most_pins ? o.most_pins : total->most_pins;
    bench_close(&o.b);
}

TEST(test_all)
{
    struct oracle total = {0};

    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        one(seed, &total);
    print_message("%llu served, %llu for their age, %llu of a batch, at most %u pins\n",
                  (unsigned long long)total.served, (unsigned long long)total.aged, (unsigned long long)total.batched,
                  total.most_pins);
    assert_true(total.served > 10000 && total.aged > 1000 && total.batched > 1000 && total.most_pins > 10);
}
