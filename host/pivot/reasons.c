#include "reasons.h"

#include <string.h>

#include "base/memory.h"

void reasons_add(struct reasons *r, const char *text, unsigned values)
{
    unsigned i = 0;
    while (i < r->count && strcmp(r->of[i].text, text) != 0)
        i++;
    if (i == REASONS_MOST) {
        r->others += values;
        return;
    }
    if (i == r->count)
        r->of[r->count++].text = must(strdup(text));
    r->of[i].count += values;
}

void reasons_free(struct reasons *r)
{
    for (unsigned i = 0; i < r->count; i++)
        free(r->of[i].text);
    *r = (struct reasons){.count = 0};
}
