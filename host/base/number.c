#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* value *= 10, `times` times. */
static bool shift(uint64_t *value, long times)
{
    for (; times > 0 && *value; times--)
        if (__builtin_mul_overflow(*value, 10, value))
            return false;
    return times >= 0;
}

/* Adds the digits at *text to the value, and passes them; how many there were, -1: it does not fit. */
static long take_digits(const char **text, uint64_t *value)
{
    long count = 0;
    for (; **text >= '0' && **text <= '9'; ++*text, count++)
        if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, **text - '0', value))
            return -1;
    return count;
}

bool number_scaled(const char *text, uint64_t *value)
{
    static const char letters[] = "KMG";
    uint64_t exponent = 0;
    long places = 0;
    *value = 0;
    if (take_digits(&text, value) < 1)
        return false;
    if (*text == '.') {
        text++;
        places = take_digits(&text, value);
        if (places < 1)
            return false;
    }
    if (*text == 'e') {
        text++;
        const long digits = take_digits(&text, &exponent);
        return digits > 0 && digits < 3 && !*text && shift(value, (long)exponent - places);
    }
    const char *letter = *text ? strchr(letters, *text == 'k' ? 'K' : *text) : NULL;
    if (*text && (!letter || text[1]))
        return false;
    return shift(value, (letter ? 3 * (letter - letters + 1) : 0) - places);
}

bool number_any(const char *text, double *value)
{
    uint64_t scaled;
    char *end;
    if (number_scaled(text, &scaled)) {
        *value = (double)scaled;
        return true;
    }
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value) && strchr("+-.0123456789", *text) && !strpbrk(text, "xX");
}

void number_gain(double gain, char *text, size_t size)
{
    const bool none = fabs(100 * gain) < 0.05;
    snprintf(text, size, none ? "%.1f %%" : "%+.1f %%", none ? 0 : 100 * gain);
}

void number_short(double value, int digits, char *text, size_t size)
{
    const bool all = fabs(value) >= pow(10, digits);
    snprintf(text, size, all ? "%.*f" : "%.*g", all ? 0 : digits, value);
}

void number_exact(double value, char text[NUMBER_TEXT])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

double mean_arithmetic(const double *values, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

double mean_geometric(const double *values, unsigned count, double shift)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += log(values[i] + shift);
    return exp(sum / count) - shift;
}

double mean_least(const double *values, unsigned count)
{
    double v = count ? values[0] : (double)NAN;
    for (unsigned i = 1; i < count; i++)
        v = fmin(v, values[i]);
    return v;
}

double mean_most(const double *values, unsigned count)
{
    double v = count ? values[0] : (double)NAN;
    for (unsigned i = 1; i < count; i++)
        v = fmax(v, values[i]);
    return v;
}

static int by_value(const void *a, const void *b)
{
    double v = *(const double *)a, w = *(const double *)b;
    return (v > w) - (v < w);
}

/* Of sorted values: at `part` of the way from the first to the last. */
static double quantile(const double *sorted, unsigned count, double part)
{
    double place = part * (count - 1);
    unsigned below = (unsigned)place, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

double mean_median(double *values, unsigned count)
{
    if (!count)
        return (double)NAN;
    qsort(values, count, sizeof *values, by_value);
    return quantile(values, count, 0.5);
}

bool quartiles_of(double *values, unsigned count, struct quartiles *out)
{
    if (count < QUARTILES_LEAST)
        return false;
    qsort(values, count, sizeof *values, by_value);
    *out =
        (struct quartiles){quantile(values, count, 0.25), quantile(values, count, 0.5), quantile(values, count, 0.75)};
    return true;
}

/* Two-sided 95 % points of Student's t by degrees of freedom, from 1; Abramowitz and Stegun, table 26.10. */
static const double t95[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                             2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
#define T95_LIMIT 1.960 /* of the normal distribution: what t comes to with many values */

static double t_point(unsigned freedom)
{
    const unsigned known = sizeof t95 / sizeof *t95;
    /* Between the table's end and infinity t falls as 1 / freedom: within 0.002 of the exact points. */
    return freedom <= known ? t95[freedom - 1] : T95_LIMIT + (t95[known - 1] - T95_LIMIT) * known / freedom;
}

struct interval interval_of(const double *values, unsigned count)
{
    struct interval i = {.mean = NAN, .half = NAN, .count = count};
    double squares = 0;
    if (count)
        i.mean = mean_arithmetic(values, count);
    if (count > 1 && !isnan(i.mean) && mean_least(values, count) == mean_most(values, count)) {
        i.mean = values[0]; /* exactly: nothing that the mean rounds */
        i.half = 0;
        return i;
    }
    for (unsigned k = 0; k < count; k++)
        squares += (values[k] - i.mean) * (values[k] - i.mean);
    if (count > 1)
        i.half = t_point(count - 1) * sqrt(squares / (count - 1) / count);
    return i;
}

bool interval_is_effect(const struct interval *i)
{
    return fabs(i->mean) > i->half;
}
