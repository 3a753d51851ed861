/*
 * Lines on the uart, in QEMU and of twins:
 *
 *     #include "platform/console.h"
 *     console_printf("tenant %u: %u walks\n", (unsigned)tenant, (unsigned)walks);
 *
 * `memhelm run IMAGE --console` shows them among the firmware's own, `--keep DIR` keeps them in uart.log. A line that
 * begins with "memhelm: " is the firmware's (image/common/fw.h).
 *
 * A call takes 200 mcu cycles of ibex, 16 for each character and 90 for each digit of %u, and what comes after it
 * waits: a line of 20 characters with a number delays the COMMIT of its decision by some 2000 GPU cycles at 500 MHz,
 * and lines that take longer than an epoch let the watchdog end the run. Every image holds the 330 bytes of
 * console_printf; a call adds 20 bytes and its text. newlib's printf works, too, unbuffered, but takes 4 KiB of the 24
 * KiB of code and 540 bytes of the 1 KiB of stack.
 */
#ifndef FIRMWARE_CONSOLE_H
#define FIRMWARE_CONSOLE_H

#define CONSOLE_FORMAT __attribute__((format(printf, 1, 2)))

/** console_printf() for callers that get their format as an argument: nothing checks it. */
void console_printf_unchecked(const char *format, ...) __asm__("console_printf") CONSOLE_FORMAT;

#ifdef __OPTIMIZE__

#define CONSOLE_INLINE __attribute__((gnu_inline, always_inline, artificial)) extern inline

/* There is none of these: the compiler refuses a call that constants do not rule out, with these words. */
void console_format_unknown(void) __attribute__((
    error("console_printf knows %s, %u, %x and %% alone, without flags, width or length: cast numbers to unsigned")));
void console_format_long(void)
    __attribute__((error("console_printf checks 16 conversions: print the rest in a second call")));
void console_format_variable(void)
    __attribute__((error("console_printf takes a literal as its format: print text with %s")));

/* Past the next conversion. A builtin of a literal is a constant at every level of optimization, a loop is not. */
CONSOLE_INLINE const char *console_format_step(const char *rest)
{
    rest += __builtin_strcspn(rest, "%");
    if (*rest == '\0')
        return rest;
    if (rest[1] != 's' && rest[1] != 'u' && rest[1] != 'x' && rest[1] != '%')
        console_format_unknown();
    return rest + 1 + (rest[1] != '\0');
}

CONSOLE_INLINE const char *console_format_steps(const char *rest)
{
    rest = console_format_step(console_format_step(rest));
    return console_format_step(console_format_step(rest));
}

CONSOLE_INLINE void console_format_check(const char *format)
{
    if (!__builtin_constant_p(__builtin_strlen(format))) {
        console_format_variable();
        return;
    }
    format = console_format_steps(console_format_steps(console_format_steps(console_format_steps(format))));
    if (format[__builtin_strcspn(format, "%")] != '\0')
        console_format_long();
}

/**
 * Prints `format` with %s (string), %u (unsigned), %x (unsigned, hexadecimal, no prefix) and %%. No flags and no
 * widths: anything else after a % does not compile, nor does a format that is no literal. Built with -O0 it compiles,
 * and an assertion fails when it is printed.
 */
CONSOLE_INLINE CONSOLE_FORMAT void console_printf(const char *format, ...)
{
    console_format_check(format);
    console_printf_unchecked(format, __builtin_va_arg_pack());
}

#else
void console_printf(const char *format, ...) CONSOLE_FORMAT;
#endif

#endif
