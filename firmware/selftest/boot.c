/*
 * Behind a boot ROM: writes to what the ROM has published and to the mailbox, lowers and raises the monotonic counter,
 * and writes to ROM, fuses and slots. Only the counter moves, and only upward: else init refuses the GPU.
 */
#include "../policy/param.h"
#include "../policy/policy.h"
#include "memhelm/boot.h"

POLICY_PARAM(boot_ram, 0, 0, 1, "switch: reads where the ROM remembers what it has verified, which traps");

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

static enum policy_status boot_init(const struct gpu_caps *caps)
{
    (void)caps;
    if (boot_ram)
        (void)bus_read(MH_ROM_RAM_BASE + MH_ROM_RAM_BYTES / 2);
    return memories_stay() && published_stays() && counter_goes_up() ? POLICY_OK : POLICY_UNSUPPORTED;
}

const struct policy policy_boot = {.name = "boot", .init = boot_init};

#define IMAGE_NAME             "selftest/boot"
#define IMAGE_POLICIES(POLICY) POLICY(boot)
#include "../image/common/image.h"
