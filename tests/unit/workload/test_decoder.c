/* DECODE and PREFILL: which buffers each launch of a layer reads and writes, that layers have their own weights and
 * caches, and that a token is stored where attention reads it. */
#include "unit/test.h"
#include "unit/workload_walk.h"
#include "workload/op_stats.h"

enum { LAUNCHES = 15, BUFFERS = 32 };

/* Of DECODE@70b:4, in the order of addresses: those below 1 MiB come first. */
enum { HIDDEN, RESIDUAL, QKV, ATTENTION, GATES, ACTIVATION, POSITIONS, SLOTS, SPACE, LENGTHS, TABLES, SUMS, MAXIMA };
enum { PARTIAL = MAXIMA + 1, ANGLES, NORMS, POOL, W_QKV, W_OUT, W_GATES, W_DOWN };

#define B(buffer) (1u << (buffer))

static const struct {
    const char *name;
    uint32_t loads, stores;
} layer[LAUNCHES] = {
    {"fused_add_rms_norm", B(HIDDEN) | B(RESIDUAL) | B(NORMS), B(HIDDEN) | B(RESIDUAL)},
    {"gemm_64x128_64x3", B(HIDDEN) | B(W_QKV), B(SPACE)},
    {"reduce_split_k", B(SPACE), B(QKV)},
    {"rotary_embedding", B(QKV) | B(POSITIONS) | B(ANGLES), B(QKV)},
    {"reshape_and_cache", B(QKV) | B(SLOTS), B(POOL)},
    {"paged_attention_v2", B(QKV) | B(LENGTHS) | B(TABLES) | B(POOL), B(SUMS) | B(MAXIMA) | B(PARTIAL)},
    {"paged_attention_v2_reduce", B(LENGTHS) | B(SUMS) | B(MAXIMA) | B(PARTIAL), B(ATTENTION)},
    {"gemm_64x128_64x3", B(ATTENTION) | B(W_OUT), B(SPACE)},
    {"reduce_split_k", B(SPACE), B(HIDDEN)},
    {"fused_add_rms_norm", B(HIDDEN) | B(RESIDUAL) | B(NORMS), B(HIDDEN) | B(RESIDUAL)},
    {"gemm_64x128_64x3", B(HIDDEN) | B(W_GATES), B(SPACE)},
    {"reduce_split_k", B(SPACE), B(GATES)},
    {"silu_and_mul", B(GATES), B(ACTIVATION)},
    {"gemm_64x128_64x3", B(ACTIVATION) | B(W_DOWN), B(SPACE)},
    {"reduce_split_k", B(SPACE), B(HIDDEN)},
};

struct used {
    const struct mh_workload *w;
    uint32_t by[LAUNCHES][2];                                  /* launch, load or store: buffers */
    uint64_t first[LAUNCHES][BUFFERS], end[LAUNCHES][BUFFERS]; /* bytes of a buffer */
};

static void note(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct used *u = ctx;

    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1) {
        const uint64_t a = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));
        uint32_t b = 0;

        while (a - u->w->buffers[b].base >= u->w->buffers[b].bytes)
            b++;
        const uint64_t offset = a - u->w->buffers[b].base;

        if (!(u->by[at.launch][0] & 1u << b) && !(u->by[at.launch][1] & 1u << b))
            u->first[at.launch][b] = UINT64_MAX;
        u->by[at.launch][op->kind == MH_OP_STORE] |= 1u << b;
        u->first[at.launch][b] = offset < u->first[at.launch][b] ? offset : u->first[at.launch][b];
        u->end[at.launch][b] = offset + op->bytes > u->end[at.launch][b] ? offset + op->bytes : u->end[at.launch][b];
    }
}

static struct used walk_layer(const char *spec)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, 4, 1, 32);
    struct used u = {.w = w};

    assert_int_equal(w->launch_count, LAUNCHES);
    assert_int_equal(w->buffer_count, W_DOWN + 1);
    walk_all(w, 32, note, &u);
    return u;
}

static void has_part(const struct used *u, uint32_t launch, uint32_t buffer, uint64_t number, uint64_t bytes)
{
    assert_true(u->first[launch][buffer] == number * bytes && u->end[launch][buffer] == (number + 1) * bytes);
}

/* The third layer: launches 30 to 44; it reads its part of the weights, the norms and the pool, all of each. */
TEST(test_layer)
{
    static struct used u;

    u = walk_layer("DECODE@70b@launches=30-44");
    for (uint32_t l = 0; l < LAUNCHES; l++) {
        assert_int_equal(u.by[l][0], layer[l].loads);
        assert_int_equal(u.by[l][1], layer[l].stores);
    }
    has_part(&u, 1, W_QKV, 2, 1280 * 8192 * 2);
    has_part(&u, 7, W_OUT, 2, 1024 * 8192 * 2);
    has_part(&u, 10, W_GATES, 2, 7168 * 8192 * 2);
    has_part(&u, 13, W_DOWN, 2, 3584 * 8192 * 2);
    has_part(&u, 0, NORMS, 4, 8192 * 2);
    has_part(&u, 9, NORMS, 5, 8192 * 2);
    assert_true(u.end[5][POOL] % 3 == 0 && u.first[5][POOL] == u.end[5][POOL] / 3 * 2);
    assert_true(u.first[4][POOL] >= u.first[5][POOL] && u.end[4][POOL] <= u.end[5][POOL]);
}

TEST(test_launches)
{
    LOCAL_WORKLOAD(decode) = walk_make("DECODE@70b", 4, 1, 32);
    LOCAL_WORKLOAD(prefill) = walk_make("PREFILL@70b", 300, 1, 32);
    static const char *const prompt[] = {
        "fused_add_rms_norm", "gemm_128x256_64x3",  "rotary_embedding",  "reshape_and_cache", "flash_fwd",
        "gemm_128x256_64x3",  "fused_add_rms_norm", "gemm_128x256_64x3", "silu_and_mul",      "gemm_128x256_64x3"};

    assert_int_equal(decode->launch_count, 80 * LAUNCHES);
    assert_int_equal(prefill->launch_count, 80 * 10);
    for (uint32_t l = 0; l < 80 * LAUNCHES; l++)
        assert_string_equal(decode->launches[l].name, layer[l % LAUNCHES].name);
    for (uint32_t l = 0; l < 80 * 10; l++)
        assert_string_equal(prefill->launches[l].name, prompt[l % 10]);
}

static void note_name(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    const char **name = ctx;

    (void)at;
    (void)addr;
    if (op->kind == MH_OP_EXIT)
        return;
    if (!name[op->pc])
        name[op->pc] = name[0];
    if (name[op->pc] != name[0] && strcmp(name[op->pc], name[0]) != 0)
        fail_msg("pc %u is in %s and in %s", op->pc, name[op->pc], name[0]);
}

/* An instruction of one program is none of another's. */
TEST(test_pcs)
{
    static const char *const specs[] = {"DECODE@launches=0-14", "PREFILL@launches=0-9"};

    for (int i = 0; i < 2; i++) {
        LOCAL_WORKLOAD(w) = walk_make(specs[i], i ? 100 : 4, 1, 32);
        const char *name[64] = {NULL};

        for (uint32_t l = 0; l < w->launch_count; l++) {
            name[0] = w->launches[l].name;
            walk_warp(w, (struct walk_place){l, 0, 0}, note_name, name);
        }
    }
}

/* Of the K blocks that a sequence's CTAs of head 0 load from, the last one in the table. */
struct last {
    uint32_t pc;
    uint64_t entry, table, unit;
};

static void note_last(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct last *l = ctx;

    (void)at;
    (void)addr;
    if (op->kind == MH_OP_LOAD && op->stride == 0 && op->bytes == 4)
        l->table = op->base;
    else if (op->kind == MH_OP_LOAD && op->bytes == 8 && op->wait && l->table > l->entry) {
        l->entry = l->table;
        l->unit = op->base;
    }
}

static void note_store(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    uint64_t *first = ctx;

    (void)at;
    (void)addr;
    if (op->kind == MH_OP_STORE && !*first)
        *first = op->base;
}

/* The new token of a sequence is its last: in the last block that attention reads. */
TEST(test_stored_where_read)
{
    for (uint64_t seed = 1; seed < 9; seed++) {
        LOCAL_WORKLOAD(w) = walk_make("DECODE@70b", 4, seed, 32);
        const uint32_t ctas = w->launches[5].ctas;

        for (uint32_t s = 0; s < 4; s++) {
            struct last last = {0};
            uint64_t stored = 0;

            for (uint32_t cta = s * 8; cta < ctas; cta += 4 * 8)
                for (uint32_t warp = 0; warp < 4; warp++)
                    walk_warp(w, (struct walk_place){5, cta, warp}, note_last, &last);
            walk_warp(w, (struct walk_place){4, s, 0}, note_store, &stored);
            assert_true(last.unit && (stored - last.unit) % 16 == 0 && stored - last.unit < 256);
        }
    }
}
