/* How a kernel's arrays compress (memhelm/values.h). */
#include <inttypes.h>

#include "memhelm/values.h"
#include "uvm/compress/compress.h"
#include "workload/values/values.h"
#include "workload/workload.h"

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
