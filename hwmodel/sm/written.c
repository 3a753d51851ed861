#include "sm/written.h"

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

/* Open addressing; the lines fill half of it at most. A place holds the number of a line, from 1 on. */
enum { BITS = 8, PLACES = 1 << BITS };

static uint32_t place(const uint8_t *table, const struct mh_lines *lines, uint32_t line)
{
    uint32_t h = line * 0x9e3779b1u >> (32 - BITS);

    while (table[h] && lines->at[table[h] - 1].line != line)
        h = (h + 1) % PLACES;
    return h;
}

static uint64_t address(const struct mh_op *op, const uint64_t *addr, uint32_t lane)
{
    uint32_t row = op->row ? op->row : MH_MAX_LANES;

    if (op->list)
        return addr[lane];
    return op->base + (uint64_t)(op->stride * (lane % row)) + (uint64_t)(op->pitch * (lane / row));
}

void mh_written_lines(const struct mh_op *op, const uint64_t *addr, uint32_t line_shift, const struct mh_lines *lines,
                      struct mh_bytes *of)
{
    const uint32_t size = 1u << line_shift;
    uint8_t table[PLACES] = {0};
    uint32_t last = 0; /* neighbouring lanes mostly share a line */

    memset(of, 0, lines->count * sizeof *of);
    for (uint32_t i = 0; i < lines->count; i++)
        table[place(table, lines, lines->at[i].line)] = (uint8_t)(i + 1);
    for (uint64_t m = op->mask; m; m &= m - 1) {
        uint64_t a = address(op, addr, (uint32_t)__builtin_ctzll(m));

        for (uint32_t left = op->bytes, n; left; a += n, left -= n) {
            uint32_t line = (uint32_t)(a >> line_shift), from = (uint32_t)a & (size - 1);

            n = size - from < left ? size - from : left;
            if (lines->at[last].line != line)
                last = table[place(table, lines, line)] - 1u;
            mh_bytes_add(&of[last], from, n);
        }
    }
}
