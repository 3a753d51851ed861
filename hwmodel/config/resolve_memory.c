/*
 * Refuses, with the reason, a memory that channels, banks, frames or caches cannot divide; pages that a page table
 * cannot have; and an L2 in two halves, atomics or stores that do not go together.
 */
#include <inttypes.h>

#include "config/internal.h"
#include "engine/sets.h"

static int check_channels(const struct mh_config *c, struct mh_error *err)
{
    if (c->dram.request_bytes && c->dram.request_bytes != c->memory.line_bytes)
        return mh_fail(err, "dram.request_bytes: %u; an L2 asks for lines of %u bytes (0)", c->dram.request_bytes,
                       c->memory.line_bytes);
    if (c->l2.banks % c->dram.channels)
        return mh_fail(err, "l2.banks: %u is not a multiple of dram.channels, %u: every channel serves as many banks",
                       c->l2.banks, c->dram.channels);
    if (c->run.log_dram && c->run.log_dram_channel >= c->dram.channels)
        return mh_fail(err, "run.log_dram_channel: %u, but there are %u channels, from 0 on (dram.channels)",
                       c->run.log_dram_channel, c->dram.channels);
    return 0;
}

/* Of channels that are no power of two the last rows of some stay empty. */
static int check_bytes(const struct mh_config *c, struct mh_error *err)
{
    uint32_t ranks = c->dram.ranks ? c->dram.ranks : 1;
    uint64_t unit = (uint64_t)c->dram.channels * ranks * c->dram.banks * c->dram.row_bytes;

    if (mh_power_of_two(c->dram.channels) && c->memory.bytes % unit)
        return mh_fail(err,
                       "memory.bytes: %" PRIu64 " is not a multiple of channels x ranks x banks x row_bytes = %" PRIu64,
                       c->memory.bytes, unit);
    if (c->memory.bytes % c->memory.page_bytes)
        return mh_fail(err, "memory.bytes: %" PRIu64 " is not a multiple of memory.page_bytes, %u", c->memory.bytes,
                       c->memory.page_bytes);
    return 0;
}

/* Sets tell lines apart that a tag does not (engine/sets.h). */
static int check_tags(const struct mh_config *c, const char *key, uint32_t sets, struct mh_error *err)
{
    uint64_t aliases = mh_tag_aliases(c->memory.bytes / c->memory.line_bytes);

    if (sets >= aliases)
        return 0;
    return mh_fail(err,
                   "%s: %u sets tell %" PRIu64 " GiB of lines of %u bytes apart, but memory.bytes is %" PRIu64
                   " GiB; at least %" PRIu64 " sets, or less memory",
                   key, sets, ((uint64_t)sets * c->memory.line_bytes << MH_TAG_LINE_BITS) >> 30, c->memory.line_bytes,
                   (c->memory.bytes + (1 << 30) - 1) >> 30, aliases);
}

/* Numbers of lines have 32 bits, of which some are flags or say that there is no line. */
static int check_lines(const struct mh_config *c, struct mh_error *err)
{
    const uint32_t line = c->memory.line_bytes;
    const uint64_t most = (uint64_t)line << 31;

    if (c->memory.bytes > most)
        return mh_fail(err,
                       "memory.bytes: %" PRIu64 " GiB are more than 2^31 lines of %u bytes (memory.line_bytes), "
                       "%" PRIu64 " GiB",
                       c->memory.bytes >> 30, line, most >> 30);
    if (check_tags(c, "l1d.bytes by l1d.ways", c->l1d.bytes / line / c->l1d.ways, err))
        return -1;
    return check_tags(c, "l2.bytes by l2.banks and l2.ways", c->l2.bytes / c->l2.banks / line / c->l2.ways, err);
}

int mh_resolve_memory(const struct mh_config *c, struct mh_error *err)
{
    return check_channels(c, err) || check_bytes(c, err) || check_lines(c, err) ? -1 : 0;
}

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

static int check_alone(const struct mh_config *c, struct mh_error *err)
{
    if (c->l2.far_latency)
        return mh_fail(err, "l2.far_latency: %u, but l2.halves is 1, and no bank is far: 0, or l2.halves 2",
                       c->l2.far_latency);
    if (c->l2.link_bytes)
        return mh_fail(err, "l2.link_bytes: %u, but l2.halves is 1, and there is no link: 0, or l2.halves 2",
                       c->l2.link_bytes);
    if (c->l2.far == MH_FAR_COPY)
        return mh_fail(err, "l2.far: copy, but l2.halves is 1, and no line is far: home, or l2.halves 2");
    return 0;
}

static int check_copies(const struct mh_config *c, struct mh_error *err)
{
    if (c->l2.far == MH_FAR_HOME)
        return 0;
    if (!c->l2.sector_bytes)
        return mh_fail(err, "l2.far: copy, but l2.sector_bytes is 0: 32 or 64, or l2.far home");
    if (c->dram.partition)
        return mh_fail(err, "l2.far: copy, but dram.partition is 1, and copies would lie in another tenant's banks: 0, "
                            "or l2.far home");
    return 0;
}

int mh_resolve_halves(const struct mh_config *c, struct mh_error *err)
{
    if (c->l2.halves == 1)
        return check_alone(c, err);
    if (c->dram.channels % 2)
        return mh_fail(err, "l2.halves: 2, but dram.channels is %u: an even number, or l2.halves 1", c->dram.channels);
    if (c->sm.count < 2)
        return mh_fail(err, "l2.halves: 2, but sm.count is 1: 2 or more, or l2.halves 1");
    if (c->noc.queues == MH_QUEUES_INPUT)
        return mh_fail(err, "noc.queues: input, but l2.halves is 2: output, or l2.halves 1");
    return check_copies(c, err);
}

int mh_resolve_atomics(const struct mh_config *c, struct mh_error *err)
{
    if (c->l2.atomics == MH_ATOMICS_OFF && (c->l2.atomic_cycles || c->l2.atomic_latency))
        return mh_fail(err, "l2.atomic_%s: %u, but l2.atomics is off: 0, or l2.atomics bank",
                       c->l2.atomic_cycles ? "cycles" : "latency",
                       c->l2.atomic_cycles ? c->l2.atomic_cycles : c->l2.atomic_latency);
    if (c->l2.atomics == MH_ATOMICS_BANK && !c->l2.atomic_cycles)
        return mh_fail(err, "l2.atomic_cycles: 0, but l2.atomics is bank: 1..64, or l2.atomics off");
    return 0;
}

int mh_resolve_stores(const struct mh_config *c, struct mh_error *err)
{
    if (c->l1d.store_miss == MH_STORE_MISS_ALLOCATE && c->l1d.store_hit == MH_STORE_HIT_DROP)
        return mh_fail(err, "l1d.store_miss: allocate, but l1d.store_hit is drop: keep, or l1d.store_miss no_allocate");
    return 0;
}
