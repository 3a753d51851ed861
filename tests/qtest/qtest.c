#include "qtest/qtest.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include "memhelm/config_file.h"
#include "memhelm/registers.h"
#include "qtest/expected.h"

enum { IRQ_LINES = 32, ANSWER_BYTES = 256, TIMEOUT_SECONDS = 60 };

struct qtest {
    pid_t pid;
    FILE *in, *out;
    bool irq[IRQ_LINES];
    char answer[ANSWER_BYTES];
};

static int listen_in(struct sockaddr_un *address, const char *dir)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    int length = snprintf(address->sun_path, sizeof address->sun_path, "%s/qtest.sock", dir);

    if (length >= (int)sizeof address->sun_path)
        fail_msg("the path of a socket in %s would be too long", dir);
    address->sun_family = AF_UNIX;
    unlink(address->sun_path);
    assert_return_code(fd, 0);
    assert_return_code(bind(fd, (struct sockaddr *)address, sizeof *address), 0);
    assert_return_code(listen(fd, 1), 0);
    return fd;
}

static pid_t start_qemu(const char *qemu, const char *dir, const char *socket_path)
{
    char machine[600], channel[sizeof(struct sockaddr_un) + 8];
    pid_t pid;

    snprintf(machine, sizeof machine, "memhelm,run=%s", dir);
    snprintf(channel, sizeof channel, "unix:%s", socket_path);
    pid = fork();
    assert_return_code(pid, 0);
    if (pid == 0) {
        execl(qemu, qemu, "-M", machine, "-accel", "qtest", "-nodefaults", "-display", "none", "-qtest", channel,
              "-qtest-log", "/dev/null", (char *)NULL);
        perror(qemu);
        _exit(127);
    }
    return pid;
}

struct qtest *qtest_start(const char *qemu, const char *dir)
{
    struct sockaddr_un address = {0};
    struct timeval limit = {.tv_sec = TIMEOUT_SECONDS};
    struct qtest *q = calloc(1, sizeof *q);
    int listener = listen_in(&address, dir), fd;

    assert_non_null(q);
    signal(SIGPIPE, SIG_IGN);
    /* Accepted and read with a limit: a QEMU that dies at once must not hang the test. */
    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    q->pid = start_qemu(qemu, dir, address.sun_path);
    fd = accept(listener, NULL, NULL);
    close(listener);
    unlink(address.sun_path);
    assert_return_code(fd, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    q->in = fdopen(fd, "r");
    q->out = fdopen(dup(fd), "w");
    return q;
}

int qtest_wait(struct qtest *q)
{
    int status = -1;

    waitpid(q->pid, &status, 0);
    fclose(q->in);
    fclose(q->out);
    free(q);
    return status;
}

int qtest_stop(struct qtest *q)
{
    kill(q->pid, SIGTERM);
    return qtest_wait(q);
}

/* `IRQ raise 11` may come before the answer to a command. */
static bool is_irq(struct qtest *q)
{
    char direction[16];
    unsigned line;

    if (sscanf(q->answer, "IRQ %15s %u", direction, &line) != 2)
        return false;
    if (line < IRQ_LINES)
        q->irq[line] = strcmp(direction, "raise") == 0;
    return true;
}

static const char *command(struct qtest *q, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(q->out, format, args);
    va_end(args);
    fputc('\n', q->out);
    fflush(q->out);
    do {
        if (!fgets(q->answer, sizeof q->answer, q->in))
            fail_msg("QEMU has gone away");
    } while (is_irq(q));
    if (strncmp(q->answer, "OK", 2) != 0)
        fail_msg("QEMU answered: %s", q->answer);
    return q->answer + 2;
}

static char suffix(unsigned size)
{
    return size == 1 ? 'b' : size == 2 ? 'w' : 'l';
}

uint32_t qtest_read(struct qtest *q, uint32_t address, unsigned size)
{
    return (uint32_t)strtoull(command(q, "read%c 0x%x", suffix(size), address), NULL, 0);
}

void qtest_write(struct qtest *q, uint32_t address, uint32_t value, unsigned size)
{
    command(q, "write%c 0x%x 0x%x", suffix(size), address, value);
}

void qtest_step(struct qtest *q, uint64_t cycles)
{
    command(q, "clock_step %llu", (unsigned long long)cycles);
}

void qtest_intercept(struct qtest *q)
{
    command(q, "irq_intercept_in /machine/hart/harts[0]");
}

bool qtest_irq(const struct qtest *q, unsigned line)
{
    return line < IRQ_LINES && q->irq[line];
}

struct mh_config cfg;
struct qtest *device;

static const char *run_dir;

static void device_open(void)
{
    char path[600];
    struct mh_error err;

    run_dir = getenv("QTEST_RUN");
    snprintf(path, sizeof path, "%s/config.yaml", run_dir);
    if (mh_config_load(&cfg, path, &err) || mh_config_resolve(&cfg, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    expected_build(&cfg);
}

uint32_t get(uint32_t offset)
{
    return qtest_read(device, MH_GPU_BASE + offset, 4);
}

void set(uint32_t offset, uint32_t value)
{
    qtest_write(device, MH_GPU_BASE + offset, value, 4);
}

int device_start(void **state)
{
    (void)state;
    if (!run_dir)
        device_open();
    device = qtest_start(getenv("MEMHELM_QEMU"), run_dir);
    return 0;
}

int device_stop(void **state)
{
    (void)state;
    if (device)
        qtest_stop(device);
    device = NULL;
    return 0;
}

const char *device_result(void)
{
    static char path[600];

    snprintf(path, sizeof path, "%s/result.json", run_dir);
    return path;
}
