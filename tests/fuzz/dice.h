/* What fuzzers share: deterministic numbers, the command line. */
#ifndef MEMHELM_TESTS_DICE_H
#define MEMHELM_TESTS_DICE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "workload/gen.h"

/** The numbers of one round: a function of its seed. */
struct dice {
    uint64_t seed, count;
};

/** The next one, 0 .. sides - 1. */
static inline uint64_t roll(struct dice *d, uint64_t sides)
{
    return mh_random(d->seed, d->count++) % sides;
}

/** Ends the program: it cannot do what it was asked for. */
static inline void die(const char *what, const char *detail)
{
    fprintf(stderr, "fuzz: %s%s\n", what, detail);
    exit(2);
}

/** Ends the program as a crash does, with what does not hold; its name is in the line before. */
static inline void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/** Ends the program with SIGPROF when it computes for a round's longest time from here on: it hangs. */
static inline void hang_begins(void)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = 20}, NULL);
}

/** It does not. */
static inline void hang_ends(void)
{
    setitimer(ITIMER_PROF, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
}

/** Argument `index` of the command line as a number, `absent` without it; anything else ends the program. */
static inline uint64_t dice_argument(int argc, char **argv, int index, uint64_t absent)
{
    char *end;

    if (index >= argc)
        return absent;
    uint64_t value = strtoull(argv[index], &end, 0);
    if (!*argv[index] || *end)
        die("not a number: ", argv[index]);
    return value;
}

/**
 * A program `name` whose arguments are rounds (`absent` without it) and seed, and whose round says whether its input
 * was accepted. In a thousand rounds some must be, or it has tried nothing. Returns the exit status.
 */
static inline int dice_rounds(int argc, char **argv, const char *name, uint64_t absent,
                              bool (*round)(uint64_t seed, uint64_t n))
{
    uint64_t rounds = dice_argument(argc, argv, 1, absent), seed = dice_argument(argc, argv, 2, 1), accepted = 0;

    printf("%s: seed %llu, %llu rounds\n", name, (unsigned long long)seed, (unsigned long long)rounds);
    fflush(stdout);
    for (uint64_t n = 0; n < rounds; n++)
        accepted += round(seed, n);
    printf("%s: done, %llu accepted\n", name, (unsigned long long)accepted);
    return rounds >= 1000 && !accepted;
}

#endif
