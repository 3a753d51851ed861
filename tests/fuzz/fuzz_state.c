/*
 * A state block with anything in it, and what firmware makes of it (firmware/platform/state.h). fuzz_state [ITERATIONS
 * [SEED]] Deterministic. No word outside of the block or of the caller's array is touched; what is taken is what the
 * block says, and what is published is what is taken next.
 */
#include <inttypes.h>
#include <string.h>

#include "fuzz/dice.h"
#include "platform/state.h"

enum { GUARD = 0x5a5a5a5a, GUARDS = 4 };

static uint32_t block[MH_STATE_WORDS];

static uint32_t *word_at(uint32_t offset)
{
    require(offset >= MH_WINDOW_BYTES && offset - MH_WINDOW_BYTES < 4 * MH_STATE_WORDS, "a word outside of the block");
    return &block[(offset - MH_WINDOW_BYTES) / 4];
}

/* As the twin's register accesses. */
uint32_t twin_read(uint32_t offset)
{
    return *word_at(offset);
}

void twin_write(uint32_t offset, uint32_t value)
{
    *word_at(offset) = value;
}

static uint32_t number(struct dice *d, uint32_t near)
{
    return roll(d, 3) ? near : (uint32_t)roll(d, roll(d, 2) ? 4 * MH_STATE_WORDS : 1ull << 32);
}

static void spoil(struct dice *d, uint32_t magic, uint32_t version, uint32_t count)
{
    for (uint32_t i = 0; i < MH_STATE_WORDS; i++)
        block[i] = (uint32_t)roll(d, 1ull << 32);
    block[STATE_MAGIC] = number(d, magic);
    block[STATE_VERSION] = number(d, version);
    block[STATE_LENGTH] = number(d, 4 * count);
}

static bool fits(uint32_t magic, uint32_t version, uint32_t count)
{
    return magic && count <= STATE_WORDS && block[0] == magic && block[1] == version && block[2] == 4 * count;
}

static bool takes(uint32_t magic, uint32_t version, uint32_t count)
{
    uint32_t words[STATE_WORDS + GUARDS], want[STATE_WORDS + GUARDS];
    const bool right = fits(magic, version, count);
    for (unsigned i = 0; i < STATE_WORDS + GUARDS; i++)
        words[i] = want[i] = GUARD;
    if (right)
        memcpy(want, block + 3, 4 * count);
    require(state_take(magic, version, words, count) == right, "another block is taken");
    require(!memcmp(words, want, sizeof words), "other words are taken");
    return right;
}

static void publishes(struct dice *d, uint32_t magic, uint32_t version, uint32_t count)
{
    uint32_t words[STATE_WORDS];
    for (unsigned i = 0; i < STATE_WORDS; i++)
        words[i] = (uint32_t)roll(d, 1ull << 32);
    require(state_publish(magic, version, words, count) == (count <= STATE_WORDS),
            "a block is refused, or does not fit");
    require(takes(magic, version, count) == (magic && count <= STATE_WORDS), "what is published is not taken");
}

static bool round_of(uint64_t seed, uint64_t n)
{
    struct dice d = {seed + n * 0x9e3779b97f4a7c15u, 0};
    const uint32_t magic = (uint32_t)roll(&d, roll(&d, 2) ? 3 : 1ull << 32), version = (uint32_t)roll(&d, 3);
    const uint32_t count = (uint32_t)roll(&d, roll(&d, 4) ? STATE_WORDS + 3 : 1ull << 32);
    spoil(&d, magic, version, count);
    const bool taken = takes(magic, version, count);
    publishes(&d, magic, version, count);
    return taken;
}

int main(int argc, char **argv)
{
    return dice_rounds(argc, argv, "fuzz_state", 100000, round_of);
}
