/*
 * The image is linked with --wrap=malloc and --wrap=_malloc_r, so that every allocation, newlib's own included, passes
 * here first. An image that never allocates carries none of this but the flag.
 */
#include "boot.h"

#include <stdbool.h>
#include <stddef.h>

struct _reent;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real__malloc_r(struct _reent *reent, size_t size);
void *__wrap__malloc_r(struct _reent *reent, size_t size);

static bool sealed;

void heap_seal(void)
{
    sealed = true;
}

void *__wrap_malloc(size_t size)
{
    if (sealed)
        __builtin_trap();
    return __real_malloc(size);
}

void *__wrap__malloc_r(struct _reent *reent, size_t size)
{
    if (sealed)
        __builtin_trap();
    return __real__malloc_r(reent, size);
}
