#include "dram/map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum field { ROW, RANK, GROUP, BANK, COLUMN, FIELDS };

static const char *const names[FIELDS] = {"row", "rank", "group", "bank", "column"};
/* The keys that give a field its bits. */
static const char *const keys[FIELDS] = {"", " (dram.ranks)", " (dram.groups)", " (dram.banks)", " (dram.row_bytes)"};

struct part {
    enum field field;
    uint32_t bits; /* 0 = the rest */
};

struct parser {
    struct part part[MH_MAP_PARTS];
    uint32_t parts;
    uint32_t width[FIELDS]; /* bits that the geometry gives to each field; the row takes what is left */
    const char *text;
    struct mh_error *err;
};

/* 0 stands for 1, as in the configuration. */
static uint32_t log2_of(uint32_t n)
{
    return n ? (uint32_t)__builtin_ctz(n) : 0;
}

static int parse_part(struct parser *p, const char *word)
{
    size_t n = strcspn(word, ":");
    struct part *part = &p->part[p->parts];

    for (part->field = 0; part->field < FIELDS; part->field++)
        if (strlen(names[part->field]) == n && !strncmp(word, names[part->field], n))
            break;
    if (part->field == FIELDS)
        return mh_fail(p->err, "dram.mapping: '%.20s' in '%s'; there are: row rank group bank column", word, p->text);
    part->bits = 0;
    if (word[n]) {
        char *end;

        part->bits = (uint32_t)strtoul(word + n + 1, &end, 10);
        if (word[n + 1] < '1' || word[n + 1] > '9' || *end || part->bits > MH_ROW_BITS)
            return mh_fail(p->err, "dram.mapping: '%.20s' in '%s': bits are a number such as column:3", word, p->text);
    }
    p->parts++;
    return 0;
}

static int parse(struct parser *p)
{
    char copy[sizeof((struct mh_dram_cfg *)0)->mapping], *rest = NULL;

    snprintf(copy, sizeof copy, "%s", p->text);
    for (char *word = strtok_r(copy, " ,", &rest); word; word = strtok_r(NULL, " ,", &rest)) {
        if (p->parts == MH_MAP_PARTS)
            return mh_fail(p->err, "dram.mapping: more than %d parts in '%s'", MH_MAP_PARTS, p->text);
        if (parse_part(p, word))
            return -1;
    }
    return 0;
}

/* Gives the part without a number its bits, and checks that those of the field add up. */
static int complete(struct parser *p, enum field f)
{
    uint32_t given = 0;
    struct part *open = NULL;

    for (uint32_t i = 0; i < p->parts; i++) {
        if (p->part[i].field != f)
            continue;
        if (!p->part[i].bits && open)
            return mh_fail(p->err, "dram.mapping: '%s' has two parts of %s without a number of bits", p->text,
                           names[f]);
        if (!p->part[i].bits)
            open = &p->part[i];
        given += p->part[i].bits;
    }
    if (given > p->width[f] || (!open && given != p->width[f]))
        return mh_fail(p->err, "dram.mapping: '%s' gives %u bits to %s, which has %u%s", p->text, given, names[f],
                       p->width[f], keys[f]);
    if (open)
        open->bits = p->width[f] - given;
    return 0;
}

/*
 * From the least significant part up; `to` counts from each field's own lowest bit. Takes the row's parts, or the
 * others that make a bank. Columns need no part: all columns of an open row cost the same.
 */
static void lay_out(struct mh_dram_map *m, const struct parser *p, uint32_t at, bool rows)
{
    uint32_t to[FIELDS] = {
        [GROUP] = p->width[BANK],
        [RANK] = p->width[BANK] + p->width[GROUP],
    };

    for (uint32_t i = p->parts; i-- > 0;) {
        enum field f = p->part[i].field;
        uint32_t bits = p->part[i].bits;

        if (bits && f != COLUMN && (f == ROW) == rows)
            m->part[m->parts++] = (struct mh_map_part){(uint8_t)at, (uint8_t)to[f], (uint32_t)((1ull << bits) - 1)};
        at += bits;
        to[f] += bits;
    }
}

int mh_dram_map_init(struct mh_dram_map *m, const struct mh_dram_cfg *cfg, struct mh_error *err)
{
    uint32_t bytes = cfg->request_bytes ? cfg->request_bytes : MH_LINE_BYTES, banks = log2_of(cfg->banks);
    struct parser p = {.text = *cfg->mapping ? cfg->mapping : MH_DRAM_MAPPING, .err = err};

    p.width[ROW] = MH_ROW_BITS;
    p.width[RANK] = log2_of(cfg->ranks);
    p.width[GROUP] = log2_of(cfg->groups);
    p.width[BANK] = banks - p.width[GROUP];
    p.width[COLUMN] = log2_of(cfg->row_bytes / bytes);
    *m = (struct mh_dram_map){0};
    if (parse(&p))
        return -1;
    if (!p.parts || p.part[0].field != ROW || p.part[0].bits)
        return mh_fail(err, "dram.mapping: '%s' must begin with `row`, without a number: rows have no end", p.text);
    for (enum field f = 0; f < FIELDS; f++)
        if (complete(&p, f))
            return -1;
    lay_out(m, &p, log2_of(bytes), true);
    m->rows = m->parts;
    lay_out(m, &p, log2_of(bytes), false);
    /* Bits of bank and bank group: a permutation never leaves the rank. */
    if (cfg->permute != MH_PERMUTE_NONE)
        m->permute = cfg->banks - 1;
    return 0;
}
