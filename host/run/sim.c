#include "sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/process.h"
#include "machine.h"
#include "child.h"
#include "memhelm/config_file.h"
#include "traces.h"

static int write_config(const struct sim *s, struct mh_error *err)
{
    char path[HOST_PATH];
    if (path_join(path, s->dir, "config.yaml", err))
        return -1;
    FILE *f = fopen(path, "w");
    if (!f)
        return mh_fail(err, "%s: cannot write: %s", path, strerror(errno));
    struct mh_config kept;
    trace_kept_config(&s->cfg, &kept);
    int status = mh_config_write(&kept, f, err);
    if (fclose(f) && !status)
        status = mh_fail(err, "%s: cannot write: %s", path, strerror(errno));
    return status;
}

/* A disk that is full shows in many ways; this one names the remedy. */
static void blame_disk(const struct sim *s, struct mh_error *err)
{
    char dir[HOST_PATH];
    struct mh_error full;
    snprintf(dir, sizeof dir, "%s", s->dir);
    if (access(dir, F_OK) && strrchr(dir, '/'))
        *strrchr(dir, '/') = 0;
    if (run_dir_full(dir, &full))
        (void)mh_fail(err, "%s: %.900s", s->image->name, full.text);
}

int sim_prepare(struct sim *s, struct mh_error *err)
{
    if (s->prepared)
        return 0;
    if (make_dirs(s->dir, err) || write_config(s, err) || (core_plugin_needed(s) && core_plugin_prepare(s, err)) ||
        (s->boot && boot_prepare(s, err))) {
        blame_disk(s, err);
        return -1;
    }
    s->prepared = true;
    return 0;
}

int sim_start(struct sim *s, struct mh_error *err)
{
    if (sim_prepare(s, err))
        return -1;
    s->started = wall_seconds();
    s->pid = child_start(s, err);
    if (s->pid < 0) {
        blame_disk(s, err);
        return -1;
    }
    s->state = SIM_RUNNING;
    return 0;
}

const struct image *sim_image_at(const struct sim *s, uint64_t cycle)
{
    const struct mh_swaps *done = &s->result.mcu.swaps;
    const struct image *image = sim_boots(s);
    for (uint32_t i = 0; i < done->count && i < s->swap_count && done->list[i].began <= cycle; i++)
        if (done->list[i].began && (!done->list[i].rolled_back || done->list[i].rolled_back >= cycle))
            image = s->swaps[i].image;
    return image;
}

/* The exit code must say the same as the file: neither alone makes a PASS. */
static int agree(const struct sim *s, int status, struct mh_error *err)
{
    char log[HOST_PATH], line[400];
    if (WIFEXITED(status) && WEXITSTATUS(status) == (int)s->result.end)
        return 0;
    bool said = !path_join(log, s->dir, "stderr.log", NULL) && last_line(log, "", line, sizeof line);
    return mh_fail(err, "%s: the result says %s, but the simulation ended with %s %d%s%s", s->image->name,
                   mh_end_names[s->result.end], WIFEXITED(status) ? "exit code" : "signal",
                   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), said ? "; its last line: " : "",
                   said ? line : "");
}

static void explain_loss(struct sim *s, int status)
{
    char log[HOST_PATH], line[400];
    bool said = !path_join(log, s->dir, "stderr.log", NULL) && last_line(log, "", line, sizeof line);
    (void)mh_fail(&s->error, "%s: the simulation %s %d without a result; its last line: %s", s->image->name,
                  WIFSIGNALED(status) ? "was killed by signal" : "ended with exit code",
                  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                  said            ? line
                  : s->view.trace ? "(on the terminal)"
                                  : "(it said nothing)");
    trace_kept_names(s->error.text, sizeof s->error.text);
}

static int read_result(struct sim *s, int status)
{
    char path[HOST_PATH];
    if (path_join(path, s->dir, "result.json", &s->error))
        return -1;
    if (!access(path, R_OK))
        return mh_record_read(path, &s->result, &s->error) || agree(s, status, &s->error) ? -1 : 0;
    explain_loss(s, status);
    return -1;
}

void sim_finish(struct sim *s, int status)
{
    s->seconds = wall_seconds() - s->started;
    s->pid = 0;
    s->state = SIM_LOST;
    console_close(s);
    if (s->given_up)
        return;
    if (!read_result(s, status) && !(bursts_asked(&s->cfg) && bursts_read(s->dir, &s->cfg, &s->bursts, &s->error)))
        s->state = SIM_DONE;
    else
        blame_disk(s, &s->error);
}

/* mcause of RISC-V's privileged specification, table 3.6; interrupts have bit 31. */
static const char *cause_text(uint32_t cause)
{
    static const char *const causes[] = {
        [0] = "instruction address misaligned",
        [1] = "instruction access fault",
        [2] = "illegal instruction",
        [3] =
            "breakpoint: the compiler's check of a zero divisor, an assertion, a malloc after init, or another ebreak",
        [4] = "load address misaligned",
        [5] = "load access fault",
        [6] = "store address misaligned",
        [7] = "store access fault",
        [8] = "environment call from U-mode",
        [11] = "environment call from M-mode",
    };
    if (cause & 0x80000000u)
        return "interrupt";
    if (cause < sizeof causes / sizeof *causes && causes[cause])
        return causes[cause];
    return "unknown cause";
}

struct text {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *format, ...)
{
    char plain[1400];
    va_list args;
    va_start(args, format);
    vsnprintf(plain, sizeof plain, format, args);
    va_end(args);
    size_t used = strlen(escape_text(t->at, t->left, plain));
    t->at += used;
    t->left -= used;
}

static void say_where(struct text *t, const struct sim *s)
{
    const struct mh_fault *f = &s->result.fault;
    if (s->image->twin || !(f->pc | f->ra))
        return;
    char at[400], from[400];
    const struct mh_recovery *r = &s->result.mcu.recovery;
    const bool first = mh_recovery_any(r) && r->first.pc == f->pc; /* the mcu was left in reset after it */
    const struct image *image = sim_image_at(s, first ? r->first_cycle : UINT64_MAX);
    say(t, "\n  pc 0x%08" PRIx32 " in %s, called from 0x%08" PRIx32 " in %s", f->pc,
        image_place(image, f->pc, at, sizeof at), f->ra, image_place(image, f->ra, from, sizeof from));
    if (s->result.end == MH_END_FAULT)
        say(t, "\n  mcause 0x%08" PRIx32 ": %s", f->cause, cause_text(f->cause));
}

static void say_console(struct text *t, const struct sim *s)
{
    char path[HOST_PATH], line[400];
    if (path_join(path, s->dir, "uart.log", NULL))
        return;
    if (last_line(path, "memhelm: refused ", line, sizeof line))
        say(t, "\n  %s", line);
    if (last_line(path, "", line, sizeof line))
        say(t, "\n  last line of the console: %s", line);
}

void diagnose(const struct sim *s, char *text, size_t size)
{
    static const char *const how[] = {
        [MH_END_FAIL] = "failed",
        [MH_END_FAULT] = "ended in a fault",
        [MH_END_HANG] = "hangs",
        [MH_END_DEADLOCK] = "cannot go on: the model stands still",
    };
    struct text t = {text, size};
    *text = 0;
    if (s->state == SIM_LOST)
        say(&t, "%s", s->error.text);
    if (s->state == SIM_STOPPED)
        say(&t, "%s: interrupted before it was finished", s->image->name);
    if (s->state != SIM_DONE || s->result.end == MH_END_PASS)
        return;
    say(&t, "%s %s at GPU cycle %" PRIu64 ": %s", s->image->name, how[s->result.end], s->result.stats.cycles,
        s->result.fault.reason);
    say_where(&t, s);
    say_console(&t, s);
}
