/* Images for programs whose own are files that are not here: smooth, with noise, the same on every host (ours). */
#ifndef MEMHELM_WORKLOAD_VALUES_IMAGE_H
#define MEMHELM_WORKLOAD_VALUES_IMAGE_H

#include <stdint.h>

#include "engine/random.h"

/** Random height of a point of the lattice, 0..4095. */
static inline int32_t mh_image_knot(uint64_t seed, int64_t x, int64_t y)
{
    return (int32_t)(mh_random(seed, (uint64_t)(y + 4096) << 32 | (uint64_t)(x + 4096)) & 4095);
}

/**
 * Brightness 0..255 at (x, y), which may be negative: random heights every 32 pixels, linear between them, within
 * 80..207, and noise of -2..2 from `noise`: a photograph's neighbours differ as much (Rodinia's data/srad/image.pgm).
 */
static inline uint32_t mh_image(uint64_t seed, uint64_t noise, int64_t x, int64_t y)
{
    enum { STEP = 32 };
    const int64_t x0 = (x + 4096 * STEP) / STEP - 4096, y0 = (y + 4096 * STEP) / STEP - 4096;
    const int32_t fx = (int32_t)(x - x0 * STEP), fy = (int32_t)(y - y0 * STEP);
    const int32_t top = mh_image_knot(seed, x0, y0) * (STEP - fx) + mh_image_knot(seed, x0 + 1, y0) * fx;
    const int32_t bottom = mh_image_knot(seed, x0, y0 + 1) * (STEP - fx) + mh_image_knot(seed, x0 + 1, y0 + 1) * fx;
    const int32_t height = (top * (STEP - fy) + bottom * fy) / (STEP * STEP) / 32;
    const uint64_t r = mh_random(noise, (uint64_t)(y + 65536) << 32 | (uint64_t)(x + 65536));

    return (uint32_t)(80 + height + (int32_t)(r % 5) - 2);
}

#endif
