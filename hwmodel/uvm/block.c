/* Demand paging as a block (engine/block.h). */
#include "engine/block.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "uvm/internal.h"

static uint64_t cycles_of(const struct mh_config *c, uint64_t ns)
{
    return (ns * c->clock.gpu_hz + 999999999) / 1000000000;
}

static int init_link(struct mh_link *l, const struct mh_config *c, uint64_t rate, uint32_t lines)
{
    l->to_bytes = mh_ratio(rate, c->clock.gpu_hz);
    l->to_cycles = mh_ratio(c->clock.gpu_hz, rate);
    l->latency = (uint32_t)cycles_of(c, c->uvm.link_ns);
    l->dirty = malloc(lines * sizeof *l->dirty);
    return l->dirty ? 0 : -1;
}

static uint32_t unit_bytes(const struct mh_config *c)
{
    return c->memory.page_bytes > MH_UVM_UNIT_BYTES ? c->memory.page_bytes : MH_UVM_UNIT_BYTES;
}

static int init(struct mh_gpu *g)
{
    const struct mh_config *c = &g->cfg;
    struct mh_uvm *m = g->uvm;

    m->on = !strcmp(c->uvm.mode, "on");
    m->newest = m->oldest = MH_NONE;
    if (!m->on)
        return 0;
    m->bytes = unit_bytes(c);
    m->pages = m->bytes / c->memory.page_bytes;
    m->shift = (uint32_t)__builtin_ctz(m->pages);
    m->lines = m->bytes / c->memory.line_bytes;
    m->fault_cycles = (uint32_t)cycles_of(c, c->uvm.fault_ns);
    return init_link(&m->in, c, c->uvm.in_rate, m->lines) || init_link(&m->out, c, c->uvm.out_rate, m->lines) ? -1 : 0;
}

static void free_all(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;

    free(m->unit);
    free(m->frame);
    free(m->free_sets);
    free(m->in.dirty);
    free(m->out.dirty);
    mh_index_free(&m->index);
}

uint64_t mh_uvm_longest_wait(const struct mh_config *c)
{
    uint64_t rate = c->uvm.in_rate < c->uvm.out_rate ? c->uvm.in_rate : c->uvm.out_rate;

    if (strcmp(c->uvm.mode, "on"))
        return 0;
    return cycles_of(c, c->uvm.fault_ns + c->uvm.link_ns) + c->clock.gpu_hz / rate * unit_bytes(c) + unit_bytes(c);
}

int mh_uvm_capacity(const char *text, uint64_t footprint, uint64_t *bytes, struct mh_error *err)
{
    char *end;
    unsigned long long n = strtoull(text, &end, 10);

    *bytes = footprint;
    if (!strcmp(text, "unlimited"))
        return 0;
    if (end == text || *text == '-' || (*end && strcmp(end, "%")))
        return mh_fail(err, "uvm.capacity: '%s'; a number of bytes, a part such as 75%%, or unlimited", text);
    /* 100 % and more are as much as the workload has. */
    *bytes = !*end ? n : n < 100 ? footprint / 100 * n + footprint % 100 * n / 100 : footprint;
    return 0;
}

/* --- Conservation. */

#ifdef MH_DEBUG
static uint32_t in_queue(const struct mh_uvm *m, const struct mh_unit_queue *q, uint8_t state)
{
    uint32_t at = q->head;

    for (uint32_t n = q->count; n; n--, at = m->unit[at].next)
        MH_CHECK(m->unit[at].state == state);
    return q->count;
}

/* Every unit is in one place, and every set of frames is free or one unit's. */
static void check_units(const struct mh_gpu *g)
{
    const struct mh_uvm *m = g->uvm;
    uint32_t host = 0, here = 0, with_frames = 0;

    for (uint32_t i = 0; i < m->units; i++) {
        host += m->unit[i].state == MH_UNIT_HOST;
        here += m->unit[i].state == MH_UNIT_HERE;
        with_frames += m->unit[i].frames != MH_NONE;
    }
    uint32_t moving = in_queue(m, &m->overflow, MH_UNIT_FAULTED) + in_queue(m, &m->buffer, MH_UNIT_FAULTED) +
                      in_queue(m, &m->batch, MH_UNIT_HANDLED) + in_queue(m, &m->placed, MH_UNIT_PLACED) +
                      in_queue(m, &m->in.waiting, MH_UNIT_COMING) + in_queue(m, &m->draining, MH_UNIT_DRAINING) +
                      in_queue(m, &m->out.waiting, MH_UNIT_LEAVING);

    MH_CHECK(host + here + moving == m->units && here == m->here);
    MH_CHECK(with_frames + m->free_count == m->capacity);
    MH_CHECK(m->leaving == m->draining.count + m->out.waiting.count);
}
#else
#define check_units NULL
#endif

const struct mh_block mh_block_uvm = {MH_BLOCK_STATE(uvm, 1), .init = init, .free = free_all, .check = check_units};
