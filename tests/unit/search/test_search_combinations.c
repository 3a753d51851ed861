/* CTA combinations: small SMs by hand, random ones beside a plain count, kernels with several launches, pairs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "search/combinations.h"
#include "search/needs.h"
#include "search/pairs.h"
#include "memhelm/config_file.h"

/* An SM of 4 slots, 8 warps, 100 registers, 60 bytes. */
static const struct mh_cta_room small = {4, 8, 100, 60};

static struct cta_launch launch(uint32_t ctas, uint64_t warps, uint64_t registers, uint64_t shared)
{
    return (struct cta_launch){{1, warps, registers, shared}, ctas};
}

static void assert_combinations(const struct combinations *c, const char *expected)
{
    char text[1024] = "";
    for (unsigned i = 0; i < c->count; i++)
        for (unsigned k = 0; k < c->kernels; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", k ? "+" : " ", c->ctas[i][k]);
    assert_string_equal(text, expected);
}

static void together(struct cta_kernel *kernels, unsigned count, const char *expected)
{
    struct combinations c;
    struct mh_error err;
    assert_int_equal(combinations_together(&c, &small, kernels, count, &err), 0);
    assert_combinations(&c, expected);
    combinations_free(&c);
}

/* a CTAs of 2 warps and 10 registers, b of 1 and 30: a + b <= 4, 2 a + b <= 8, 10 a + 30 b <= 100. */
static void test_by_hand(void **state)
{
    struct cta_launch a = launch(100, 2, 10, 0), b = launch(100, 1, 30, 0), c = launch(100, 1, 1, 21);
    (void)state;
    together((struct cta_kernel[]){{&a, 1}, {&b, 1}}, 2, " 1+1 1+2 1+3 2+1 2+2 3+1");
    /* Shared memory: 21 c <= 60, and b needs none. */
    together((struct cta_kernel[]){{&c, 1}, {&b, 1}}, 2, " 1+1 1+2 1+3 2+1 2+2");
    together((struct cta_kernel[]){{&a, 1}, {&b, 1}, {&c, 1}}, 3, " 1+1+1 1+1+2 1+2+1 2+1+1");
    /* Warps alone: 3 each, so 2 in all. */
    a = launch(100, 3, 1, 0);
    together((struct cta_kernel[]){{&a, 1}, {&a, 1}}, 2, " 1+1");
    a = launch(100, 5, 1, 0);
    together((struct cta_kernel[]){{&a, 1}, {&a, 1}}, 2, "");
}

/* A launch of large CTAs, one of small ones, and one that has two CTAs in all. */
static void test_launches(void **state)
{
    struct cta_launch two[] = {launch(100, 4, 1, 0), launch(100, 1, 40, 0)}, b = launch(100, 2, 10, 0),
                      few[] = {launch(2, 1, 1, 0)};
    (void)state;
    /* With the large ones 1+1 1+2, with the small ones 1+1 1+2 1+3 2+1 2+2: what fits in either. */
    together((struct cta_kernel[]){{two, 2}, {&b, 1}}, 2, " 1+1 1+2 1+3 2+1 2+2");
    together((struct cta_kernel[]){{few, 1}, {&b, 1}}, 2, " 1+1 1+2 1+3 2+1 2+2");
    assert_int_equal(cta_most(&small, &(struct cta_kernel){two, 2}, 0), 2);
    assert_int_equal(cta_most(&small, &(struct cta_kernel){&b, 1}, 0), 4);
    assert_int_equal(cta_most(&small, &(struct cta_kernel){few, 1}, 0), 2); /* both may come to one SM */
    assert_int_equal(cta_most(&small, &(struct cta_kernel){few, 1}, 2), 1); /* one each */
    few[0].ctas = 5;
    assert_int_equal(cta_most(&small, &(struct cta_kernel){few, 1}, 2), 3);
}

static void test_apart(void **state)
{
    struct combinations c;
    struct mh_error err;
    (void)state;
    assert_int_equal(combinations_apart(&c, (const unsigned[]){2, 3}, 2, &err), 0);
    assert_combinations(&c, " 1+1 1+2 1+3 2+1 2+2 2+3");
    assert_int_equal(combinations_find(&c, (const uint8_t[]){2, 1}), 3);
    assert_int_equal(combinations_find(&c, (const uint8_t[]){3, 1}), -1);
    assert_int_equal(combinations_highest(&c, 0), 2);
    assert_int_equal(combinations_highest(&c, 1), 3);
    combinations_free(&c);
    assert_int_equal(combinations_apart(&c, (const unsigned[]){2, 1, 2}, 3, &err), 0);
    assert_combinations(&c, " 1+1+1 1+1+2 2+1+1 2+1+2");
    combinations_free(&c);
    assert_int_equal(combinations_apart(&c, (const unsigned[]){64, 64, 64, 64}, 4, &err), -1);
    assert_non_null(strstr(err.text, "more than 1000000 CTA combinations"));
    combinations_free(&c);
}

/* The definition, written down once more: some launch of each, with sums of all resources. */
static bool plain_fit(const struct mh_cta_room *sm, const struct cta_kernel k[2], uint32_t a, uint32_t b)
{
    for (unsigned i = 0; i < k[0].count; i++)
        for (unsigned j = 0; j < k[1].count; j++) {
            const struct cta_launch *x = &k[0].launch[i], *y = &k[1].launch[j];
            if (a <= x->ctas && b <= y->ctas && a + b <= sm->slots &&
                a * x->needs.warps + b * y->needs.warps <= sm->warps &&
                a * x->needs.registers + b * y->needs.registers <= sm->registers &&
                a * x->needs.shared_bytes + b * y->needs.shared_bytes <= sm->shared_bytes)
                return true;
        }
    return false;
}

static void test_random(void **state)
{
    uint64_t rng = 18;
    unsigned found = 0;
    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        struct cta_launch l[2][3];
        struct cta_kernel k[2] = {{l[0], pick(&rng, 1, 3)}, {l[1], pick(&rng, 1, 3)}};
        struct mh_cta_room sm = {pick(&rng, 2, 32), pick(&rng, 8, 64), pick(&rng, 1000, 65536), pick(&rng, 0, 98304)};
        struct combinations c;
        struct mh_error err;
        for (unsigned i = 0; i < 6; i++)
            l[i / 3][i % 3] = launch(pick(&rng, 1, 40), pick(&rng, 1, 16), pick(&rng, 1, 20000),
                                     pick(&rng, 0, 2) ? 0 : pick(&rng, 1, 40000));
        assert_int_equal(combinations_together(&c, &sm, k, 2, &err), 0);
        unsigned i = 0;
        for (uint32_t a = 1; a <= 40; a++)
            for (uint32_t b = 1; b <= 40; b++)
                if (plain_fit(&sm, k, a, b)) {
                    assert_true(i < c.count);
                    assert_int_equal(c.ctas[i][0], a);
                    assert_int_equal(c.ctas[i++][1], b);
                }
        assert_int_equal(i, c.count);
        found += i;
        combinations_free(&c);
    }
    assert_true(found > 1000);
}

static int learn(struct cta_kernel *k, const struct mh_config *cfg, uint32_t t, struct mh_error *err)
{
    struct mh_workload *w = mh_workload_make(cfg, t, err);
    assert_non_null(w);
    int status = needs_add(k, cfg, t, w, err);
    mh_workload_free(w);
    return status;
}

/* Of kernels: BP has two launches of 256 threads, one of them with shared memory; LUD three; the SM of preset `ccbp`.
 */
static void test_needs(void **state)
{
    struct mh_config cfg;
    struct mh_error err;
    struct cta_kernel k = {0};
    (void)state;
    assert_int_equal(mh_config_preset(&cfg, "ccbp", &err), 0);
    assert_int_equal(mh_config_workload(&cfg, "BP:4096+LUD:64", &err), 0);
    assert_int_equal(mh_config_resolve(&cfg, &err), 0);
    struct mh_cta_room sm = mh_room_of_sm(&cfg);
    assert_int_equal(sm.slots, 32);
    assert_int_equal(sm.warps, 64);
    assert_int_equal(sm.registers, 65536);
    assert_int_equal(sm.shared_bytes, 98304);
    assert_int_equal(learn(&k, &cfg, 0, &err), 0);
    assert_int_equal(k.count, 2);
    for (unsigned i = 0; i < k.count; i++) {
        assert_int_equal(k.launch[i].needs.warps, 8);
        assert_int_equal(k.launch[i].needs.slots, 1);
        assert_int_equal(k.launch[i].ctas, 4096 / 16);
    }
    assert_int_equal(cta_most(&sm, &k, 0), 8);
    needs_free(&k);
    assert_int_equal(learn(&k, &cfg, 1, &err), 0);
    assert_int_equal(k.count, 3); /* 16, 32 and 256 threads; the largest of each */
    assert_int_equal(k.launch[0].needs.warps, 1);
    assert_int_equal(k.launch[0].ctas, 1);
    assert_int_equal(k.launch[1].ctas, 3);
    assert_int_equal(k.launch[2].needs.warps, 8);
    assert_int_equal(k.launch[2].ctas, 9);
    unsigned before = k.count;
    assert_int_equal(learn(&k, &cfg, 1, &err), 0);
    assert_int_equal(k.count, before);
    needs_free(&k);
    cfg.sm.warps = 7;
    assert_int_equal(learn(&k, &cfg, 0, &err), -1);
    assert_non_null(strstr(err.text, "BP: a CTA needs 8 warps, "));
    assert_non_null(strstr(err.text, "an SM has 7, 65536 and 98304: raise sm.warps"));
    needs_free(&k);
}

static void test_pairs(void **state)
{
    struct pair pairs[PAIRS_MOST];
    unsigned count = pairs_all(pairs), of[PAIR_CLASSES] = {0};
    struct mh_config cfg;
    struct mh_error err;
    (void)state;
    for (unsigned i = 0; i < count; i++) {
        char text[128];
        of[pairs[i].class]++;
        snprintf(text, sizeof text, "%s+%s", pairs[i].first, pairs[i].second);
        assert_int_equal(mh_config_preset(&cfg, "ccbp", &err), 0);
        assert_int_equal(mh_config_workload(&cfg, text, &err), 0);
        assert_int_equal(cfg.tenants_count, 2); /* also B+Tree+CFD */
        for (unsigned k = 0; k < i; k++)
            assert_true(strcmp(pairs[i].first, pairs[k].first) || strcmp(pairs[i].second, pairs[k].second));
    }
    assert_int_equal(of[PAIR_LS_LS], 10); /* CCBP section 7.1, of 5 LS, 4 NBI and 4 DBI */
    assert_int_equal(of[PAIR_LS_BI], 40);
    assert_int_equal(of[PAIR_NBI_DBI], 16);
    assert_int_equal(count, 66);
}

int test_search_combinations(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand), cmocka_unit_test(test_launches),
                                       cmocka_unit_test(test_apart),   cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_needs),   cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
