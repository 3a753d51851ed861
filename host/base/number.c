#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* value *= 10, `times` times. */
static bool shift(uint64_t *value, long times)
{
    for (; times > 0 && *value; times--)
        if (__builtin_mul_overflow(*value, 10, value))
            return false;
    return times >= 0;
}

/* Adds the digits at *text to the value, and passes them; how many there were, -1: it does not fit. */
static long take_digits(const char **text, uint64_t *value)
{
    long count = 0;
    for (; **text >= '0' && **text <= '9'; ++*text, count++)
        if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, **text - '0', value))
            return -1;
    return count;
}

bool number_scaled(const char *text, uint64_t *value)
{
    static const char letters[] = "KMG";
    uint64_t exponent = 0;
    long places = 0;
    *value = 0;
    if (take_digits(&text, value) < 1)
        return false;
    if (*text == '.') {
        text++;
        places = take_digits(&text, value);
        if (places < 1)
            return false;
    }
    if (*text == 'e') {
        text++;
        const long digits = take_digits(&text, &exponent);
        return digits > 0 && digits < 3 && !*text && shift(value, (long)exponent - places);
    }
    const char *letter = *text ? strchr(letters, *text == 'k' ? 'K' : *text) : NULL;
    if (*text && (!letter || text[1]))
        return false;
    return shift(value, (letter ? 3 * (letter - letters + 1) : 0) - places);
}

bool number_any(const char *text, double *value)
{
    uint64_t scaled;
    char *end;
    if (number_scaled(text, &scaled)) {
        *value = (double)scaled;
        return true;
    }
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value) && strchr("+-.0123456789", *text) && !strpbrk(text, "xX");
}

void number_gain(double gain, char *text, size_t size)
{
    const bool none = fabs(100 * gain) < 0.05;
    snprintf(text, size, none ? "%.1f %%" : "%+.1f %%", none ? 0 : 100 * gain);
}

void number_short(double value, int digits, char *text, size_t size)
{
    const bool all = fabs(value) >= pow(10, digits);
    snprintf(text, size, all ? "%.*f" : "%.*g", all ? 0 : digits, value);
}

void number_exact(double value, char text[NUMBER_TEXT])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}
