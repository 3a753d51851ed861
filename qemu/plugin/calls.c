/*
 * The shadow stack and the tree of calling contexts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "calls.h"
#include "spans.h"

struct frame {
    uint32_t node;
    uint32_t back;           /* address it returns to */
    bool trap;
    struct mh_insn *pending; /* of a trap */
    uint32_t spans;          /* bits of spans that end with it */
};

/* A deeper stack than this is none: the mcu has 16 KiB. */
#define MAX_DEPTH 4096

static struct frame stack[MAX_DEPTH];
static uint32_t depth;
static struct mh_node *node;
static uint32_t nodes, room;
static struct mh_totals mark; /* when the top's last piece began */
static uint64_t resyncs, traps;

static uint32_t new_node(uint32_t parent, int32_t function)
{
    if (nodes == room) {
        room = room ? 2 * room : 256;
        node = realloc(node, room * sizeof(*node));
        if (!node) {
            fputs("memhelm-core: out of memory\n", stderr);
            abort();
        }
    }
    node[nodes] = (struct mh_node){
        .parent = parent, .function = function,
        .sibling = nodes ? node[parent].child : 0,
    };
    if (nodes) {
        node[parent].child = nodes;
    }
    return nodes++;
}

static uint32_t child_of(uint32_t parent, int32_t function)
{
    if (!nodes) {
        new_node(0, MH_NO_FUNCTION);
    }
    for (uint32_t n = node[parent].child; n; n = node[n].sibling) {
        if (node[n].function == function) {
            return n;
        }
    }
    return new_node(parent, function);
}

void mh_calls_settle(const struct mh_totals *now)
{
    const struct mh_totals d = {
        .instructions = now->instructions - mark.instructions,
        .cycles = now->cycles - mark.cycles,
        .mmio = now->mmio - mark.mmio,
    };

    mark = *now;
    if (depth) {
        struct mh_totals *spent = &node[stack[depth - 1].node].spent;

        spent->instructions += d.instructions;
        spent->cycles += d.cycles;
        spent->mmio += d.mmio;
        mh_spans_add(stack[depth - 1].node, &d);
    }
}

/* The new top works for a hook if its function begins with one. */
static void enter(const struct mh_insn *to, const struct mh_totals *now)
{
    struct frame *top = &stack[depth - 1];

    node[top->node].calls++;
    if (to->hook != MH_NO_HOOK) {
        top->spans |= mh_spans_open(MH_SPAN_HOOK, to->hook, now);
    }
}

static void push(struct frame f, const struct mh_insn *to,
                 const struct mh_totals *now)
{
    if (depth == MAX_DEPTH) {
        resyncs++;
        depth = 0;
    }
    stack[depth++] = f;
    enter(to, now);
}

static void pop(const struct mh_totals *now)
{
    mh_spans_close(stack[--depth].spans, now);
}

void mh_calls_start(const struct mh_insn *first, const struct mh_totals *now)
{
    mh_calls_settle(now);
    mh_spans_drop();
    depth = 0;
    push((struct frame){ .node = child_of(0, first->function) }, first, now);
}

static void called(const struct mh_insn *from, const struct mh_insn *to,
                   const struct mh_totals *now)
{
    push((struct frame){
        .node = child_of(stack[depth - 1].node, to->function),
        .back = from->pc + from->size,
    }, to, now);
}

/* The frame that returns to 'pc', not beyond a trap; 0: there is none. */
static uint32_t frame_of(uint32_t pc)
{
    for (uint32_t d = depth; d > 1 && !stack[d - 1].trap; d--) {
        if (stack[d - 1].back == pc) {
            return d;
        }
    }
    return 0;
}

static void returned(const struct mh_insn *to, const struct mh_totals *now)
{
    uint32_t d = frame_of(to->pc);

    if (d) {
        while (depth >= d) {
            pop(now);
        }
        return;
    }
    resyncs++;
    while (depth > 1 && !stack[depth - 1].trap) {
        pop(now);
    }
}

static void tail_called(const struct mh_insn *to, const struct mh_totals *now)
{
    struct frame *top = &stack[depth - 1];

    top->node = child_of(node[top->node].parent, to->function);
    enter(to, now);
}

void mh_calls_jump(const struct mh_insn *from, const struct mh_insn *to,
                   const struct mh_totals *now)
{
    bool returns = from->flags & CODE_RETURN;
    bool calls = from->flags & CODE_CALL;

    if (!returns && !calls &&
        (!to->entry || to->function == node[stack[depth - 1].node].function)) {
        return;
    }
    mh_calls_settle(now);
    if (returns) {
        returned(to, now);
    } else if (calls) {
        called(from, to, now);
    } else {
        tail_called(to, now);
    }
}

void mh_calls_trap(struct mh_insn *pending, const struct mh_insn *to,
                   const struct mh_totals *now)
{
    mh_calls_settle(now);
    traps++;
    push((struct frame){
        .node = child_of(0, to->function), .trap = true, .pending = pending,
    }, to, now);
}

struct mh_insn *mh_calls_mret(const struct mh_totals *now)
{
    struct mh_insn *pending;

    mh_calls_settle(now);
    while (depth > 1 && !stack[depth - 1].trap) {
        pop(now);
    }
    if (!stack[depth - 1].trap) {
        resyncs++;
        return NULL;
    }
    pending = stack[depth - 1].pending;
    if (depth > 1) {
        pop(now);
    }
    return pending;
}

const struct mh_node *mh_calls_nodes(uint32_t *count)
{
    *count = nodes;
    return node;
}

uint32_t mh_calls_depth(void)
{
    return depth;
}

uint64_t mh_calls_resyncs(void)
{
    return resyncs;
}

uint64_t mh_calls_traps(void)
{
    return traps;
}
