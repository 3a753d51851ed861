/* TOKENWISE: how often vLLM's kernels touch each element, and the slots of the paged cache. */
#include "unit/test.h"
#include "touches.h"
#include "unit/workload_walk.h"

enum { WIDTH = 4096, QKV = (32 + 8 + 8) * 128, FFN = 14336 };

/* Of Llama 3 8B; `buffer` in the order of allocation, `base` its address. */
static void check(const struct mh_workload *w, uint32_t lanes, int kind, uint64_t base, uint64_t count, uint32_t times)
{
    uint32_t *touched = count_touches(w, lanes, 0, kind, 0, base, count, 2);

    for (uint64_t i = 0; i < count; i++)
        if (touched[i] != times)
            fail_msg("kind %d: element %llu of %llu touched %u times, not %u", kind, (unsigned long long)i,
                     (unsigned long long)count, touched[i], times);
    free(touched);
}

/* 5 tokens: 1024 threads, of which 512 have a vector of 8; 300: 256 threads take two each. */
TEST(test_norm)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32)
        for (uint64_t tokens = 5; tokens <= 300; tokens += 295) {
            LOCAL_WORKLOAD(w) = walk_make("TOKENWISE", tokens, 1, lanes);
            const bool few = tokens == 5;
            /* Small buffers follow one another; of three the last is the only small one. */
            const uint64_t in = w->buffers[0].base, residual = w->buffers[1].base;

            assert_int_equal(w->launches[0].threads, few ? 1024 : 256);
            assert_int_equal(w->launches[0].ctas, tokens);
            check(w, lanes, LOAD, in, tokens * WIDTH, 1);
            check(w, lanes, STORE, in, tokens * WIDTH, 1);
            check(w, lanes, LOAD, residual, tokens * WIDTH, 2);
            check(w, lanes, STORE, residual, tokens * WIDTH, 1);
            check(w, lanes, LOAD, w->buffers[2].base, WIDTH, (uint32_t)tokens);
        }
}

/* Q and K turn in place, V stays. Token i is at position i: each of 40 heads reads row i of the table. */
TEST(test_rope)
{
    enum { TOKENS = 9 };

    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("TOKENWISE@rope", TOKENS, 1, lanes);
        const uint64_t qkv = w->buffers[0].base, table = w->buffers[2].base;

        assert_int_equal(w->launches[0].threads, 512);
        for (uint32_t token = 0; token < TOKENS; token++)
            for (int kind = LOAD; kind <= STORE; kind++) {
                check(w, lanes, kind, qkv + token * QKV * 2, 40 * 128, 1);
                check(w, lanes, kind, qkv + (token * QKV + 40 * 128) * 2, 8 * 128, 0);
            }
        check(w, lanes, LOAD, table, TOKENS * 128, 40);
        check(w, lanes, LOAD, table + TOKENS * 256, 128, 0);
    }
}

/* The place of a token in a block of K or V of a head, from the offset of an element: [16][16 tokens][8], [128][16]. */
static uint32_t token_of(uint64_t element, bool value)
{
    return (uint32_t)(value ? element % 16 : element / 8 % 16);
}

/* 40 tokens fill two blocks and half of a third, K's and V's, of all 8 heads. */
static void check_cache(const struct mh_workload *w, uint32_t lanes)
{
    const uint64_t units = 2 * 3 * 8, pool = w->buffers[w->buffer_count - 1].base;
    uint32_t *touched = count_touches(w, lanes, 0, STORE, 0, pool, units * 2048, 2), whole = 0;

    for (uint64_t u = 0; u < units; u++) {
        uint32_t tokens[16] = {0};

        for (uint64_t e = 0; e < 2048; e++) {
            assert_true(touched[u * 2048 + e] <= 1);
            tokens[token_of(e, u >= units / 2)] += touched[u * 2048 + e];
        }
        for (uint32_t t = 0; t < 16; t++)
            assert_int_equal(tokens[t], t < 8 || tokens[15] ? 128 : 0);
        whole += tokens[15] > 0;
    }
    assert_int_equal(whole, 2 * 2 * 8);
    free(touched);
}

TEST(test_cache)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("TOKENWISE@cache", 40, 1, lanes);

        for (uint32_t token = 0; token < 40; token++) {
            check(w, lanes, LOAD, w->buffers[0].base + token * QKV * 2, 32 * 128, 0);
            check(w, lanes, LOAD, w->buffers[0].base + (token * QKV + 32 * 128) * 2, 16 * 128, 1);
        }
        check_cache(w, lanes);
    }
}

TEST(test_silu)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("TOKENWISE@silu", 7, 1, lanes);

        check(w, lanes, LOAD, w->buffers[0].base, 7 * 2 * FFN, 1);
        check(w, lanes, STORE, w->buffers[1].base, 7 * FFN, 1);
    }
}
