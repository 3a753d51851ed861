/* Simulations that do not go on: how long is waited, what is said, once, and when they are ended. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/watch.h"

static struct watch w;
static char text[512];

static const struct watch_subject subject = {.image = "img", .pid = 77, .gdb = 1234};

/* So many seconds of the same sight; the last verdict that was not WATCH_WELL, and how many there were. */
static enum watch_verdict see(const struct watch_subject *of, struct watch_sight seen, int seconds, int *verdicts)
{
    enum watch_verdict last = WATCH_WELL;
    *verdicts = 0;
    for (int i = 0; i < seconds; i++) {
        enum watch_verdict v = watch_step(&w, of, &seen, 1, text, sizeof text);
        last = v == WATCH_WELL ? last : v;
        *verdicts += v != WATCH_WELL;
    }
    return last;
}

static int fresh(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    *text = 0;
    return 0;
}

static void test_timeout(void **state)
{
    struct watch_subject of = subject;
    int n;
    (void)state;
    of.timeout = 5;
    assert_int_equal(see(&of, (struct watch_sight){.busy = 1}, 4, &n), WATCH_WELL);
    assert_int_equal(see(&of, (struct watch_sight){.busy = 2}, 1, &n), WATCH_END);
    assert_string_equal(text, "img: not finished after 5 s, and ended (--timeout): allow more seconds, or simulate "
                              "fewer --cycles");
    fresh(NULL);
    of.timeout = 0;
    assert_int_equal(see(&of, (struct watch_sight){.busy = 1}, 1000, &n), WATCH_WELL);
}

static void test_stopped(void **state)
{
    struct watch_subject of = subject;
    const struct watch_sight stopped = {.stopped = true}, runs = {.busy = 1};
    int n;
    (void)state;
    assert_int_equal(see(&of, stopped, 1, &n), WATCH_WELL); /* a moment */
    assert_int_equal(see(&of, stopped, 30, &n), WATCH_WARN);
    assert_int_equal(n, 1);
    assert_string_equal(text, "img: QEMU (pid 77) is stopped; `kill -CONT 77` lets it go on; after 60 s it is ended");
    assert_int_equal(see(&of, runs, 1, &n), WATCH_WELL);
    assert_int_equal(see(&of, stopped, 59, &n), WATCH_WARN); /* again from the start */
    assert_int_equal(see(&of, stopped, 1, &n), WATCH_END);
    assert_string_equal(text, "img: QEMU (pid 77) was stopped for 60 s and nobody let it go on: ended");
    of.timeout = 10;
    of.twin = true;
    fresh(NULL);
    assert_int_equal(see(&of, stopped, 10, &n), WATCH_END);
    assert_string_equal(text, "img: not finished after 10 s, and ended (--timeout): the twin (pid 77) was stopped");
}

/* Without a debugger the mcu waits for one; with one it may stand as long as he likes; without him again it may not.
 */
static void test_debugger_gone(void **state)
{
    const struct watch_sight alone = {.busy = 0.1}, debugged = {.busy = 0.1, .debugged = true};
    int n;
    (void)state;
    assert_int_equal(see(&subject, alone, 1000, &n), WATCH_WELL);
    assert_int_equal(see(&subject, debugged, 1000, &n), WATCH_WELL);
    assert_int_equal(see(&subject, alone, 10, &n), WATCH_WARN);
    assert_int_equal(n, 1);
    assert_non_null(strstr(text, "img: the debugger has gone away and the mcu stands still; attach again (target "
                                 "remote 127.0.0.1:1234), or end the run with Ctrl-C; after 60 s it is ended"));
    assert_int_equal(see(&subject, debugged, 10, &n), WATCH_WELL);
    assert_int_equal(see(&subject, alone, 60, &n), WATCH_END);
    assert_int_equal(n, 2);
    assert_non_null(strstr(text, "none came back in 60 s: ended; `detach` before gdb ends lets a run go on"));
}

/* He has detached, or left it running: it computes. */
static void test_goes_on_without_debugger(void **state)
{
    int n;
    (void)state;
    assert_int_equal(see(&subject, (struct watch_sight){.debugged = true}, 5, &n), WATCH_WELL);
    for (int i = 1; i < 200; i++)
        assert_int_equal(see(&subject, (struct watch_sight){.busy = 0.9 * i}, 1, &n), WATCH_WELL);
}

/* --- What the system says. */

static void test_look_process(void **state)
{
    pid_t child = fork();
    (void)state;
    if (!child)
        for (;;)
            pause();
    assert_false(watch_look(child, 0).stopped);
    kill(child, SIGSTOP);
    waitpid(child, NULL, WUNTRACED);
    assert_true(watch_look(child, 0).stopped);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    double before = watch_look(getpid(), 0).busy;
    for (volatile unsigned i = 0; watch_look(getpid(), 0).busy < before + 0.05; i++)
        ;
    assert_false(watch_look(child, 0).stopped); /* gone */
}

static void test_look_port(void **state)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    (void)state;
    assert_int_equal(bind(server, (struct sockaddr *)&at, size), 0);
    assert_int_equal(listen(server, 1), 0);
    assert_int_equal(getsockname(server, (struct sockaddr *)&at, &size), 0);
    unsigned port = ntohs(at.sin_port);
    assert_false(watch_look(getpid(), port).debugged);
    assert_int_equal(connect(client, (struct sockaddr *)&at, size), 0);
    int taken = accept(server, NULL, NULL);
    assert_true(watch_look(getpid(), port).debugged);
    assert_false(watch_look(getpid(), 0).debugged);
    close(client);
    close(taken);
    assert_false(watch_look(getpid(), port).debugged);
    close(server);
}

int test_host_watch(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_timeout, fresh),
        cmocka_unit_test_setup(test_stopped, fresh),
        cmocka_unit_test_setup(test_debugger_gone, fresh),
        cmocka_unit_test_setup(test_goes_on_without_debugger, fresh),
        cmocka_unit_test(test_look_process),
        cmocka_unit_test(test_look_port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
