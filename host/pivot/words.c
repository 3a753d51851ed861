#include "words.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 4 };

const char *words_value(const struct points_value *v, char number[NUMBER_TEXT])
{
    if (v->text)
        return v->text;
    if (isnan(v->number))
        return "-";
    number_exact(v->number, number);
    return number;
}

static void join(char text[WORDS_LABEL], const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, WORDS_LABEL - used, "%s%s", used ? ", " : "", more);
}

void words_label(const struct points *p, const struct column_list *columns, unsigned row, char text[WORDS_LABEL])
{
    char number[NUMBER_TEXT];
    *text = 0;
    for (unsigned i = 0; i < columns->count; i++)
        join(text, words_value(points_at(p, row, columns->at[i]), number));
}

void words_names(const struct points *p, const struct column_list *columns, char text[WORDS_LABEL])
{
    *text = 0;
    for (unsigned i = 0; i < columns->count; i++)
        join(text, p->columns[columns->at[i]].name);
}

/* Digits behind the point that make DIGITS in all; -1: it is too small to be written so. */
static int decimals(double value)
{
    if (value == 0)
        return 0;
    const int before = (int)floor(log10(fabs(value))) + 1;
    return before > DIGITS ? 0 : before < -2 ? -1 : DIGITS - before;
}

static void level(double value, int digits, char *text, size_t size)
{
    snprintf(text, size, digits < 0 ? "%.*g" : "%.*f", digits < 0 ? DIGITS : digits, value);
}

void words_mean(enum relation relation, double value, double half, char *text, size_t size)
{
    char mean[NUMBER_TEXT], width[NUMBER_TEXT] = "";
    if (isnan(value)) {
        snprintf(text, size, "-");
        return;
    }
    const int digits = relation == RELATION_GAIN ? 1 : relation == RELATION_RATIO ? 3 : decimals(value);
    if (relation == RELATION_GAIN)
        number_gain(value, mean, sizeof mean);
    else
        level(value, digits, mean, sizeof mean);
    level(relation == RELATION_GAIN ? 100 * half : half, digits, width, sizeof width);
    const size_t n = strcspn(mean, " "); /* the unit stands behind the interval */
    snprintf(text, size, "%.*s%s%s%s%s", (int)n, mean, isnan(half) ? "" : " +- ", isnan(half) ? "" : width, mean + n,
             relation == RELATION_RATIO ? "x" : "");
}
