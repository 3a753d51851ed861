/* Lines on the uart. Far smaller than newlib's printf: 24 KiB of code is all there is. */
#ifndef FIRMWARE_CONSOLE_H
#define FIRMWARE_CONSOLE_H

/**
 * Prints `format` with %s (string), %u (unsigned), %x (unsigned, hexadecimal, no prefix) and %%. No flags and no
 * widths. Anything else after a % is printed as it stands, without taking an argument.
 */
void console_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
