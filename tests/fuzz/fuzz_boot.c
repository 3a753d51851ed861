/*
 * Signed images that are wrong: a good one with changed words, bytes and parts, cut, signed anew or not, in either
 * slot, through all that the boot ROM does with a slot. fuzz_boot [ITERATIONS [SEED]] Deterministic. Nothing may crash
 * or write outside of the memories; what runs is signed with the machine's key, not older than its counter, and in
 * memory as its header says; what does not run leaves nothing.
 */
#include <inttypes.h>

#include "boot_fixture.h"
#include "fuzz/dice.h"

static struct boot_machine m;

static uint32_t edge(struct dice *d, uint32_t old)
{
    static const uint32_t edges[] = {0,
                                     1,
                                     4,
                                     MH_BOOT_SEGMENTS,
                                     BOOT_CODE,
                                     BOOT_WHOLE,
                                     MH_SLOT_BYTES,
                                     MH_ITCM_BASE,
                                     MH_ITCM_BASE + MH_ITCM_BYTES,
                                     MH_ITCM_BYTES,
                                     MH_DTCM_BASE,
                                     MH_DTCM_BASE + MH_DTCM_BYTES,
                                     MH_DTCM_BYTES,
                                     0x7fffffff,
                                     0x80000000,
                                     0xfffffffc};
    switch (roll(d, 3)) {
    case 0:
        return old + 4 * ((uint32_t)roll(d, 5) - 2);
    case 1:
        return edges[roll(d, sizeof edges / sizeof *edges)] + (uint32_t)roll(d, 3) - 1;
    default:
        return (uint32_t)roll(d, 1ull << 32);
    }
}

/* A word of the header, bytes anywhere, or an end that is not there. */
static void change(struct dice *d, uint32_t *slot)
{
    uint8_t *bytes = (uint8_t *)slot;
    const uint32_t word = (uint32_t)roll(d, MH_BOOT_HEADER_BYTES / 4), at = (uint32_t)roll(d, BOOT_WHOLE);
    switch (roll(d, 6)) {
    case 0:
    case 1:
    case 2:
        slot[word] = edge(d, slot[word]);
        break;
    case 3:
        bytes[at] = (uint8_t)roll(d, 256);
        break;
    case 4:
        memset(bytes + at, roll(d, 2) ? 0xff : 0, MH_SLOT_BYTES - at);
        break;
    default:
        memmove(bytes + at, bytes, MH_SLOT_BYTES - at);
    }
}

/* Where the header says that the signature is, if that is in the slot; else where it was. */
static void sign_anew(struct dice *d, uint32_t *slot)
{
    const uint32_t length = slot[2];
    const bool inside = length >= MH_BOOT_HEADER_BYTES + MH_BOOT_SIGNATURE_BYTES && length <= MH_SLOT_BYTES;
    boot_sign(slot, inside ? length - MH_BOOT_SIGNATURE_BYTES : BOOT_BYTES, roll(d, 8) ? BOOT_KEY_FIRST : 9);
}

static void fill(struct dice *d, uint32_t *slot)
{
    const struct boot_header h = boot_header_by_hand((uint32_t)roll(d, 8));
    boot_put(slot, &h);
    for (uint64_t n = roll(d, 4); n; n--)
        change(d, slot);
    if (roll(d, 2))
        sign_anew(d, slot);
}

static const uint8_t *memory_at(uint32_t address)
{
    return address < MH_DTCM_BASE ? (const uint8_t *)m.itcm + (address - MH_ITCM_BASE)
                                  : (const uint8_t *)m.dtcm + (address - MH_DTCM_BASE);
}

/* Written again from what boot.h says of a signed image; its signature by BearSSL's other implementation. */
static void check_runs(void)
{
    const uint32_t *slot = m.slot[m.choice.runs], segments = slot[8];
    const uint8_t *bytes = (const uint8_t *)slot;
    uint8_t hash[32], point[65] = {4};
    const br_ec_public_key key = {BR_EC_secp256r1, point, sizeof point};
    br_sha256_context c;
    uint32_t at = MH_BOOT_HEADER_BYTES;
    must(slot[0] == MH_BOOT_MAGIC && slot[4] >= m.counter && slot[5] == MH_REGISTERS_VERSION, "a wrong header runs");
    for (uint32_t i = 0; i < segments; at += slot[10 + 2 * i++])
        must(!memcmp(memory_at(slot[9 + 2 * i]), bytes + at, slot[10 + 2 * i]), "memory is not as the header says");
    must(slot[2] == at + MH_BOOT_SIGNATURE_BYTES, "a wrong length runs");
    br_sha256_init(&c);
    br_sha256_update(&c, bytes, at);
    br_sha256_out(&c, hash);
    memcpy(point + 1, m.key, sizeof m.key);
    must(!memcmp(hash, m.choice.hash, sizeof hash), "another hash is published");
    must(br_ecdsa_i15_vrfy_raw(&br_ec_p256_m15, hash, sizeof hash, &key, bytes + at, MH_BOOT_SIGNATURE_BYTES),
         "a wrong signature runs");
}

static bool round_of(uint64_t seed, uint64_t n)
{
    struct dice d = {seed + n * 0x9e3779b97f4a7c15u, 0};
    m.counter = (uint32_t)roll(&d, 6);
    for (unsigned i = 0; i < MH_BOOT_SLOTS; i++)
        fill(&d, m.slot[i]);
    memset(m.itcm, 0, sizeof m.itcm);
    memset(m.dtcm, 0, sizeof m.dtcm);
    hang_begins();
    boot_machine_run(&m);
    hang_ends();
    if (m.choice.runs == BOOT_NO_SLOT)
        must(boot_machine_blank(&m), "what was refused stays in memory");
    else
        check_runs();
    return m.choice.runs != BOOT_NO_SLOT;
}

int main(int argc, char **argv)
{
    boot_machine_init(&m);
    return dice_rounds(argc, argv, "fuzz_boot", 1000, round_of);
}
