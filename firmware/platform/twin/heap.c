/* As on the mcu: memory use is fixed at boot. Linked with --wrap, so that only the firmware's own calls pass here. */
#include "heap.h"

#include <stdbool.h>
#include <stddef.h>

#include "../console.h"

/* Weak: tests link this without --wrap, and then never call it. */
__attribute__((weak)) void *__real_malloc(size_t size);
__attribute__((weak)) void *__real_calloc(size_t count, size_t size);
__attribute__((weak)) void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool sealed;

void twin_heap_seal(bool now)
{
    sealed = now;
}

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
