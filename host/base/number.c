#include "number.h"

#include <errno.h>
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
