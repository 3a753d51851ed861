#include "verify.h"

#include <stdbool.h>
#include <string.h>

enum { MAGIC, FORMAT, LENGTH, ENTRY, VERSION, REGISTERS, KEY_ID, SEGMENTS = KEY_ID + 2, SEGMENT };

/* Flash that was erased, or memory that nobody wrote. */
#define ERASED 0xffffffffu

static uint32_t get(const uint8_t *bytes, unsigned word)
{
    const uint8_t *b = bytes + 4 * word;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put(uint8_t *bytes, unsigned word, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[4 * word + i] = (uint8_t)(value >> 8 * i);
}

static bool inside(uint32_t base, uint32_t bytes, const struct boot_segment *s)
{
    return s->address >= base && s->address - base <= bytes && s->length <= bytes - (s->address - base);
}

static bool in_memory(const struct boot_segment *s)
{
    return s->length && s->address % 4 == 0 && s->length % 4 == 0 &&
           (inside(MH_ITCM_BASE, MH_ITCM_BYTES, s) || inside(MH_DTCM_BASE, MH_DTCM_BYTES, s));
}

static bool overlap(const struct boot_segment *a, const struct boot_segment *b)
{
    return a->address < b->address + b->length && b->address < a->address + a->length;
}

static enum mh_boot check_segments(const struct boot_header *h)
{
    for (uint32_t i = 0; i < h->segments; i++) {
        if (!in_memory(&h->segment[i]))
            return BOOT_PLACE;
        for (uint32_t k = 0; k < i; k++)
            if (overlap(&h->segment[i], &h->segment[k]))
                return BOOT_OVERLAP;
    }
    return BOOT_UNTRIED;
}

static enum mh_boot check_entry(const struct boot_header *h)
{
    for (uint32_t i = 0; i < h->segments; i++) {
        const struct boot_segment *s = &h->segment[i];
        if (h->entry % 2 == 0 && inside(MH_ITCM_BASE, MH_ITCM_BYTES, s) && h->entry >= s->address &&
            h->entry - s->address < s->length)
            return BOOT_UNTRIED;
    }
    return BOOT_ENTRY;
}

static bool read_segments(const uint8_t *bytes, struct boot_header *h)
{
    h->segments = get(bytes, SEGMENTS);
    if (!h->segments || h->segments > MH_BOOT_SEGMENTS)
        return false;
    for (uint32_t i = 0; i < MH_BOOT_SEGMENTS; i++) {
        struct boot_segment *s = &h->segment[i];
        s->address = get(bytes, SEGMENT + 2 * i);
        s->length = get(bytes, SEGMENT + 2 * i + 1);
        if (i >= h->segments && (s->address || s->length))
            return false;
    }
    return true;
}

static enum mh_boot check_kind(const uint8_t *bytes)
{
    const uint32_t magic = get(bytes, MAGIC);
    if (magic == 0 || magic == ERASED)
        return BOOT_EMPTY;
    if (magic != MH_BOOT_MAGIC)
        return BOOT_MAGIC;
    return get(bytes, FORMAT) == MH_BOOT_FORMAT ? BOOT_UNTRIED : BOOT_FORMAT;
}

uint32_t header_payload(const struct boot_header *h)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < h->segments; i++)
        bytes += h->segment[i].length;
    return bytes;
}

enum mh_boot header_read(const uint8_t *bytes, uint32_t room, struct boot_header *h)
{
    const enum mh_boot kind = check_kind(bytes);
    if (kind != BOOT_UNTRIED)
        return kind;
    h->length = get(bytes, LENGTH);
    h->entry = get(bytes, ENTRY);
    h->version = get(bytes, VERSION);
    h->registers = get(bytes, REGISTERS);
    memcpy(h->key_id, bytes + 4 * KEY_ID, sizeof h->key_id);
    if (!read_segments(bytes, h))
        return BOOT_SEGMENTS;
    const enum mh_boot segments = check_segments(h); /* first: their sum cannot overflow then */
    if (segments != BOOT_UNTRIED)
        return segments;
    if (h->length > room || h->length != MH_BOOT_HEADER_BYTES + header_payload(h) + MH_BOOT_SIGNATURE_BYTES)
        return BOOT_LENGTH;
    return check_entry(h);
}

void header_write(const struct boot_header *h, uint8_t *bytes)
{
    put(bytes, MAGIC, MH_BOOT_MAGIC);
    put(bytes, FORMAT, MH_BOOT_FORMAT);
    put(bytes, LENGTH, h->length);
    put(bytes, ENTRY, h->entry);
    put(bytes, VERSION, h->version);
    put(bytes, REGISTERS, h->registers);
    memcpy(bytes + 4 * KEY_ID, h->key_id, sizeof h->key_id);
    put(bytes, SEGMENTS, h->segments);
    for (uint32_t i = 0; i < MH_BOOT_SEGMENTS; i++) {
        const bool used = i < h->segments;
        put(bytes, SEGMENT + 2 * i, used ? h->segment[i].address : 0);
        put(bytes, SEGMENT + 2 * i + 1, used ? h->segment[i].length : 0);
    }
}
