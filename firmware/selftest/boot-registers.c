/*
 * Behind a boot ROM: writes to what the ROM has published and to the mailbox, lowers and raises the monotonic counter,
 * and writes to ROM, fuses and slots. Only the counter moves, and only upward: else init refuses the GPU.
 */
#include "../policy/policy.h"
#include "memhelm/boot.h"

#define AT(name) (MH_MACHINE_BASE + MH_MACHINE_##name)

static bool stays(uint32_t address)
{
    uint32_t before = bus_read(address);

    bus_write(address, ~before);
    return bus_read(address) == before;
}

static bool published_stays(void)
{
    bool all = stays(AT(BOOT_STATUS)) && stays(AT(BOOT_VERSION)) && stays(AT(BOOT_OFFER)) && stays(AT(BOOT_WANTED)) &&
               stays(AT(SLOT_A_FILLS)) && stays(AT(SLOT_B_FILLS));

    for (uint32_t at = AT(BOOT_HASH_0); at <= AT(BOOT_HASH_7); at += 4)
        all = all && bus_read(at) != 0 && stays(at);
    return all;
}

static bool counter_goes_up(void)
{
    uint32_t before = bus_read(AT(BOOT_COUNTER));

    bus_write(AT(BOOT_COUNTER), before - 1);
    bus_write(AT(BOOT_COUNTER), 0);
    if (bus_read(AT(BOOT_COUNTER)) != before)
        return false;
    bus_write(AT(BOOT_COUNTER), before + 1);
    return bus_read(AT(BOOT_COUNTER)) == before + 1;
}

static bool memories_stay(void)
{
    return stays(MH_ROM_BASE) && stays(MH_FUSES_BASE) && stays(MH_SLOT_BASE) && stays(MH_SLOT_BASE + MH_SLOT_BYTES);
}

static enum policy_status boot_registers_init(const struct gpu_caps *caps)
{
    (void)caps;
    return memories_stay() && published_stays() && counter_goes_up() ? POLICY_OK : POLICY_UNSUPPORTED;
}

const struct policy policy_boot_registers = {.name = "boot_registers", .init = boot_registers_init};

#define IMAGE_NAME             "selftest/boot-registers"
#define IMAGE_POLICIES(POLICY) POLICY(boot_registers)
#include "../image/common/image.h"
