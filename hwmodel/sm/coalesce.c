#include "sm/coalesce.h"

#include <stdbool.h>
#include <string.h>

static void add(struct mh_lines *out, uint32_t line)
{
    out->sectors[out->count] = 0;
    out->line[out->count++] = line;
}

/* Of the sectors of `line`, those that the bytes [a, end) touch; they touch the line. */
static uint8_t sectors_of(uint32_t shift, uint64_t line, uint64_t a, uint64_t end)
{
    uint32_t sectors = 1u << (shift - MH_SECTOR_SHIFT);
    uint64_t base = line << (shift - MH_SECTOR_SHIFT), first = a >> MH_SECTOR_SHIFT;
    uint64_t last = (end - 1) >> MH_SECTOR_SHIFT;
    uint32_t from = first > base ? (uint32_t)(first - base) : 0;
    uint32_t to = last < base + sectors ? (uint32_t)(last - base) : sectors - 1;

    return (uint8_t)((2u << to) - (1u << from));
}

/* Unit stride, lanes a..b all active: one run of bytes. */
static void contiguous(const struct mh_op *op, uint32_t shift, struct mh_lines *out)
{
    uint64_t first = op->base + op->bytes * (uint64_t)__builtin_ctzll(op->mask);
    uint64_t end = op->base + op->bytes * (uint64_t)(64 - __builtin_clzll(op->mask));

    for (uint64_t line = first >> shift; line <= (end - 1) >> shift; line++) {
        if (line << shift >= first && (line + 1) << shift <= end)
            out->full[out->count / 64] |= 1ull << (out->count % 64);
        add(out, (uint32_t)line);
        out->sectors[out->count - 1] = sectors_of(shift, line, first, end);
    }
}

/* Index of a line that, if it is there, is the last one or the one before. */
static uint32_t near(struct mh_lines *out, uint32_t line)
{
    uint32_t n = out->count;

    if (n >= 1 && out->line[n - 1] == line)
        return n - 1;
    if (n >= 2 && out->line[n - 2] == line)
        return n - 2;
    add(out, line);
    return n;
}

/*
 * Addresses rise or fall from lane to lane. The two lines of a lane that straddles are taken in the same direction, so
 * that a line seen before is the last one or its neighbour.
 */
static void monotonic(const struct mh_op *op, uint32_t shift, struct mh_lines *out)
{
    for (uint64_t m = op->mask; m; m &= m - 1) {
        uint64_t a = op->base + (uint64_t)(op->stride * __builtin_ctzll(m)), end = a + op->bytes;
        uint64_t first = a >> shift, last = (end - 1) >> shift;

        if (op->stride < 0 && last != first)
            out->sectors[near(out, (uint32_t)last)] |= sectors_of(shift, last, a, end);
        out->sectors[near(out, (uint32_t)first)] |= sectors_of(shift, first, a, end);
        if (op->stride >= 0 && last != first)
            out->sectors[near(out, (uint32_t)last)] |= sectors_of(shift, last, a, end);
    }
}

enum { HASH_BITS = 8, HASH = 1 << HASH_BITS };

/* Open-addressing set; half full at most. Index of the key, or where it belongs. */
static uint32_t probe(const uint8_t *table, const uint32_t *keys, uint32_t key)
{
    uint32_t h = key * 0x9e3779b1u >> (32 - HASH_BITS);

    while (table[h] && keys[table[h] - 1] != key)
        h = (h + 1) % HASH;
    return h;
}

/* Bit w: 4-byte word w of the line of 2^shift bytes is wholly inside [a, a + bytes). */
static uint32_t words_of(uint32_t shift, uint64_t line, uint64_t a, uint32_t bytes)
{
    uint64_t base = line << shift;
    uint32_t from = a > base ? (uint32_t)(a - base + 3) / 4 : 0;
    uint32_t to = a + bytes < base + (1u << shift) ? (uint32_t)(a + bytes - base) / 4 : 1u << (shift - 2);

    return from < to ? (uint32_t)(~0ull << from & ~(~0ull << to)) : 0;
}

static uint32_t find_or_add(uint8_t *table, struct mh_lines *out, uint32_t *words, uint32_t line)
{
    uint32_t h = probe(table, out->line, line);

    if (!table[h]) {
        words[out->count] = 0;
        add(out, line);
        table[h] = (uint8_t)out->count;
    }
    return table[h] - 1u;
}

/* A run of bytes; the lines of a tile are few, and the one sought is near the end. */
static void add_bytes(struct mh_lines *out, uint32_t *words, uint32_t shift, uint64_t a, uint32_t bytes)
{
    for (uint64_t line = a >> shift; line <= (a + bytes - 1) >> shift; line++) {
        uint32_t i = out->count;

        while (i && out->line[i - 1] != line)
            i--;
        if (!i) {
            words[out->count] = 0;
            add(out, (uint32_t)line);
            i = out->count;
        }
        words[i - 1] |= words_of(shift, line, a, bytes);
        out->sectors[i - 1] |= sectors_of(shift, line, a, a + bytes);
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
        uint64_t a = addr[__builtin_ctzll(m)];

        for (uint64_t line = a >> shift; line <= (a + op->bytes - 1) >> shift; line++) {
            if (!out->count || out->line[last] != line)
                last = find_or_add(table, out, words, (uint32_t)line);
            words[last] |= words_of(shift, line, a, op->bytes);
            out->sectors[last] |= sectors_of(shift, line, a, a + op->bytes);
        }
    }
}

static bool grouped(const struct mh_lines *out, uint32_t page_shift)
{
    bool up = true, down = true;

    for (uint32_t i = 1; i < out->count; i++) {
        up &= out->line[i] >> page_shift >= out->line[i - 1] >> page_shift;
        down &= out->line[i] >> page_shift <= out->line[i - 1] >> page_shift;
    }
    return up || down;
}

/* Stable grouping by page, so that one translation serves all lines of a page. */
static void group_by_page(uint32_t page_shift, struct mh_lines *out, uint32_t *words)
{
    uint32_t page[MH_MAX_LINES], start[MH_MAX_LINES + 1] = {0}, pages = 0;
    uint8_t table[HASH] = {0}, of[MH_MAX_LINES];
    uint32_t sorted[MH_MAX_LINES], sorted_words[MH_MAX_LINES];
    uint8_t sorted_sectors[MH_MAX_LINES];

    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t h = probe(table, page, out->line[i] >> page_shift);

        if (!table[h]) {
            page[pages++] = out->line[i] >> page_shift;
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
        sorted_sectors[start[of[i]]] = out->sectors[i];
        sorted[start[of[i]]++] = out->line[i];
    }
    memcpy(out->line, sorted, out->count * sizeof *sorted);
    memcpy(out->sectors, sorted_sectors, out->count);
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
        if (words[i] == all)
            out->full[i / 64] |= 1ull << (i % 64);
}

void mh_coalesce(const struct mh_op *op, const uint64_t *addr, uint32_t line_shift, uint32_t page_shift,
                 struct mh_lines *out)
{
    uint64_t lanes = op->mask >> __builtin_ctzll(op->mask);
    bool run = (lanes & (lanes + 1)) == 0;

    out->count = 0;
    memset(out->full, 0, sizeof out->full);
    if (op->list || op->row) {
        irregular(op, addr, line_shift, page_shift, out);
    } else if (op->stride == op->bytes && run) {
        contiguous(op, line_shift, out);
    } else {
        monotonic(op, line_shift, out);
    }
}
