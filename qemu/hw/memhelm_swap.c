/*
 * Images that take over the mcu while the GPU works.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * DIR/swaps has the epochs of a probation, then a line for each image, "WHEN
 * NAME", in their order (memhelm/swap.h); DIR/swap-N.elf is the N-th, from 0 on,
 * and behind a boot ROM DIR/swap-N.signed (memhelm_slots.c).
 * When it is due and the mcu sleeps, its decisions made, the mcu
 * alone is reset and boots the image. The GPU goes on meanwhile, under the
 * knobs that are in force; the image's first COMMIT takes back those that it
 * does not set (mh_gpu_swap()).
 *
 * An image that fails in its probation, with mcu.on_fault recover, is replaced
 * by the one before it, which finds its knobs at reset. If that one fails
 * before it has answered as many epochs, the mcu stays in reset.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "hw/boards.h"
#include "hw/core/cpu.h"
#include "memhelm.h"
#include "trace-memhelm.h"

uint64_t memhelm_swap_cycle(MemhelmSwapState *s)
{
    return s->swaps.count < s->count ? s->look : UINT64_MAX;
}

void memhelm_swap_place(MemhelmSwapState *s)
{
    if (s->now == s->placed) {
        return;
    }
    if (s->slots.mailbox) {
        memhelm_slots_want(&s->slots, s->now);
    } else {
        memhelm_image_place(s->now);
    }
    s->placed = s->now;
}

/* As queued work it runs where the mcu executes nothing (memhelm_guard.c). */
static void memhelm_swap_boot(CPUState *cs, run_on_cpu_data data)
{
    MemhelmSwapState *s = data.host_ptr;

    memhelm_swap_place(s);
    memhelm_core_reset(cs);
    s->gpu->awake_since = memhelm_executed();
    device_cold_reset(s->block);
    device_cold_reset(DEVICE(s->gpu));
}

static void memhelm_swap_prove(MemhelmSwapState *s)
{
    s->boots = true;
    s->proves = true;
    s->answered = mh_gpu_epochs_answered(s->gpu->gpu);
}

bool memhelm_swap_proves(MemhelmSwapState *s)
{
    return s->proves;
}

char *memhelm_swap_both_failed(MemhelmSwapState *s)
{
    return s->proves && s->returned
           ? g_strdup_printf("the mcu was left in reset: %s failed in its "
                             "probation, then %s, which was there before it",
                             memhelm_image_name(s->failed),
                             memhelm_image_name(s->now))
           : NULL;
}

/* The image before boots again. */
static void memhelm_swap_return(MemhelmSwapState *s)
{
    s->current->rolled_back = mh_gpu_now(s->gpu->gpu);
    mh_swap_watch_failed(&s->watch);
    s->failed = s->now;
    s->now = s->before;
    s->returned = true;
    memhelm_swap_prove(s);
}

bool memhelm_swap_failed(MemhelmSwapState *s)
{
    if (!s->proves) {
        return true;
    }
    if (s->returned) {
        return false;
    }
    memhelm_swap_return(s);
    return true;
}

/* What lies in the slot is not what was offered: the ROM runs the other one. */
bool memhelm_swap_verified(MemhelmSwapState *s)
{
    const struct memhelm_mailbox *m = s->slots.mailbox;

    if (!m || memhelm_mailbox_runs(m) == s->slots.runs) {
        return true;
    }
    if (!s->proves || s->returned) {
        return false;
    }
    s->current->refused = memhelm_mailbox_found(m, s->slots.runs);
    memhelm_swap_return(s);
    memhelm_swap_place(s);
    return true;
}

/* True: the next image must not run, and the one that runs goes on. */
static bool memhelm_swap_refused(MemhelmSwapState *s)
{
    struct mh_swap *swap = &s->swaps.list[s->swaps.count];

    swap->refused = memhelm_slots_refuse(&s->slots,
                                         s->image[s->swaps.count],
                                         s->swaps.count);
    if (!swap->refused) {
        return false;
    }
    swap->asked = s->look;
    s->swaps.count++;
    return true;
}

static void memhelm_swap_now(MemhelmSwapState *s)
{
    struct mh_swap *swap = &s->swaps.list[s->swaps.count];

    s->current = swap;
    swap->asked = s->look;
    swap->began = mh_gpu_now(s->gpu->gpu);
    mh_swap_watch_began(&s->watch, swap, s->gpu->gpu);
    s->before = s->now;
    s->now = s->image[s->swaps.count++];
    s->returned = false;
    memhelm_swap_prove(s);
    trace_memhelm_swap(memhelm_now(), swap->began, swap->image);
    async_run_on_cpu(s->gpu->mcu, memhelm_swap_boot, RUN_ON_CPU_HOST_PTR(s));
    cpu_exit(s->gpu->mcu);
    mh_gpu_swap(s->gpu->gpu);
    memhelm_gpu_catch_up(s->gpu); /* the line has fallen */
    memhelm_gpu_hold(s->gpu);
    memhelm_guard_swapped(s->guard);
}

/* After a fault the mcu sleeps, too: that one waits for the watchdog. */
bool memhelm_swap_asleep(MemhelmSwapState *s)
{
    uint64_t now = memhelm_gpu_present(s->gpu);

    if (now < memhelm_swap_cycle(s) || s->guard->faulted ||
        mh_gpu_ended(s->gpu->gpu)) {
        return false;
    }
    if (!mh_swap_due(&s->when[s->swaps.count], s->gpu->gpu)) {
        s->look = mh_swap_look(&s->when[s->swaps.count], now);
        return false;
    }
    bool refused = memhelm_swap_refused(s);

    if (!refused) {
        memhelm_swap_now(s);
    }
    if (s->swaps.count < s->count) {
        s->look = mh_swap_look(&s->when[s->swaps.count], now);
    }
    return !refused;
}

/* The image that took over has come to its first COMMIT. */
static void memhelm_swap_booted(MemhelmSwapState *s)
{
    s->boots = false;
    if (!s->returned) {
        s->current->committed = mh_gpu_now(s->gpu->gpu);
        mh_swap_watch_committed(&s->watch, s->gpu->gpu);
        memhelm_timeline_swap(s->gpu, s->current);
    }
}

static void memhelm_swap_confirm(MemhelmSwapState *s)
{
    s->proves = false;
    if (s->returned) {
        return;
    }
    s->current->confirmed = mh_gpu_now(s->gpu->gpu);
    if (s->slots.mailbox) {
        memhelm_mailbox_raise(s->slots.mailbox, memhelm_image_version(s->now));
    }
}

static void memhelm_swap_committed(Notifier *n, void *data)
{
    MemhelmSwapState *s = container_of(n, MemhelmSwapState, commit);
    uint32_t rejected;

    mh_gpu_peek(s->gpu->gpu, MH_REG_COMMIT_STATUS, 4, &rejected);
    if (rejected) {
        return;
    }
    if (s->boots) {
        memhelm_swap_booted(s);
    }
    mh_swap_watch_epoch(&s->watch, s->gpu->gpu);
    if (s->proves && mh_gpu_epochs_answered(s->gpu->gpu) >= s->answered + s->probation) {
        memhelm_swap_confirm(s);
    }
}

static void memhelm_swap_bad(const char *path, unsigned line, const char *what)
{
    error_report("memhelm: %s:%u: %s", path, line, what);
    exit(EXIT_FAILURE);
}

static void memhelm_swap_add(MemhelmSwapState *s, const char *run,
                             const char *path, const char *line)
{
    g_auto(GStrv) words = g_strsplit(line, " ", 2);
    bool verified = s->slots.mailbox;
    g_autofree char *file = g_strdup_printf("%s/swap-%u.%s", run, s->count,
                                            verified ? "signed" : "elf");
    struct mh_error err;

    if (s->count == MH_SWAPS || !words[1]) {
        memhelm_swap_bad(path, s->count + 2, "not 'WHEN NAME', or too many");
    }
    if (mh_swap_when_read(words[0], &s->when[s->count], &err)) {
        memhelm_swap_bad(path, s->count + 2, err.text);
    }
    s->image[s->count] = verified ? memhelm_image_read_signed(file, words[1])
                                  : memhelm_image_read(file, words[1]);
    g_strlcpy(s->swaps.list[s->count].image, words[1], MH_SWAP_NAME);
    s->count++;
}

static void memhelm_swap_first(MemhelmSwapState *s, const char *path,
                               const MemhelmBootGiven *given)
{
    const char *kernel = MACHINE(qdev_get_machine())->kernel_filename;
    const char *file = given->rom ? given->slot_a : kernel;
    g_autofree char *name = NULL;

    if (!file) {
        memhelm_swap_bad(path, 1, "which image is the first? No -kernel, or no "
                         "slot-a=");
    }
    name = g_path_get_basename(file);
    s->now = given->rom ? memhelm_image_read_signed(file, name)
                        : memhelm_image_read(file, name);
    s->placed = s->now;
}

void memhelm_swap_init(MemhelmSwapState *s, const char *run, DeviceState *block,
                       MemhelmGpuState *gpu, MemhelmGuardState *guard,
                       MemhelmBootState *boot)
{
    g_autofree char *path = g_build_filename(run, "swaps", NULL);
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;

    s->block = block;
    s->gpu = gpu;
    s->guard = guard;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return;
    }
    lines = g_strsplit(text, "\n", -1);
    s->probation = lines[0] ? g_ascii_strtoull(lines[0], NULL, 10) : 0;
    if (!s->probation) {
        memhelm_swap_bad(path, 1, "no number of epochs");
    }
    memhelm_swap_first(s, path, boot->given);
    s->slots.mailbox = boot->given->rom ? &boot->mailbox : NULL;
    for (unsigned i = 1; lines[i] && *lines[i]; i++) {
        memhelm_swap_add(s, run, path, lines[i]);
    }
    if (boot->given->refill) {
        s->slots.refill = memhelm_image_read_signed(boot->given->refill, "");
    }
    if (s->slots.mailbox) {
        memhelm_slots_init(&s->slots, &boot->mailbox, s->now, s->image,
                           s->count);
    }
    s->look = mh_swap_look(&s->when[0], 0);
    s->commit.notify = memhelm_swap_committed;
    notifier_list_add(&gpu->committed, &s->commit);
}
