/* invariants: of the debug build alone */
/* Packets that wait at the inputs of a crossbar: by hand, and at random against a second implementation (slots.h). */
#include "unit/test.h"
#include "noc/crossbar.h"
#include "random.h"
#include "slots.h"

enum { MOST = 1000 /* packets */, CYCLES = 1 << 16, NONE = UINT32_MAX };

struct packet {
    uint64_t comes;
    uint32_t input, output, flits;
    uint32_t behind; /* in its queue */
    uint64_t starts;
    bool started;
};

/* Queues in front of the crossbar. It runs in cycles that it asked for, and in no other. */
struct bench {
    struct mh_crossbar x;
    struct packet packet[MOST];
    uint32_t packets, crossed;
    uint32_t first[SLOTS_PORTS][SLOTS_QUEUES], last[SLOTS_PORTS][SLOTS_QUEUES];
    uint32_t credits[SLOTS_PORTS], round_trip; /* packets that an output takes, until each comes back; 0: no limit */
    uint64_t until;                            /* cycle that is run */
    bool woken[CYCLES];
};

static void offer(struct bench *b, uint32_t p, uint64_t cycle)
{
    mh_crossbar_offer(&b->x, b->packet[p].input, b->packet[p].output, b->packet[p].flits, cycle);
}

static void started(void *owner, uint32_t input, uint32_t output, uint64_t cycle)
{
    struct bench *b = owner;
    uint32_t vc = output % b->x.shape.vcs, p = b->first[input][vc];

    assert_true(p != NONE && b->packet[p].output == output && !b->packet[p].started);
    assert_true(cycle <= b->until && cycle >= b->packet[p].comes && b->woken[cycle]);
    b->packet[p].started = true;
    b->crossed++;
    b->packet[p].starts = cycle;
    b->first[input][vc] = b->packet[p].behind;
    if (b->first[input][vc] != NONE)
        offer(b, b->first[input][vc], cycle);
    if (b->round_trip && !--b->credits[output])
        mh_crossbar_open(&b->x, output, false, cycle);
}

static void wake(void *owner, uint64_t cycle)
{
    struct bench *b = owner;

    assert_true(cycle < CYCLES && cycle >= b->until);
    b->woken[cycle] = true;
}

static struct bench *bench_new(const struct mh_crossbar_shape *shape)
{
    static const struct mh_crossbar_user user = {started, wake};
    struct bench *b = calloc(1, sizeof *b);
    memset(b->first, 0xff, sizeof b->first);
    assert_int_equal(mh_crossbar_init(&b->x, shape, &user, b), 0);
    return b;
}

static void bench_free(struct bench *b)
{
    mh_crossbar_free(&b->x);
    free(b);
}

/* In the order in which they come. */
static void add(struct bench *b, uint64_t cycle, uint32_t input, uint32_t output, uint32_t flits)
{
    b->packet[b->packets++] =
        (struct packet){.comes = cycle, .input = input, .output = output, .flits = flits, .behind = NONE};
}

static void arrive(struct bench *b, uint32_t p, uint64_t cycle)
{
    uint32_t input = b->packet[p].input, vc = b->packet[p].output % b->x.shape.vcs;

    if (b->first[input][vc] == NONE) {
        b->first[input][vc] = p;
        offer(b, p, cycle);
    } else {
        b->packet[b->last[input][vc]].behind = p;
    }
    b->last[input][vc] = p;
}

static void give_back(struct bench *b, uint64_t cycle)
{
    for (uint32_t p = 0; b->round_trip && p < b->packets; p++) {
        uint32_t output = b->packet[p].output;

        if (b->packet[p].started && b->packet[p].starts + b->round_trip == cycle && ++b->credits[output] == 1)
            mh_crossbar_open(&b->x, output, true, cycle);
    }
}

/* So many cycles, or until all packets cross. */
static void run(struct bench *b, uint64_t cycles)
{
    uint32_t next = 0;

    for (b->until = 0; b->until < cycles && b->crossed < b->packets; b->until++) {
        give_back(b, b->until);
        for (; next < b->packets && b->packet[next].comes == b->until; next++)
            arrive(b, next, b->until);
        if (b->woken[b->until])
            mh_crossbar_run(&b->x, b->until);
        mh_crossbar_check(&b->x);
    }
}

/* Packets that all come in cycle 0: the cycles in which they begin to cross. */
static void assert_starts(struct mh_crossbar_shape shape, uint32_t count, const uint32_t packet[][3],
                          const uint64_t *starts)
{
    struct bench *b = bench_new(&shape);

    for (uint32_t p = 0; p < count; p++)
        add(b, 0, packet[p][0], packet[p][1], packet[p][2]);
    run(b, 100);
    for (uint32_t p = 0; p < count; p++) {
        assert_true(b->packet[p].started);
        assert_int_equal(b->packet[p].starts, starts[p]);
    }
    bench_free(b);
}

static struct mh_crossbar_shape of(uint32_t inputs, uint32_t outputs, uint32_t vcs, uint32_t speedup)
{
    return (struct mh_crossbar_shape){inputs, outputs, 1, 1, vcs, speedup};
}

/* Different inputs and outputs: no packet waits. The same output: in turn, from input 0 on, each for its flits. */
TEST(test_one_output)
{
    assert_starts(of(2, 2, 1, 1), 2, (const uint32_t[][3]){{0, 1, 5}, {1, 0, 3}}, (uint64_t[]){0, 0});
    assert_starts(of(2, 2, 1, 1), 2, (const uint32_t[][3]){{1, 0, 3}, {0, 0, 5}}, (uint64_t[]){5, 0});
    assert_starts(of(2, 2, 1, 1), 5, (const uint32_t[][3]){{0, 0, 5}, {1, 0, 3}, {0, 0, 2}, {1, 0, 1}, {0, 0, 1}},
                  (uint64_t[]){0, 5, 8, 10, 11});
}

/* One input sends one packet at a time, whatever outputs are idle. */
TEST(test_one_input)
{
    assert_starts(of(1, 3, 1, 1), 3, (const uint32_t[][3]){{0, 2, 5}, {0, 1, 1}, {0, 0, 2}}, (uint64_t[]){0, 5, 6});
}

/*
 * Inputs 0 and 1 both send five flits to output 0; behind input 1's stands one for output 1, which is idle all the
 * time. With one queue it waits for the head. With two it has one of its own, and crosses at once.
 */
TEST(test_head_of_line)
{
    static const uint32_t packet[][3] = {{0, 0, 5}, {1, 0, 5}, {1, 1, 3}};
    assert_starts(of(2, 2, 1, 1), 3, packet, (uint64_t[]){0, 5, 10});
    assert_starts(of(2, 2, 2, 1), 3, packet, (uint64_t[]){0, 5, 0});
}

/* A closed output takes nothing; its head blocks those behind it until it opens. */
TEST(test_closed)
{
    struct mh_crossbar_shape shape = of(1, 2, 1, 1);
    struct bench *b = bench_new(&shape);

    b->round_trip = 20;
    b->credits[0] = b->credits[1] = 1;
    for (uint32_t p = 0; p < 3; p++)
        add(b, 0, 0, p / 2, 2);
    run(b, 100);
    static const uint64_t starts[] = {0, 20, 22};
    for (uint32_t p = 0; p < 3; p++)
        assert_int_equal(b->packet[p].starts, starts[p]);
    bench_free(b);
}

static void random_packets(struct bench *b, uint64_t *rng)
{
    uint32_t most = pick(rng, 1, 17), load = pick(rng, 1, 100), cycle = 0;

    for (uint32_t p = 0; p < MOST; p++) {
        if (pick(rng, 1, 100) <= load)
            cycle += pick(rng, 1, 1 + 200 / b->x.shape.inputs / load);
        add(b, cycle, pick(rng, 0, b->x.shape.inputs - 1), pick(rng, 0, b->x.shape.outputs - 1), pick(rng, 1, most));
    }
}

static void credits_of_slots(struct slots *s, const struct bench *b, uint32_t *credits)
{
    for (uint32_t p = 0; b->round_trip && p < s->packets; p++)
        if (s->packet[p].start != SLOTS_NEVER && s->packet[p].start + b->round_trip == s->slot)
            s->shut[s->packet[p].output] = ++credits[s->packet[p].output] == 0;
}

static void use_credit(struct slots *s, uint32_t packet, void *ctx)
{
    uint32_t *credits = ctx, output = s->packet[packet].output;

    s->shut[output] = credits[output] != NONE && !--credits[output];
}

/* Every packet must start in the cycle in which slots.h starts it. */
static void assert_as_slots(const struct bench *b, uint32_t *credits)
{
    const struct mh_crossbar_shape *x = &b->x.shape;
    struct slots_shape shape = {x->inputs, x->outputs, x->vcs, x->speedup, x->input_wires, x->output_wires, 0};
    struct slots s;
    uint32_t next = 0;

    slots_new(&s, &shape);
    while (s.slot < b->until) {
        credits_of_slots(&s, b, credits);
        for (; next < b->packets && b->packet[next].comes == s.slot; next++)
            slots_push(&s, b->packet[next].input, b->packet[next].output, b->packet[next].flits);
        slots_step(&s, mh_crossbar_first(&b->x, s.slot), use_credit, credits);
    }
    for (uint32_t p = 0; p < b->packets; p++) {
        assert_true(b->packet[p].started && s.packet[p].start != SLOTS_NEVER);
        assert_int_equal(b->packet[p].starts, s.packet[p].start);
    }
    slots_free(&s);
}

/* No more packets at once than wires; those of one input for one output stay in order. */
static void assert_held(const struct bench *b)
{
    const struct mh_crossbar_shape *x = &b->x.shape;

    for (uint32_t p = 0; p < b->packets; p++) {
        const struct packet *a = &b->packet[p];
        uint32_t in = 0, out = 0;

        for (uint32_t q = 0; q < b->packets; q++) {
            const struct packet *o = &b->packet[q];
            bool during = o->starts <= a->starts && a->starts < o->starts + o->flits;

            in += during && o->input == a->input && o->output % x->vcs % x->speedup == a->output % x->vcs % x->speedup;
            out += during && o->output == a->output;
            if (q < p && o->input == a->input && o->output % x->vcs == a->output % x->vcs)
                assert_true(o->starts <= a->starts);
        }
        assert_in_range(in, 1, x->input_wires);
        assert_in_range(out, 1, x->output_wires);
    }
}

static void random_case(uint64_t *rng)
{
    struct mh_crossbar_shape shape = {pick(rng, 1, 20),
                                      pick(rng, 1, 20),
                                      pick(rng, 0, 3) ? 1 : pick(rng, 2, 4),
                                      pick(rng, 0, 3) ? 1 : pick(rng, 2, 4),
                                      pick(rng, 1, 8),
                                      pick(rng, 1, 2)};
    struct bench *b = bench_new(&shape);
    uint32_t credits[SLOTS_PORTS], limit = pick(rng, 0, 2) ? 0 : pick(rng, 1, 4);

    b->round_trip = limit ? pick(rng, 1, 30) : 0;
    for (uint32_t j = 0; j < SLOTS_PORTS; j++)
        b->credits[j] = credits[j] = limit ? limit : NONE;
    random_packets(b, rng);
    run(b, CYCLES - 64);
    assert_int_equal(b->crossed, b->packets);
    assert_held(b);
    assert_as_slots(b, credits);
    bench_free(b);
}

TEST(test_random)
{
    uint64_t rng = 18;
    for (uint32_t i = 0; i < 40; i++)
        random_case(&rng);
}

/* Packets far apart: cycles in between ask for nothing, and the clock of 64 cycles goes round. */
TEST(test_far_apart)
{
    struct mh_crossbar_shape shape = of(2, 2, 1, 1);
    struct bench *b = bench_new(&shape);
    uint32_t woken = 0;

    for (uint32_t p = 0; p < 20; p++)
        add(b, (p + 1) * 1000ull + p * 7, p % 2, 0, 17);
    run(b, 30000);
    for (uint32_t p = 0; p < 20; p++)
        assert_int_equal(b->packet[p].starts, b->packet[p].comes);
    for (uint32_t c = 0; c < CYCLES; c++)
        woken += b->woken[c];
    assert_int_equal(woken, 20);
    bench_free(b);
}
