#include "gpu/fit.h"

#include "memhelm/hwmodel.h"

static uint64_t share_of(const struct mh_config *cfg)
{
    return cfg->memory.bytes / MH_MAX_TENANTS;
}

int mh_fit_fail(const struct mh_config *cfg, uint32_t tenant, uint64_t bytes, struct mh_error *err)
{
    return mh_fail(err,
                   "%s: its buffers (at least %llu MiB) and their page table do not fit its share of physical memory "
                   "(%llu MiB, one %dth of memory.bytes): raise memory.bytes or make the problem smaller",
                   cfg->tenants[tenant].kernel, (unsigned long long)((bytes + (1 << 20) - 1) >> 20),
                   (unsigned long long)(share_of(cfg) >> 20), MH_MAX_TENANTS);
}

/* Before the workloads are made, which may take long: from what each kernel needs at least. */
int mh_gpu_fits(const struct mh_config *cfg, struct mh_error *err)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        const struct mh_kernel *k = mh_kernel_find(cfg->tenants[t].kernel);
        uint64_t size = cfg->tenants[t].size;
        size_t length;

        if (!k || !k->least_bytes || mh_kernel_input(cfg->tenants[t].kernel, &length))
            continue;
        uint64_t bytes = k->least_bytes(size ? size : k->size_default);

        if (bytes > share_of(cfg))
            return mh_fit_fail(cfg, t, bytes, err);
    }
    return 0;
}

/* Counts whole pages, each once: a buffer may begin in the page in which the one before it ends. */
int mh_fit_workload(const struct mh_config *cfg, uint32_t tenant, const struct mh_workload *w, struct mh_error *err)
{
    uint64_t page = cfg->memory.page_bytes, pages = 0, next = 0;

    for (uint32_t i = 0; i < w->buffer_count; i++) {
        const struct mh_buffer *b = &w->buffers[i];
        uint64_t first = b->base / page, end = (b->base + b->bytes - 1) / page + 1;

        first = first < next ? next : first;
        pages += end > first ? end - first : 0;
        next = end > next ? end : next;
    }
    return pages > share_of(cfg) / page ? mh_fit_fail(cfg, tenant, pages * page, err) : 0;
}

/* Files have to be read: traces, which have no kernel, and inputs. A kernel that says what it needs at least does so
 * because it is slow to make. */
bool mh_fit_is_slow(const struct mh_tenant_cfg *tenant)
{
    const struct mh_kernel *k = mh_kernel_find(tenant->kernel);
    size_t length;

    return !k || k->least_bytes || mh_kernel_input(tenant->kernel, &length);
}
