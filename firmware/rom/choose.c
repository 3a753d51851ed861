#include "verify.h"

#include <string.h>

static enum mh_boot look(const struct boot_context *b, uint32_t slot, struct boot_candidate *c)
{
    c->slot = slot;
    c->fills = b->slots.fills(slot);
    memcpy(c->bytes, b->slots.at[slot], sizeof c->bytes);
    const enum mh_boot read = header_read(c->bytes, MH_SLOT_BYTES, &c->header);
    return read == BOOT_UNTRIED ? boot_allowed(&b->trust, &c->header) : read;
}

/* Of those that were not tried yet. */
static uint32_t next(const struct boot_choice *c, uint32_t wanted)
{
    uint32_t best = BOOT_NO_SLOT;
    if (wanted < MH_BOOT_SLOTS && c->found[wanted] == BOOT_UNTRIED)
        return wanted;
    for (uint32_t i = 0; i < MH_BOOT_SLOTS; i++)
        if (c->found[i] == BOOT_UNTRIED &&
            (best == BOOT_NO_SLOT || c->candidate[i].header.version > c->candidate[best].header.version))
            best = i;
    return best;
}

void boot_choose(const struct boot_context *b, uint32_t wanted, struct boot_choice *c)
{
    memset(c, 0, sizeof *c);
    c->runs = BOOT_NO_SLOT;
    for (uint32_t i = 0; i < MH_BOOT_SLOTS; i++)
        c->found[i] = look(b, i, &c->candidate[i]);
    for (uint32_t i = next(c, wanted); i != BOOT_NO_SLOT; i = next(c, wanted)) {
        const struct boot_candidate *one = &c->candidate[i];
        if (!boot_load(b, one, c->hash)) {
            c->found[i] = BOOT_SIGNATURE;
            continue;
        }
        c->found[i] = BOOT_RUNS;
        c->runs = i;
        c->entry = one->header.entry;
        c->version = one->header.version;
        return;
    }
    memset(c->hash, 0, sizeof c->hash);
}

enum mh_boot boot_try(const struct boot_context *b, uint32_t slot)
{
    struct boot_candidate c;
    uint8_t hash[MH_BOOT_HASH_BYTES];
    enum mh_boot found = look(b, slot, &c);
    if (found == BOOT_UNTRIED)
        found = boot_load(b, &c, hash) ? BOOT_VERIFIED : BOOT_SIGNATURE;
    boot_clear(&b->memory);
    return found;
}

uint32_t boot_status(const struct boot_choice *c)
{
    uint32_t status = c->runs == BOOT_NO_SLOT ? 0 : (c->runs + 1) << MH_BOOT_STATUS_RUNS;
    for (uint32_t i = 0; i < MH_BOOT_SLOTS; i++)
        status |= (uint32_t)c->found[i] << (MH_BOOT_STATUS_SLOT * i);
    return status;
}
