/* Kernels on graphs and meshes: what they did, read back from their addresses, is what their algorithms promise. */
#include "unit/test.h"
#include "touches.h"
#include "workload/graph.h"

enum { SEED = 3 };

static void sweep_levels(const struct mh_graph *g, uint32_t *level)
{
    uint32_t source = 0;

    while (mh_graph_degree(g, source) < g->max_degree)
        source++;
    for (uint32_t v = 0; v < g->vertices; v++)
        level[v] = v == source ? 0 : UINT32_MAX;
    for (uint32_t l = 0; l < g->vertices; l++)
        for (uint32_t v = 0; v < g->vertices; v++)
            for (uint32_t e = g->row[v]; level[v] == l && e < g->row[v + 1]; e++)
                if (level[g->col[e]] == UINT32_MAX)
                    level[g->col[e]] = l + 1;
}

static void check_bfs(const char *spec, struct mh_graph *g)
{
    uint32_t level[1024], reached = 0, deepest = 0;
    struct touches edges = touches_of(spec, 1024, SEED, 32, UINT32_MAX, LOAD, 6, 1, 4), next;

    assert_non_null(g);
    sweep_levels(g, level);
    for (uint32_t v = 0; v < 1024; v++) {
        for (uint32_t e = g->row[v]; e < g->row[v + 1]; e++)
            assert_int_equal(edges.times[e], level[v] != UINT32_MAX); /* each vertex expands once */
        if (level[v] != UINT32_MAX) {
            reached++;
            deepest = level[v] > deepest ? level[v] : deepest;
        }
    }
    assert_true(reached > 512 && deepest >= 2);
    assert_int_equal(edges.w->launch_count, 2 * (deepest + 1));
    for (uint32_t l = 0; l <= deepest; l++) { /* and enters the frontier at its level */
        next = touches_of(spec, 1024, SEED, 64, 2 * l + 1, STORE, 21, 2, 1);
        for (uint32_t v = 0; v < 1024; v++)
            assert_int_equal(next.times[v], level[v] == l + 1);
        end_touches(&next);
    }
    end_touches(&edges);
    free(g);
}

TEST(test_bfs)
{
    check_bfs("BFS", mh_graph_rmat(1024, SEED, NULL));
    check_bfs("BFS@opencl", mh_graph_rmat(1024, SEED, NULL));
    check_bfs("BFS@powerlaw", mh_graph_powerlaw(1024, SEED, NULL));
}

enum { CUBES = 4, TETS = 6 * CUBES * CUBES * CUBES, FACES = 4 };

struct mesh {
    uint32_t block; /* threads per CTA */
    uint64_t state; /* buffer */
    uint32_t behind[TETS][FACES], count[TETS];
};

static void note_neighbour(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct mesh *m = ctx;
    const uint64_t first = at.cta * m->block + at.warp * 32u;

    if (at.launch != 2 || op->pc != 13 || op->kind != MH_OP_LOAD)
        return;
    for (uint64_t bits = op->mask; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctzll(bits);
        const uint64_t other = (addr[l] - m->state) / 4;

        if (other < TETS && first + l < TETS) { /* the first of its variables; not one of the padding */
            assert_true(m->count[first + l] < FACES);
            m->behind[first + l][m->count[first + l]++] = (uint32_t)other;
        }
    }
}

/* What the flux kernel of `spec` gathers. */
static void read_mesh(struct mesh *m, const char *spec, uint32_t block)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, CUBES, SEED, 32);

    *m = (struct mesh){.block = block, .state = w->buffers[3].base};
    walk_all(w, 32, note_neighbour, m);
}

TEST(test_mesh)
{
    static struct mesh m;
    uint32_t inner = 0;

    read_mesh(&m, "CFD", 192);
    for (uint32_t e = 0; e < TETS; e++) {
        inner += m.count[e];
        for (uint32_t f = 0; f < m.count[e]; f++) {
            const uint32_t other = m.behind[e][f];
            uint32_t back = 0;

            assert_true(other != e);
            for (uint32_t k = 0; k < m.count[other]; k++)
                back += m.behind[other][k] == e;
            assert_int_equal(back, 1);
        }
    }
    assert_int_equal(inner, TETS * FACES - 6 * 2 * CUBES * CUBES); /* two triangles a square of the surface */
}

/* 93 750 elements are 489 CTAs of 192 threads or 1465 of 64, rows of 93 888 or 93 760; the mesh is the same. */
TEST(test_block_sizes)
{
    static const struct form {
        const char *spec;
        uint32_t ctas, threads, row;
    } forms[] = {{"CFD", 489, 192, 93888}, {"CFD@192", 489, 192, 93888}, {"CFD@64", 1465, 64, 93760}};
    static struct mesh m[2];

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        LOCAL_WORKLOAD(w) = walk_make(forms[i].spec, 25, SEED, 32);
        uint64_t bytes = 0;

        assert_int_equal(w->launch_count, 8);
        for (uint32_t l = 0; l < 8; l++) {
            assert_int_equal(w->launches[l].ctas, forms[i].ctas);
            assert_int_equal(w->launches[l].threads, forms[i].threads);
        }
        for (uint32_t b = 0; b < w->buffer_count; b++)
            bytes += w->buffers[b].bytes;
        assert_int_equal(bytes, 4 * forms[i].row * (1 + 4 + 12 + 5 + 5 + 5 + 1)); /* rows of the seven arrays */
    }
    read_mesh(&m[0], "CFD", 192);
    read_mesh(&m[1], "CFD@64", 64);
    assert_memory_equal(m[0].behind, m[1].behind, sizeof m[0].behind);
}

enum { VERTICES = 1024, MAX_EDGES = 32768 };

struct story {
    uint32_t block, lanes, first_launch; /* threads per CTA; the launch that looks at every edge */
    uint32_t edge_pc, target_pc, mark_pc;
    uint64_t col, target, mark; /* bases of the columns, of an array read at a target, of one written when chosen */
    uint32_t edge[64], from[MAX_EDGES], to[MAX_EDGES], edges, degree[VERTICES];
    uint32_t when[VERTICES], chosen[VERTICES]; /* launch; how often */
};

static void follow(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct story *s = ctx;
    const uint32_t first = at.cta * s->block + at.warp * s->lanes;

    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        const uint64_t a = mh_op_address(op, addr, lane);

        if (at.launch == s->first_launch && op->pc == s->edge_pc)
            s->edge[lane] = (uint32_t)((a - s->col) / 4);
        if (at.launch == s->first_launch && op->pc == s->target_pc) {
            assert_true(s->edge[lane] < MAX_EDGES && s->to[s->edge[lane]] == 0);
            s->from[s->edge[lane]] = first + lane;
            s->to[s->edge[lane]] = (uint32_t)((a - s->target) / 4);
            s->degree[first + lane]++;
            s->edges++;
        }
        if (op->pc == s->mark_pc) {
            s->when[(a - s->mark) / 4] = at.launch;
            s->chosen[(a - s->mark) / 4]++;
        }
    }
}

static void follow_mis(struct story *s, const char *spec, uint32_t lanes)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, VERTICES, 1, lanes);
    const struct mh_buffer *b = w->buffers; /* rows, columns, stop, minimum, status, update, set, value */

    *s = (struct story){.block = 128, .lanes = lanes, .first_launch = 1, .edge_pc = 8, .target_pc = 9, .mark_pc = 15};
    s->col = b[1].base, s->target = b[4].base, s->mark = b[6].base;
    walk_all(w, lanes, follow, s);
    assert_int_equal(s->edges, b[1].bytes / 4);
}

/* No two neighbours are in the set, and a vertex outside has a neighbour in it. */
TEST(test_mis)
{
    static const char *const specs[] = {"MIS@mesh", "MIS@uniform", "MIS"};
    static struct story s;
    static uint32_t beside[VERTICES];

    for (size_t i = 0; i < 6; i++) {
        follow_mis(&s, specs[i / 2], i % 2 ? 64 : 32);
        memset(beside, 0, sizeof beside);
        for (uint32_t e = 0; e < s.edges; e++) {
            assert_false(s.chosen[s.from[e]] && s.chosen[s.to[e]]);
            beside[s.from[e]] += s.chosen[s.to[e]];
        }
        for (uint32_t v = 0; v < VERTICES; v++) {
            assert_true(s.chosen[v] <= 1);
            assert_true(s.chosen[v] || beside[v]);
        }
    }
}

static void follow_color(struct story *s, const char *spec, uint32_t lanes)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, VERTICES, 1, lanes);
    const struct mh_buffer *b = w->buffers; /* rows, columns, stop, colour, value, maximum */

    *s = (struct story){.block = 256, .lanes = lanes, .first_launch = 0, .edge_pc = 4, .target_pc = 5, .mark_pc = 13};
    s->col = b[1].base, s->target = s->mark = b[3].base;
    walk_all(w, lanes, follow, s);
    assert_int_equal(s->edges, b[1].bytes / 4);
}

/* Everybody gets one colour; neighbours' colours differ. */
TEST(test_color)
{
    static const char *const specs[] = {"Color@mesh", "Color@uniform", "Color"};
    static struct story s;

    for (size_t i = 0; i < 6; i++) {
        follow_color(&s, specs[i / 2], i % 2 ? 64 : 32);
        for (uint32_t v = 0; v < VERTICES; v++)
            assert_int_equal(s.chosen[v], 1);
        for (uint32_t e = 0; e < s.edges; e++)
            assert_int_not_equal(s.when[s.from[e]], s.when[s.to[e]]);
    }
}

static uint64_t column_bytes(const char *spec)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, VERTICES, 1, 32);
    const uint64_t bytes = w->buffers[1].bytes;

    return bytes;
}

/* Color and MIS enter each line of SSSP's files in both directions; a mesh comes from a file of another kind. */
TEST(test_read_twice)
{
    const uint64_t rmat = column_bytes("SSSP"), mesh = column_bytes("SSSP@mesh"),
                   uniform = column_bytes("SSSP@uniform");

    assert_true(column_bytes("Color") == 2 * rmat && column_bytes("MIS") == 2 * rmat);
    assert_true(column_bytes("Color@mesh") == mesh && column_bytes("MIS@mesh") == mesh);
    /* But for edges from a vertex to itself: of 3 x 1024 that were drawn, three. */
    assert_in_range(column_bytes("Color@uniform"), 2 * uniform - 2 * 4 * 12, 2 * uniform - 2 * 4);
}

/* The product looks at every edge once; the last vector_diff finds nothing, the ones before it do. */
TEST(test_sssp)
{
    LOCAL_WORKLOAD(w) = walk_make("SSSP", VERTICES, 1, 32);
    const uint32_t edges = (uint32_t)(w->buffers[1].bytes / 4);

    for (uint32_t round = 0; 3 * round + 1 < w->launch_count; round++) {
        uint32_t *weights = count_touches(w, 32, 3 * round + 2, MH_OP_LOAD, 0, w->buffers[2].base, edges, 4);
        uint32_t *stops = count_touches(w, 32, 3 * round + 3, MH_OP_STORE, 0, w->buffers[3].base, 1, 4);

        for (uint32_t e = 0; e < edges; e++)
            assert_int_equal(weights[e], 1);
        assert_true((stops[0] > 0) == (3 * round + 4 < w->launch_count));
        free(weights);
        free(stops);
    }
}
