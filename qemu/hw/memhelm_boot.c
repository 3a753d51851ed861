/*
 * Verified boot: the boot ROM's memories, its registers of the machine block,
 * and what a run is told of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With a ROM the mcu begins there after each reset; images lie in slots, and
 * none is loaded into the mcu's memories but by the ROM. A boot lasts from the
 * reset to the ROM's write of BOOT_STATUS: GPU time does not begin in it, and
 * after it the mcu has MEMHELM_BOOT cycles up to its first COMMIT, as without a
 * ROM. A mcu that is reset in mid-run boots while GPU time goes on.
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

/* Flash that was erased. */
#define ERASED 0xff

static const char *const memhelm_boot_text[BOOT_ROWS] = {
#define MH_BOOT(name, text) text,
#include "memhelm/boot.def"
};

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
    memset(to, ERASED, size);
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

void memhelm_boot_add_memories(MemhelmBootState *b, Object *owner)
{
    if (!b->given->rom) {
        return;
    }
    memhelm_boot_add(&b->memory[0], owner, "memhelm.rom", MH_ROM_BASE,
                     MH_ROM_BYTES, b->given->rom);
    memhelm_boot_add(&b->memory[1], owner, "memhelm.fuses", MH_FUSES_BASE,
                     MH_FUSES_BYTES, b->given->key);
    memhelm_boot_add(&b->memory[2], owner, "memhelm.slot-a", MH_SLOT_BASE,
                     MH_SLOT_BYTES, b->given->slot_a);
    memhelm_boot_add(&b->memory[3], owner, "memhelm.slot-b",
                     MH_SLOT_BASE + MH_SLOT_BYTES, MH_SLOT_BYTES, b->given->slot_b);
    memory_region_init_ram(&b->ram, owner, "memhelm.rom-ram",
                           MH_ROM_RAM_BYTES, &error_fatal);
    memory_region_add_subregion(get_system_memory(), MH_ROM_RAM_BASE, &b->ram);
}

bool memhelm_boot_running(const MemhelmBootState *b)
{
    return b->given->rom && !b->over;
}

uint32_t memhelm_boot_read(const MemhelmBootState *b, hwaddr addr)
{
    switch (addr) {
    case MH_MACHINE_BOOT_STATUS:
        return b->status;
    case MH_MACHINE_BOOT_COUNTER:
        return b->counter;
    case MH_MACHINE_BOOT_VERSION:
        return b->version;
    case MH_MACHINE_BOOT_HASH_0 ... MH_MACHINE_BOOT_HASH_7:
        return b->hash[(addr - MH_MACHINE_BOOT_HASH_0) / 4];
    default:
        return 0;
    }
}

/* The ROM's line of a slot. */
static void memhelm_boot_describe(const MemhelmBootState *b, unsigned slot,
                                  GString *text)
{
    uint8_t found = b->status >> (MH_BOOT_STATUS_SLOT * slot);

    g_string_append_printf(text, "%sslot %c: %s", slot ? "; " : "", 'A' + slot,
                           found < BOOT_ROWS ? memhelm_boot_text[found]
                                             : "unknown");
}

static void memhelm_boot_refused(MemhelmBlockState *s)
{
    struct mh_fault fault = { 0 };
    g_autoptr(GString) text = g_string_new("boot ROM: ");

    for (unsigned slot = 0; slot < MH_BOOT_SLOTS; slot++) {
        memhelm_boot_describe(&s->boot, slot, text);
    }
    snprintf(fault.reason, sizeof(fault.reason), "%s", text->str);
    memhelm_block_end(s, MH_END_FAULT, &fault);
}

static void memhelm_boot_over(MemhelmBlockState *s, uint32_t status)
{
    MemhelmBootState *b = &s->boot;

    b->status = status;
    b->over = true;
    b->boots++;
    b->cycles = memhelm_now() - b->since;
    trace_memhelm_boot_over(memhelm_now(), status, b->cycles);
    if (status >> MH_BOOT_STATUS_RUNS == 0) {
        memhelm_boot_refused(s);
        return;
    }
    memhelm_gpu_boot_until(s->gpu, memhelm_now() + MEMHELM_BOOT);
    memhelm_guard_boot_until(&s->guard, memhelm_now() + MEMHELM_BOOT);
}

/* The image can raise the counter; the rest is the ROM's. */
static bool memhelm_boot_may_write(const MemhelmBootState *b, hwaddr addr,
                                   uint32_t value)
{
    return b->given->rom && (addr == MH_MACHINE_BOOT_COUNTER ? value > b->counter
                                                      : !b->over);
}

bool memhelm_boot_write(MemhelmBlockState *s, hwaddr addr, uint32_t value)
{
    MemhelmBootState *b = &s->boot;

    if (!memhelm_boot_may_write(b, addr, value)) {
        return false;
    }
    switch (addr) {
    case MH_MACHINE_BOOT_STATUS:
        memhelm_boot_over(s, value);
        return true;
    case MH_MACHINE_BOOT_COUNTER:
        b->counter = value;
        return true;
    case MH_MACHINE_BOOT_VERSION:
        b->version = value;
        return true;
    case MH_MACHINE_BOOT_HASH_0 ... MH_MACHINE_BOOT_HASH_7:
        b->hash[(addr - MH_MACHINE_BOOT_HASH_0) / 4] = value;
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
    b->over = false;
    b->status = b->version = 0;
    memset(b->hash, 0, sizeof(b->hash));
    b->since = memhelm_now();
    /* However long the ROM takes. */
    memhelm_gpu_boot_until(s->gpu, INT64_MAX);
    memhelm_guard_boot_until(&s->guard, INT64_MAX);
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

    b->counter = b->given->counter;
    if (b->given->power_cut) {
        b->cut = timer_new_ns(QEMU_CLOCK_VIRTUAL, memhelm_boot_cut, s);
        timer_mod(b->cut, b->given->power_cut);
    }
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
    if (b->status >> MH_BOOT_STATUS_RUNS) {
        g_string_append_printf(text, "\"%c\", \"sha256\": \"",
                               'A' - 1 + (b->status >> MH_BOOT_STATUS_RUNS));
        for (unsigned i = 0; i < MH_BOOT_HASH_BYTES; i++) {
            g_string_append_printf(text, "%02x",
                                   b->hash[i / 4] >> 8 * (i % 4) & 0xff);
        }
        g_string_append(text, "\"");
    } else {
        g_string_append(text, "null, \"sha256\": null");
    }
    g_string_append_printf(text, ", \"version\": %" PRIu32 ", \"counter\": %"
                           PRIu32 ", \"boots\": %" PRIu32 ", \"rom_cycles\": %"
                           PRId64 "}\n", b->version, b->counter, b->boots,
                           b->cycles);
    if (!g_file_set_contents(path, text->str, -1, &err)) {
        error_setg(errp, "boot.json cannot be written: %s", err->message);
        return false;
    }
    return true;
}
