#include "workload/op_stats.h"

#include <stdlib.h>
#include <string.h>

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

enum { OPS = 1 << 20 };

/* Whose kernel has used each buffer: the number of its first launch. */
struct uses {
    const struct mh_workload *w;
    uint32_t *kernel; /* [buffers] */
    uint32_t ops;     /* still to be looked at, of this kernel */
};

#define NOBODY UINT32_MAX

static uint32_t buffer_at(const struct mh_workload *w, uint64_t address)
{
    uint32_t low = 0, high = w->buffer_count;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        *(w->buffers[middle].base <= address ? &low : &high) = middle;
    }
    return low;
}

/* True: another kernel uses that buffer, too. */
static bool use(struct uses *u, uint32_t kernel, uint64_t address)
{
    uint32_t *of = &u->kernel[buffer_at(u->w, address)];

    if (*of == NOBODY)
        *of = kernel;
    return *of != kernel;
}

static bool op_shares(struct uses *u, uint32_t kernel, const struct mh_op *op, const uint64_t *addr)
{
    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1)
        if (use(u, kernel, mh_op_address(op, addr, (unsigned)__builtin_ctzll(m))))
            return true;
    return false;
}

static bool warp_shares(struct uses *u, struct mh_cursor c)
{
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op = {.kind = MH_OP_BARRIER};

    u->w->start(u->w, &c);
    for (; u->ops && op.kind != MH_OP_EXIT; u->ops--) {
        u->w->next(u->w, &c, &op, addr);
        if (op_shares(u, c.launch, &op, addr))
            return true;
    }
    return false;
}

static bool kernel_shares(struct uses *u, uint32_t launch, uint32_t lanes)
{
    const struct mh_launch *l = &u->w->launches[launch];
    const uint32_t ctas[] = {l->ctas / 2, 0, l->ctas - 1}, warps = (l->threads + lanes - 1) / lanes;

    u->ops = OPS;
    for (uint32_t i = 0; i < sizeof ctas / sizeof *ctas; i++)
        for (uint32_t warp = 0; warp < warps; warp++)
            if (warp_shares(u, (struct mh_cursor){.launch = launch, .cta = ctas[i], .warp = warp}))
                return true;
    return false;
}

static uint32_t first_of_its_name(const struct mh_workload *w, uint32_t launch)
{
    uint32_t l = 0;

    while (strcmp(w->launches[l].name, w->launches[launch].name))
        l++;
    return l;
}

static bool has_one_kernel(const struct mh_workload *w)
{
    for (uint32_t l = 0; l < w->launch_count; l++)
        if (first_of_its_name(w, l))
            return false;
    return true;
}

int mh_workload_shares(const struct mh_workload *w, uint32_t lanes)
{
    struct uses u = {.w = w};
    bool shares = false;

    if (has_one_kernel(w))
        return 0;
    u.kernel = malloc(w->buffer_count * sizeof *u.kernel);
    if (!u.kernel)
        return -1;
    for (uint32_t b = 0; b < w->buffer_count; b++)
        u.kernel[b] = NOBODY;
    for (uint32_t l = 0; l < w->launch_count && !shares; l++)
        shares = first_of_its_name(w, l) == l && kernel_shares(&u, l, lanes);
    free(u.kernel);
    return shares;
}
