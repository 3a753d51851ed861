/*
 * QEMU as a process on the host: its sandbox, and what it says when it crashes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Firmware is not trusted: whatever it might do to QEMU, QEMU starts no program,
 * takes no privileges and leaves the scheduler alone. That is -sandbox on with
 * all that it can deny, from the machine on: images, plugins, files of traces and
 * the debugger's socket are open then. Without libseccomp, or where the kernel
 * or a container forbids filters, QEMU runs without.
 */
#include "qemu/osdep.h"
#include <signal.h>
#include "qemu/config-file.h"
#include "qemu/option.h"
#include "qapi/error.h"
#include "cpu.h"
#include "memhelm.h"
#include "sysemu/seccomp.h"

static CPURISCVState *memhelm_crash_env;

/*
 * The program counter is that of the block that the mcu was in, or of the
 * instruction, where QEMU had it. The process then ends by that signal.
 */
static void memhelm_crashed(int sig)
{
    char text[120];
    int n = snprintf(text, sizeof(text), "memhelm: QEMU crashed by signal %d; "
                     "the mcu was at or behind pc 0x%08x ra 0x%08x\n", sig,
                     (unsigned)memhelm_crash_env->pc,
                     (unsigned)memhelm_crash_env->gpr[xRA]);

    if (write(STDERR_FILENO, text, n) < 0) {
        _exit(EXIT_FAILURE);
    }
    raise(sig); /* SA_RESETHAND: the second time it kills */
}

static void memhelm_watch_crashes(void)
{
    static const int signals[] = {
        SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGSYS,
    };
    const struct sigaction act = {
        .sa_handler = memhelm_crashed, .sa_flags = SA_RESETHAND | SA_NODEFER,
    };

    for (unsigned i = 0; i < ARRAY_SIZE(signals); i++) {
        sigaction(signals[i], &act, NULL);
    }
}

/* GLib tells of a failed assertion on stdout, too, which is the console's. */
static void memhelm_print(const char *text)
{
    fputs(text, stderr);
}

#ifdef CONFIG_SECCOMP
static void memhelm_sandbox(void)
{
    QemuOpts *opts = qemu_opts_parse_noisily(qemu_find_opts("sandbox"),
        "on,obsolete=deny,elevateprivileges=deny,spawn=deny,"
        "resourcecontrol=deny", true);

    if (opts) {
        parse_sandbox(NULL, opts, NULL); /* false: the host does not allow it */
    }
}
#else
static void memhelm_sandbox(void)
{
}
#endif

void memhelm_process_init(CPUState *mcu)
{
    memhelm_crash_env = &RISCV_CPU(mcu)->env;
    g_set_print_handler(memhelm_print);
    memhelm_watch_crashes();
    memhelm_sandbox();
}
