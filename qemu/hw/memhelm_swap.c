/*
 * Images that take over the mcu while the GPU works.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * DIR/swaps has a line for each, "CYCLE NAME", in the order of their cycles;
 * DIR/swap-N.elf is the image of line N, from 0 on. When its GPU cycle has come
 * and the mcu sleeps, its decisions made, the mcu alone is reset and boots the
 * image. The GPU goes on meanwhile, under the knobs that are in force; the
 * image's first COMMIT takes back those that it does not set (mh_gpu_swap()).
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "hw/core/cpu.h"
#include "memhelm.h"
#include "trace-memhelm.h"

uint64_t memhelm_swap_cycle(MemhelmSwapState *s)
{
    return s->swaps.count < s->count ? s->cycle[s->swaps.count] : UINT64_MAX;
}

/* As queued work it runs where the mcu executes nothing (memhelm_guard.c). */
static void memhelm_swap_boot(CPUState *cs, run_on_cpu_data data)
{
    MemhelmSwapState *s = data.host_ptr;

    memhelm_image_place(s->image[s->swaps.count - 1]);
    memhelm_core_reset(cs);
    s->gpu->awake_since = memhelm_executed();
    device_cold_reset(s->block);
    device_cold_reset(DEVICE(s->gpu));
}

static void memhelm_swap_now(MemhelmSwapState *s)
{
    struct mh_swap *swap = &s->swaps.list[s->swaps.count];

    swap->asked = memhelm_swap_cycle(s);
    swap->began = mh_gpu_now(s->gpu->gpu);
    s->swaps.count++;
    s->boots = true;
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
    if (memhelm_gpu_present(s->gpu) < memhelm_swap_cycle(s) ||
        s->guard->faulted || mh_gpu_ended(s->gpu->gpu)) {
        return false;
    }
    memhelm_swap_now(s);
    return true;
}

static void memhelm_swap_committed(Notifier *n, void *data)
{
    MemhelmSwapState *s = container_of(n, MemhelmSwapState, commit);
    struct mh_swap *swap;
    uint32_t rejected;

    mh_gpu_peek(s->gpu->gpu, MH_REG_COMMIT_STATUS, 4, &rejected);
    if (!s->boots || rejected) {
        return;
    }
    s->boots = false;
    swap = &s->swaps.list[s->swaps.count - 1];
    swap->committed = mh_gpu_now(s->gpu->gpu);
    memhelm_timeline_swap(s->gpu, swap);
}

static void memhelm_swap_bad(const char *path, unsigned line)
{
    error_report("memhelm: %s:%u: not 'CYCLE NAME', or more than %d, or not in "
                 "the order of cycles", path, line, MH_SWAPS);
    exit(EXIT_FAILURE);
}

static void memhelm_swap_add(MemhelmSwapState *s, const char *run,
                             const char *path, const char *line)
{
    uint64_t before = s->count ? s->cycle[s->count - 1] : 0;
    g_autofree char *elf = NULL;
    char *name;
    uint64_t cycle = g_ascii_strtoull(line, &name, 10);

    if (name == line || *name != ' ' || s->count == MH_SWAPS ||
        cycle <= before) {
        memhelm_swap_bad(path, s->count + 1);
    }
    elf = g_strdup_printf("%s/swap-%u.elf", run, s->count);
    s->cycle[s->count] = cycle;
    s->image[s->count] = memhelm_image_read(elf);
    g_strlcpy(s->swaps.list[s->count].image, name + 1, MH_SWAP_NAME);
    s->count++;
}

void memhelm_swap_init(MemhelmSwapState *s, const char *run, DeviceState *block,
                       MemhelmGpuState *gpu, MemhelmGuardState *guard)
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
    for (unsigned i = 0; lines[i] && *lines[i]; i++) {
        memhelm_swap_add(s, run, path, lines[i]);
    }
    s->commit.notify = memhelm_swap_committed;
    notifier_list_add(&gpu->committed, &s->commit);
}
