#define _GNU_SOURCE
#include "child.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#include "mcu/source_lines.h"
#include "base/words.h"

/*
 * A policy that never comes back would hold this process for ever: after so much processor time it is given up, where
 * it is. GPU time stands still meanwhile, so the result does not depend on how long that took.
 */
enum { CALL_SECONDS = 10 };
sigjmp_buf twin_guard_back;
static volatile sig_atomic_t in_firmware;
static siginfo_t crash;
static uintptr_t crash_pc;

static void give_up(int signal)
{
    siglongjmp(twin_guard_back, signal);
}

static void watch(time_t seconds)
{
    const struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static uintptr_t pc_of(const void *context)
{
#if defined __x86_64__
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/* In the model, or in what else this program is made of: its own fault, not the firmware's. */
static bool is_ours(uintptr_t pc)
{
    Dl_info at, here;
    return dladdr((void *)pc, &at) && dladdr((void *)&twin_guard_back, &here) && at.dli_fbase == here.dli_fbase;
}

static void crashed(int number, siginfo_t *info, void *context)
{
    crash = *info;
    crash_pc = pc_of(context);
    if (!in_firmware || is_ours(crash_pc)) {
        signal(number, SIG_DFL);
        return; /* it happens again */
    }
    siglongjmp(twin_guard_back, number);
}

/* On a stack of their own: the firmware may have used up this one. Sanitizers have handlers that say more. */
static void catch_crashes(void)
{
#ifdef __SANITIZE_ADDRESS__
    const bool sanitized = true;
#else
    const bool sanitized = false;
#endif
    static char stack[65536];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    const struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals && !sanitized; i++)
        sigaction(signals[i], &action, NULL);
}

/* Which line of the firmware it was, as far as its file says. */
static void say_line(const char *image, struct mh_fault *fault)
{
    Dl_info in;
    if (!crash_pc || !dladdr((void *)crash_pc, &in) || !in.dli_fname || strcmp(in.dli_fname, image) != 0)
        return;
    struct lines *lines = lines_open(image);
    struct place at = lines_written(lines, (uint32_t)(crash_pc - (uintptr_t)in.dli_fbase));
    if (at.file)
        text_add(fault->reason, sizeof fault->reason, "", ", at %s:%u", at.file, at.line);
    lines_close(lines);
}

void twin_guard_init(void)
{
    signal(SIGVTALRM, give_up);
    catch_crashes();
}

void twin_guard_enter(void)
{
    watch(CALL_SECONDS);
    in_firmware = 1;
}

void twin_guard_leave(void)
{
    in_firmware = 0;
    watch(0);
}

enum mh_end twin_guard_end(int stopped, const char *image, struct mh_fault *fault)
{
    char *reason = fault->reason;
    const size_t size = sizeof fault->reason;
    twin_guard_leave();
    if (stopped == SIGVTALRM) {
        snprintf(reason, size, "the firmware did not come back from a call in %d s of processor time", CALL_SECONDS);
        return MH_END_HANG;
    }
    if (stopped == SIGFPE)
        snprintf(reason, size, "the firmware divided by zero");
    else if (stopped == SIGSEGV || stopped == SIGBUS)
        snprintf(reason, size, "the firmware touched memory that is not its own (%p), or its stack overflowed",
                 crash.si_addr);
    else
        snprintf(reason, size, "the firmware stopped itself (%s)", strsignal(stopped));
    say_line(image, fault);
    return MH_END_FAULT;
}
