/*
 * 2DCONV, 3DCONV, FDTD (kernels/stencil2d.c) and LPS (stencil3d.c). Input and arithmetic: CUDA/stencils/ of
 * PolyBench-ACC, LPS/laplace3d.cu of the GPGPU-Sim suite.
 */
#include "workload/values/table.h"

/* --- 2DCONV */

enum { FROM, TO };

/* (float)rand() / RAND_MAX: RAND_MAX, an int, becomes 2^31 */
static void init_conv2d(struct mh_values *v)
{
    struct c_rand r;
    float *a = v->data[FROM];

    c_srand(&r, 1);
    for (uint64_t i = 0; i < v->g->n * v->g->n; i++)
        a[i] = (float)c_rand(&r) / 2147483648.0f;
}

static void run_conv2d(struct mh_values *v, uint32_t launch)
{
    const uint64_t n = v->g->n;

    (void)launch;
    for (uint64_t i = 1; i + 1 < n; i++)
        for (uint64_t j = 1; j + 1 < n; j++) {
            const float *up = (const float *)v->data[FROM] + (i - 1) * n + j, *at = up + n, *down = at + n;

            ((float *)v->next[TO])[i * n + j] = 0.2f * up[-1] + 0.5f * up[0] + -0.8f * up[1] + -0.3f * at[-1] +
                                                0.6f * at[0] + -0.9f * at[1] + 0.4f * down[-1] + 0.7f * down[0] +
                                                0.10f * down[1];
        }
}

const struct mh_values_of mh_values_conv2d = {.kernel = "2DCONV",
                                              .arrays = (const char *const[]){"A", "B"},
                                              .init = init_conv2d,
                                              MH_WRITTEN(1 << TO),
                                              .run = run_conv2d};

/* --- 3DCONV */

static void init_conv3d(struct mh_values *v)
{
    const uint64_t n = v->g->n;
    float *a = v->data[FROM];

    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            for (uint64_t k = 0; k < n; k++)
                a[(i * n + j) * n + k] = (float)(i % 12 + 2 * (j % 7) + 3 * (k % 13));
}

static struct mh_extent writes_conv3d(const struct mh_values *v, uint32_t launch, uint32_t b)
{
    const uint64_t plane = v->g->n * v->g->n * sizeof(float), at = (launch + 1) * plane;

    return b == TO ? (struct mh_extent){at, at + plane} : (struct mh_extent){0, 0};
}

/* The source reads some points several times, and its sum is in this order. */
static float point_conv3d(const float *below, const float *at, const float *above, uint64_t n)
{
    const float *bn = below - n, *an = above - n;

    return 2 * bn[-1] + 4 * an[-1] + 5 * bn[-1] + 7 * an[-1] + -8 * bn[-1] + 10 * an[-1] + -3 * *(at - n) + 6 * at[0] +
           -9 * at[n] + 2 * bn[1] + 4 * an[1] + 5 * below[1] + 7 * above[1] + -8 * below[n + 1] + 10 * above[n + 1];
}

static void run_conv3d(struct mh_values *v, uint32_t launch)
{
    const uint64_t n = v->g->n, plane = n * n;

    for (uint64_t j = 1; j + 1 < n; j++)
        for (uint64_t k = 1; k + 1 < n; k++) {
            const uint64_t i = (launch + 1) * plane + j * n + k;
            const float *a = (const float *)v->data[FROM] + i;

            ((float *)v->next[TO])[i] = point_conv3d(a - plane, a, a + plane, n);
        }
}

const struct mh_values_of mh_values_conv3d = {.kernel = "3DCONV",
                                              .arrays = (const char *const[]){"A", "B"},
                                              .init = init_conv3d,
                                              .writes = writes_conv3d,
                                              .run = run_conv3d};

/* --- FDTD */

enum { FICT, EX, EY, HZ };

static void init_fdtd(struct mh_values *v)
{
    const uint64_t n = v->g->n;
    float *ex = v->data[EX], *ey = v->data[EY], *hz = v->data[HZ], *fict = v->data[FICT];

    for (uint64_t i = 0; i < v->bytes[FICT] / sizeof *fict; i++)
        fict[i] = (float)i;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            ex[i * n + j] = ((float)i * (float)(j + 1) + 1) / (float)n;
            ey[i * n + j] = (((float)i - 1) * (float)(j + 2) + 2) / (float)n;
            hz[i * n + j] = (((float)i - 9) * (float)(j + 4) + 3) / (float)n;
        }
}

static void run_fdtd(struct mh_values *v, uint32_t launch)
{
    const uint64_t n = v->g->n;
    float *ex = v->next[EX], *ey = v->next[EY], *hz = v->next[HZ];

    for (uint64_t j = 0; launch % 3 == 0 && j < n; j++)
        ey[j] = ((const float *)v->data[FICT])[launch / 3];
    for (uint64_t at = n; launch % 3 == 0 && at < n * n; at++)
        ey[at] = ey[at] - 0.5f * (hz[at] - hz[at - n]);
    for (uint64_t at = 0; launch % 3 == 1 && at < n * n; at++)
        if (at % n)
            ex[at] = ex[at] - 0.5f * (hz[at] - hz[at - 1]);
    for (uint64_t at = 0; launch % 3 == 2 && at < (n - 1) * n; at++)
        if (at % n + 1 < n)
            hz[at] = hz[at] - 0.7f * (ex[at + 1] - ex[at] + ey[at + n] - ey[at]);
}

const struct mh_values_of mh_values_fdtd = {.kernel = "FDTD",
                                            .arrays = (const char *const[]){"_fict_", "ex", "ey", "hz"},
                                            .init = init_fdtd,
                                            MH_WRITTEN(1 << EY, 1 << EX, 1 << HZ),
                                            .run = run_fdtd};

/* --- LPS */

enum { PITCH }; /* p[] of kernels/stencil3d.c: bytes of a row */

static bool on_rim(uint64_t n, uint64_t i, uint64_t j, uint64_t k)
{
    return i == 0 || i == n - 1 || j == 0 || j == n - 1 || k == 0 || k == n - 1;
}

static void init_laplace3d(struct mh_values *v)
{
    const uint64_t n = v->g->n, pitch = v->g->p[PITCH] / sizeof(float);

    for (uint64_t k = 0; k < n; k++)
        for (uint64_t j = 0; j < n; j++)
            for (uint64_t i = 0; i < n; i++)
                ((float *)v->data[0])[(k * n + j) * pitch + i] = on_rim(n, i, j, k) ? 1.0f : 0.0f;
}

static void run_laplace3d(struct mh_values *v, uint32_t launch)
{
    const uint64_t n = v->g->n, row = v->g->p[PITCH] / sizeof(float), plane = n * row;
    const float sixth = 1.0f / 6.0f;

    for (uint64_t k = 0; k < n; k++)
        for (uint64_t j = 0; j < n; j++)
            for (uint64_t i = 0; i < n; i++) {
                const uint64_t at = (k * n + j) * row + i;
                const float *u = (const float *)v->data[launch % 2] + at;

                ((float *)v->next[1 - launch % 2])[at] =
                    on_rim(n, i, j, k) ? *u : (u[-1] + u[1] + *(u - row) + u[row] + *(u - plane) + u[plane]) * sixth;
            }
}

const struct mh_values_of mh_values_laplace3d = {.kernel = "LPS",
                                                 .arrays = (const char *const[]){"u1", "u2"},
                                                 .init = init_laplace3d,
                                                 MH_WRITTEN(1 << 1, 1 << 0),
                                                 .run = run_laplace3d};
