/*
 * The mailbox of verified boot: a host that fills slots, offers and wants, an mcu that writes any value to any register
 * of it at any time, and resets. fuzz_mailbox [ITERATIONS [SEED]] Deterministic. Nothing may crash; what each operation
 * may change, and what it must leave, is written here again from registers.def.
 */
#include <inttypes.h>
#include <string.h>

#include "../../qemu/hw/memhelm_mailbox.h"
#include "fuzz/dice.h"

enum { OPERATIONS = 400, REGISTERS_END = 0x100 };

static uint8_t slots[MH_BOOT_SLOTS][MH_SLOT_BYTES];
static uint8_t filled[MH_BOOT_SLOTS][MH_SLOT_BYTES]; /* what they have to hold */
static struct memhelm_mailbox m;

/** What the mcu can read, before and after an operation. */
struct view {
    uint32_t words[REGISTERS_END / 4];
};

static uint32_t at(const struct view *v, uint32_t offset)
{
    return v->words[offset / 4];
}

static struct view look(void)
{
    struct view v;
    for (uint32_t offset = 0; offset < REGISTERS_END; offset += 4)
        v.words[offset / 4] = memhelm_mailbox_read(&m, offset);
    return v;
}

/* All but `offset` (0: none) are as they were. */
static void only(const struct view *before, const struct view *now, uint32_t offset)
{
    for (uint32_t o = 0; o < REGISTERS_END; o += 4)
        require(o == offset || at(before, o) == at(now, o), "an operation changes a register that is not its own");
    require(!memcmp(slots, filled, sizeof slots), "a slot holds other bytes than it was filled with");
}

static bool published(uint32_t offset)
{
    return offset == MH_MACHINE_BOOT_STATUS || offset == MH_MACHINE_BOOT_VERSION ||
           (offset >= MH_MACHINE_BOOT_HASH_0 && offset <= MH_MACHINE_BOOT_HASH_7);
}

static uint32_t expected(const struct view *before, uint32_t offset, uint32_t value, bool over)
{
    const uint32_t old = at(before, offset);
    if (offset == MH_MACHINE_BOOT_COUNTER)
        return value > old ? value : old;
    if (offset == MH_MACHINE_BOOT_OFFER)
        return over ? old : 0;
    return published(offset) && !over ? value : old;
}

static bool over, booted;

static void mcu_writes(uint32_t offset, uint32_t value)
{
    const struct view before = look();
    const enum memhelm_mail done = memhelm_mailbox_write(&m, offset, value);
    const struct view now = look();
    const bool aligned = offset % 4 == 0 && offset < REGISTERS_END;

    only(&before, &now, aligned ? offset : 0);
    if (aligned)
        require(at(&now, offset) == expected(&before, offset, value, over), "a write makes another value");
    require((done == MEMHELM_MAIL_OVER) == (offset == MH_MACHINE_BOOT_STATUS && !over), "a boot ends by another write");
    require((done == MEMHELM_MAIL_ANSWERED) ==
                (offset == MH_MACHINE_BOOT_OFFER && !over && at(&before, MH_MACHINE_BOOT_OFFER)),
            "an answer to no offer");
    over |= done == MEMHELM_MAIL_OVER;
    booted |= over;
}

static void reset(void)
{
    const struct view before = look();
    memhelm_mailbox_reset(&m);
    const struct view now = look();
    over = false;
    for (uint32_t o = 0; o < REGISTERS_END; o += 4)
        require(at(&now, o) == (published(o) ? 0 : at(&before, o)), "a reset leaves, or takes, another register");
    require(!memcmp(slots, filled, sizeof slots), "a reset changes a slot");
}

static void fill(struct dice *d, uint32_t slot)
{
    static uint8_t bytes[MH_SLOT_BYTES];
    const struct view before = look();
    const uint32_t length = (uint32_t)(roll(d, 4) ? roll(d, MH_SLOT_BYTES + 1) : roll(d, 2) * MH_SLOT_BYTES);
    const uint32_t fills = slot ? MH_MACHINE_SLOT_B_FILLS : MH_MACHINE_SLOT_A_FILLS;
    memset(bytes, (int)roll(d, 256), length);
    memhelm_mailbox_fill(&m, slot, bytes, length);
    const struct view now = look();
    require(at(&now, fills) == at(&before, fills) + 2 && at(&now, fills) % 2 == 0, "a fill counts another number");
    memset(filled[slot], MEMHELM_ERASED, MH_SLOT_BYTES);
    memcpy(filled[slot], bytes, length);
    only(&before, &now, fills);
}

static void host_asks(struct dice *d, uint32_t slot)
{
    const struct view before = look();
    const uint32_t offset = roll(d, 2) ? MH_MACHINE_BOOT_OFFER : MH_MACHINE_BOOT_WANTED;
    if (offset == MH_MACHINE_BOOT_OFFER)
        memhelm_mailbox_offer(&m, slot);
    else
        memhelm_mailbox_want(&m, slot);
    const struct view now = look();
    require(at(&now, offset) == slot + 1, "the host asks for another slot");
    only(&before, &now, offset);
}

static void host_raises(uint32_t version)
{
    const struct view before = look();
    const uint32_t old = at(&before, MH_MACHINE_BOOT_COUNTER);
    memhelm_mailbox_raise(&m, version);
    const struct view now = look();
    require(at(&now, MH_MACHINE_BOOT_COUNTER) == (version > old ? version : old), "the counter goes elsewhere");
    only(&before, &now, MH_MACHINE_BOOT_COUNTER);
}

/* What the machine makes of any BOOT_STATUS stays in its tables. */
static void check_status(void)
{
    require(memhelm_mailbox_runs(&m) <= MH_BOOT_SLOTS, "a slot runs that there is not");
    for (uint32_t slot = 0; slot < MH_BOOT_SLOTS; slot++)
        require(memhelm_mailbox_found(&m, slot) < BOOT_ROWS, "the ROM says what has no text");
}

static uint32_t any_offset(struct dice *d)
{
    switch (roll(d, 4)) {
    case 0:
        return (uint32_t)roll(d, 1ull << 32);
    case 1:
        return (uint32_t)roll(d, REGISTERS_END);
    default:
        return MH_MACHINE_BOOT_STATUS + 4 * (uint32_t)roll(d, 16);
    }
}

static uint32_t any_value(struct dice *d)
{
    return (uint32_t)roll(d, roll(d, 2) ? 4 : 1ull << 32);
}

static void operate(struct dice *d)
{
    switch (roll(d, 16)) {
    case 0:
        reset();
        break;
    case 1:
        if (roll(d, 4) == 0)
            fill(d, (uint32_t)roll(d, MH_BOOT_SLOTS));
        break;
    case 2:
        host_asks(d, (uint32_t)roll(d, MH_BOOT_SLOTS));
        break;
    case 3:
        host_raises(any_value(d));
        break;
    default:
        mcu_writes(any_offset(d), any_value(d));
    }
    check_status();
}

static bool round_of(uint64_t seed, uint64_t n)
{
    struct dice d = {seed + n * 0x9e3779b97f4a7c15u, 0};
    memset(slots, MEMHELM_ERASED, sizeof slots);
    memset(filled, MEMHELM_ERASED, sizeof filled);
    m = (struct memhelm_mailbox){.slot = {slots[0], slots[1]}};
    over = booted = false;
    hang_begins();
    for (unsigned i = 0; i < OPERATIONS; i++)
        operate(&d);
    hang_ends();
    return booted;
}

int main(int argc, char **argv)
{
    return dice_rounds(argc, argv, "fuzz_mailbox", 100, round_of);
}
