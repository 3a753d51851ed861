/* Behind a boot ROM: reads the RAM in which the ROM remembers what it has verified. Nothing is there: it traps. */
#include "../policy/policy.h"
#include "memhelm/boot.h"

static enum policy_status boot_ram_init(const struct gpu_caps *caps)
{
    (void)caps;
    (void)bus_read(MH_ROM_RAM_BASE + MH_ROM_RAM_BYTES / 2);
    return POLICY_OK;
}

const struct policy policy_boot_ram = {.name = "boot_ram", .init = boot_ram_init};

#define IMAGE_NAME             "selftest/boot-ram"
#define IMAGE_POLICIES(POLICY) POLICY(boot_ram)
#include "../image/common/image.h"
