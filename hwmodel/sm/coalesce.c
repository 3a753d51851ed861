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

/*
 * The lines of a run of bytes, all new. Mostly one or two, which is hard to foresee: two are written whether or not
 * there is a second.
 */
static inline struct mh_line *add_run(struct mh_line *l, uint32_t shift, uint64_t a, uint32_t bytes)
{
    const uint32_t size = 1u << shift, whole = (1u << (size >> MH_SECTOR_SHIFT)) - 1;
    uint32_t from = (uint32_t)a & (size - 1), end = from + bytes - 1, last = end >> shift;
    uint32_t line = (uint32_t)(a >> shift);

    l[0] = (struct mh_line){line, (uint8_t)(whole & whole << (from >> MH_SECTOR_SHIFT)), from == 0};
    l[1] = (struct mh_line){line + 1, (uint8_t)whole, true};
    for (uint32_t i = 2; i <= last; i++)
        l[i] = (struct mh_line){line + i, (uint8_t)whole, true};
    end &= size - 1;
    l[last].sectors &= (uint8_t)((2u << (end >> MH_SECTOR_SHIFT)) - 1);
    l[last].full &= end == size - 1;
    return l + last + 1;
}

/* Unit stride, lanes a..b all active: one run of bytes. */
static void contiguous(const struct mh_op *op, uint32_t shift, struct mh_lines *out)
{
    uint32_t lane = (uint32_t)__builtin_ctzll(op->mask), lanes = 64 - (uint32_t)__builtin_clzll(op->mask) - lane;

    const struct mh_line *end = add_run(out->at, shift, op->base + op->bytes * (uint64_t)lane, op->bytes * lanes);

    out->count = (uint32_t)(end - out->at);
}

/* Neighbours, all of them active; not none. */
static inline bool is_run(uint64_t mask)
{
    uint64_t lanes = mask | (mask - 1); /* and those below the first */

    return (lanes & (lanes + 1)) == 0;
}

/* A tile of rows of unit stride, each in lines above those of the row before. False: a row has gaps. */
static inline bool add_rows(const struct mh_op *op, uint32_t shift, struct mh_lines *out)
{
    const uint64_t row_mask = ~0ull >> (64 - op->row);
    const uint32_t bytes = op->bytes, row_bytes = bytes * op->row;
    struct mh_line *end = out->at;
    uint64_t base = op->base;

    /* In two shifts: a row may be 64 lanes, and a shift by 64 is undefined. */
    for (uint64_t left = op->mask; left; left = left >> (op->row - 1) >> 1, base += (uint64_t)op->pitch) {
        uint64_t lanes = left & row_mask;
        uint32_t low = 0, high = row_bytes;

        if (lanes != row_mask) {
            if (!lanes)
                continue;
            if (!is_run(lanes))
                return false;
            low = bytes * (uint32_t)__builtin_ctzll(lanes);
            high = bytes * (64 - (uint32_t)__builtin_clzll(lanes));
        }
        end = add_run(end, shift, base + low, high - low);
    }
    out->count = (uint32_t)(end - out->at);
    return true;
}

/* The two sizes of line as constants: less to compute. */
static bool stacked(const struct mh_op *op, uint32_t shift, struct mh_lines *out)
{
    return shift == 7 ? add_rows(op, 7, out) : add_rows(op, 6, out);
}

/* Rows so far apart that each begins above the last line of the row before: no line is touched twice. */
static inline bool is_stack(const struct mh_op *op, uint32_t shift)
{
    return op->row && op->stride == op->bytes && op->pitch >= (1 << shift) + op->row * op->bytes;
}

/* Touches a line. If it was touched before, it is the last one or the one before that. */
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
 * Addresses rise or fall from lane to lane. The two lines of a lane that straddles are touched in the same direction.
 * So a line that was touched before is the last one or its neighbour.
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

/* Open-addressing set, which 128 lines fill half at most. Index of the key, or of the place where it belongs. */
static uint32_t probe(const uint8_t *table, const struct mh_line *keys, uint32_t key)
{
    uint32_t h = key * 0x9e3779b1u >> (32 - HASH_BITS);

    while (table[h] && keys[table[h] - 1].line != key)
        h = (h + 1) % HASH;
    return h;
}

/* Lines of a list or tile while they are found. */
struct gather {
    struct mh_lines *out;
    uint32_t words[MH_MAX_LINES]; /* of each line, those that are covered */
    uint32_t shift, all;          /* log2 of the line size; words of a whole line */
    bool rising;                  /* each line so far is above the one before */
};

static inline void cover(struct gather *t, uint32_t i, const struct run *r)
{
    struct mh_line *l = &t->out->at[i];

    t->words[i] |= words_of(r->from, r->to);
    l->sectors |= sectors_of(r->from, r->to);
    l->full = t->words[i] == t->all;
}

static inline uint32_t begin(struct gather *t, uint32_t line)
{
    t->words[t->out->count] = 0;
    add(t->out, line);
    return t->out->count - 1;
}

static uint32_t find_or_add(uint8_t *table, struct gather *t, uint32_t line)
{
    uint32_t h = probe(table, t->out->at, line);

    if (!table[h])
        table[h] = (uint8_t)(begin(t, line) + 1);
    return table[h] - 1u;
}

/* Index of a line of a tile. They mostly rise; else they are few, and the one sought is near the end. */
static inline uint32_t seek(struct gather *t, uint32_t line)
{
    const struct mh_line *at = t->out->at;
    uint32_t i = t->out->count;

    if (!i || (t->rising && line > at[i - 1].line))
        return begin(t, line);
    while (i && at[i - 1].line != line)
        i--;
    if (i)
        return i - 1;
    t->rising = false;
    return begin(t, line);
}

static inline void add_bytes(struct gather *t, uint64_t a, uint32_t bytes)
{
    for (struct run r = run_of(t->shift, a, bytes); r.to; next_line(&r))
        cover(t, seek(t, r.line), &r);
}

/* A tile: each row is a run of bytes where its lanes are neighbours at unit stride, else lane by lane. */
static void rows(const struct mh_op *op, struct gather *t)
{
    uint64_t row_mask = ~0ull >> (64 - op->row), base = op->base;

    for (uint32_t first = 0; first < MH_MAX_LANES; first += op->row, base += (uint64_t)op->pitch) {
        uint64_t lanes = op->mask >> first & row_mask;
        uint32_t low = lanes ? (uint32_t)__builtin_ctzll(lanes) : 0;
        uint64_t run = lanes >> low;

        if (lanes && op->stride == op->bytes && !(run & (run + 1))) {
            uint32_t bytes = op->bytes * (uint32_t)(64 - __builtin_clzll(run));

            add_bytes(t, base + (uint64_t)op->stride * low, bytes);
            continue;
        }
        for (; lanes; lanes &= lanes - 1)
            add_bytes(t, base + (uint64_t)(op->stride * __builtin_ctzll(lanes)), op->bytes);
    }
}

_Static_assert(MH_SECTOR_SHIFT == 5, "eight words are a sector");

/* A bit for each byte that is not 0. */
static inline uint8_t sectors_of_words(uint32_t words)
{
    words |= words >> 4;
    words |= words >> 2;
    words |= words >> 1;
    return (uint8_t)((words & 0x01010101u) * 0x10204080u >> 28);
}

/* Lanes of whole words, each aligned: no line parts them, and what is touched is covered. False: some lane is not. */
static bool aligned(const struct mh_op *op, const uint64_t *addr, struct gather *t)
{
    const uint32_t unit = (uint32_t)((1ull << op->bytes / 4) - 1), words = (1u << (t->shift - 2)) - 1;
    uint32_t last = 0, line = (uint32_t)(addr[__builtin_ctzll(op->mask)] >> t->shift) + 1; /* not the first one's */
    uint8_t table[HASH] = {0};

    for (uint64_t m = op->mask; m; m &= m - 1) {
        const uint64_t a = addr[__builtin_ctzll(m)];

        if (a & (op->bytes - 1u))
            return false;
        if ((uint32_t)(a >> t->shift) != line) {
            line = (uint32_t)(a >> t->shift);
            last = find_or_add(table, t, line);
        }
        t->words[last] |= unit << ((uint32_t)(a >> 2) & words);
    }
    for (uint32_t i = 0; i < t->out->count; i++) {
        t->out->at[i].sectors = sectors_of_words(t->words[i]);
        t->out->at[i].full = t->words[i] == t->all;
    }
    return true;
}

static void distinct(const struct mh_op *op, const uint64_t *addr, struct gather *t)
{
    if (op->bytes >= 4 && !(op->bytes & (op->bytes - 1)) && aligned(op, addr, t))
        return;
    t->out->count = 0;

    uint8_t table[HASH] = {0};
    uint32_t last = 0; /* neighbouring lanes mostly share a line */

    for (uint64_t m = op->mask; m; m &= m - 1)
        for (struct run r = run_of(t->shift, addr[__builtin_ctzll(m)], op->bytes); r.to; next_line(&r)) {
            if (!t->out->count || t->out->at[last].line != r.line)
                last = find_or_add(table, t, r.line);
            cover(t, last, &r);
        }
}

/* Pages that only rise, or only fall, are not left and come back to. */
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
static void group_by_page(uint32_t page_shift, struct mh_lines *out)
{
    struct mh_line page[MH_MAX_LINES], sorted[MH_MAX_LINES];
    uint32_t start[MH_MAX_LINES + 1] = {0}, pages = 0;
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
    for (uint32_t i = 0; i < out->count; i++)
        sorted[start[of[i]]++] = out->at[i];
    memcpy(out->at, sorted, out->count * sizeof *sorted);
}

static __attribute__((noinline)) void irregular(const struct mh_op *op, const uint64_t *addr, uint32_t shift,
                                                uint32_t page_shift, struct mh_lines *out)
{
    struct gather t;

    t.out = out;
    t.shift = shift;
    t.all = (uint32_t)((1ull << (1u << (shift - 2))) - 1);
    t.rising = !op->list;
    if (op->list)
        distinct(op, addr, &t);
    else
        rows(op, &t);
    if (!t.rising && !grouped(out, page_shift))
        group_by_page(page_shift, out);
}

void mh_coalesce(const struct mh_op *op, const uint64_t *addr, uint32_t line_shift, uint32_t page_shift,
                 struct mh_lines *out)
{
    if (is_stack(op, line_shift) && stacked(op, line_shift, out))
        return;
    out->count = 0;
    if (op->list || op->row)
        irregular(op, addr, line_shift, page_shift, out);
    else if (op->stride == op->bytes && is_run(op->mask))
        contiguous(op, line_shift, out);
    else
        monotonic(op, line_shift, out);
}
