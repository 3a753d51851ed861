#include "console.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "mcu.h"

static void put_number(unsigned value, unsigned base)
{
    char digits[10]; /* 4294967295 */
    size_t at = sizeof digits;

    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    mcu_uart_write(digits + at, sizeof digits - at);
}

void console_printf(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");

        mcu_uart_write(format, plain);
        format += plain;
        if (*format == '\0')
            break;
        format++; /* the % */
        if (*format == 's') {
            const char *text = va_arg(arguments, const char *);
            mcu_uart_write(text, strlen(text));
        } else if (*format == 'u') {
            put_number(va_arg(arguments, unsigned), 10);
        } else if (*format == 'x') {
            put_number(va_arg(arguments, unsigned), 16);
        } else {
#ifndef __OPTIMIZE__ /* then the compiler has not refused it */
            assert(*format == '%' && "console_printf knows %s, %u, %x and %% alone");
#endif
            mcu_uart_write(format, *format != '\0');
        }
        format += *format != '\0';
    }
    va_end(arguments);
}
