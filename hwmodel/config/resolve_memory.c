/* Refuses a memory that channels, banks, frames or caches cannot divide, with the reason. */
#include <inttypes.h>

#include "config/field.h"
#include "config/resolve.h"
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
