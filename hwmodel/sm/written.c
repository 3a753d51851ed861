#include "sm/coalesce.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct mh_written *mh_written_create(const struct mh_config *cfg)
{
    struct mh_written *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->op = calloc((size_t)cfg->sm.lsu_queue * MH_MAX_LINES, sizeof *w->op);
    w->pending = calloc(cfg->sm.pending, sizeof *w->pending);
    if (w->op && w->pending)
        return w;
    mh_written_destroy(w);
    return NULL;
}

void mh_written_destroy(struct mh_written *w)
{
    if (!w)
        return;
    free(w->op);
    free(w->pending);
    free(w);
}

/*
 * Finds the lines of a store. They stand mostly in the order of its lanes: the last one found or a neighbour of it.
 * Else a table does it: open addressing, half full at most; a place holds the number of a line, from 1 on.
 */
enum { BITS = 8, PLACES = 1 << BITS };

struct finder {
    const struct mh_lines *lines;
    uint32_t last;
    bool filled;
    uint8_t table[PLACES];
};

static uint32_t place(const struct finder *f, uint32_t line)
{
    uint32_t h = line * 0x9e3779b1u >> (32 - BITS);

    while (f->table[h] && f->lines->at[f->table[h] - 1].line != line)
        h = (h + 1) % PLACES;
    return h;
}

static uint32_t look_for(struct finder *f, uint32_t line)
{
    if (!f->filled) {
        f->filled = true;
        memset(f->table, 0, sizeof f->table);
        for (uint32_t i = 0; i < f->lines->count; i++)
            f->table[place(f, f->lines->at[i].line)] = (uint8_t)(i + 1);
    }
    return f->table[place(f, line)] - 1u;
}

static uint32_t find(struct finder *f, uint32_t line)
{
    const struct mh_line *l = &f->lines->at[f->last];

    if (l->line == line)
        return f->last;
    if (f->last + 1 < f->lines->count && l[1].line == line)
        return ++f->last;
    if (f->last && l[-1].line == line)
        return --f->last;
    return f->last = look_for(f, line);
}

static uint64_t address(const struct mh_op *op, const uint64_t *addr, uint32_t lane)
{
    uint32_t row = op->row ? op->row : MH_MAX_LANES;

    if (op->list)
        return addr[lane];
    return op->base + (uint64_t)(op->stride * (lane % row)) + (uint64_t)(op->pitch * (lane / row));
}

/* Bytes [from, to), line by line. */
static void add_run(struct finder *f, uint32_t line_shift, uint64_t from, uint64_t to, struct mh_bytes *of)
{
    for (uint64_t end; from < to; from = end) {
        uint64_t next = ((from >> line_shift) + 1) << line_shift;

        end = next < to ? next : to;
        mh_bytes_add(&of[find(f, (uint32_t)(from >> line_shift))], (uint32_t)from & ((1u << line_shift) - 1),
                     (uint32_t)(end - from));
    }
}

void mh_written_lines(const struct mh_op *op, const uint64_t *addr, uint32_t line_shift, const struct mh_lines *lines,
                      struct mh_bytes *of)
{
    struct finder f;
    uint64_t from = 0, to = 0; /* of lanes that follow each other */

    f.lines = lines;
    f.last = 0;
    f.filled = false;
    memset(of, 0, lines->count * sizeof *of);
    for (uint64_t m = op->mask; m; m &= m - 1) {
        uint64_t a = address(op, addr, (uint32_t)__builtin_ctzll(m));

        if (a != to) {
            add_run(&f, line_shift, from, to, of);
            from = a;
        }
        to = a + op->bytes;
    }
    add_run(&f, line_shift, from, to, of);
}
