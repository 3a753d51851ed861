#include "gpu/gpu.h"

#include "engine/gpu.h"

#define MH_BLOCK(name) extern const struct mh_block mh_block_##name;
#include "gpu/blocks.def"

static const struct mh_block *const blocks[] = {
#define MH_BLOCK(name) &mh_block_##name,
#include "gpu/blocks.def"
};

/* The inner loop is an `if` that names the block: it runs once, for a block that has a part in `does`. */
#define FOR_EACH(block, does)                                                                                          \
    for (uint32_t i_ = 0; i_ < sizeof blocks / sizeof *blocks; i_++)                                                   \
        for (const struct mh_block *block = blocks[i_]; block && block->does; block = NULL)

static void **state(struct mh_gpu *g, const struct mh_block *b)
{
    return (void **)((char *)g + b->at);
}

/* All states before any init(), which may look at another block's. */
static int make_states(struct mh_gpu *g)
{
    FOR_EACH(b, bytes)
    if (!(*state(g, b) = mh_aligned_zeros(b->bytes)))
        return -1;
    return 0;
}

int mh_blocks_init(struct mh_gpu *g)
{
    if (make_states(g))
        return -1;
    FOR_EACH(b, init)
    if (b->init(g))
        return -1;
    return 0;
}

/* Also of a GPU that was made in part: a block whose state was not made has nothing to free. */
void mh_blocks_free(struct mh_gpu *g)
{
    FOR_EACH(b, free)
    if (!b->bytes || *state(g, b))
        b->free(g);
    FOR_EACH(b, bytes)
    free(*state(g, b));
}

void mh_blocks_apply(struct mh_gpu *g, const struct mh_knobs *before)
{
    FOR_EACH(b, apply)
    b->apply(g, before);
}

void mh_blocks_check(const struct mh_gpu *g)
{
    FOR_EACH(b, check)
    b->check(g);
}

struct mh_oldest mh_blocks_oldest(const struct mh_gpu *g)
{
    struct mh_oldest oldest = {0};

    FOR_EACH(b, oldest)
    b->oldest(g, &oldest);
    return oldest;
}

bool mh_blocks_left(const struct mh_gpu *g, FILE *out)
{
    FOR_EACH(b, left)
    if (b->left(g, out))
        return true;
    return false;
}

/* All settle first: then the counts are copied, and only the copies are completed. */
void mh_blocks_counters(struct mh_gpu *g, struct mh_counters *out)
{
    FOR_EACH(b, settle)
    b->settle(g);
    for (uint32_t t = 0; t < g->tenants; t++)
        out[t] = g->tenant[t].count;
    FOR_EACH(b, read)
    b->read(g, out);
}

void mh_blocks_restart(struct mh_gpu *g)
{
    FOR_EACH(b, restart)
    b->restart(g);
}
