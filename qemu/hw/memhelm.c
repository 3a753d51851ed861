/*
 * The memhelm machine: the mcu, a management core, with tightly coupled
 * memories, a timer, a uart, and the register window of a modelled GPU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *   -M memhelm,run=DIR -kernel IMAGE.elf -icount shift=0,sleep=off,align=off
 *
 * DIR/config.yaml is the resolved configuration of the run; the results are
 * written to DIR. core-plugin=PATH: the plugin of qemu/plugin, which -plugin
 * has loaded; it knows the times of mcu.core and counts instructions.
 *
 * Verified boot: rom=FILE, instead of -kernel; slot-a=, slot-b=: signed images,
 * key=: the public key, X and Y, counter=N: BOOT_COUNTER at the start.
 * For tests: power-cut=N, the mcu is reset at that cycle, whatever it does;
 * refill=FILE, a host that offers an image, and fills in this one at the swap.
 */
#include "qemu/osdep.h"
#include "qemu/config-file.h"
#include "qemu/error-report.h"
#include "qemu/option.h"
#include "cpu.h"
#include "exec/address-spaces.h"
#include "hw/boards.h"
#include "hw/intc/riscv_aclint.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "hw/qdev-properties-system.h"
#include "hw/riscv/riscv_hart.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "sysemu/cpu-timers.h"
#include "sysemu/qtest.h"
#include "sysemu/sysemu.h"
#include "memhelm.h"
#include "memhelm/config_file.h"

#define TYPE_MEMHELM_MACHINE MACHINE_TYPE_NAME("memhelm")
OBJECT_DECLARE_SIMPLE_TYPE(MemhelmMachineState, MEMHELM_MACHINE)

/* mtime counts mcu cycles, as mcycle does. */
#define MTIME_HZ NANOSECONDS_PER_SECOND

struct MemhelmMachineState {
    /*< private >*/
    MachineState parent_obj;

    /*< public >*/
    char *run;
    char *core_plugin;
    MemhelmBootGiven boot;
    MemoryRegion itcm;
    MemoryRegion dtcm;
    RISCVHartArrayState hart;
    MemhelmGpuState gpu;
    MemhelmBlockState block;
};

/* Properties that are the name of a file, and where it is kept. */
static const struct memhelm_file {
    const char *name, *what;
    size_t offset;
} memhelm_files[] = {
    { "run", "directory with config.yaml; results are written there",
      offsetof(MemhelmMachineState, run) },
    { "core-plugin", "path of the loaded plugin that costs instructions",
      offsetof(MemhelmMachineState, core_plugin) },
    { "rom", "the boot ROM's bytes: verified boot",
      offsetof(MemhelmMachineState, boot.rom) },
    { "key", "public key of verified boot: X and Y, 64 bytes",
      offsetof(MemhelmMachineState, boot.key) },
    { "slot-a", "signed image of slot A",
      offsetof(MemhelmMachineState, boot.slot_a) },
    { "slot-b", "signed image of slot B",
      offsetof(MemhelmMachineState, boot.slot_b) },
    { "refill", "signed image that a swap brings in behind the host's back",
      offsetof(MemhelmMachineState, boot.refill) },
};

/* Every run is a function of its inputs only with exactly these settings. */
static void memhelm_check_icount(void)
{
    QemuOpts *opts = qemu_opts_find(qemu_find_opts("icount"), NULL);

    if (qtest_enabled()) {
        return;
    }
    if (icount_enabled() != 1 || icount_to_ns(1) != 1 ||
        qemu_opt_get_bool(opts, "sleep", true)) {
        error_report("memhelm: add -icount shift=0,sleep=off,align=off: "
                     "without it no two runs are alike");
        exit(EXIT_FAILURE);
    }
}

static void memhelm_load_config(MemhelmMachineState *m)
{
    g_autofree char *path = NULL;
    struct mh_config *cfg = &m->gpu.cfg;
    struct mh_error err;

    if (!m->run) {
        error_report("memhelm: which run? Add -M memhelm,run=DIR, a directory "
                     "that holds config.yaml");
        exit(EXIT_FAILURE);
    }
    path = g_build_filename(m->run, "config.yaml", NULL);
    if (mh_config_load(cfg, path, &err) || mh_config_resolve(cfg, &err)) {
        error_report("memhelm: %s", err.text);
        exit(EXIT_FAILURE);
    }
}

/* What it is given: an image, or a boot ROM that loads one. */
static void memhelm_check_firmware(MemhelmMachineState *m)
{
    const char *kernel = MACHINE(m)->kernel_filename;

    if (m->boot.rom && kernel) {
        error_report("memhelm: rom= and -kernel: with a boot ROM an image lies "
                     "in a slot, signed: slot-a=FILE");
        exit(EXIT_FAILURE);
    }
    if (!m->boot.rom && !kernel && !qtest_enabled()) {
        error_report("memhelm: which firmware? Add -kernel IMAGE.elf");
        exit(EXIT_FAILURE);
    }
}

/* Where the mcu begins: in the ROM, or in the image that is placed here. */
static uint32_t memhelm_firmware(MemhelmMachineState *m)
{
    const char *kernel = MACHINE(m)->kernel_filename;
    struct memhelm_image *image;
    uint32_t entry;

    if (m->boot.rom || !kernel) {
        return m->boot.rom ? MH_ROM_BASE : MH_ITCM_BASE;
    }
    image = memhelm_image_read(kernel, "");
    entry = memhelm_image_entry(image);
    memhelm_image_place(image);
    memhelm_image_free(image);
    return entry;
}

static void memhelm_add_tcm(MemhelmMachineState *m, MemoryRegion *mr,
                            const char *name, hwaddr base, uint64_t bytes)
{
    memory_region_init_ram(mr, OBJECT(m), name, bytes, &error_fatal);
    memory_region_add_subregion(get_system_memory(), base, mr);
}

static void memhelm_add_mcu(MemhelmMachineState *m, uint32_t entry)
{
    object_initialize_child(OBJECT(m), "hart", &m->hart, TYPE_RISCV_HART_ARRAY);
    object_property_set_str(OBJECT(&m->hart), "cpu-type",
                            MACHINE(m)->cpu_type, &error_abort);
    object_property_set_int(OBJECT(&m->hart), "num-harts", 1, &error_abort);
    object_property_set_int(OBJECT(&m->hart), "resetvec", entry, &error_abort);
    sysbus_realize(SYS_BUS_DEVICE(&m->hart), &error_fatal);

    riscv_aclint_swi_create(MH_ACLINT_BASE, 0, 1, false);
    riscv_aclint_mtimer_create(MH_ACLINT_BASE + RISCV_ACLINT_SWI_SIZE,
                               RISCV_ACLINT_DEFAULT_MTIMER_SIZE, 0, 1,
                               RISCV_ACLINT_DEFAULT_MTIMECMP,
                               RISCV_ACLINT_DEFAULT_MTIME, MTIME_HZ, false);
}

static void memhelm_add_gpu(MemhelmMachineState *m)
{
    SysBusDevice *gpu = SYS_BUS_DEVICE(&m->gpu);
    DeviceState *mcu = DEVICE(&m->hart.harts[0]);

    m->gpu.mcu = CPU(mcu);
    m->gpu.block = &m->block;
    m->gpu.core_plugin = m->core_plugin;
    sysbus_realize(gpu, &error_fatal);
    sysbus_mmio_map(gpu, 0, MH_GPU_BASE);
    sysbus_connect_irq(gpu, 0, qdev_get_gpio_in(mcu, IRQ_M_EXT));
}

static void memhelm_add_block(MemhelmMachineState *m)
{
    SysBusDevice *block = SYS_BUS_DEVICE(&m->block);

    m->block.gpu = &m->gpu;
    m->block.mcu = m->gpu.mcu;
    qdev_prop_set_string(DEVICE(block), "run", m->run);
    qdev_prop_set_chr(DEVICE(block), "chardev", serial_hd(0));
    sysbus_realize(block, &error_fatal);
    sysbus_mmio_map(block, 0, MH_MACHINE_BASE);
    sysbus_mmio_map(block, 1, MH_UART_BASE);
}

static void memhelm_trap_loop(CPURISCVState *env)
{
    MemhelmMachineState *m = MEMHELM_MACHINE(qdev_get_machine());

    memhelm_block_trap_loop(&m->block, env->first_trap_pc,
                            env->first_trap_cause);
}

static void memhelm_machine_init(MachineState *machine)
{
    MemhelmMachineState *m = MEMHELM_MACHINE(machine);

    memhelm_check_icount();
    object_initialize_child(OBJECT(m), "gpu", &m->gpu, TYPE_MEMHELM_GPU);
    object_initialize_child(OBJECT(m), "block", &m->block, TYPE_MEMHELM_BLOCK);
    memhelm_load_config(m);
    memhelm_check_firmware(m);
    memhelm_add_tcm(m, &m->itcm, "memhelm.itcm", MH_ITCM_BASE, MH_ITCM_BYTES);
    memhelm_add_tcm(m, &m->dtcm, "memhelm.dtcm", MH_DTCM_BASE, MH_DTCM_BYTES);
    m->block.boot.given = &m->boot;
    memhelm_boot_add_memories(&m->block.boot, OBJECT(m));
    memhelm_csr_init();
    memhelm_add_mcu(m, memhelm_firmware(m));
    memhelm_add_gpu(m);
    memhelm_add_block(m);
    riscv_trap_loop_hook = memhelm_trap_loop;
    memhelm_process_init(m->gpu.mcu);
}

/* Where the property's text is kept. */
static char **memhelm_file(Object *obj, const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(memhelm_files); i++) {
        if (!strcmp(memhelm_files[i].name, name)) {
            return (char **)((char *)obj + memhelm_files[i].offset);
        }
    }
    g_assert_not_reached();
}

static void memhelm_get_file(Object *obj, Visitor *v, const char *name,
                             void *opaque, Error **errp)
{
    char *text = g_strdup(*memhelm_file(obj, name));

    visit_type_str(v, name, &text, errp);
    g_free(text);
}

static void memhelm_set_file(Object *obj, Visitor *v, const char *name,
                             void *opaque, Error **errp)
{
    char **file = memhelm_file(obj, name);
    char *text;

    if (visit_type_str(v, name, &text, errp)) {
        g_free(*file);
        *file = text;
    }
}

/* Numbers: counter, power-cut. */
static void memhelm_get_number(Object *obj, Visitor *v, const char *name,
                               void *opaque, Error **errp)
{
    const MemhelmBootGiven *b = &MEMHELM_MACHINE(obj)->boot;
    uint64_t n = strcmp(name, "counter") ? b->power_cut : b->counter;

    visit_type_uint64(v, name, &n, errp);
}

static void memhelm_set_number(Object *obj, Visitor *v, const char *name,
                               void *opaque, Error **errp)
{
    MemhelmBootGiven *b = &MEMHELM_MACHINE(obj)->boot;
    uint64_t n;

    if (!visit_type_uint64(v, name, &n, errp)) {
        return;
    }
    if (strcmp(name, "counter")) {
        b->power_cut = n;
    } else if (n <= UINT32_MAX) {
        b->counter = n;
    } else {
        error_setg(errp, "counter=%" PRIu64 " has more than 32 bits", n);
    }
}

static void memhelm_machine_class_init(ObjectClass *oc, void *data)
{
    MachineClass *mc = MACHINE_CLASS(oc);

    mc->desc = "management core (mcu) beside a modelled GPU memory system";
    mc->init = memhelm_machine_init;
    mc->max_cpus = 1;
    mc->default_cpu_type = TYPE_RISCV_CPU_IBEX;
    for (unsigned i = 0; i < ARRAY_SIZE(memhelm_files); i++) {
        object_class_property_add(oc, memhelm_files[i].name, "str",
                                  memhelm_get_file, memhelm_set_file, NULL,
                                  NULL);
        object_class_property_set_description(oc, memhelm_files[i].name,
                                              memhelm_files[i].what);
    }
    object_class_property_add(oc, "counter", "uint64", memhelm_get_number,
                              memhelm_set_number, NULL, NULL);
    object_class_property_set_description(oc, "counter",
        "BOOT_COUNTER at the start: images with a lower version are refused");
    object_class_property_add(oc, "power-cut", "uint64", memhelm_get_number,
                              memhelm_set_number, NULL, NULL);
    object_class_property_set_description(oc, "power-cut",
        "mcu cycle at which the mcu is reset, for tests");
}

static const TypeInfo memhelm_machine_info = {
    .name = TYPE_MEMHELM_MACHINE,
    .parent = TYPE_MACHINE,
    .instance_size = sizeof(MemhelmMachineState),
    .class_init = memhelm_machine_class_init,
};

static void memhelm_machine_register_types(void)
{
    type_register_static(&memhelm_machine_info);
}

type_init(memhelm_machine_register_types)
