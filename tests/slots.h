/*
 * A crossbar with queues at its inputs, written a second time: it looks at every wire in every slot, and shares no code
 * with the model's (noc/crossbar.h). Packets are numbers from 0 on, in the order in which they come.
 *
 *     slots_new(&s, &shape); slots_push(&s, input, output, flits) ..; slots_step(&s, ..) for each slot; slots_free(&s);
 */
#ifndef TESTS_SLOTS_H
#define TESTS_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

enum { SLOTS_PORTS = 64, SLOTS_QUEUES = 8, SLOTS_WIRES = 4, SLOTS_NEVER = UINT32_MAX };

struct slots_shape {
    uint32_t inputs, outputs, queues, ways; /**< of an input: queues, and ways in */
    uint32_t input_wires, output_wires;     /**< of a way in, of an output */
    uint64_t seed;                          /**< of the random choice among heads; 0: inputs in turn */
};

struct slots_packet {
    uint32_t input, output, flits;
    uint32_t start; /**< slot, or SLOTS_NEVER */
};

struct slots {
    struct slots_shape shape;
    struct slots_packet *packet;
    uint32_t packets, capacity, slot;
    uint32_t *behind; /**< of a packet: the next in its queue */
    uint32_t first[SLOTS_PORTS][SLOTS_QUEUES], last[SLOTS_PORTS][SLOTS_QUEUES];
    uint32_t in_busy[SLOTS_PORTS][2][SLOTS_WIRES], out_busy[SLOTS_PORTS][SLOTS_WIRES]; /**< slots to go */
    uint32_t turn[SLOTS_PORTS]; /**< input with which an output begins */
    bool shut[SLOTS_PORTS];     /**< outputs that take nothing */
};

/** A packet starts. The test may push more, or shut outputs. */
typedef void slots_told(struct slots *s, uint32_t packet, void *ctx);

void slots_new(struct slots *s, const struct slots_shape *shape);
void slots_free(struct slots *s);

/** Behind the others of its queue: output modulo queues. Returns its number. */
uint32_t slots_push(struct slots *s, uint32_t input, uint32_t output, uint32_t flits);

/** One slot: outputs take what they can, one after the other, from `first` on. */
void slots_step(struct slots *s, uint32_t first, slots_told *told, void *ctx);

#endif
