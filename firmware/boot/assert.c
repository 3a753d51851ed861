/* assert() says what is wrong and where, then traps. newlib's would take 5 KiB of stdio for it, and call malloc. */
#include <assert.h>

#include "../platform/console.h"

_Noreturn void __assert_func(const char *file, int line, const char *function, const char *what)
{
    console_printf("memhelm: assertion failed: %s (%s:%u, in %s)\n", what, file, (unsigned)line,
                   function ? function : "-");
    __builtin_trap();
}
