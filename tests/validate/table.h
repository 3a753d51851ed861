/*
 * The table of `make validate`: a row says what was expected, from the configuration's parameters alone, and what the
 * model did. A program is
 *
 *     int main(int argc, char **argv)
 *     {
 *         table_open(argc, argv);
 *         table_layer("%s L2", preset);
 *         table_exact(30, cycles, "hit, %s", "read");
 *         return table_close();
 *     }
 *
 * Every tests/validate/validate_NAME.c is built as build/validate/validate_NAME and run by `make validate`, which adds
 * the totals up. Rows appear in the order of the calls; a program must print the same bytes every time.
 */
#ifndef TESTS_VALIDATE_TABLE_H
#define TESTS_VALIDATE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define TABLE_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/** Prints the heading, unless the only argument is `--rows` (somebody else has printed it). */
void table_open(int argc, char **argv);

/** First column of the rows that follow. */
void table_layer(const char *fmt, ...) TABLE_PRINTF(1, 2);

/** Equal, or a MISS. */
void table_exact(uint64_t expected, uint64_t measured, const char *what, ...) TABLE_PRINTF(3, 4);

/** No further than `percent` of `expected` away from it. Neither may be a NaN. */
void table_within(double expected, double measured, double percent, const char *what, ...) TABLE_PRINTF(4, 5);

/** At least, or at most, what is expected. */
void table_at_least(double expected, double measured, const char *what, ...) TABLE_PRINTF(3, 4);
void table_at_most(double expected, double measured, const char *what, ...) TABLE_PRINTF(3, 4);

/**
 * An effect, in %: what is expected and what was measured are both more than `least`, both less than -`least`, or both
 * neither. With `same` false it is known that they are not, and `what` says why: a MISS when they are.
 */
void table_sign(bool same, double expected, double measured, double least, const char *what, ...) TABLE_PRINTF(5, 6);

/** A row that could not be measured: a MISS that says why. */
void table_miss(const char *why, const char *what, ...) TABLE_PRINTF(2, 3);

/** Prints `NAME: N of M as expected`; the exit status of the program: 0 when N is M and M is not 0. */
int table_close(void);

#endif
