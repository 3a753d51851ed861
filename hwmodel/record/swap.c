#include "memhelm/swap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const mh_boot_texts[BOOT_ROWS] = {
#define MH_BOOT(name, text) text,
#include "memhelm/boot.def"
};

/* Digits alone, from 1 on. */
static bool read_number(const char *text, uint64_t *value)
{
    *value = strtoull(text, NULL, 10);
    return *value && strspn(text, "0123456789") == strlen(text);
}

static bool find_counter(const char *name, size_t length, uint32_t *counter)
{
    for (*counter = 0; *counter < MH_COUNTERS; (*counter)++)
        if (strlen(mh_counter_names[*counter]) == length && !strncmp(mh_counter_names[*counter], name, length))
            return true;
    return false;
}

int mh_swap_when_read(const char *text, struct mh_swap_when *when, struct mh_error *err)
{
    const char *above = strchr(text, '>');

    memset(when, 0, sizeof *when);
    if (!above)
        return read_number(text, &when->cycle)
                   ? 0
                   : mh_fail(err,
                             "'%.40s' is no GPU cycle, such as 2000000, nor a counter above a value, such as "
                             "walks>50000",
                             text);
    if (!find_counter(text, (size_t)(above - text), &when->counter))
        return mh_fail(err, "'%.*s' is no counter: `memhelm list registers` shows them", (int)(above - text), text);
    return read_number(above + 1, &when->above)
               ? 0
               : mh_fail(err, "'%.40s' is no whole number that a counter could be above", above + 1);
}

void mh_swap_when_write(const struct mh_swap_when *when, char text[MH_SWAP_TEXT])
{
    if (when->cycle)
        snprintf(text, MH_SWAP_TEXT, "%" PRIu64, when->cycle);
    else
        snprintf(text, MH_SWAP_TEXT, "%s>%" PRIu64, mh_counter_names[when->counter], when->above);
}

uint64_t mh_swap_look(const struct mh_swap_when *when, uint64_t now)
{
    return when->cycle > now ? when->cycle : (now / MH_SWAP_LOOK + 1) * MH_SWAP_LOOK;
}

bool mh_swap_due(const struct mh_swap_when *when, struct mh_gpu *gpu)
{
    const struct mh_stats *stats;
    uint64_t sum = 0;

    if (when->cycle)
        return mh_gpu_now(gpu) >= when->cycle;
    stats = mh_gpu_stats(gpu);
    for (uint32_t t = 0; t < stats->tenants; t++)
        sum += ((const uint64_t *)&stats->tenant[t])[when->counter];
    return sum > when->above;
}

static struct mh_swap_mark mark(struct mh_gpu *gpu)
{
    return (struct mh_swap_mark){mh_gpu_now(gpu), mh_gpu_lane_instr(gpu)};
}

static struct mh_swap_span span(const struct mh_swap_mark *from, const struct mh_swap_mark *to)
{
    return (struct mh_swap_span){to->cycle - from->cycle, to->lane_instr - from->lane_instr};
}

/* In its first epoch an image has no whole one: from its first COMMIT on. */
void mh_swap_watch_began(struct mh_swap_watch *w, struct mh_swap *swap, struct mh_gpu *gpu)
{
    const bool epoch = w->epoch[0].cycle != w->epoch[1].cycle;

    w->began = mark(gpu);
    w->swap = swap;
    w->boots = true;
    swap->before = span(&w->epoch[0], epoch ? &w->epoch[1] : &w->began);
}

void mh_swap_watch_committed(struct mh_swap_watch *w, struct mh_gpu *gpu)
{
    if (!w->swap || !w->boots)
        return;
    w->boots = false;
    w->epoch[0] = w->epoch[1] = mark(gpu);
    w->swap->during = span(&w->began, &w->epoch[1]);
    w->answered = mh_gpu_epochs_answered(gpu);
}

void mh_swap_watch_epoch(struct mh_swap_watch *w, struct mh_gpu *gpu)
{
    if (w->answered == mh_gpu_epochs_answered(gpu))
        return;
    w->answered = mh_gpu_epochs_answered(gpu);
    w->epoch[0] = w->epoch[1];
    w->epoch[1] = mark(gpu);
    if (!w->swap || w->boots)
        return;
    w->swap->after = span(&w->epoch[0], &w->epoch[1]);
    w->swap = NULL;
}

void mh_swap_watch_failed(struct mh_swap_watch *w)
{
    w->swap = NULL;
}
