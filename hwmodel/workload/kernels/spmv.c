/*
 * SPMV: y = A x with a sparse matrix in JDS form, Parboil's spmv (opencl_nvidia: like cuda, but x is an ordinary
 * array): rows are sorted by length and stored column by column, a row per thread, 32 rows padded to one length; the
 * loop is pipelined over three elements. jds_ptr and the lengths lie in constant memory.
 *
 * Parboil's matrices cannot be shipped. graph.h builds one of the shape of its large input, Dubcova3, a mesh of finite
 * elements; a warp's rows are as long, and near each other in their part of the mesh. SPMV@random has no mesh (ours):
 * about 25 elements a row, and sorting by length scatters a warp's rows.
 *
 * SPMV:FILE has a file's matrix instead; a hub's row is padding in 31 others, as the program has it.
 *
 * Gaps count the source's operations as LLVM IR would, or nvcc 4.1's PTX for sm_20 (github.com/gtcasl/gpuocelot,
 * tests/ptx/parboil/spmv-main.ptx): the same pipeline, with its moves at the end of an iteration, here before x, and a
 * loop over rows around it.
 */
#include <stdlib.h>
#include <string.h>

#include "workload/gen.h"
#include "workload/input/input.h"
#include "workload/graph.h"

enum { BLOCK = 192, PAD = 32, WORD = 4 };
enum { MOST_ELEMENTS = 1 << 29 }; /* ours: 2 GiB here, 4 on the GPU */
enum { DATA, INDEX, PERM, X, Y }; /* buffers */
enum { DIM, COLUMNS };            /* p[] */
enum { MESH, RANDOM };            /* variants */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_START MH_GAP(14, 19)                   /* id, bounds, warp, two constant loads, sum, extend, address */
#define GAP_INDEX MH_GAP(1, 3)                     /* address */
#define GAP_X     2                                /* extend, address */
#define GAP_BOUND MH_GAP(6, 9)                     /* compare, branch, constant load, sum, extend, address */
#define GAP_LOOP  MH_GAP(4, 3)                     /* k, compare, branch, address */
#define GAP_AHEAD MH_GAP(5, c->v[0] == 1 ? 15 : 7) /* constant load with address, sum, extend, address */
#define GAP_LAST  MH_GAP(4, 3)                     /* multiply-add, loop test, address */
#define GAP_PERM  MH_GAP(3, 8)                     /* multiply-adds, address */

/* The matrix in JDS form, in one block. */
struct jds {
    uint32_t rows, longest;
    uint32_t *ptr;   /* [longest + 2]: first element of each column */
    uint32_t *bound; /* [warps of PAD rows]: elements per row, padding included */
    uint32_t *perm;  /* [rows]: original number */
    uint32_t *index; /* [elements]: column; 0 in padding */
};

/* Lanes that have an element number k: whole groups of PAD rows do. */
static uint64_t lanes_with(const struct mh_gen *g, const struct jds *a, uint64_t row, uint64_t k)
{
    uint64_t mask = 0;

    for (uint32_t l = 0; l < g->lanes && row + l < g->p[DIM]; l += PAD)
        if (k < a->bound[(row + l) / PAD])
            mask |= mh_mask_below(row + l, g->p[DIM], PAD) << l;
    return mask;
}

static void gather(const struct mh_gen *g, const struct jds *a, struct mh_op *op, uint64_t *addr, uint32_t pc,
                   uint32_t gap, uint64_t mask, uint64_t row, uint64_t k)
{
    mh_op_affine(op, MH_OP_LOAD, pc, WORD, gap, true, mask, 0, 0);
    MH_LIST_LANES(op, addr, lane, g->base[X] + (uint64_t)a->index[a->ptr[k] + row + lane] * WORD);
}

/* Iteration k = c->v[0] of the loop fetches data and x of element k - 1 and the column of element k. */
static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct jds *a = g->data;
    const uint64_t row = mh_thread(g, c, BLOCK), all = mh_mask_below(row, g->p[DIM], g->lanes);
    const uint64_t data = g->base[DATA] + row * WORD, index = g->base[INDEX] + row * WORD;

    switch (c->state) {
    case 0:
        MH_LOAD(1, WORD, GAP_START, false, all, data + a->ptr[0] * (uint64_t)WORD, WORD);
        MH_LOAD(2, WORD, GAP_INDEX, false, all, index + a->ptr[0] * (uint64_t)WORD, WORD);
        if (all) {
            gather(g, a, op, addr, 3, GAP_X, all, row, 0);
            MH_YIELD;
        }
        c->v[0] = 1;
        MH_LOAD(4, WORD, GAP_BOUND, false, lanes_with(g, a, row, 1), index + a->ptr[1] * (uint64_t)WORD, WORD);
        for (; c->v[0] < a->longest && lanes_with(g, a, row, c->v[0]); c->v[0]++) {
            /* Element v[0] is the last one of some lanes: they leave the loop, and do the same behind it. */
            MH_LOAD(5, WORD, GAP_LOOP, false, lanes_with(g, a, row, c->v[0] + 1),
                    data + a->ptr[c->v[0]] * (uint64_t)WORD, WORD);
            MH_LOAD(6, WORD, GAP_AHEAD, false, lanes_with(g, a, row, c->v[0] + 1),
                    index + a->ptr[c->v[0] + 1] * (uint64_t)WORD, WORD);
            c->v[1] = lanes_with(g, a, row, c->v[0] + 1);
            if (c->v[1]) {
                gather(g, a, op, addr, 7, MH_GAP(GAP_X, 11), c->v[1], row, c->v[0]);
                MH_YIELD;
            }
            c->v[1] = lanes_with(g, a, row, c->v[0]) & ~lanes_with(g, a, row, c->v[0] + 1);
            MH_LOAD(8, WORD, GAP_LAST, false, c->v[1], data + a->ptr[c->v[0]] * (uint64_t)WORD, WORD);
            if (c->v[1]) {
                gather(g, a, op, addr, 9, MH_GAP(GAP_X, 6), c->v[1], row, c->v[0]);
                MH_YIELD;
            }
        }
        MH_LOAD(10, WORD, GAP_PERM, true, all, g->base[PERM] + row * WORD, WORD);
        if (all) {
            mh_op_affine(op, MH_OP_STORE, 11, WORD, GAP_X, true, all, 0, 0);
            op->list = true;
            for (uint64_t l = 0; l < g->lanes && row + l < g->p[DIM]; l++)
                addr[l] = g->base[Y] + (uint64_t)a->perm[row + l] * WORD;
            MH_YIELD;
        }
        MH_END(MH_GAP(all ? 1 : 4, all ? 9 : 11), false);
    }
}

/* Lengths by original number; NULL when memory is short. */
static uint32_t *measure_rows(const struct mh_graph *matrix, uint32_t rows)
{
    uint32_t *length = malloc(rows * sizeof *length);

    for (uint32_t r = 0; length && r < rows; r++)
        length[r] = mh_graph_degree(matrix, r);
    return length;
}

/* The block, all but its elements zeroed, or the same block with room for `elements`, zeroed; NULL: no memory. */
static struct jds *jds_block(struct jds *a, uint32_t rows, uint32_t longest, size_t elements)
{
    const size_t groups = mh_ceil_div(rows, PAD), words = longest + 2 + rows + groups;
    struct jds *b = realloc(a, sizeof *b + (words + elements) * sizeof *b->ptr);

    if (!b)
        return NULL;
    *b = (struct jds){.rows = rows, .longest = longest, .ptr = (uint32_t *)(b + 1)};
    b->perm = b->ptr + longest + 2;
    b->bound = b->perm + rows;
    b->index = b->bound + groups;
    memset(a ? b->index : b->ptr, 0, (a ? elements : words) * sizeof *b->ptr);
    return b;
}

/* Sorts the rows by length, longest first, stably. Until the columns are placed, ptr[] counts. */
static void sort_rows(struct jds *a, const uint32_t *length)
{
    for (uint32_t r = 0; r < a->rows; r++)
        a->ptr[a->longest - length[r] + 1]++;
    for (uint32_t k = 0; k <= a->longest; k++)
        a->ptr[k + 1] += a->ptr[k];
    for (uint32_t r = 0; r < a->rows; r++)
        a->perm[a->ptr[a->longest - length[r]]++] = r;
}

/* Where the columns of elements begin; returns their number. */
static uint64_t place_columns(struct jds *a, const uint32_t *length)
{
    uint64_t elements = 0;

    memset(a->ptr, 0, (a->longest + 2) * sizeof *a->ptr);
    for (uint32_t r = 0; r < a->rows; r += PAD) {
        a->bound[r / PAD] = length[a->perm[r]];
        for (uint32_t k = 0; k < a->bound[r / PAD]; k++)
            a->ptr[k + 1] += PAD;
    }
    for (uint32_t k = 0; k <= a->longest; k++) {
        elements += a->ptr[k + 1];
        a->ptr[k + 1] = (uint32_t)elements;
    }
    return elements;
}

static void fill_index(const struct mh_graph *matrix, struct jds *a)
{
    for (uint32_t r = 0; r < a->rows; r++) {
        const uint32_t *columns = matrix->col + matrix->row[a->perm[r]];

        for (uint32_t k = 0; k < mh_graph_degree(matrix, a->perm[r]); k++)
            a->index[a->ptr[k] + r] = columns[k];
    }
}

/* Number of elements with padding, and of those that rows without any still read; 0: there is no memory, or not enough
 * rows. */
static uint64_t make_data(struct mh_gen *g, const struct mh_graph *matrix)
{
    const uint32_t rows = (uint32_t)g->p[DIM]; /* a file's graph may have more vertices: its columns */
    uint32_t *length = measure_rows(matrix, rows);
    struct jds *a = length ? jds_block(NULL, rows, matrix->max_degree, 0) : NULL;
    uint64_t elements = 0;

    g->data = a;
    if (a) {
        sort_rows(a, length);
        elements = place_columns(a, length);
        elements = elements < rows ? rows : elements;
        a = elements < MOST_ELEMENTS ? jds_block(a, rows, matrix->max_degree, elements) : NULL;
    }
    if (a)
        fill_index(matrix, g->data = a);
    else
        g->failed = mh_fail(
            g->err, "SPMV: out of memory: %u rows, up to %u elements in each, make %llu with padding; allowed: %d",
            rows, matrix->max_degree, (unsigned long long)elements, MOST_ELEMENTS);
    free(length);
    return a ? elements : 0;
}

/* The matrix as it is in a file or a mesh; NULL: memory is short. */
static struct mh_graph *read_matrix(const struct mh_gen *g)
{
    if (g->input)
        return mh_input_matrix(g->input);
    return g->variant == MESH ? mh_matrix_mesh((uint32_t)g->n)
                              : mh_matrix_random((uint32_t)g->n, mh_random(g->seed, 0));
}

/* False on failure. */
static bool make(struct mh_gen *g, uint64_t *elements)
{
    struct mh_graph *matrix = read_matrix(g);

    *elements = 0;
    g->p[DIM] = g->input ? g->n : g->n * g->n;
    g->p[COLUMNS] = g->input ? g->input->columns : g->p[DIM];
    if (matrix)
        *elements = make_data(g, matrix);
    g->no_memory |= !matrix;
    free(matrix);
    return *elements != 0;
}

static void build(struct mh_gen *g)
{
    uint64_t elements;

    if (!make(g, &elements))
        return;
    MH_BUFFERS(g, elements * WORD, elements * WORD);
    for (int i = PERM; i <= Y; i++)
        mh_gen_buffer(g, g->p[i == X ? COLUMNS : DIM] * WORD);
    mh_gen_launch(g, (struct mh_launch){"spmv_jds", (uint32_t)mh_ceil_div(g->p[DIM], BLOCK), BLOCK, 20 /* ours */, 0},
                  body);
}

const struct mh_kernel mh_kernel_spmv = {
    .name = "SPMV",
    .suite = "Parboil",
    .summary = "sparse matrix of a mesh (JDS) times vector; streams elements, gathers x from rows sorted by length",
    /* 146689 rows, as Parboil's large input Dubcova3 */
    MH_SIZE("mesh points in x and y; rows are its square", 383, 16, 1024),
    .variants = (const char *const[]){[MESH] = "mesh", [RANDOM] = "random", NULL},
    .input = MH_INPUT_MATRIX,
    .build = build,
};
