#include "workload/op_stats.h"

enum { SECTOR_SHIFT = 5, LINE_SHIFT = 7, PAGE_SHIFT = 12 };

/* Distinct values among sorted addresses and the last bytes of their accesses, at one granularity. */
static uint32_t distinct(const uint64_t *sorted, unsigned count, unsigned bytes, unsigned shift)
{
    uint32_t n = 0;
    uint64_t next = 0; /* smallest block not counted yet */

    for (unsigned i = 0; i < count; i++) {
        uint64_t first = sorted[i] >> shift, last = (sorted[i] + bytes - 1) >> shift;

        if (first < next)
            first = next;
        if (last >= first) {
            n += (uint32_t)(last - first + 1);
            next = last + 1;
        }
    }
    return n;
}

void mh_op_footprint(const struct mh_op *op, const uint64_t *addr, struct mh_op_footprint *f)
{
    uint64_t sorted[MH_MAX_LANES];
    unsigned count = 0;

    *f = (struct mh_op_footprint){0};
    if (!mh_op_is_memory(op))
        return;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        uint64_t a = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));
        unsigned i = count++;

        for (; i > 0 && sorted[i - 1] > a; i--)
            sorted[i] = sorted[i - 1];
        sorted[i] = a;
    }
    f->lanes = count;
    f->sectors = distinct(sorted, count, op->bytes, SECTOR_SHIFT);
    f->lines = distinct(sorted, count, op->bytes, LINE_SHIFT);
    f->pages = distinct(sorted, count, op->bytes, PAGE_SHIFT);
}

void mh_op_sums_add(struct mh_op_sums *s, const struct mh_op *op, const uint64_t *addr)
{
    struct mh_op_footprint f;

    s->gap += op->gap;
    if (!mh_op_is_memory(op))
        return;
    mh_op_footprint(op, addr, &f);
    s->ops++;
    s->lanes += f.lanes;
    s->sectors += f.sectors;
    s->lines += f.lines;
    s->pages += f.pages;
    s->ops_8_pages += f.pages >= 8;
    if (f.pages > s->max_pages)
        s->max_pages = f.pages;
}
