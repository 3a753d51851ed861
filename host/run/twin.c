#include "child.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "../../firmware/platform/twin.h"
#include "traces.h"

/* No firmware that sleeps again takes so many interrupts at one cycle: 64 events, three timers, and then some. */
enum { EXIT_LOST = 5, IRQ_STORM = 10000 };

struct firmware {
    void *object;
    mh_twin_init_fn *init;
    mh_twin_irq_fn *irq;
};

/* The mcu's side of a run. */
struct mcu {
    const struct sim *s;
    const struct image *image; /* loaded */
    struct firmware fw;
    struct mh_swaps swaps; /* so far */
    struct mh_swap_watch watch;
    uint64_t answered; /* epochs, at the last one */
    uint64_t look;     /* GPU cycle at which to ask whether the next one is due */
    struct mh_gpu *gpu;
    FILE *uart, *echo;              /* echo: NULL unless the console is wanted */
    uint32_t state[MH_STATE_WORDS]; /* STATE of the machine block */
    bool booted;
    uint32_t code;
    enum mh_end end; /* what EXIT made of the run */
    struct mh_fault fault;
    uint32_t bad_offset; /* of the last access that the window refused */
};

/* The word of STATE that is at an offset behind the window; NULL: none. */
static uint32_t *state_at(struct mcu *mcu, uint32_t offset)
{
    const uint32_t index = (offset - MH_WINDOW_BYTES) / 4;
    return offset >= MH_WINDOW_BYTES && index < MH_STATE_WORDS ? &mcu->state[index] : NULL;
}

static int window_read(void *ctx, uint32_t offset, uint32_t *value)
{
    struct mcu *mcu = ctx;
    const uint32_t *state = state_at(mcu, offset);
    if (state) {
        *value = *state;
        return 0;
    }
    if (mh_gpu_read(mcu->gpu, offset, 4, value) == MH_ACCESS_OK)
        return 0;
    mcu->bad_offset = offset;
    return -1;
}

static int window_write(void *ctx, uint32_t offset, uint32_t value)
{
    struct mcu *mcu = ctx;
    uint32_t *state = state_at(mcu, offset);
    if (state) {
        *state = value;
        return 0;
    }
    if (mh_gpu_write(mcu->gpu, offset, 4, value) == MH_ACCESS_OK)
        return 0;
    mcu->bad_offset = offset;
    return -1;
}

static void firmware_exit(void *ctx, uint32_t code)
{
    struct mcu *mcu = ctx;
    mcu->code = code;
    mcu->end = mh_record_exit(&mcu->s->cfg, mcu->gpu, code, &mcu->fault);
    mh_gpu_latch(mcu->gpu);
}

static void uart_write(void *ctx, const char *text, size_t length)
{
    struct mcu *mcu = ctx;
    fwrite(text, 1, length, mcu->uart);
    if (mcu->echo)
        fwrite(text, 1, length, mcu->echo);
}

static int load(struct firmware *fw, const char *path, struct mh_error *err)
{
    char file[HOST_PATH + 2];
    snprintf(file, sizeof file, "%s%s", strchr(path, '/') ? "" : "./", path);
    fw->object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!fw->object)
        return mh_fail(err, "%s: not a native twin: %s", path, dlerror());
    *(void **)&fw->init = dlsym(fw->object, "mh_twin_init");
    *(void **)&fw->irq = dlsym(fw->object, "mh_twin_irq");
    if (!fw->init || !fw->irq)
        return mh_fail(err, "%s: not a native twin: it has no mh_twin_init and mh_twin_irq", path);
    return 0;
}

/* Before init, which reads them. */
static int set_params(const struct firmware *fw, const struct image *image, struct mh_error *err)
{
    for (unsigned i = 0; i < image->settings.count; i++) {
        char symbol[PARAM_NAME];
        param_symbol(image->settings.list[i].name, symbol);
        uint32_t *word = dlsym(fw->object, symbol);
        if (!word)
            return mh_fail(err, "%s: parameter %s has no word in the file", image->path, image->settings.list[i].name);
        *word = image->settings.list[i].value;
    }
    return 0;
}

static enum mh_end hang(struct mh_fault *fault, const char *reason)
{
    snprintf(fault->reason, sizeof fault->reason, "%s", reason);
    return MH_END_HANG;
}

/* The model has stopped: the firmware would wait for ever. */
static enum mh_end deadlock(const struct mcu *mcu, struct mh_fault *fault)
{
    snprintf(fault->reason, sizeof fault->reason, "%s", mh_gpu_deadlock(mcu->gpu));
    return MH_END_DEADLOCK;
}

static enum mh_end exited(const struct mcu *mcu, struct mh_fault *fault)
{
    *fault = mcu->fault;
    if (mcu->code == MH_TWIN_EXIT_FAULT) {
        char what[200];
        mh_gpu_describe(mcu->gpu, mcu->bad_offset, what, sizeof what);
        snprintf(fault->reason, sizeof fault->reason,
                 "access to offset 0x%x of the GPU window got an error response (%s)", mcu->bad_offset, what);
        return MH_END_FAULT;
    }
    return mcu->end;
}

static void confirm(struct mcu *mcu)
{
    struct mh_swap *last = mcu->swaps.count ? &mcu->swaps.list[mcu->swaps.count - 1] : NULL;
    if (last && !last->confirmed && mh_gpu_epochs_answered(mcu->gpu) >= mcu->answered + mcu->s->probation)
        last->confirmed = mh_gpu_now(mcu->gpu);
}

/* One call of the firmware. */
static bool wake(struct mcu *mcu)
{
    const struct mh_twin_host host = {mcu, window_read, window_write, firmware_exit, uart_write};
    bool ended;
    twin_guard_enter();
    ended = mcu->booted ? mcu->fw.irq() : mcu->fw.init(&host);
    twin_guard_leave();
    mcu->booted = true;
    confirm(mcu);
    if (mcu->s->swap_count)
        mh_swap_watch_epoch(&mcu->watch, mcu->gpu);
    return ended;
}

static void unload(struct firmware *fw)
{
    if (fw->object)
        dlclose(fw->object);
    *fw = (struct firmware){NULL, NULL, NULL};
}

/* An object that is loaded again has its own values of parameters again. */
static int insert(struct mcu *mcu, const struct image *image, struct mh_error *err)
{
    unload(&mcu->fw);
    mcu->image = image;
    mcu->booted = false;
    return load(&mcu->fw, image->path, err) || set_params(&mcu->fw, image, err) ? -1 : 0;
}

/* Of the swap that comes next; NULL: none does. */
static const struct mh_swap_when *next_swap(const struct mcu *mcu)
{
    return mcu->swaps.count < mcu->s->swap_count ? &mcu->s->swaps[mcu->swaps.count].when : NULL;
}

/* True once at each cycle at which to ask. */
static bool swap_due(struct mcu *mcu)
{
    const struct mh_swap_when *when = next_swap(mcu);
    if (!when || mh_gpu_now(mcu->gpu) < mcu->look)
        return false;
    mcu->look = mh_swap_look(when, mh_gpu_now(mcu->gpu));
    return mh_swap_due(when, mcu->gpu);
}

static bool swap(struct mcu *mcu, struct mh_fault *fault)
{
    const uint64_t now = mh_gpu_now(mcu->gpu);
    const struct image *image = mcu->s->swaps[mcu->swaps.count].image;
    struct mh_swap *done = &mcu->swaps.list[mcu->swaps.count++];
    struct mh_error err;
    *done = (struct mh_swap){.asked = now, .began = now, .committed = now};
    snprintf(done->image, sizeof done->image, "%s", image->name);
    if (insert(mcu, image, &err)) {
        snprintf(fault->reason, sizeof fault->reason, "%s", err.text);
        return false;
    }
    mh_swap_watch_began(&mcu->watch, done, mcu->gpu);
    mh_swap_watch_committed(&mcu->watch, mcu->gpu);
    mh_gpu_swap(mcu->gpu);
    mcu->answered = mh_gpu_epochs_answered(mcu->gpu);
    mcu->look = next_swap(mcu) ? mh_swap_look(next_swap(mcu), now) : 0;
    return true;
}

/* Plays the mcu: asleep until the interrupt line rises, then awake for no time. */
static enum mh_end play(struct mcu *mcu, struct mh_fault *fault)
{
    uint32_t storm = 0;
    bool ended = wake(mcu);
    while (!ended) {
        uint64_t before = mh_gpu_now(mcu->gpu);
        if (mh_gpu_irq(mcu->gpu)) {
            ended = wake(mcu);
            if (++storm == IRQ_STORM)
                return hang(fault, "the firmware does not acknowledge its interrupt");
            continue;
        }
        storm = 0;
        if (swap_due(mcu)) {
            if (!swap(mcu, fault))
                return MH_END_FAULT;
            ended = wake(mcu);
            continue;
        }
        uint64_t reached = mh_gpu_advance(mcu->gpu, next_swap(mcu) ? mcu->look : UINT64_MAX);
        if (mh_gpu_deadlock(mcu->gpu))
            return deadlock(mcu, fault);
        if (reached == before && !mh_gpu_irq(mcu->gpu))
            return hang(fault, "the firmware sleeps and did not write EXIT at the end of the run");
    }
    return exited(mcu, fault);
}

static enum mh_end play_guarded(struct mcu *mcu, struct mh_fault *fault)
{
    const int stopped = sigsetjmp(twin_guard_back, 1);
    if (stopped)
        return twin_guard_end(stopped, mcu->image->path, fault);
    twin_guard_init();
    return play(mcu, fault);
}

static int simulate(struct mcu *mcu, struct mh_error *err)
{
    struct mh_fault fault = {0};
    struct mh_mcu_stats stats = {0};
    struct mh_record *rec = mh_record_open(mcu->s->dir, &mcu->s->cfg, mcu->gpu, err);
    if (!rec)
        return EXIT_LOST;
    enum mh_end end = play_guarded(mcu, &fault);
    mh_gpu_latch(mcu->gpu);
    stats.swaps = mcu->swaps;
    return mh_record_close(rec, mcu->gpu, end, &stats, &fault, err) ? EXIT_LOST : (int)end;
}

static FILE *open_uart(const struct sim *s, struct mh_error *err)
{
    char path[HOST_PATH];
    if (path_join(path, s->dir, "uart.log", err))
        return NULL;
    FILE *f = fopen(path, "w");
    if (!f)
        (void)mh_fail(err, "%s: cannot write: %s", path, strerror(errno));
    return f;
}

static struct mh_gpu *make_gpu(const struct sim *s, struct mh_error *err)
{
    struct mh_config kept;
    if (s->work)
        return mh_gpu_create_of(&s->cfg, s->work, err);
    trace_kept_config(&s->cfg, &kept);
    return mh_gpu_create(&kept, err);
}

int twin_run(const struct sim *s)
{
    struct mcu mcu = {.s = s, .echo = s->view.console ? stdout : NULL};
    struct mh_error err = {""};
    int code = EXIT_LOST;
    if (!insert(&mcu, sim_boots(s), &err) && (mcu.uart = open_uart(s, &err)) && (mcu.gpu = make_gpu(s, &err)))
        code = simulate(&mcu, &err);
    if (code == EXIT_LOST)
        fprintf(stderr, "%s\n", err.text);
    if (mcu.gpu)
        mh_gpu_destroy(mcu.gpu);
    if (mcu.uart)
        fclose(mcu.uart);
    unload(&mcu.fw);
    return code;
}
