/* The boot ROM: what it finds goes to the console and to the machine block; start.S leaves it. */
#include <string.h>

#include "../platform/mcu.h"
#include "../platform/mmio.h"
#include "verify.h"

/* start.S calls the first two, and has the third, which locks memories, writes `status` and jumps; entry 0: sleeps. */
_Noreturn void rom_main(void);
_Noreturn void rom_trapped(void);
_Noreturn void rom_leave(uint32_t entry, uint32_t status, uint32_t status_at);

static const char *const texts[] = {
#define MH_BOOT(name, text) text,
#include "memhelm/boot.def"
};

static void print(const char *text)
{
    mcu_uart_write(text, strlen(text));
}

static void say(uint32_t slot, enum mh_boot found)
{
    print(slot ? "boot ROM: slot B: " : "boot ROM: slot A: ");
    print(texts[found]);
    print("\n");
}

static void report(const struct boot_choice *c)
{
    for (uint32_t i = 0; i < MH_BOOT_SLOTS; i++)
        if (c->found[i] != BOOT_EMPTY || c->runs == BOOT_NO_SLOT)
            say(i, c->found[i]);
}

static void publish(const struct boot_choice *c)
{
    uint32_t words[MH_BOOT_HASH_BYTES / 4];
    memcpy(words, c->hash, sizeof words);
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
        bus_write(MH_MACHINE_BASE + MH_MACHINE_BOOT_HASH_0 + 4 * i, words[i]);
    bus_write(MH_MACHINE_BASE + MH_MACHINE_BOOT_VERSION, c->version);
}

static uint32_t fills(uint32_t slot)
{
    return bus_read(MH_MACHINE_BASE + (slot ? MH_MACHINE_SLOT_B_FILLS : MH_MACHINE_SLOT_A_FILLS));
}

/* Verified now, while the GPU has no work yet, so that a swap does not wait for it. */
static void take_offers(const struct boot_context *b)
{
    uint32_t slot;
    while ((slot = bus_read(MH_MACHINE_BASE + MH_MACHINE_BOOT_OFFER) - 1) < MH_BOOT_SLOTS) {
        const enum mh_boot found = boot_try(b, slot);
        say(slot, found);
        bus_write(MH_MACHINE_BASE + MH_MACHINE_BOOT_OFFER, found);
    }
}

_Noreturn void rom_main(void)
{
    static struct boot_kept kept __attribute__((section(".kept")));
    static struct boot_choice choice;
    const struct boot_context context = {
        .trust = {.key = (const uint8_t *)MH_FUSES_BASE,
                  .counter = bus_read(MH_MACHINE_BASE + MH_MACHINE_BOOT_COUNTER),
                  .registers = MH_REGISTERS_VERSION},
        .memory = {.itcm = (uint32_t *)MH_ITCM_BASE, .dtcm = (uint32_t *)MH_DTCM_BASE},
        .slots = {.at = {(const uint32_t *)MH_SLOT_BASE, (const uint32_t *)(MH_SLOT_BASE + MH_SLOT_BYTES)},
                  .fills = fills},
        .kept = &kept,
    };
    take_offers(&context);
    boot_choose(&context, bus_read(MH_MACHINE_BASE + MH_MACHINE_BOOT_WANTED) - 1, &choice);
    report(&choice);
    publish(&choice);
    rom_leave(choice.entry, boot_status(&choice), MH_MACHINE_BASE + MH_MACHINE_BOOT_STATUS);
}

_Noreturn void rom_trapped(void)
{
    say(0, BOOT_TRAP);
    rom_leave(0, BOOT_TRAP, MH_MACHINE_BASE + MH_MACHINE_BOOT_STATUS);
}
