#include "uvm/compress/bdi.h"

#include <stdbool.h>
#include <stddef.h>

/* Word `i` of `bytes` bytes, its sign extended: differences of signed words wrap as those of unsigned ones. */
static int64_t word(const uint8_t *block, uint32_t i, uint32_t bytes)
{
    uint64_t w = 0;

    for (uint32_t b = bytes; b; b--)
        w = w << 8 | block[i * bytes + b - 1];
    return (int64_t)(w << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

static bool fits(int64_t value, uint32_t bytes)
{
    return value == (int64_t)((uint64_t)value << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

static int64_t difference(int64_t a, int64_t b, uint32_t bytes)
{
    uint64_t d = (uint64_t)a - (uint64_t)b;

    return (int64_t)(d << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

/* Every word is near zero, or near the first word that is not. */
static bool packs(const uint8_t *block, uint32_t bytes, uint32_t delta)
{
    bool has_base = false;
    int64_t base = 0;

    for (uint32_t i = 0; i < MH_BDI_BLOCK / bytes; i++) {
        int64_t w = word(block, i, bytes);

        if (fits(w, delta))
            continue;
        if (!has_base)
            base = w;
        else if (!fits(difference(w, base, bytes), delta))
            return false;
        has_base = true;
    }
    return true;
}

static bool repeats(const uint8_t *block)
{
    for (uint32_t i = 1; i < MH_BDI_BLOCK / 8; i++)
        if (word(block, i, 8) != word(block, 0, 8))
            return false;
    return true;
}

uint32_t mh_bdi_bytes(const uint8_t block[MH_BDI_BLOCK])
{
    /* The smallest first. */
    static const struct {
        uint8_t word, delta;
    } encodings[] = {{8, 1}, {4, 1}, {8, 2}, {2, 1}, {4, 2}, {8, 4}};

    if (repeats(block))
        return word(block, 0, 8) ? 8 : 1;
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
        if (packs(block, encodings[i].word, encodings[i].delta))
            return encodings[i].word + encodings[i].delta * (MH_BDI_BLOCK / encodings[i].word);
    return MH_BDI_BLOCK;
}
