/*
 * Signed images that are wrong: a good one with changed words, bytes and parts, cut, signed anew or not, in either
 * slot, through all that the boot ROM does with a slot, in several boots between which a host fills slots, offers them
 * and wants one. fuzz_boot [ITERATIONS [SEED]] Deterministic. Nothing may crash or write outside of the memories; what
 * runs was signed with the machine's key, is not older than its counter, and in memory as its header says; what does
 * not run leaves nothing.
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

/* By BearSSL's other implementation. */
static bool matches(const uint8_t hash[MH_BOOT_HASH_BYTES], const uint8_t *signature)
{
    uint8_t point[65] = {4};
    const br_ec_public_key key = {BR_EC_secp256r1, point, sizeof point};
    memcpy(point + 1, m.key, sizeof m.key);
    return br_ecdsa_i15_vrfy_raw(&br_ec_p256_m15, hash, MH_BOOT_HASH_BYTES, &key, signature, MH_BOOT_SIGNATURE_BYTES);
}

/* Images of this round that lay in a slot whole, with a signature that matches. */
static struct {
    uint8_t hash[16][MH_BOOT_HASH_BYTES];
    uint32_t count;
} good;

static void hash_of(const uint32_t *slot, uint32_t length, uint8_t hash[MH_BOOT_HASH_BYTES])
{
    br_sha256_context c;
    br_sha256_init(&c);
    br_sha256_update(&c, slot, length);
    br_sha256_out(&c, hash);
}

static void note_good(const uint32_t *slot)
{
    const uint32_t length = slot[2] - MH_BOOT_SIGNATURE_BYTES;
    if (length > MH_SLOT_BYTES - MH_BOOT_SIGNATURE_BYTES)
        return;
    require(good.count < sizeof good.hash / sizeof *good.hash, "more images than this test notes");
    hash_of(slot, length, good.hash[good.count]);
    good.count += matches(good.hash[good.count], (const uint8_t *)slot + length);
}

static bool is_good(const uint8_t hash[MH_BOOT_HASH_BYTES])
{
    for (uint32_t i = 0; i < good.count; i++)
        if (!memcmp(good.hash[i], hash, MH_BOOT_HASH_BYTES))
            return true;
    return false;
}

/* Written again from what boot.h says of a signed image. */
static void check_runs(void)
{
    const uint32_t *slot = m.slot[m.choice.runs], segments = slot[8];
    const uint8_t *bytes = (const uint8_t *)slot;
    uint8_t hash[MH_BOOT_HASH_BYTES];
    uint32_t at = MH_BOOT_HEADER_BYTES;
    require(slot[0] == MH_BOOT_MAGIC && slot[4] >= m.counter && slot[5] == MH_REGISTERS_VERSION, "a wrong header runs");
    for (uint32_t i = 0; i < segments; at += slot[10 + 2 * i++])
        require(!memcmp(memory_at(slot[9 + 2 * i]), bytes + at, slot[10 + 2 * i]), "memory is not as the header says");
    require(slot[2] == at + MH_BOOT_SIGNATURE_BYTES, "a wrong length runs");
    hash_of(slot, at, hash);
    require(!memcmp(hash, m.choice.hash, sizeof hash), "another hash is published");
    require(is_good(hash), "what runs was never signed");
}

/* By twos, and now and then the host is still at it. */
static void refill(struct dice *d, unsigned slot)
{
    boot_fills[slot] += 2 + (uint32_t)(roll(d, 8) == 0);
    fill(d, m.slot[slot]);
    note_good(m.slot[slot]);
}

static void offer(struct dice *d, unsigned slot)
{
    const struct boot_context context = boot_context_of(&m);
    refill(d, slot);
    require(boot_try(&context, slot) != BOOT_RUNS && boot_machine_blank(&m), "an offer stays in memory");
}

static bool boot(uint32_t wanted)
{
    memset(m.itcm, 0, sizeof m.itcm);
    memset(m.dtcm, 0, sizeof m.dtcm);
    boot_machine_again(&m, wanted);
    if (m.choice.runs == BOOT_NO_SLOT)
        require(boot_machine_blank(&m), "what was refused stays in memory");
    else
        check_runs();
    return m.choice.runs != BOOT_NO_SLOT;
}

static bool round_of(uint64_t seed, uint64_t n)
{
    struct dice d = {seed + n * 0x9e3779b97f4a7c15u, 0};
    bool any = false;
    m.counter = (uint32_t)roll(&d, 6);
    memset(&m.kept, 0, sizeof m.kept);
    good.count = 0;
    for (unsigned i = 0; i < MH_BOOT_SLOTS; i++)
        refill(&d, i);
    for (uint64_t boots = 1 + roll(&d, 4); boots; boots--) {
        hang_begins();
        if (roll(&d, 2))
            offer(&d, (unsigned)roll(&d, MH_BOOT_SLOTS));
        any |= boot((uint32_t)roll(&d, MH_BOOT_SLOTS + 1));
        hang_ends();
        m.counter += (uint32_t)(roll(&d, 4) == 0);
    }
    return any;
}

int main(int argc, char **argv)
{
    boot_machine_init(&m);
    return dice_rounds(argc, argv, "fuzz_boot", 300, round_of);
}
