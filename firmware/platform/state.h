/*
 * What an image leaves for the one that takes over (`memhelm run mask --swap 2M:mask`): a block in the machine, which a
 * swap keeps, and which is empty at power-on and after an image that failed. A policy may use it; images whose policies
 * do not carry nothing of it.
 *
 *     if (!state_take(MINE, 1, words, 2))
 *         start anew;                        in init
 *     state_publish(MINE, 1, words, 2);      at the end of on_epoch: an image is not told when it has to go
 *
 * Words of the block: magic, version, length in bytes, then the state.
 */
#ifndef FIRMWARE_STATE_H
#define FIRMWARE_STATE_H

#include <stdbool.h>

#include "mmio.h"

enum { STATE_MAGIC, STATE_VERSION, STATE_LENGTH, STATE_PAYLOAD };

/** Words of state that fit. */
#define STATE_WORDS (MH_STATE_WORDS - STATE_PAYLOAD)

/**
 * Takes the state of the image before, `count` words: of this magic, not 0, and version, and exactly so long. Else
 * false, and `words` is as it was: start anew.
 */
static inline bool state_take(uint32_t magic, uint32_t version, uint32_t *words, uint32_t count)
{
    if (count > STATE_WORDS || magic == 0 || state_read(STATE_MAGIC) != magic || state_read(STATE_VERSION) != version ||
        state_read(STATE_LENGTH) != 4 * count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        words[i] = state_read(STATE_PAYLOAD + i);
    return true;
}

/** Leaves `count` words, STATE_WORDS at most; false: they do not fit, and what was there is gone. */
static inline bool state_publish(uint32_t magic, uint32_t version, const uint32_t *words, uint32_t count)
{
    state_write(STATE_MAGIC, 0); /* a power cut between two words leaves no state */
    if (count > STATE_WORDS)
        return false;
    for (uint32_t i = 0; i < count; i++)
        state_write(STATE_PAYLOAD + i, words[i]);
    state_write(STATE_VERSION, version);
    state_write(STATE_LENGTH, 4 * count);
    state_write(STATE_MAGIC, magic);
    return true;
}

#endif
