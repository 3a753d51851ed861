#include "slots.h"

#include <stdlib.h>

#include "random.h"

void slots_new(struct slots *s, const struct slots_shape *shape)
{
    *s = (struct slots){.shape = *shape};
    for (uint32_t i = 0; i < SLOTS_PORTS; i++)
        for (uint32_t q = 0; q < SLOTS_QUEUES; q++)
            s->first[i][q] = SLOTS_NEVER;
}

void slots_free(struct slots *s)
{
    free(s->packet);
    free(s->behind);
}

uint32_t slots_push(struct slots *s, uint32_t input, uint32_t output, uint32_t flits)
{
    uint32_t q = output % s->shape.queues, p = s->packets++;

    if (p == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 1024;
        s->packet = realloc(s->packet, s->capacity * sizeof *s->packet);
        s->behind = realloc(s->behind, s->capacity * sizeof *s->behind);
        if (!s->packet || !s->behind)
            abort();
    }
    s->packet[p] = (struct slots_packet){input, output, flits, SLOTS_NEVER};
    s->behind[p] = SLOTS_NEVER;
    if (s->first[input][q] == SLOTS_NEVER)
        s->first[input][q] = p;
    else
        s->behind[s->last[input][q]] = p;
    s->last[input][q] = p;
    return p;
}

static int idle(const uint32_t *busy, uint32_t wires)
{
    for (uint32_t w = 0; w < wires; w++)
        if (!busy[w])
            return (int)w;
    return -1;
}

/* The head that an input may send to the output now, or SLOTS_NEVER. */
static uint32_t candidate(const struct slots *s, uint32_t input, uint32_t output)
{
    uint32_t q = output % s->shape.queues, head = s->first[input][q];

    if (head == SLOTS_NEVER || s->packet[head].output != output)
        return SLOTS_NEVER;
    return idle(s->in_busy[input][q % s->shape.ways], s->shape.input_wires) < 0 ? SLOTS_NEVER : head;
}

static uint32_t chosen(struct slots *s, uint32_t output)
{
    uint32_t heads[SLOTS_PORTS], count = 0;

    for (uint32_t k = 0; k < s->shape.inputs; k++) {
        uint32_t head = candidate(s, (s->turn[output] + k) % s->shape.inputs, output);

        if (head != SLOTS_NEVER)
            heads[count++] = head;
    }
    if (!count)
        return SLOTS_NEVER;
    return heads[s->shape.seed ? pick(&s->shape.seed, 0, count - 1) : 0];
}

static void begin(struct slots *s, uint32_t p)
{
    struct slots_packet *packet = &s->packet[p];
    uint32_t q = packet->output % s->shape.queues, *in = s->in_busy[packet->input][q % s->shape.ways];
    uint32_t *out = s->out_busy[packet->output];

    in[idle(in, s->shape.input_wires)] = packet->flits;
    out[idle(out, s->shape.output_wires)] = packet->flits;
    packet->start = s->slot;
    s->first[packet->input][q] = s->behind[p];
    s->turn[packet->output] = (packet->input + 1) % s->shape.inputs;
}

static void count_down(uint32_t *busy)
{
    for (uint32_t w = 0; w < SLOTS_WIRES; w++)
        busy[w] -= busy[w] != 0;
}

/* Every output takes what it can, the one after the other. */
static bool round_of_outputs(struct slots *s, uint32_t first, slots_told *told, void *ctx)
{
    bool any = false;

    for (uint32_t k = 0; k < s->shape.outputs; k++) {
        uint32_t output = (first + k) % s->shape.outputs, p;

        while (!s->shut[output] && idle(s->out_busy[output], s->shape.output_wires) >= 0 &&
               (p = chosen(s, output)) != SLOTS_NEVER) {
            begin(s, p);
            any = true;
            if (told)
                told(s, p, ctx);
        }
    }
    return any;
}

void slots_step(struct slots *s, uint32_t first, slots_told *told, void *ctx)
{
    while (round_of_outputs(s, first, told, ctx))
        continue;
    for (uint32_t i = 0; i < SLOTS_PORTS; i++) {
        count_down(s->in_busy[i][0]);
        count_down(s->in_busy[i][1]);
        count_down(s->out_busy[i]);
    }
    s->slot++;
}
