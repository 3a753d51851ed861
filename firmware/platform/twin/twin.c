#include "../twin.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "../../image/common/fw.h"
#include "../console.h"
#include "../mcu.h"
#include "../mmio.h"

#define EXPORT __attribute__((visibility("default")))

static struct {
    struct mh_twin_host host;
    jmp_buf sleep; /* EXIT and faults leave the firmware from any depth */
    bool ended;
} twin;

static _Noreturn void end_run(uint32_t code)
{
    twin.ended = true;
    twin.host.exit(twin.host.ctx, code);
    longjmp(twin.sleep, 1);
}

/* What an access fault trap is on the mcu. */
static _Noreturn void access_fault(const char *what, uint32_t offset)
{
    console_printf("memhelm: FAULT image=%s %s of GPU window offset 0x%x got an error response\n", fw_image.name, what,
                   (unsigned)offset);
    end_run(MH_TWIN_EXIT_FAULT);
}

uint32_t twin_read(uint32_t offset)
{
    uint32_t value = 0;

    if (twin.host.read(twin.host.ctx, offset, &value) != 0)
        access_fault("read", offset);
    return value;
}

void twin_write(uint32_t offset, uint32_t value)
{
    if (twin.host.write(twin.host.ctx, offset, value) != 0)
        access_fault("write", offset);
}

/* The rest of the machine block measures the mcu, and there is none. */
void twin_machine_write(enum mh_machine_offset offset, uint32_t value)
{
    if (offset == MH_MACHINE_EXIT)
        end_run(value);
}

struct mcu_time mcu_now(void)
{
    return (struct mcu_time){0, 0};
}

uint32_t mcu_cycles_since(struct mcu_time start)
{
    return start.cycles;
}

_Noreturn void mcu_exit(uint32_t code)
{
    end_run(code);
}

struct mcu_stack mcu_stack_usage(void)
{
    return (struct mcu_stack){0, 0};
}

uint32_t mcu_resets(void)
{
    return 0;
}

void mcu_uart_write(const char *text, size_t length)
{
    if (length > 0)
        twin.host.uart(twin.host.ctx, text, length);
}

/* Linked with --wrap, so that only the firmware's own calls pass here. Weak: tests link without it, and never call. */
__attribute__((weak)) void *__real_malloc(size_t size);
__attribute__((weak)) void *__real_calloc(size_t count, size_t size);
__attribute__((weak)) void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool sealed; /* the heap: memory use is fixed at boot, as on the mcu */

static void check(const char *what)
{
    if (!sealed)
        return;
    console_printf("memhelm: %s after init: memory use is fixed at boot\n", what);
    __builtin_trap();
}

void *__wrap_malloc(size_t size)
{
    check("malloc");
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    check("calloc");
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    check("realloc");
    return __real_realloc(block, size);
}

EXPORT int mh_twin_init(const struct mh_twin_host *host)
{
    twin.host = *host;
    twin.ended = false;
    sealed = false;
    if (setjmp(twin.sleep) == 0)
        fw_init(&fw_image);
    sealed = true;
    return twin.ended;
}

EXPORT int mh_twin_irq(void)
{
    if (!twin.ended && setjmp(twin.sleep) == 0)
        fw_irq();
    return twin.ended;
}
