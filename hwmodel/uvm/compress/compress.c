#include "uvm/compress/compress.h"
#include "workload/values/values.h"
#include "memhelm/kernels.h"
#include "workload/workload.h"

#include <inttypes.h>
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

static uint32_t bits(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

uint32_t mh_lcp_places(const struct mh_lcp_page *p)
{
    if (!mh_lcp_compressed(p))
        return 0;
    return (mh_lcp_bytes(p) - MH_LCP_BLOCKS * p->room - MH_LCP_METADATA) / MH_BDI_BLOCK;
}

static uint64_t larger_than(const uint8_t bytes[MH_LCP_BLOCKS], uint32_t room)
{
    uint64_t large = 0;

    for (uint32_t b = 0; b < MH_LCP_BLOCKS; b++)
        large |= (uint64_t)(bytes[b] > room) << b;
    return large;
}

static uint8_t class_of(uint32_t bytes)
{
    uint8_t size = 0;

    while (512u << size < bytes)
        size++;
    return size;
}

struct mh_lcp_page mh_lcp_pack(const uint8_t bytes[MH_LCP_BLOCKS])
{
    static const uint8_t rooms[] = {1, 8, 16, 20, 24, 34, 36, 40};
    struct mh_lcp_page best = mh_lcp_whole();
    uint32_t least = MH_LCP_PAGE / 2;

    for (size_t i = 0; i < sizeof rooms; i++) {
        uint64_t exceptions = larger_than(bytes, rooms[i]);
        uint32_t need = MH_LCP_BLOCKS * rooms[i] + MH_LCP_METADATA + bits(exceptions) * MH_BDI_BLOCK;

        if (need > least)
            continue;
        least = need;
        best = (struct mh_lcp_page){.exceptions = exceptions, .size = class_of(need), .room = rooms[i]};
    }
    return best;
}

bool mh_lcp_write(struct mh_lcp_page *p, uint32_t b, uint32_t bytes)
{
    const uint64_t bit = (uint64_t)1 << b;

    if (bytes <= p->room) {
        p->exceptions &= ~bit;
        return true;
    }
    if (!(p->exceptions & bit) && bits(p->exceptions) == mh_lcp_places(p))
        return false;
    p->exceptions |= bit;
    return true;
}

void mh_compress_blocks(struct mh_values *v, bool stored, uint64_t va, uint32_t count, uint8_t *sizes)
{
    for (uint32_t b = 0; b < count; b++) {
        uint8_t block[MH_BDI_BLOCK];

        mh_values_read(v, stored, va + (uint64_t)b * MH_BDI_BLOCK, block, sizeof block);
        sizes[b] = (uint8_t)mh_bdi_bytes(block);
    }
}

struct mh_lcp_page mh_compress_page(struct mh_values *v, bool stored, uint64_t va, uint8_t sizes[MH_LCP_BLOCKS])
{
    mh_compress_blocks(v, stored, va, MH_LCP_BLOCKS, sizes);
    return mh_lcp_pack(sizes);
}

/* How a kernel's arrays compress (memhelm/kernels.h). */

struct sums {
    uint64_t pages, in[MH_LCP_CLASSES]; /* bytes in memory */
};

static void add_page(struct sums *s, const struct mh_lcp_page *p)
{
    s->pages++;
    s->in[p->size] += mh_lcp_bytes(p);
}

static void print(const char *array, const char *when, const struct sums *s, FILE *out)
{
    uint64_t all = 0;

    fprintf(out, "%-12s%-6s%10" PRIu64, array, when, s->pages * MH_LCP_PAGE / 1024);
    for (uint32_t c = 0; c < MH_LCP_CLASSES; c++) {
        fprintf(out, "%10.1f", (double)s->in[c] / 1024);
        all += s->in[c];
    }
    fprintf(out, "%8.2f\n", all ? (double)(s->pages * MH_LCP_PAGE) / (double)all : 1);
}

/* Small arrays lie in one page: of all together it counts once. */
static void describe_all(struct mh_values *v, const char *when, FILE *out)
{
    struct sums all = {0};
    uint64_t base, bytes, last = UINT64_MAX;
    const char *name;

    for (uint32_t i = 0; (name = mh_values_array(v, i, &base, &bytes)); i++) {
        struct sums s = {0};

        for (uint64_t va = base / MH_LCP_PAGE * MH_LCP_PAGE; va < base + bytes; va += MH_LCP_PAGE) {
            uint8_t sizes[MH_LCP_BLOCKS];
            struct mh_lcp_page p = mh_compress_page(v, false, va, sizes);

            add_page(&s, &p);
            if (va != last)
                add_page(&all, &p);
            last = va;
        }
        print(name, when, &s, out);
    }
    print("all", when, &all, out);
}

bool mh_values_are_known(const struct mh_tenant_cfg *tenant)
{
    return mh_values_known(tenant->kernel, NULL);
}

int mh_values_describe(const struct mh_tenant_cfg *tenant, FILE *out, struct mh_error *err)
{
    struct mh_workload *w = mh_workload_create(tenant->kernel, tenant->size, 1, 32, err);
    struct mh_values *v = w ? mh_values_create(tenant->kernel, w, err) : NULL;

    if (v) {
        fprintf(out, "%-18s%10s%10s%10s%10s%10s%8s\n%-18s%10s%10s%10s%10s%10s\n", "array", "KB", "KB in", "KB in",
                "KB in", "KB in", "ratio", "", "", "512 B", "1 KB", "2 KB", "4 KB");
        describe_all(v, "start", out);
        mh_values_finish(v, w->launch_count);
        describe_all(v, "end", out);
    }
    mh_values_destroy(v);
    if (w)
        w->destroy(w);
    return v ? 0 : -1;
}
