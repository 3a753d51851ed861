/*
 * Spans and their samples.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spans.h"

/* Open at a time: a source, a hook within, and what interrupts them. */
#define SLOTS 8

/* What a node spent within the span that holds a slot. */
struct part {
    uint64_t serial; /* of that span: others' values are void */
    uint32_t place;  /* among the shares */
};

struct span {
    enum mh_span_kind kind;
    uint32_t id;
    uint64_t serial;
    struct mh_totals from;
    uint64_t stalls;
    struct mh_mix mix; /* of the run when it began */
    uint32_t stack_low;
    struct mh_share *share;
    uint32_t shares, room;
    struct part *part; /* by node */
    uint32_t parts;
};

static struct span span[SLOTS];
static uint32_t open; /* bits */
static uint64_t serial, lost;
static const uint64_t *stalled;
static const struct mh_mix *executed;
static struct mh_series sources[MH_MAX_SOURCES], *hooks;
static uint32_t hook_count;
static void (*told)(uint32_t hook, uint64_t from, uint64_t to);

void mh_spans_init(uint32_t count, const uint64_t *stalls,
                   const struct mh_mix *mix)
{
    hooks = mh_grown(NULL, count + 1, sizeof(*hooks));
    memset(hooks, 0, (count + 1) * sizeof(*hooks));
    hook_count = count;
    stalled = stalls;
    executed = mix;
    for (uint32_t i = 0; i < MH_MAX_SOURCES; i++) {
        sources[i].stack_low = UINT32_MAX;
    }
    for (uint32_t i = 0; i < count; i++) {
        hooks[i].stack_low = UINT32_MAX;
    }
}

void mh_spans_tell(void (*whom)(uint32_t hook, uint64_t from, uint64_t to))
{
    told = whom;
}

static struct mh_series *series_of(enum mh_span_kind kind, uint32_t id)
{
    if (kind == MH_SPAN_HOOK) {
        return id < hook_count ? &hooks[id] : NULL;
    }
    return id < MH_MAX_SOURCES ? &sources[id] : NULL;
}

const struct mh_series *mh_spans_series(enum mh_span_kind kind, uint32_t id)
{
    return series_of(kind, id);
}

uint32_t mh_spans_open(enum mh_span_kind kind, uint32_t id,
                       const struct mh_totals *now)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct span *s = &span[i];

        if (open & 1u << i) {
            continue;
        }
        s->kind = kind;
        s->id = id;
        s->serial = ++serial;
        s->from = *now;
        s->stalls = *stalled;
        s->mix = *executed;
        s->stack_low = UINT32_MAX;
        s->shares = 0;
        open |= 1u << i;
        return 1u << i;
    }
    lost++;
    return 0;
}

uint32_t mh_spans_of(uint32_t source)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        if ((open & 1u << i) && span[i].kind == MH_SPAN_SOURCE &&
            span[i].id == source) {
            return 1u << i;
        }
    }
    return 0;
}

static void append(struct mh_series *to, const struct mh_sample *sample)
{
    if (to->samples == to->room) {
        to->room = to->room ? 2 * to->room : 64;
        to->sample = mh_grown(to->sample, to->room, sizeof(*to->sample));
    }
    to->sample[to->samples++] = *sample;
}

/* Adds what the span executed; it is all that is left in the span then. */
static void add_mix(struct mh_mix *to, struct span *s)
{
    for (int i = 0; i < MH_MIX_COUNTS; i++) {
        s->mix.count[i] = executed->count[i] - s->mix.count[i];
        to->count[i] += s->mix.count[i];
    }
}

static void keep_worst(struct mh_series *to, const struct span *s,
                       uint64_t cycles)
{
    if (to->samples && cycles <= to->worst_cycles) {
        return;
    }
    to->worst_cycles = cycles;
    to->worst_mix = s->mix;
    to->worst = mh_grown(to->worst, s->shares + 1, sizeof(*to->worst));
    to->shares = s->shares;
    for (uint32_t i = 0; i < s->shares; i++) {
        to->worst[i] = s->share[i];
    }
}

static void close_one(struct span *s, const struct mh_totals *now)
{
    struct mh_series *to = series_of(s->kind, s->id);
    uint64_t cycles = now->cycles - s->from.cycles;
    const struct mh_sample sample = {
        .instructions = now->instructions - s->from.instructions,
        .cycles = cycles, .stalls = *stalled - s->stalls,
    };

    if (!to) {
        lost++;
        return;
    }
    if (told && s->kind == MH_SPAN_HOOK) {
        told(s->id, s->from.cycles + s->stalls, now->cycles + *stalled);
    }
    add_mix(&to->mix, s);
    keep_worst(to, s, cycles);
    append(to, &sample);
    if (s->stack_low < to->stack_low) {
        to->stack_low = s->stack_low;
    }
}

void mh_spans_close(uint32_t bits, const struct mh_totals *now)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (open & bits & 1u << i) {
            close_one(&span[i], now);
        }
    }
    open &= ~bits;
}

void mh_spans_forget(uint32_t bits)
{
    lost += __builtin_popcount(open & bits);
    open &= ~bits;
}

void mh_spans_drop(void)
{
    mh_spans_forget(open);
}

static struct part *part_of(struct span *s, uint32_t node)
{
    if (node >= s->parts) {
        uint32_t room = node + 64;

        s->part = mh_grown(s->part, room, sizeof(*s->part));
        memset(s->part + s->parts, 0, (room - s->parts) * sizeof(*s->part));
        s->parts = room;
    }
    return &s->part[node];
}

static struct mh_share *share_of(struct span *s, uint32_t node)
{
    struct part *p = part_of(s, node);

    if (p->serial != s->serial) {
        p->serial = s->serial;
        p->place = s->shares;
        if (s->shares == s->room) {
            s->room = s->room ? 2 * s->room : 64;
            s->share = mh_grown(s->share, s->room, sizeof(*s->share));
        }
        s->share[s->shares++] = (struct mh_share){ .node = node };
    }
    return &s->share[p->place];
}

void mh_spans_add(uint32_t node, const struct mh_totals *spent)
{
    if (!open || !spent->cycles) {
        return;
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (open & 1u << i) {
            struct mh_share *share = share_of(&span[i], node);

            share->instructions += spent->instructions;
            share->cycles += spent->cycles;
        }
    }
}

void mh_spans_stack(uint32_t address)
{
    for (uint32_t i = 0; open >> i; i++) {
        if ((open & 1u << i) && address < span[i].stack_low) {
            span[i].stack_low = address;
        }
    }
}

uint64_t mh_spans_lost(void)
{
    return lost;
}
