#include "recorded/draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "engine/random.h"

uint64_t draw_seed(const char *seed, const char *what)
{
    char text[HASH_TEXT];
    struct hash *h = hash_begin();
    hash_add(h, seed, strlen(seed) + 1);
    hash_add(h, what, strlen(what));
    hash_end(h, text);
    text[16] = 0;
    return strtoull(text, NULL, 16);
}

size_t *draw_order(uint64_t seed, size_t count)
{
    size_t *order = calloc(count + 1, sizeof *order);
    if (!order)
        abort();
    for (size_t i = 0; i < count; i++) {
        const size_t j = mh_random(seed, i) % (i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

bool draw_happens(uint64_t seed, size_t i, double chance)
{
    return (double)mh_random(~seed, i) < chance * (double)UINT64_MAX;
}
