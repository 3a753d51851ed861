/*
 * Faults put into a running GPU. For tests that the invariants of a debug build bite: a child process must stop at
 * once. For tests of the deadlock report: a GPU that loses an event (mh_loss). unit/test.h comes first.
 */
#ifndef TESTS_BROKEN_GPU_H
#define TESTS_BROKEN_GPU_H

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sm_fixture.h"

enum { FAULT_AT = 4000 };

typedef void fault(struct mh_gpu *g);
typedef struct mh_gpu *running(void);

/* What the last child said on standard error. */
static char said[2048];

static inline void listen_to_child(int from)
{
    size_t length = 0;
    ssize_t n;
    while ((n = read(from, said + length, sizeof said - 1 - length)) > 0)
        length += (size_t)n;
    said[length] = 0;
    close(from);
}

static inline void run_with_fault(running *start, fault *break_it)
{
    struct mh_gpu *g = start();
    mh_gpu_advance(g, FAULT_AT);
    break_it(g);
    mh_gpu_check(g);
    mh_gpu_advance(g, 5 * FAULT_AT);
    mh_gpu_latch(g);
}

/* With the fault put in at FAULT_AT. */
static inline bool child_aborts(running *start, fault *break_it)
{
    int status, end[2];
    assert_int_equal(pipe(end), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        dup2(end[1], STDERR_FILENO);
        run_with_fault(start, break_it);
        _exit(0);
    }
    close(end[1]);
    listen_to_child(end[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static inline void no_fault(struct mh_gpu *g)
{
    (void)g;
}

/** The event with this number of its kind, counted from now on, never comes. */
static inline void lose(struct mh_gpu *g, uint32_t kind, uint32_t number)
{
    *g->loss = (struct mh_loss){.kind = kind, .number = number};
}

/** One load of page 2 and what waits for it, at cycle 0. */
static inline struct mh_gpu *one_load(void)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s;
    uint64_t addr = in_page(2, 3);
    return chain_gpu(&cfg, 1, &addr, &s);
}

#endif
