/*
 * A machine that boots verified, as arrays, and signed images by hand: two segments of code and data, signed with a key
 * that tests know. `boot_sign()` again after a change that is to be signed, too.
 */
#ifndef TESTS_BOOT_FIXTURE_H
#define TESTS_BOOT_FIXTURE_H

#include <string.h>

#include <bearssl.h>

#include "rom/verify.h"

enum { BOOT_CODE = 256, BOOT_DATA = 64, BOOT_BYTES = MH_BOOT_HEADER_BYTES + BOOT_CODE + BOOT_DATA };
enum { BOOT_WHOLE = BOOT_BYTES + MH_BOOT_SIGNATURE_BYTES };

struct boot_machine {
    uint32_t itcm[MH_ITCM_BYTES / 4], dtcm[MH_DTCM_BYTES / 4];
    uint32_t slot[MH_BOOT_SLOTS][MH_SLOT_BYTES / 4];
    uint8_t key[MH_BOOT_KEY_BYTES];
    uint32_t counter;
    struct boot_kept kept;
    struct boot_choice choice;
};

/** Of each slot of the machine that runs; a test that changes a slot counts it, by two, or empties `kept`. */
static uint32_t boot_fills[MH_BOOT_SLOTS];

static inline uint32_t boot_fills_of(uint32_t slot)
{
    return boot_fills[slot];
}

/** A private key by hand: 32 bytes that begin with `first`. */
static inline void boot_private(uint8_t first, uint8_t private[32])
{
    for (unsigned i = 0; i < 32; i++)
    private[i] = (uint8_t)(first + 7 * i);
}

static inline void boot_public(uint8_t first, uint8_t public[MH_BOOT_KEY_BYTES])
{
    uint8_t private[32], point[BR_EC_KBUF_PUB_MAX_SIZE];
    const br_ec_private_key sk = {.curve = BR_EC_secp256r1, .x = private, .xlen = sizeof private};
    boot_private(first, private);
    br_ec_compute_pub(br_ec_get_default(), NULL, point, &sk);
    memcpy(public, point + 1, MH_BOOT_KEY_BYTES);
}

/** Signs the first `length` bytes of a slot with key `first`; the signature goes behind them. */
static inline void boot_sign(uint32_t *slot, uint32_t length, uint8_t first)
{
    uint8_t *bytes = (uint8_t *)slot, hash[32], private[32];
    const br_ec_private_key sk = {.curve = BR_EC_secp256r1, .x = private, .xlen = sizeof private};
    br_sha256_context c;
    boot_private(first, private);
    br_sha256_init(&c);
    br_sha256_update(&c, bytes, length);
    br_sha256_out(&c, hash);
    br_ecdsa_sign_raw_get_default()(br_ec_get_default(), &br_sha256_vtable, hash, &sk, bytes + length);
}

enum { BOOT_KEY_FIRST = 3 };

static inline struct boot_header boot_header_by_hand(uint32_t version)
{
    struct boot_header h = {.length = BOOT_WHOLE,
                            .entry = MH_ITCM_BASE,
                            .version = version,
                            .registers = MH_REGISTERS_VERSION,
                            .segments = 2,
                            .segment = {{MH_ITCM_BASE, BOOT_CODE}, {MH_DTCM_BASE + 16, BOOT_DATA}}};
    uint8_t key[MH_BOOT_KEY_BYTES];
    boot_public(BOOT_KEY_FIRST, key);
    boot_key_id(key, h.key_id);
    return h;
}

/** Puts header and payload into a slot, and signs them. The payload differs with the version. */
static inline void boot_put(uint32_t *slot, const struct boot_header *h)
{
    uint8_t *bytes = (uint8_t *)slot;
    memset(slot, 0xff, MH_SLOT_BYTES);
    header_write(h, bytes);
    for (uint32_t i = MH_BOOT_HEADER_BYTES; i < BOOT_BYTES; i++)
        bytes[i] = (uint8_t)(i * 11 + i / 256 * 3 + h->version);
    boot_sign(slot, BOOT_BYTES, BOOT_KEY_FIRST);
}

/** An image of version 5 in slot A, none in B; the memories are full of what ran before. */
static inline void boot_machine_init(struct boot_machine *m)
{
    const struct boot_header h = boot_header_by_hand(5);
    memset(m, 0xff, sizeof *m);
    m->counter = 0;
    boot_fills[0] = boot_fills[1] = 2;
    boot_public(BOOT_KEY_FIRST, m->key);
    boot_put(m->slot[0], &h);
}

static inline struct boot_context boot_context_of(struct boot_machine *m)
{
    return (struct boot_context){
        .trust = {.key = m->key, .counter = m->counter, .registers = MH_REGISTERS_VERSION},
        .memory = {m->itcm, m->dtcm},
        .slots = {.at = {m->slot[0], m->slot[1]}, .fills = boot_fills_of},
        .kept = &m->kept,
    };
}

/** As after a reset of the mcu: what the ROM remembers stays. */
static inline void boot_machine_again(struct boot_machine *m, uint32_t wanted)
{
    const struct boot_context context = boot_context_of(m);
    boot_choose(&context, wanted, &m->choice);
}

/** As at power-on. */
static inline void boot_machine_run(struct boot_machine *m)
{
    memset(&m->kept, 0, sizeof m->kept);
    boot_machine_again(m, BOOT_NO_SLOT);
}

/** Nothing in either memory. */
static inline bool boot_machine_blank(const struct boot_machine *m)
{
    uint32_t any = 0;
    for (unsigned i = 0; i < MH_ITCM_BYTES / 4; i++)
        any |= m->itcm[i];
    for (unsigned i = 0; i < MH_DTCM_BYTES / 4; i++)
        any |= m->dtcm[i];
    return !any;
}

/** Of boot_flip_each(): an image ran, or something of it stayed in memory, or it did not run without the flip. */
#define BOOT_FLIPPED_RUNS 0x80000000u

/** Flips bits of slot A, bytes from..to, `step` bits apart, one at a time. Returns what was said, 1 << enum mh_boot. */
static inline uint32_t boot_flip_each(struct boot_machine *m, uint32_t from, uint32_t to, uint32_t step)
{
    uint8_t *bytes = (uint8_t *)m->slot[0];
    uint32_t said = 0;
    for (uint32_t bit = 8 * from; bit < 8 * to; bit += step) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        m->itcm[0] = 0xffffffff;
        boot_machine_run(m);
        const enum mh_boot found = m->choice.found[0];
        if (m->choice.runs != BOOT_NO_SLOT || (found == BOOT_SIGNATURE && !boot_machine_blank(m)))
            said |= BOOT_FLIPPED_RUNS;
        said |= 1u << found;
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    boot_machine_run(m);
    return m->choice.runs == 0 ? said : said | BOOT_FLIPPED_RUNS;
}

#endif
