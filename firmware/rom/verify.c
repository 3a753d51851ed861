#include "verify.h"

#include <string.h>

#include <bearssl.h>

enum { POINT_UNCOMPRESSED = 4 };

void boot_key_id(const uint8_t *key, uint8_t id[MH_BOOT_KEY_ID_BYTES])
{
    br_sha256_context c;
    uint8_t hash[MH_BOOT_HASH_BYTES];
    br_sha256_init(&c);
    br_sha256_update(&c, key, MH_BOOT_KEY_BYTES);
    br_sha256_out(&c, hash);
    memcpy(id, hash, MH_BOOT_KEY_ID_BYTES);
}

enum mh_boot boot_allowed(const struct boot_trust *trust, const struct boot_header *h)
{
    uint8_t id[MH_BOOT_KEY_ID_BYTES];
    if (h->registers != trust->registers)
        return BOOT_REGISTERS;
    boot_key_id(trust->key, id);
    if (memcmp(id, h->key_id, sizeof id) != 0)
        return BOOT_KEY;
    return h->version < trust->counter ? BOOT_OLD : BOOT_UNTRIED;
}

static uint32_t *place(const struct boot_memory *m, uint32_t address)
{
    return address - MH_ITCM_BASE < MH_ITCM_BYTES ? m->itcm + (address - MH_ITCM_BASE) / 4
                                                  : m->dtcm + (address - MH_DTCM_BASE) / 4;
}

/*
 * In words: newlib's memset and memcpy go byte by byte, and a swap waits for these. volatile: else they become calls of
 * those two.
 */
static void zero(uint32_t *to, uint32_t bytes)
{
    volatile uint32_t *word = to;
    for (uint32_t i = 0; i < bytes / 4; i += 8, word += 8) {
        word[0] = word[1] = word[2] = word[3] = 0;
        word[4] = word[5] = word[6] = word[7] = 0;
    }
}

static void copy_words(uint32_t *to, const uint32_t *from, uint32_t bytes)
{
    volatile uint32_t *word = to;
    for (uint32_t i = 0; i < bytes / 4; i++)
        word[i] = from[i];
}

void boot_clear(const struct boot_memory *m)
{
    zero(m->itcm, MH_ITCM_BYTES);
    zero(m->dtcm, MH_DTCM_BYTES);
}

static void copy(const struct boot_memory *m, const struct boot_header *h, const uint32_t *payload)
{
    for (uint32_t i = 0; i < h->segments; i++) {
        copy_words(place(m, h->segment[i].address), payload, h->segment[i].length);
        payload += h->segment[i].length / 4;
    }
}

/* Of the copies, not of the slot. */
static void hash_copy(const struct boot_memory *m, const struct boot_candidate *c, uint8_t hash[MH_BOOT_HASH_BYTES])
{
    br_sha256_context sha;
    br_sha256_init(&sha);
    br_sha256_update(&sha, c->bytes, MH_BOOT_HEADER_BYTES);
    for (uint32_t i = 0; i < c->header.segments; i++)
        br_sha256_update(&sha, place(m, c->header.segment[i].address), c->header.segment[i].length);
    br_sha256_out(&sha, hash);
}

static bool matches(const struct boot_trust *trust, const uint8_t hash[MH_BOOT_HASH_BYTES], const void *signature)
{
    uint8_t point[1 + MH_BOOT_KEY_BYTES] = {POINT_UNCOMPRESSED};
    const br_ec_public_key key = {.curve = BR_EC_secp256r1, .q = point, .qlen = sizeof point};
    memcpy(point + 1, trust->key, MH_BOOT_KEY_BYTES);
    return br_ecdsa_i31_vrfy_raw(&br_ec_p256_m31, hash, MH_BOOT_HASH_BYTES, &key, signature, MH_BOOT_SIGNATURE_BYTES);
}

/* All that was copied since `c->fills` was read is one content, whole. */
static bool unchanged(const struct boot_context *b, const struct boot_candidate *c)
{
    return c->fills && c->fills % 2 == 0 && b->slots.fills(c->slot) == c->fills;
}

static bool known(const struct boot_kept *kept, const uint8_t hash[MH_BOOT_HASH_BYTES])
{
    for (uint32_t i = 0; i < kept->known; i++)
        if (!memcmp(kept->hash[i], hash, MH_BOOT_HASH_BYTES))
            return true;
    return false;
}

/* The compiler moves no store across it: a reset may come between any two. */
static void order(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* What says that a hash is valid is written behind it. */
static void remember(struct boot_kept *kept, const uint8_t hash[MH_BOOT_HASH_BYTES])
{
    if (kept->known == MH_BOOT_KNOWN)
        return;
    memcpy(kept->hash[kept->known], hash, MH_BOOT_HASH_BYTES);
    order();
    kept->known++;
}

static void measure(struct boot_measured *slot, uint32_t fills, const uint8_t hash[MH_BOOT_HASH_BYTES])
{
    slot->fills = 0;
    order();
    memcpy(slot->hash, hash, MH_BOOT_HASH_BYTES);
    order();
    slot->fills = fills;
}

static bool verify(const struct boot_context *b, const struct boot_candidate *c, const void *signature,
                   uint8_t hash[MH_BOOT_HASH_BYTES])
{
    hash_copy(&b->memory, c, hash);
    if (known(b->kept, hash))
        return true;
    if (!matches(&b->trust, hash, signature))
        return false;
    remember(b->kept, hash);
    return true;
}

bool boot_load(const struct boot_context *b, const struct boot_candidate *c, uint8_t hash[MH_BOOT_HASH_BYTES])
{
    const uint32_t *payload = b->slots.at[c->slot] + MH_BOOT_HEADER_BYTES / 4;
    struct boot_measured *measured = &b->kept->slot[c->slot];
    boot_clear(&b->memory);
    copy(&b->memory, &c->header, payload);
    const bool whole = unchanged(b, c);
    if (whole && measured->fills == c->fills) {
        memcpy(hash, measured->hash, MH_BOOT_HASH_BYTES);
        return true;
    }
    if (!verify(b, c, payload + header_payload(&c->header) / 4, hash)) {
        boot_clear(&b->memory);
        return false;
    }
    if (whole)
        measure(measured, c->fills, hash);
    return true;
}
