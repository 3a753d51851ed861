#include "diagnose.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/escape.h"

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
