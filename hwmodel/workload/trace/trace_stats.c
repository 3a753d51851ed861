#include "workload/op_stats.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHIFT = 21, /* a region of 2 MiB */
    LINE_SHIFT = 7,
    LINES = 1 << (SHIFT - LINE_SHIFT),
    LINES_OF_PAGE = 4096 >> LINE_SHIFT,
};

/* The lines of a region that were touched. */
struct region {
    uint64_t id;
    uint64_t line[LINES / 64];
};

struct footprint {
    struct region **region; /* by id */
    uint32_t count, capacity, last;
};

static bool grow(struct footprint *f)
{
    uint32_t capacity = f->capacity ? f->capacity * 2 : 64;
    struct region **r = realloc(f->region, capacity * sizeof *r);

    if (!r)
        return false;
    f->region = r;
    f->capacity = capacity;
    return true;
}

static struct region *find(struct footprint *f, uint64_t id)
{
    uint32_t low = 0, high = f->count;

    if (high && f->region[f->last]->id == id)
        return f->region[f->last];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (f->region[middle]->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    f->last = low;
    if (low < f->count && f->region[low]->id == id)
        return f->region[low];
    if (f->count == f->capacity && !grow(f))
        return NULL;
    memmove(f->region + low + 1, f->region + low, (f->count - low) * sizeof *f->region);
    f->region[low] = calloc(1, sizeof *f->region[low]);
    if (!f->region[low]) {
        memmove(f->region + low, f->region + low + 1, (f->count - low) * sizeof *f->region);
        f->last = 0;
        return NULL;
    }
    f->region[low]->id = id;
    f->count++;
    return f->region[low];
}

static bool touch(struct footprint *f, const struct mh_op *op, const uint64_t *addr)
{
    for (uint64_t m = op->mask; m; m &= m - 1) {
        uint64_t a = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));

        for (uint64_t line = a >> LINE_SHIFT; line <= (a + op->bytes - 1) >> LINE_SHIFT; line++) {
            struct region *r = find(f, line / LINES);

            if (!r)
                return false;
            r->line[line % LINES / 64] |= (uint64_t)1 << (line % 64);
        }
    }
    return true;
}

static void count_footprint(struct footprint *f, struct mh_workload_stats *s)
{
    for (uint32_t i = 0; i < f->count; i++) {
        for (uint32_t k = 0; k < LINES / 64; k++) {
            uint64_t word = f->region[i]->line[k];

            s->lines += (uint64_t)__builtin_popcountll(word);
            s->pages += (word & UINT32_MAX) != 0;
            s->pages += word >> 32 != 0;
        }
        free(f->region[i]);
    }
    free(f->region);
    _Static_assert(LINES_OF_PAGE == 32, "a word has the lines of two pages");
}

static struct mh_pc_stats *pc_of(struct mh_workload_stats *s, const struct mh_op *op)
{
    uint32_t low = 0, high = s->pc_count;
    struct mh_pc_stats *grown;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (s->pcs[middle].pc < op->pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < s->pc_count && s->pcs[low].pc == op->pc)
        return &s->pcs[low];
    grown = realloc(s->pcs, (s->pc_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    s->pcs = grown;
    memmove(grown + low + 1, grown + low, (s->pc_count - low) * sizeof *grown);
    s->pc_count++;
    grown[low] = (struct mh_pc_stats){.pc = op->pc, .kind = op->kind, .bytes = op->bytes};
    return &grown[low];
}

static bool count_op(struct mh_workload_stats *s, struct footprint *f, const struct mh_op *op, const uint64_t *addr)
{
    struct mh_pc_stats *pc;

    mh_op_sums_add(&s->sums, op, addr);
    s->waits += op->wait > 0;
    if (op->kind == MH_OP_EXIT) {
        s->last_gap += op->gap;
        return true;
    }
    s->kinds[op->kind]++;
    if (!mh_op_is_memory(op))
        return true;
    pc = pc_of(s, op);
    if (!pc || !touch(f, op, addr))
        return false;
    mh_op_sums_add(&pc->sums, op, addr);
    return true;
}

static bool count_warp(const struct mh_workload *w, struct mh_cursor c, struct mh_workload_stats *s,
                       struct footprint *f)
{
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op;

    s->warps++;
    w->start(w, &c);
    do {
        w->next(w, &c, &op, addr);
        if (!count_op(s, f, &op, addr))
            return false;
    } while (op.kind != MH_OP_EXIT);
    return true;
}

static bool count_all(const struct mh_workload *w, uint32_t lanes, struct mh_workload_stats *s, struct footprint *f)
{
    for (uint32_t l = 0; l < w->launch_count; l++)
        for (uint32_t cta = 0; cta < w->launches[l].ctas; cta++) {
            s->ctas++;
            for (uint32_t warp = 0; warp * lanes < w->launches[l].threads; warp++)
                if (!count_warp(w, (struct mh_cursor){.launch = l, .cta = cta, .warp = warp}, s, f))
                    return false;
        }
    return true;
}

int mh_workload_stats(const struct mh_workload *w, uint32_t lanes, struct mh_workload_stats *s, struct mh_error *err)
{
    struct footprint f = {NULL, 0, 0, 0};
    bool ok;

    *s = (struct mh_workload_stats){.ctas = 0};
    ok = count_all(w, lanes, s, &f);
    count_footprint(&f, s);
    return ok ? 0 : mh_fail(err, "out of memory for statistics");
}

void mh_workload_stats_free(struct mh_workload_stats *s)
{
    free(s->pcs);
    *s = (struct mh_workload_stats){.ctas = 0};
}
