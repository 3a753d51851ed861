#include "pages/page_table.h"
#include "uvm/internal.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

/*
 * What is known of a tenant's arrays before it runs. No paper has it; CUDA does.
 *
 *   prefetch  its units come when the tenant comes, without a fault, as long as memory is free (cudaMemPrefetchAsync)
 *   host      it stays in host memory: lines that the L2 misses cross the link, each by itself (zero copy)
 *
 * A line goes before what is left of a unit that migrates: a link takes requests of both in turn, and a line is short.
 */

static int refuse(uint32_t tenant, const char *text, const char *why, struct mh_error *err)
{
    return mh_fail(err,
                   "tenants[%u].hints: '%s'; %s. Such as 0:host,2:prefetch: arrays by number, in the order of their "
                   "addresses",
                   tenant, text, why);
}

/* NUMBER:WORD. */
static int read_one(const char *item, uint32_t arrays, uint8_t *hint, const char **why)
{
    char *end;
    unsigned long array = strtoul(item, &end, 10);

    *why = "what follows the number is neither :host nor :prefetch";
    if (end == item || *item == '-' || *item == '+' || *item == ' ') {
        *why = "an array has a number";
        return -1;
    }
    if (array >= arrays) {
        *why = "the kernel has not as many arrays";
        return -1;
    }
    if (strcmp(end, ":host") && strcmp(end, ":prefetch"))
        return -1;
    hint[array] = end[1] == 'h' ? MH_HINT_HOST : MH_HINT_PREFETCH;
    return 0;
}

int mh_uvm_read_hints(const char *text, uint32_t tenant, uint32_t arrays, uint8_t *hint, struct mh_error *err)
{
    char items[MH_HINTS_MAX], *rest = items, *item;
    const char *why;

    strcpy(items, text);
    while (*text && (item = strsep(&rest, ",")))
        if (read_one(item, arrays, hint, &why))
            return refuse(tenant, text, why, err);
    return 0;
}

/* Units stand in order, those of a tenant together: two of one place came of two arrays. They migrate unless both
 * stay. */
uint8_t mh_uvm_both(uint8_t a, uint8_t b)
{
    if (a == b)
        return a;
    return a == MH_HINT_PREFETCH || b == MH_HINT_PREFETCH ? MH_HINT_PREFETCH : MH_HINT_NONE;
}

/* --- Prefetch. */

void mh_uvm_arrive(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_uvm *m = g->uvm;

    for (uint32_t i = 0; i < m->units; i++) {
        struct mh_unit *u = &m->unit[i];

        if (u->tenant != tenant || u->hint != MH_HINT_PREFETCH || u->state != MH_UNIT_HOST)
            continue;
        if (!mh_unit_fits(g, i))
            break;
        u->prefetched = true;
        g->tenant[tenant].count.uvm_prefetches++;
        mh_uvm_place(g, i);
        mh_uvm_hand_out(g);
    }
}

/* --- Host. */

bool mh_uvm_is_on_host(const struct mh_gpu *g, uint32_t frame)
{
    const uint64_t *on_host = g->uvm->on_host;

    return on_host && on_host[frame / 64] >> frame % 64 & 1;
}

int mh_uvm_keep_on_host(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;
    const uint64_t frames = g->cfg.memory.bytes / g->cfg.memory.page_bytes;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < m->units; i++) {
        const struct mh_unit *u = &m->unit[i];

        if (u->hint != MH_HINT_HOST) {
            m->unit[kept++] = *u;
            continue;
        }
        if (!m->on_host && !(m->on_host = calloc((size_t)(frames + 63) / 64, sizeof *m->on_host)))
            return -1;
        for (uint32_t p = 0; p < m->pages; p++) {
            uint32_t frame = mh_pt_translate(g->pages, g->tenant[u->tenant].page_root, u->vpn + p);

            m->on_host[frame / 64] |= 1ull << frame % 64;
        }
    }
    m->units = kept;
    return 0;
}

/* Cycle at which bytes of a line have crossed. What is left of the units that wait for the link comes so much later. */
static uint64_t cross(struct mh_link *l, uint32_t bytes, uint64_t from)
{
    uint64_t now = mh_ratio_floor(&l->to_bytes, from);

    l->lines_end = (l->lines_end > now ? l->lines_end : now) + bytes;
    if (l->position > now) {
        l->position += bytes;
        l->pushed += bytes;
    }
    return mh_ratio_ceil(&l->to_cycles, l->lines_end) + l->latency;
}

void mh_uvm_read_line(struct mh_gpu *g, uint32_t tenant, uint32_t bytes, uint32_t event)
{
    /* The request is short: it takes the other direction's time, and none of its bytes. */
    uint64_t at = cross(&g->uvm->in, bytes, g->wheel.now + g->uvm->out.latency);

    g->tenant[tenant].count.uvm_host_lines++;
    mh_wheel_add(&g->wheel, at, event);
}

void mh_uvm_write_line(struct mh_gpu *g, uint32_t tenant, uint32_t bytes)
{
    g->tenant[tenant].count.uvm_host_lines++;
    cross(&g->uvm->out, bytes, g->wheel.now);
}
