/*
 * Lines on the uart, for 330 bytes of code. newlib's printf works, too, unbuffered, but takes 4.5 KiB of the 24 KiB
 * of code and 570 bytes of the 1 KiB of stack.
 */
#ifndef FIRMWARE_CONSOLE_H
#define FIRMWARE_CONSOLE_H

/**
 * Prints `format` with %s (string), %u (unsigned), %x (unsigned, hexadecimal, no prefix) and %%. No flags and no
 * widths. Anything else after a % is printed as it stands, without taking an argument.
 */
void console_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
