#include "patterns.h"

#include <fnmatch.h>
#include <string.h>

bool patterns_fit(const char *patterns, const char *name)
{
    char one[64];
    for (const char *at = patterns; *(at += strspn(at, " "));) {
        size_t n = strcspn(at, " ");
        if (n < sizeof one) {
            memcpy(one, at, n);
            one[n] = 0;
            if (!fnmatch(one, name, 0))
                return true;
        }
        at += n;
    }
    return false;
}

void patterns_quote(char *out, size_t size, const char *text)
{
    for (; *text && size > 2; text++, size--) {
        if (strchr("*?[]{},\\", *text)) {
            *out++ = '\\';
            size--;
        }
        *out++ = *text;
    }
    *out = 0;
}
