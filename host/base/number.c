#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool number_scaled(const char *text, uint64_t *value)
{
    static const char letters[] = "KMG";
    char *end;

    if (*text < '0' || *text > '9') /* strtoull() takes signs and blanks, too */
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (errno || (*end && end[1]))
        return false;
    const char *letter = strchr(letters, *end == 'k' ? 'K' : *end);
    bool fits = letter;
    for (const char *l = letters; fits && *end && l <= letter; l++)
        fits = !__builtin_mul_overflow(*value, 1000, value);
    return fits;
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
