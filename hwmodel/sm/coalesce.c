#include "sm/coalesce.h"

#include <stdbool.h>
#include <string.h>

static inline struct mh_line *add(struct mh_lines *out, uint32_t line)
{
    struct mh_line *l = &out->at[out->count++];

    *l = (struct mh_line){.line = line};
    return l;
}

/* The bytes [from, to) of one line, not none: what they touch of it, and what they cover. */
static inline uint8_t sectors_of(uint32_t from, uint32_t to)
{
    return (uint8_t)((2u << ((to - 1) >> MH_SECTOR_SHIFT)) - (1u << (from >> MH_SECTOR_SHIFT)));
}

static inline uint32_t words_of(uint32_t from, uint32_t to)
{
    uint32_t first = (from + 3) / 4, end = to / 4;

    return first < end ? (uint32_t)((1ull << end) - (1ull << first)) : 0;
}

/* A run of bytes, line by line. */
struct run {
    uint32_t line, from, to; /* bytes [from, to) of the line; none: the run is over */
    uint32_t left, size;     /* bytes after these; line size */
};

static inline void cut(struct run *r)
{
    r->to = r->left < r->size - r->from ? r->from + r->left : r->size;
    r->left -= r->to - r->from;
}

static inline struct run run_of(uint32_t shift, uint64_t a, uint32_t bytes)
{
    struct run r = {.line = (uint32_t)(a >> shift), .left = bytes, .size = 1u << shift};

    r.from = (uint32_t)a & (r.size - 1);
    cut(&r);
    return r;
}

static inline void next_line(struct run *r)
{
    r->line++;
    r->from = 0;
    cut(r);
}

/* Unit stride, lanes a..b all active: one run of bytes. */
static void contiguous(const struct mh_op *op, uint32_t shift, struct mh_lines *out)
{
    uint32_t lane = (uint32_t)__builtin_ctzll(op->mask), lanes = 64 - (uint32_t)__builtin_clzll(op->mask) - lane;

    for (struct run r = run_of(shift, op->base + op->bytes * (uint64_t)lane, op->bytes * lanes); r.to; next_line(&r)) {
        struct mh_line *l = add(out, r.line);

        l->sectors = sectors_of(r.from, r.to);
        l->full = r.to - r.from == r.size;
    }
}

/* A line that, if it is there, is the last one or the one before. */
static void touch(struct mh_lines *out, const struct run *r)
{
    struct mh_line *l = &out->at[out->count]; /* one beyond the last */

    if (out->count >= 1 && l[-1].line == r->line)
        l--;
    else if (out->count >= 2 && l[-2].line == r->line)
        l -= 2;
    else
        l = add(out, r->line);
    l->sectors |= sectors_of(r->from, r->to);
}

/*
 * Addresses rise or fall from lane to lane. The two lines of a lane that straddles are taken in the same direction, so
 * that a line seen before is the last one or its neighbour.
 */
static void monotonic(const struct mh_op *op, uint32_t shift, struct mh_lines *out)
{
    for (uint64_t m = op->mask; m; m &= m - 1) {
        struct run r = run_of(shift, op->base + (uint64_t)(op->stride * __builtin_ctzll(m)), op->bytes), second = r;

        next_line(&second);
        if (op->stride < 0 && second.to)
            touch(out, &second);
        touch(out, &r);
        if (op->stride >= 0 && second.to)
            touch(out, &second);
    }
}

enum { HASH_BITS = 8, HASH = 1 << HASH_BITS };

/* Open-addressing set; half full at most. Index of the key, or where it belongs. */
static uint32_t probe(const uint8_t *table, const struct mh_line *keys, uint32_t key)
{
    uint32_t h = key * 0x9e3779b1u >> (32 - HASH_BITS);

    while (table[h] && keys[table[h] - 1].line != key)
        h = (h + 1) % HASH;
    return h;
}

static uint32_t find_or_add(uint8_t *table, struct mh_lines *out, uint32_t *words, uint32_t line)
{
    uint32_t h = probe(table, out->at, line);

    if (!table[h]) {
        words[out->count] = 0;
        add(out, line);
        table[h] = (uint8_t)out->count;
    }
    return table[h] - 1u;
}

/* A run of bytes; the lines of a tile are few, and the one sought is near the end. */
static inline void add_bytes(struct mh_lines *out, uint32_t *words, uint32_t shift, uint64_t a, uint32_t bytes)
{
    for (struct run r = run_of(shift, a, bytes); r.to; next_line(&r)) {
        uint32_t i = out->count;

        while (i && out->at[i - 1].line != r.line)
            i--;
        if (!i) {
            words[out->count] = 0;
            add(out, r.line);
            i = out->count;
        }
        words[i - 1] |= words_of(r.from, r.to);
        out->at[i - 1].sectors |= sectors_of(r.from, r.to);
    }
}

/* A tile: each row is a run of bytes where its lanes are neighbours at unit stride, else lane by lane. */
static void rows(const struct mh_op *op, uint32_t shift, struct mh_lines *out, uint32_t *words)
{
    uint64_t row_mask = ~0ull >> (64 - op->row), base = op->base;

    for (uint32_t first = 0; first < MH_MAX_LANES; first += op->row, base += (uint64_t)op->pitch) {
        uint64_t lanes = op->mask >> first & row_mask;
        uint32_t low = lanes ? (uint32_t)__builtin_ctzll(lanes) : 0;
        uint64_t run = lanes >> low;

        if (lanes && op->stride == op->bytes && !(run & (run + 1))) {
            uint32_t bytes = op->bytes * (uint32_t)(64 - __builtin_clzll(run));

            add_bytes(out, words, shift, base + (uint64_t)op->stride * low, bytes);
            continue;
        }
        for (; lanes; lanes &= lanes - 1)
            add_bytes(out, words, shift, base + (uint64_t)(op->stride * __builtin_ctzll(lanes)), op->bytes);
    }
}

/* words[i]: those of line[i] that the lanes cover. */
static void distinct(const struct mh_op *op, const uint64_t *addr, uint32_t shift, struct mh_lines *out,
                     uint32_t *words)
{
    uint8_t table[HASH] = {0};
    uint32_t last = 0; /* neighbouring lanes mostly share a line */

    for (uint64_t m = op->mask; m; m &= m - 1) {
        for (struct run r = run_of(shift, addr[__builtin_ctzll(m)], op->bytes); r.to; next_line(&r)) {
            if (!out->count || out->at[last].line != r.line)
                last = find_or_add(table, out, words, r.line);
            words[last] |= words_of(r.from, r.to);
            out->at[last].sectors |= sectors_of(r.from, r.to);
        }
    }
}

static bool grouped(const struct mh_lines *out, uint32_t page_shift)
{
    bool up = true, down = true;

    for (uint32_t i = 1; i < out->count; i++) {
        uint32_t page = out->at[i].line >> page_shift, before = out->at[i - 1].line >> page_shift;

        up &= page >= before;
        down &= page <= before;
    }
    return up || down;
}

/* Stable grouping by page, so that one translation serves all lines of a page. */
static void group_by_page(uint32_t page_shift, struct mh_lines *out, uint32_t *words)
{
    struct mh_line page[MH_MAX_LINES], sorted[MH_MAX_LINES];
    uint32_t start[MH_MAX_LINES + 1] = {0}, sorted_words[MH_MAX_LINES], pages = 0;
    uint8_t table[HASH] = {0}, of[MH_MAX_LINES];

    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t h = probe(table, page, out->at[i].line >> page_shift);

        if (!table[h]) {
            page[pages++].line = out->at[i].line >> page_shift;
            table[h] = (uint8_t)pages;
        }
        of[i] = (uint8_t)(table[h] - 1);
        start[of[i] + 1]++;
    }
    if (pages == out->count)
        return;
    for (uint32_t p = 0; p < pages; p++)
        start[p + 1] += start[p];
    for (uint32_t i = 0; i < out->count; i++) {
        sorted_words[start[of[i]]] = words[i];
        sorted[start[of[i]]++] = out->at[i];
    }
    memcpy(out->at, sorted, out->count * sizeof *sorted);
    memcpy(words, sorted_words, out->count * sizeof *words);
}

static void irregular(const struct mh_op *op, const uint64_t *addr, uint32_t shift, uint32_t page_shift,
                      struct mh_lines *out)
{
    uint32_t words[MH_MAX_LINES], all = (uint32_t)((1ull << (1u << (shift - 2))) - 1);

    if (op->list)
        distinct(op, addr, shift, out, words);
    else
        rows(op, shift, out, words);
    if (!grouped(out, page_shift))
        group_by_page(page_shift, out, words);
    for (uint32_t i = 0; i < out->count; i++)
        out->at[i].full = words[i] == all;
}

void mh_coalesce(const struct mh_op *op, const uint64_t *addr, uint32_t line_shift, uint32_t page_shift,
                 struct mh_lines *out)
{
    uint64_t lanes = op->mask >> __builtin_ctzll(op->mask);
    bool run = (lanes & (lanes + 1)) == 0;

    out->count = 0;
    if (op->list || op->row) {
        irregular(op, addr, line_shift, page_shift, out);
    } else if (op->stride == op->bytes && run) {
        contiguous(op, line_shift, out);
    } else {
        monotonic(op, line_shift, out);
    }
}
