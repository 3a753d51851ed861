#include "noc/crossbar.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ring.h"

int mh_crossbar_init(struct mh_crossbar *x, const struct mh_crossbar_shape *shape, const struct mh_crossbar_user *user,
                     void *owner)
{
    uint32_t ways = shape->inputs * shape->speedup;

    *x = (struct mh_crossbar){.shape = *shape, .words = (shape->inputs + 63) / 64, .user = user, .owner = owner};
    x->idle_words = shape->speedup * x->words + (shape->outputs + 63) / 64;
    x->input_free = calloc((size_t)ways * shape->input_wires, sizeof *x->input_free);
    x->output_free = calloc((size_t)shape->outputs * shape->output_wires, sizeof *x->output_free);
    x->wants = calloc((size_t)shape->outputs * x->words, sizeof *x->wants);
    x->last = calloc(shape->outputs, sizeof *x->last);
    x->flits = calloc((size_t)shape->inputs * shape->vcs, sizeof *x->flits);
    x->heads = calloc(ways, sizeof *x->heads);
    x->idle = malloc(x->idle_words * sizeof *x->idle);
    x->freed = calloc(64 * (size_t)x->idle_words, sizeof *x->freed);
    if (!x->input_free || !x->output_free || !x->wants || !x->last || !x->flits || !x->heads || !x->idle || !x->freed)
        return -1;
    memset(x->idle, 0xff, x->idle_words * sizeof *x->idle);
    for (uint32_t j = 0; j < shape->outputs; j++) {
        x->vc[j] = (uint8_t)(j % shape->vcs);
        x->way[j] = (uint8_t)(x->vc[j] % shape->speedup);
        x->last[j] = shape->inputs - 1; /* input 0 first */
    }
    return 0;
}

void mh_crossbar_free(struct mh_crossbar *x)
{
    free(x->input_free);
    free(x->output_free);
    free(x->wants);
    free(x->last);
    free(x->flits);
    free(x->heads);
    free(x->idle);
    free(x->freed);
}

/* --- Sets. */

static void add(uint64_t *set, uint32_t i)
{
    set[i / 64] |= 1ull << i % 64;
}

static void drop(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~(1ull << i % 64);
}

static bool is_empty(const uint64_t *set, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (set[w])
            return false;
    return true;
}

/* First member of both sets from `from` on; MH_NONE: there is none. */
static uint32_t next(const uint64_t *a, const uint64_t *b, uint32_t words, uint32_t from)
{
    uint64_t mask = UINT64_MAX << from % 64;

    for (uint32_t w = from / 64; w < words; w++, mask = UINT64_MAX)
        if (a[w] & b[w] & mask)
            return w * 64 + (uint32_t)__builtin_ctzll(a[w] & b[w] & mask);
    return MH_NONE;
}

/* --- Wires. */

/* Way into the crossbar that packets of the input for the output take. */
static uint32_t way_in(const struct mh_crossbar *x, uint32_t input, uint32_t output)
{
    return input * x->shape.speedup + x->way[output];
}

static uint64_t *input_free(const struct mh_crossbar *x, uint32_t way)
{
    return &x->input_free[way * x->shape.input_wires];
}

static uint64_t *output_free(const struct mh_crossbar *x, uint32_t output)
{
    return &x->output_free[output * x->shape.output_wires];
}

static uint64_t *wants(const struct mh_crossbar *x, uint32_t output)
{
    return &x->wants[output * x->words];
}

/* Inputs whose way in of that number has an idle wire. */
static uint64_t *idle_inputs(const struct mh_crossbar *x, uint32_t way)
{
    return &x->idle[way * x->words];
}

static uint64_t *idle_outputs(const struct mh_crossbar *x)
{
    return &x->idle[x->shape.speedup * x->words];
}

/* --- Time. */

/* No wire of member `i` of the set of idle ones is free before that cycle, which is to come. */
static void taken(struct mh_crossbar *x, uint64_t *set, uint32_t i, uint64_t until)
{
    uint32_t turn = until % 64;

    drop(set, i);
    add(&x->freed[turn * x->idle_words] + (set - x->idle), i);
    x->freeing |= 1ull << turn;
}

/* Bits (cycle modulo 64) of the cycles from `from` to `to`. Pre: from <= to. */
static uint64_t turns(uint64_t from, uint64_t to)
{
    uint64_t bits = to - from < 63 ? (2ull << (to - from)) - 1 : UINT64_MAX;
    uint32_t turn = from % 64;

    return turn ? bits << turn | bits >> (64 - turn) : bits;
}

static void set_now(struct mh_crossbar *x, uint64_t cycle)
{
    uint64_t passed = cycle > x->now ? x->freeing & turns(x->now + 1, cycle) : 0;

    x->freeing &= ~passed;
    x->now = cycle;
    for (; passed; passed &= passed - 1) {
        uint64_t *freed = &x->freed[(uint32_t)__builtin_ctzll(passed) * x->idle_words];

        for (uint32_t w = 0; w < x->idle_words; w++) {
            x->idle[w] |= freed[w];
            freed[w] = 0;
        }
    }
}

static void wake(struct mh_crossbar *x, uint64_t cycle)
{
    uint64_t bit = 1ull << cycle % 64;

    MH_CHECK(cycle >= x->now && cycle - x->now < 64);
    if (x->pending & bit)
        return;
    x->pending |= bit;
    if (!x->running || cycle != x->now)
        x->user->wake(x->owner, cycle);
}

/* The earliest cycle that is to be run. */
static uint64_t earliest(const struct mh_crossbar *x)
{
    uint32_t turn = x->now % 64;
    uint64_t from_now = turn ? x->pending >> turn | x->pending << (64 - turn) : x->pending;

    return x->now + (uint32_t)__builtin_ctzll(from_now);
}

/* --- Choice of the packet that crosses. */

/* Among the heads for the output whose ways in are free the next in turn; MH_NONE: there is none. */
static uint32_t choose(const struct mh_crossbar *x, uint32_t output)
{
    const uint64_t *set = wants(x, output), *idle = idle_inputs(x, x->way[output]);
    uint32_t input = next(set, idle, x->words, x->last[output] + 1);

    return input != MH_NONE ? input : next(set, idle, x->words, 0);
}

/* Heads that stay are looked at again when a wire is free. One that comes is when it is offered (meet). */
static void start(struct mh_crossbar *x, uint32_t input, uint32_t output)
{
    uint32_t way = way_in(x, input, output);
    uint64_t *in = input_free(x, way), *out = output_free(x, output), *set = wants(x, output);
    uint64_t end = x->now + x->flits[input * x->shape.vcs + mh_crossbar_vc(x, output)];

    MH_CHECK(*in <= x->now && *out <= x->now && !mh_crossbar_closed(x, output));
    mh_ports_take(in, x->shape.input_wires, 1, end);
    mh_ports_take(out, x->shape.output_wires, 1, end);
    if (*in > x->now)
        taken(x, idle_inputs(x, x->way[output]), input, *in);
    if (*out > x->now)
        taken(x, idle_outputs(x), output, *out);
    x->last[output] = input;
    drop(set, input);
    if (is_empty(set, x->words))
        drop(x->wanted, output);
    else if (*out > x->now)
        wake(x, *out);
    if (--x->heads[way] && *in > x->now)
        wake(x, *in);
    x->user->start(x->owner, input, output, x->now);
}

/* The output takes what it can. */
static void serve(struct mh_crossbar *x, uint32_t output)
{
    while (*output_free(x, output) <= x->now && !mh_crossbar_closed(x, output)) {
        uint32_t input = choose(x, output);

        if (input == MH_NONE)
            return;
        start(x, input, output);
    }
}

static void run_now(struct mh_crossbar *x)
{
    const uint64_t *set = x->wanted, *idle = idle_outputs(x);
    uint32_t words = (x->shape.outputs + 63) / 64, from = mh_crossbar_first(x, x->now), j;

    x->running = true;
    for (j = next(set, idle, words, from); j != MH_NONE; j = next(set, idle, words, j + 1))
        serve(x, j);
    for (j = next(set, idle, words, 0); j < from; j = next(set, idle, words, j + 1))
        serve(x, j);
    x->running = false;
}

void mh_crossbar_run(struct mh_crossbar *x, uint64_t cycle)
{
    while (x->pending && earliest(x) <= cycle) {
        set_now(x, earliest(x));
        x->pending &= ~(1ull << x->now % 64);
        run_now(x);
    }
}

/* It is `cycle`: what was to be done before is done. */
static void go_to(struct mh_crossbar *x, uint64_t cycle)
{
    if (cycle == x->now)
        return;
    MH_CHECK(cycle > x->now && !x->running);
    mh_crossbar_run(x, cycle - 1);
    set_now(x, cycle);
}

void mh_crossbar_offer(struct mh_crossbar *x, uint32_t input, uint32_t output, uint32_t flits, uint64_t cycle)
{
    uint32_t way = way_in(x, input, output);

    MH_CHECK(input < x->shape.inputs && output < x->shape.outputs && flits && flits <= MH_CROSSBAR_FLITS);
    go_to(x, cycle);
    MH_CHECK(!mh_crossbar_offered(x, input, output));
    x->flits[input * x->shape.vcs + mh_crossbar_vc(x, output)] = (uint8_t)flits;
    x->heads[way]++;
    add(wants(x, output), input);
    add(x->wanted, output);
    wake(x, mh_max64(cycle, mh_max64(*input_free(x, way), *output_free(x, output))));
}

void mh_crossbar_open(struct mh_crossbar *x, uint32_t output, bool open, uint64_t cycle)
{
    go_to(x, cycle);
    if (!open) {
        add(x->closed, output);
        return;
    }
    drop(x->closed, output);
    if (!is_empty(wants(x, output), x->words))
        wake(x, mh_max64(cycle, *output_free(x, output)));
}

#ifdef MH_DEBUG
static void check_head(const struct mh_crossbar *x, uint32_t input, uint32_t output)
{
    uint64_t in = *input_free(x, way_in(x, input, output)), out = *output_free(x, output);
    uint64_t may = mh_max64(x->now, mh_max64(in, out));

    MH_CHECK(x->flits[input * x->shape.vcs + mh_crossbar_vc(x, output)]);
    MH_CHECK(mh_crossbar_closed(x, output) || x->pending >> may % 64 & 1);
    MH_CHECK((in <= x->now) == (idle_inputs(x, x->way[output])[input / 64] >> input % 64 & 1));
    MH_CHECK((out <= x->now) == (idle_outputs(x)[output / 64] >> output % 64 & 1));
}

uint32_t mh_crossbar_check(const struct mh_crossbar *x)
{
    uint32_t heads = 0, wanted = 0;

    for (uint32_t j = 0; j < x->shape.outputs; j++) {
        const uint64_t *set = wants(x, j);

        for (uint32_t i = next(set, set, x->words, 0); i != MH_NONE; i = next(set, set, x->words, i + 1), wanted++)
            check_head(x, i, j);
        MH_CHECK(is_empty(set, x->words) != (x->wanted[j / 64] >> j % 64 & 1));
    }
    for (uint32_t w = 0; w < x->shape.inputs * x->shape.speedup; w++)
        heads += x->heads[w];
    MH_CHECK(heads == wanted);
    return heads;
}
#endif
