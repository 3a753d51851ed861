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

void boot_clear(const struct boot_memory *m)
{
    memset(m->itcm, 0, MH_ITCM_BYTES);
    memset(m->dtcm, 0, MH_DTCM_BYTES);
}

static void copy_and_hash(const struct boot_memory *m, const uint8_t *header, const struct boot_header *h,
                          const uint32_t *payload, uint8_t hash[MH_BOOT_HASH_BYTES])
{
    br_sha256_context c;
    br_sha256_init(&c);
    br_sha256_update(&c, header, MH_BOOT_HEADER_BYTES);
    for (uint32_t i = 0; i < h->segments; i++) {
        const struct boot_segment *s = &h->segment[i];
        uint32_t *to = place(m, s->address);
        memcpy(to, payload, s->length);
        payload += s->length / 4;
        br_sha256_update(&c, to, s->length);
    }
    br_sha256_out(&c, hash);
}

static bool matches(const struct boot_trust *trust, const uint8_t hash[MH_BOOT_HASH_BYTES], const void *signature)
{
    uint8_t point[1 + MH_BOOT_KEY_BYTES] = {POINT_UNCOMPRESSED};
    const br_ec_public_key key = {.curve = BR_EC_secp256r1, .q = point, .qlen = sizeof point};
    memcpy(point + 1, trust->key, MH_BOOT_KEY_BYTES);
    return br_ecdsa_i31_vrfy_raw(&br_ec_p256_m31, hash, MH_BOOT_HASH_BYTES, &key, signature, MH_BOOT_SIGNATURE_BYTES);
}

bool boot_load(const struct boot_trust *trust, const struct boot_memory *m, const uint8_t *header,
               const struct boot_header *h, const uint32_t *slot, uint8_t hash[MH_BOOT_HASH_BYTES])
{
    const uint32_t *payload = slot + MH_BOOT_HEADER_BYTES / 4;
    boot_clear(m);
    copy_and_hash(m, header, h, payload, hash);
    if (matches(trust, hash, payload + header_payload(h) / 4))
        return true;
    boot_clear(m);
    return false;
}
