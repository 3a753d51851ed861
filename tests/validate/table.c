#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct {
    const char *program;
    char layer[64], what[128];
    unsigned good, rows;
} table;

#define FORMAT "%-20s %-64s %14s %14s %9s %s\n"

void table_open(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');

    table.program = slash ? slash + 1 : argv[0];
    if (argc != 2 || strcmp(argv[1], "--rows"))
        printf(FORMAT, "layer", "what", "expected", "measured", "tolerance", "");
}

void table_layer(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(table.layer, sizeof table.layer, fmt, ap);
    va_end(ap);
}

static void row(const char *expected, const char *measured, const char *tolerance, bool ok)
{
    table.rows++;
    table.good += ok;
    printf(FORMAT, table.layer, table.what, expected, measured, tolerance, ok ? "ok" : "MISS");
    fflush(stdout);
}

#define SET_WHAT(what)                                                                                                 \
    do {                                                                                                               \
        va_list ap;                                                                                                    \
        va_start(ap, what);                                                                                            \
        vsnprintf(table.what, sizeof table.what, what, ap);                                                            \
        va_end(ap);                                                                                                    \
    } while (0)

void table_exact(uint64_t expected, uint64_t measured, const char *what, ...)
{
    char e[32], m[32];

    SET_WHAT(what);
    snprintf(e, sizeof e, "%llu", (unsigned long long)expected);
    snprintf(m, sizeof m, "%llu", (unsigned long long)measured);
    row(e, m, "exact", expected == measured);
}

static void real_row(double expected, double measured, const char *tolerance, bool ok)
{
    char e[32], m[32];

    snprintf(e, sizeof e, "%.6g", expected);
    snprintf(m, sizeof m, "%.6g", measured);
    row(e, m, tolerance, ok);
}

void table_within(double expected, double measured, double percent, const char *what, ...)
{
    char t[32];

    SET_WHAT(what);
    snprintf(t, sizeof t, "%g %%", percent);
    real_row(expected, measured, t, fabs(measured - expected) <= fabs(expected) * percent / 100);
}

void table_at_least(double expected, double measured, const char *what, ...)
{
    SET_WHAT(what);
    real_row(expected, measured, "at least", measured >= expected);
}

void table_at_most(double expected, double measured, const char *what, ...)
{
    SET_WHAT(what);
    real_row(expected, measured, "at most", measured <= expected);
}

static int sign_of(double effect, double least)
{
    return (effect > least) - (effect < -least);
}

void table_sign(bool same, double expected, double measured, double least, const char *what, ...)
{
    char e[32], m[32], t[32];

    SET_WHAT(what);
    snprintf(e, sizeof e, "%+.1f %%", expected);
    snprintf(m, sizeof m, "%+.1f %%", measured);
    snprintf(t, sizeof t, "%s sign", same ? "same" : "other");
    row(e, m, t, same == (sign_of(expected, least) == sign_of(measured, least)));
}

void table_miss(const char *why, const char *what, ...)
{
    SET_WHAT(what);
    row("-", why, "-", false);
}

int table_close(void)
{
    printf("%s: %u of %u as expected\n", table.program, table.good, table.rows);
    return table.rows && table.good == table.rows ? 0 : 1;
}
