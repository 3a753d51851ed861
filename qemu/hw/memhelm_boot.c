/*
 * Verified boot: the boot ROM's memories, when a boot begins and ends, and what
 * a run is told of it. Its registers are in memhelm_mailbox.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With a ROM the mcu begins there after each reset; images lie in slots, and
 * none is loaded into the mcu's memories but by the ROM. A boot lasts from the
 * reset to the ROM's write of BOOT_STATUS: GPU time does not begin in it, and
 * after it the mcu has MEMHELM_BOOT cycles up to its first COMMIT, as without a
 * ROM. A mcu that is reset in mid-run boots while GPU time goes on. The ROM's
 * RAM is there in a boot alone: an image cannot change what it remembers.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/timer.h"
#include "exec/address-spaces.h"
#include "hw/core/cpu.h"
#include "qapi/error.h"
#include "memhelm.h"
#include "trace-memhelm.h"

/* A memory that the mcu cannot write, with a file in it. */
static void memhelm_boot_add(MemoryRegion *mr, Object *owner, const char *name,
                             hwaddr base, uint64_t size, const char *file)
{
    g_autofree char *bytes = NULL;
    g_autoptr(GError) err = NULL;
    gsize length = 0;
    uint8_t *to;

    memory_region_init_rom(mr, owner, name, size, &error_fatal);
    memory_region_add_subregion(get_system_memory(), base, mr);
    to = memory_region_get_ram_ptr(mr);
    memset(to, MEMHELM_ERASED, size);
    if (!file) {
        return;
    }
    if (!g_file_get_contents(file, &bytes, &length, &err)) {
        error_report("memhelm: %s: %s", name, err->message);
        exit(EXIT_FAILURE);
    }
    if (length > size) {
        error_report("memhelm: %s: %s has %zu bytes, more than the %" PRIu64
                     " that there are", name, file, (size_t)length, size);
        exit(EXIT_FAILURE);
    }
    memcpy(to, bytes, length);
}

/* The host has filled it, if only with nothing. */
static void memhelm_boot_add_slot(MemhelmBootState *b, Object *owner,
                                  unsigned slot, const char *name,
                                  const char *file)
{
    MemoryRegion *mr = &b->memory[2 + slot];

    memhelm_boot_add(mr, owner, name, MH_SLOT_BASE + slot * MH_SLOT_BYTES,
                     MH_SLOT_BYTES, file);
    b->mailbox.slot[slot] = memory_region_get_ram_ptr(mr);
    b->mailbox.fills[slot] = 2;
}

void memhelm_boot_add_memories(MemhelmBootState *b, Object *owner)
{
    if (!b->given->rom) {
        return;
    }
    memhelm_boot_add(&b->memory[0], owner, "memhelm.rom", MH_ROM_BASE,
                     MH_ROM_BYTES, b->given->rom);
    memhelm_boot_add(&b->memory[1], owner, "memhelm.fuses", MH_FUSES_BASE,
                     MH_FUSES_BYTES, b->given->key);
    memhelm_boot_add_slot(b, owner, 0, "memhelm.slot-a", b->given->slot_a);
    memhelm_boot_add_slot(b, owner, 1, "memhelm.slot-b", b->given->slot_b);
    memory_region_init_ram(&b->ram, owner, "memhelm.rom-ram",
                           MH_ROM_RAM_BYTES, &error_fatal);
    memory_region_add_subregion(get_system_memory(), MH_ROM_RAM_BASE, &b->ram);
}

bool memhelm_boot_running(const MemhelmBootState *b)
{
    return b->given->rom && !b->mailbox.over &&
           memhelm_now() - b->since < MEMHELM_ROM;
}

static void memhelm_boot_refused(MemhelmBlockState *s)
{
    const struct memhelm_mailbox *m = &s->boot.mailbox;
    struct mh_fault fault = { 0 };

    snprintf(fault.reason, sizeof(fault.reason),
             "boot ROM: slot A: %s; slot B: %s",
             mh_boot_texts[memhelm_mailbox_found(m, 0)],
             mh_boot_texts[memhelm_mailbox_found(m, 1)]);
    memhelm_block_end(s, MH_END_FAULT, &fault);
}

static void memhelm_boot_count(MemhelmBootState *b)
{
    int64_t cycles = memhelm_now() - b->since;

    if (b->boots++ == 0) {
        b->cycles = cycles;
    } else {
        b->cycles_again = cycles;
    }
    trace_memhelm_boot_over(memhelm_now(), b->mailbox.status, cycles);
}

static void memhelm_boot_over(MemhelmBlockState *s)
{
    MemhelmBootState *b = &s->boot;

    memory_region_set_enabled(&b->ram, false);
    memhelm_boot_count(b);
    if (memhelm_mailbox_runs(&b->mailbox) == MH_BOOT_SLOTS ||
        !memhelm_swap_verified(&s->swap)) {
        memhelm_boot_refused(s);
        return;
    }
    memhelm_gpu_boot_until(s->gpu, memhelm_now() + MEMHELM_BOOT);
    memhelm_guard_boot_until(&s->guard, memhelm_now() + MEMHELM_BOOT);
}

bool memhelm_boot_write(MemhelmBlockState *s, hwaddr addr, uint32_t value)
{
    if (!s->boot.given->rom) {
        return false;
    }
    switch (memhelm_mailbox_write(&s->boot.mailbox, addr, value)) {
    case MEMHELM_MAIL_OVER:
        memhelm_boot_over(s);
        return true;
    case MEMHELM_MAIL_ANSWERED:
        memhelm_slots_answered(&s->swap.slots);
        return true;
    case MEMHELM_MAIL_KEPT:
        return true;
    default:
        return false;
    }
}

void memhelm_boot_reset(MemhelmBlockState *s)
{
    MemhelmBootState *b = &s->boot;

    if (!b->given->rom) {
        return;
    }
    memhelm_mailbox_reset(&b->mailbox);
    memory_region_set_enabled(&b->ram, true);
    b->since = memhelm_now();
    memhelm_gpu_boot_until(s->gpu, b->since + MEMHELM_ROM);
    memhelm_guard_boot_until(&s->guard, b->since + MEMHELM_ROM);
}

/* A power cut, for tests: as a reset of the mcu, wherever it is. */
static void memhelm_boot_cut(void *opaque)
{
    MemhelmBlockState *s = opaque;

    memhelm_mcu_sync(&s->gpu->timing);
    trace_memhelm_boot_cut(memhelm_now());
    memhelm_guard_power_cut(&s->guard);
}

void memhelm_boot_init(MemhelmBlockState *s)
{
    MemhelmBootState *b = &s->boot;

    b->mailbox.counter = b->given->counter;
    if (b->given->power_cut) {
        b->cut = timer_new_ns(QEMU_CLOCK_VIRTUAL, memhelm_boot_cut, s);
        timer_mod(b->cut, b->given->power_cut);
    }
}

static void memhelm_boot_say_image(const struct memhelm_mailbox *m,
                                   GString *text)
{
    uint32_t slot = memhelm_mailbox_runs(m);

    if (slot == MH_BOOT_SLOTS) {
        g_string_append(text, "null, \"sha256\": null");
        return;
    }
    g_string_append_printf(text, "\"%c\", \"sha256\": \"", 'A' + slot);
    for (unsigned i = 0; i < MH_BOOT_HASH_BYTES; i++) {
        g_string_append_printf(text, "%02x",
                               m->hash[i / 4] >> 8 * (i % 4) & 0xff);
    }
    g_string_append(text, "\"");
}

/* What ran, for results: boot.json beside result.json. */
bool memhelm_boot_save(MemhelmBlockState *s, Error **errp)
{
    const MemhelmBootState *b = &s->boot;
    g_autofree char *path = g_build_filename(s->run, "boot.json", NULL);
    g_autoptr(GString) text = g_string_new("{\"slot\": ");
    g_autoptr(GError) err = NULL;

    if (!b->given->rom) {
        return true;
    }
    memhelm_boot_say_image(&b->mailbox, text);
    g_string_append_printf(text, ", \"version\": %" PRIu32 ", \"counter\": %"
                           PRIu32 ", \"boots\": %" PRIu32 ", \"rom_cycles\": %"
                           PRId64 ", \"rom_cycles_again\": %" PRId64 "}\n",
                           b->mailbox.version, b->mailbox.counter, b->boots,
                           b->cycles, b->cycles_again);
    if (!g_file_set_contents(path, text->str, -1, &err)) {
        error_setg(errp, "boot.json cannot be written: %s", err->message);
        return false;
    }
    return true;
}
