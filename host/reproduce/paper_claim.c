#include "paper_claim.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#define NOISE 0.02 /* [ours]; also what "about 0" means */

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " ");
}

/* Skips `word`; false when the text does not begin with it. */
static bool take(const char **p, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*p, word, n))
        return false;
    *p = skip_blanks(*p + n);
    return true;
}

static bool take_number(const char **p, double *v)
{
    char *end;
    if (!isdigit((unsigned char)(*p)[strspn(*p, "+-.")]))
        return false;
    *v = strtod(*p, &end);
    if (end == *p)
        return false;
    *p = skip_blanks(end);
    return true;
}

/* "1..2": strtod takes "1." as a number. */
static bool take_range(struct claim *c, const char **p)
{
    const char *dots = strstr(*p, "..");
    char first[32];
    if (!dots) {
        bool number = take_number(p, &c->low);
        c->high = c->low;
        return number;
    }
    const char *q = first;
    snprintf(first, sizeof first, "%.*s", (int)(dots - *p), *p);
    *p = skip_blanks(dots + 2);
    return take_number(&q, &c->low) && !*q && take_number(p, &c->high) && c->low <= c->high;
}

static bool take_body(struct claim *c, const char **p)
{
    c->form = CLAIM_RANGE;
    if (take(p, "higher")) {
        c->form = CLAIM_ABOVE;
        return true;
    }
    if (take(p, "lower")) {
        c->form = CLAIM_BELOW;
        return true;
    }
    if (take(p, "about")) {
        c->form = CLAIM_WITHIN;
        return take_number(p, &c->high) && c->high == 0;
    }
    c->form = take(p, "within") ? CLAIM_WITHIN : take(p, "<") ? CLAIM_BELOW : take(p, ">") ? CLAIM_ABOVE : CLAIM_RANGE;
    return take_range(c, p) && (c->form == CLAIM_RANGE || c->low == c->high);
}

static void scale(struct claim *c)
{
    double unit = c->unit == UNIT_PERCENT ? 0.01 : 1;
    double shift = c->unit == UNIT_TIMES && c->gain ? 1 : 0;
    c->low = c->low * unit - shift;
    c->high = c->high * unit - shift;
}

int claim_parse(struct claim *c, const char *text, bool gain, struct mh_error *err)
{
    const char *p = skip_blanks(text);
    memset(c, 0, sizeof *c);
    c->gain = gain;
    c->direction = !strcmp(p, "higher") || !strcmp(p, "lower");
    bool about = !strncmp(p, "about", 5), good = take_body(c, &p);
    c->unit = take(&p, "%") || (c->direction && gain) ? UNIT_PERCENT : take(&p, "x") ? UNIT_TIMES : UNIT_PLAIN;
    if (!good || *p)
        return mh_fail(err,
                       "'%.60s' is no claim of a paper; write it as +57.8 %%, 3.8x, 2..3 x, about 0 %%, within 0.8 %%, "
                       "< 1 %%, > 20, higher or lower",
                       text);
    if (about)
        c->high = NOISE;
    else if (!c->direction)
        scale(c);
    return 0;
}

static bool near(const struct claim *c, double ours)
{
    return ours >= c->low - fabs(c->low) / 4 && ours <= c->high + fabs(c->high) / 4;
}

static enum verdict score_number(const struct claim *c, bool level, double ours)
{
    if (near(c, ours))
        return VERDICT_QUARTER;
    return !level && ours * (c->low + c->high) > 0 ? VERDICT_SIGN : VERDICT_MISS;
}

/* `kept`, `broken`: by all values between the ends of the interval. */
static enum verdict score_bound(bool kept, bool broken)
{
    return kept ? VERDICT_QUARTER : broken ? VERDICT_MISS : VERDICT_NONE;
}

enum verdict claim_score(const struct claim *c, bool level, double ours, double half)
{
    bool effect = c->direction || (c->form == CLAIM_RANGE && !level);
    double width = !isnan(half) ? half : effect && c->gain ? NOISE : 0;
    double least = ours - width, most = ours + width;
    if (isnan(ours))
        return VERDICT_NOT_RUN;
    if (effect && !(fabs(ours) > width))
        return VERDICT_NONE;
    switch (c->form) {
    case CLAIM_WITHIN:
        return score_bound(least >= -c->high && most <= c->high, least > c->high || most < -c->high);
    case CLAIM_BELOW:
        return score_bound(most < c->high, least >= c->high);
    case CLAIM_ABOVE:
        return score_bound(least > c->low, most <= c->low);
    default:
        return score_number(c, level, ours);
    }
}

static bool rounds_to_none(double percents)
{
    return fabs(percents) < 0.05;
}

void claim_format(const struct claim *c, double value, char *text, size_t size)
{
    if (isnan(value))
        snprintf(text, size, "-");
    else if (c->unit == UNIT_PERCENT && c->gain)
        number_gain(value, text, size);
    else if (c->unit == UNIT_PERCENT)
        snprintf(text, size, "%.1f %%", rounds_to_none(100 * value) ? 0 : 100 * value);
    else if (c->unit == UNIT_TIMES)
        snprintf(text, size, "%.2fx", value + c->gain);
    else
        number_short(value, 3, text, size);
}

void claim_format_interval(const struct claim *c, double value, double half, char *text, size_t size)
{
    char mean[32], width[32];
    claim_format(c, value, mean, sizeof mean);
    number_short(half, 3, width, sizeof width);
    const int digits = (int)strcspn(mean, " x"); /* the unit stands behind the interval */
    if (isnan(value) || isnan(half))
        snprintf(text, size, "%s", mean);
    else if (c->unit == UNIT_PERCENT)
        snprintf(text, size, "%.*s +- %.1f %%", digits, mean, 100 * half);
    else if (c->unit == UNIT_TIMES)
        snprintf(text, size, "%.*s +- %.2fx", digits, mean, half);
    else
        snprintf(text, size, "%s +- %s", mean, width);
}

double claim_ratio(const struct claim *c, double ours)
{
    double middle = (c->low + c->high) / 2;
    return c->form == CLAIM_RANGE && middle != 0 ? ours / middle : (double)NAN;
}
