#include "access.h"

#include <stdlib.h>

uint32_t record_access_pc(const struct record_access *a)
{
    return a->key[a->words - (a->piece ? 2 : 1)];
}

int record_access_compare(const struct record_access *a, const struct record_access *b)
{
    unsigned shared = a->words < b->words ? a->words : b->words;

    for (unsigned i = 0; i < shared; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return (int)a->words - (int)b->words;
}

void record_access_put(struct bytes *out, struct record_access *last, const struct record_access *a)
{
    unsigned same = 0;

    while (same < a->words && same < last->words && a->key[same] == last->key[same])
        same++;
    bytes_number(out, same);
    bytes_number(out, a->words - same);
    for (unsigned i = same; i < a->words; i++)
        bytes_number(out, a->key[i]);
    bytes_number(out, (uint64_t)a->bytes << 3 | (unsigned)a->piece << 2 | a->kind);
    bytes_number(out, a->gap);
    bytes_signed(out, a->address - last->address);
    *last = *a;
}

static bool get_key(struct bytes_in *in, struct record_access *a)
{
    uint64_t same = bytes_get_number(in), more = bytes_get_number(in);

    if (same > a->words || more > RECORD_KEY - same || same + more == 0)
        return false;
    a->words = (unsigned)(same + more);
    for (unsigned i = (unsigned)same; i < a->words; i++)
        a->key[i] = (uint32_t)bytes_get_number(in);
    return true;
}

bool record_access_get(struct bytes_in *in, struct record_access *a)
{
    uint64_t what;

    if (in->bad || in->at == in->end)
        return false;
    if (!get_key(in, a)) {
        in->bad = true;
        return false;
    }
    what = bytes_get_number(in);
    a->kind = what & 3;
    a->piece = what >> 2 & 1;
    a->bytes = (uint32_t)(what >> 3);
    a->gap = bytes_get_number(in);
    a->address += bytes_get_signed(in);
    if (a->bytes > RECORD_MAX_BYTES || (a->kind != RECORD_BARRIER && !a->bytes) || (a->piece && a->words < 2))
        in->bad = true;
    return !in->bad;
}

static void put_list(struct bytes *out, const uint32_t *list, uint32_t count)
{
    bytes_number(out, count);
    for (uint32_t i = 0; i < count; i++)
        bytes_number(out, list[i]);
}

void record_code_put(struct bytes *out, const struct record_code *c)
{
    bytes_number(out, c->pc);
    bytes_number(out, c->bytes);
    bytes_number(out, c->depth);
    bytes_number(out, c->line);
    bytes_byte(out, c->kind);
    bytes_signed(out, (uint64_t)(int64_t)c->use);
    bytes_text(out, c->function);
    put_list(out, c->address, c->addresses);
    put_list(out, c->value, c->values);
}

/* NULL: none, or out of memory. */
static uint32_t *get_list(struct bytes_in *in, uint32_t *count)
{
    uint64_t n = bytes_get_number(in);
    uint32_t *list;

    if (n > (uint64_t)(in->end - in->at))
        in->bad = true;
    *count = in->bad ? 0 : (uint32_t)n;
    list = *count ? malloc(*count * sizeof *list) : NULL;
    for (uint32_t i = 0; list && i < *count; i++)
        list[i] = (uint32_t)bytes_get_number(in);
    return list;
}

bool record_code_get(struct bytes_in *in, struct record_code *c)
{
    c->pc = (uint32_t)bytes_get_number(in);
    c->bytes = (uint32_t)bytes_get_number(in);
    c->depth = (uint32_t)bytes_get_number(in);
    c->line = (uint32_t)bytes_get_number(in);
    c->kind = bytes_get_byte(in) & 3;
    c->use = (int32_t)bytes_get_signed(in);
    bytes_get_text(in, c->function, sizeof c->function);
    c->address = get_list(in, &c->addresses);
    c->value = get_list(in, &c->values);
    return (c->address || !c->addresses) && (c->value || !c->values);
}
