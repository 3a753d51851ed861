#include "dram_oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/arith.h"

enum field { ROW, RANK, BANK, GROUP, COLUMN, FIELDS, PARTS = 16 };

struct part {
    enum field field;
    uint64_t size; /* values that the part tells apart; the first part of the row has no end */
};

struct parts {
    struct part part[PARTS]; /* most significant first */
    uint32_t count;
};

static uint32_t at_least_one(uint32_t n)
{
    return n ? n : 1;
}

static uint64_t field_size(const struct mh_dram_cfg *c, enum field f)
{
    switch (f) {
    case RANK:
        return at_least_one(c->ranks);
    case BANK:
        return c->banks / at_least_one(c->groups);
    case GROUP:
        return at_least_one(c->groups);
    case COLUMN:
        return c->row_bytes / dram_request_bytes(c);
    default:
        return UINT64_MAX;
    }
}

static enum field field_of(const char *name, size_t length)
{
    static const char *const names[FIELDS] = {"row", "rank", "bank", "group", "column"};

    for (int f = 0; f < FIELDS; f++)
        if (strlen(names[f]) == length && !strncmp(names[f], name, length))
            return (enum field)f;
    fprintf(stderr, "dram_place: mapping has '%.*s'\n", (int)length, name);
    abort();
}

/* Parts with a number first, so that the one without takes what is left of its field. */
static void spell_out(const struct mh_dram_cfg *c, struct parts *p)
{
    uint64_t left[FIELDS];

    for (int f = 0; f < FIELDS; f++)
        left[f] = field_size(c, (enum field)f);
    for (uint32_t i = 0; i < p->count; i++)
        if (p->part[i].size && p->part[i].field != ROW)
            left[p->part[i].field] /= p->part[i].size;
    for (uint32_t i = 0; i < p->count; i++)
        if (!p->part[i].size)
            p->part[i].size = left[p->part[i].field];
}

static struct parts parse(const struct mh_dram_cfg *c)
{
    const char *text = *c->mapping ? c->mapping : "row rank bank group column";
    struct parts p = {.count = 0};

    for (text += strspn(text, " ,"); *text && p.count < PARTS; text += strspn(text, " ,")) {
        size_t word = strcspn(text, " ,"), name = strcspn(text, " ,:");
        uint64_t size = name < word ? 1ull << strtoul(text + name + 1, NULL, 10) : 0;

        p.part[p.count++] = (struct part){field_of(text, name), size};
        text += word;
    }
    spell_out(c, &p);
    return p;
}

/* Banks of a rank, its groups included, are permuted by the low bits of the row. */
static void permute(const struct mh_dram_cfg *c, uint32_t row, uint64_t *group, uint64_t *bank)
{
    uint64_t per_group = field_size(c, BANK), index = *group * per_group + *bank;

    if (c->permute != MH_PERMUTE_NONE)
        index ^= row % c->banks;
    *group = index / per_group;
    *bank = index % per_group;
}

uint64_t dram_place_address(const struct mh_dram_cfg *cfg, const struct dram_place *place)
{
    struct parts p = parse(cfg);
    uint64_t v[FIELDS] = {[ROW] = place->row, [RANK] = place->rank, [COLUMN] = place->column},
             below = dram_request_bytes(cfg), address = 0;

    v[GROUP] = place->group;
    v[BANK] = place->bank;
    permute(cfg, place->row, &v[GROUP], &v[BANK]);
    for (uint32_t i = p.count; i-- > 0;) {
        struct part q = p.part[i];

        address += v[q.field] % q.size * below;
        v[q.field] /= q.size;
        below *= i ? q.size : 1;
    }
    return address;
}

struct dram_place dram_place_of(const struct mh_dram_cfg *cfg, uint64_t address)
{
    struct parts p = parse(cfg);
    uint64_t v[FIELDS] = {0}, weight[FIELDS] = {1, 1, 1, 1, 1}, rest = address / dram_request_bytes(cfg);

    for (uint32_t i = p.count; i-- > 0;) {
        struct part q = p.part[i];

        v[q.field] += rest % q.size * weight[q.field];
        weight[q.field] *= q.size;
        rest /= q.size;
    }
    permute(cfg, (uint32_t)v[ROW], &v[GROUP], &v[BANK]);
    return (struct dram_place){(uint32_t)v[RANK], (uint32_t)v[GROUP], (uint32_t)v[BANK], (uint32_t)v[ROW],
                               (uint32_t)v[COLUMN]};
}

uint32_t dram_place_bank(const struct mh_dram_cfg *cfg, const struct dram_place *place)
{
    return place->rank * cfg->banks + place->group * (cfg->banks / at_least_one(cfg->groups)) + place->bank;
}

static void larger(struct dram_sums *s, double bound, const char *name)
{
    if (bound <= s->random)
        return;
    s->random = bound;
    s->random_bound = name;
}

/* All column commands of a request go to one bank: ccd_l apart where there are groups. */
struct dram_sums dram_sums(const struct mh_dram_cfg *c)
{
    uint32_t burst = mh_max32(c->burst / c->data_rate, 1), columns = dram_request_bytes(c) / (c->bus_bytes * c->burst);
    uint32_t between = mh_max32(c->ccd, burst), within = c->ccd_l ? c->ccd_l : between, ranks = c->ranks ? c->ranks : 1;
    uint32_t last = (columns - 1) * within;
    struct dram_sums s = {.open = c->cl + last + burst, .closed = c->rcd + c->cl + last + burst};

    s.open += c->queue_latency;
    s.closed += c->queue_latency;
    s.conflict = c->rp + s.closed;
    if (c->rows == MH_ROWS_CLOSED)
        s.open = s.conflict = s.closed;
    s.row_cycle = mh_max32(c->rc, mh_max32(c->ras, c->rcd + last + c->rtp) + c->rp);
    s.bus = columns * (double)between;
    larger(&s, s.bus, "data bus");
    larger(&s, columns + 2.0, "command bus: ACT, columns, PRE");
    larger(&s, (double)c->rrd / ranks, "tRRD");
    larger(&s, c->faw / 4.0 / ranks, "tFAW / 4");
    larger(&s, c->aw32 / 32.0 / ranks, "t32AW / 32");
    larger(&s, (double)s.row_cycle / (c->banks * ranks), "tRC / banks");
    s.refresh_share = c->refi && !c->rfc_bank ? (double)c->rfc / c->refi : 0;
    return s;
}
