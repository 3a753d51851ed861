#include "message.h"

#include <stdlib.h>

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
