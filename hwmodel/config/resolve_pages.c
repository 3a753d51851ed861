#include "config/resolve.h"

enum { SMALL_PAGE = 4 << 10, BIG_PAGE = 64 << 10, HUGE_PAGE = 2 << 20 };

/* Pages of 2 MiB end a level earlier. */
static int check_levels(const struct mh_config *c, struct mh_error *err)
{
    static const uint32_t least[] = {
        [MH_WALK_FORMAT_PLAIN] = 4, [MH_WALK_FORMAT_AMPERE] = 5, [MH_WALK_FORMAT_HOPPER] = 6};
    const uint32_t low = least[c->walk.format] - (c->memory.page_bytes == HUGE_PAGE),
                   high = low + (c->walk.format == MH_WALK_FORMAT_PLAIN);

    if (c->walk.levels >= low && c->walk.levels <= high)
        return 0;
    if (low < high)
        return mh_fail(err, "walk.levels: %u, but pages of %u bytes (memory.page_bytes) take %u or %u levels",
                       c->walk.levels, c->memory.page_bytes, low, high);
    return mh_fail(err, "walk.levels: %u, but pages of %u bytes (memory.page_bytes) take %u levels in walk.format %s",
                   c->walk.levels, c->memory.page_bytes, low,
                   c->walk.format == MH_WALK_FORMAT_AMPERE ? "ampere" : "hopper");
}

/* The formats give both. */
static int check_format(const struct mh_config *c, struct mh_error *err)
{
    const char *name = c->walk.format == MH_WALK_FORMAT_AMPERE ? "ampere" : "hopper";

    if (c->walk.format == MH_WALK_FORMAT_PLAIN)
        return 0;
    if (c->walk.pte_bytes != 8)
        return mh_fail(
            err, "walk.pte_bytes: %u, but entries of walk.format %s have 8 bytes: set it to 8, or the format to plain",
            c->walk.pte_bytes, name);
    if (c->walk.node_bits != 9)
        return mh_fail(err,
                       "walk.node_bits: %u, but nodes of walk.format %s have up to 512 entries: set it to 9, or the "
                       "format to plain",
                       c->walk.node_bits, name);
    return 0;
}

/* With demand paging a unit of 64 KiB comes and goes by itself. */
static int check_large(const struct mh_config *c, struct mh_error *err)
{
    const uint32_t large = c->memory.large_bytes;

    if (!large)
        return 0;
    if (large != HUGE_PAGE)
        return mh_fail(err, "memory.large_bytes: %u; large pages have 2097152 bytes, 0 = none", large);
    if (c->memory.page_bytes != BIG_PAGE)
        return mh_fail(err,
                       "memory.large_bytes: %u among pages of %u bytes (memory.page_bytes); set the latter to 65536, "
                       "or the former to 0",
                       large, c->memory.page_bytes);
    if (c->memory.bytes % large)
        return mh_fail(err, "memory.bytes: %llu is not a multiple of memory.large_bytes, %u",
                       (unsigned long long)c->memory.bytes, large);
    if (c->uvm.mode == MH_UVM_ON)
        return mh_fail(
            err,
            "memory.large_bytes: %u beside uvm.mode on, which moves pages of 64 KiB: set it to 0, or uvm.mode to off",
            large);
    return 0;
}

int mh_resolve_pages(const struct mh_config *c, struct mh_error *err)
{
    const uint32_t page = c->memory.page_bytes;

    if (page != SMALL_PAGE && page != BIG_PAGE && page != HUGE_PAGE)
        return mh_fail(err, "memory.page_bytes: %u; pages are 4096, 65536 or 2097152 bytes", page);
    return check_format(c, err) || check_levels(c, err) || check_large(c, err) ? -1 : 0;
}
