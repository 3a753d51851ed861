#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"

/* FIRST..LAST, and how the next value is made. */
struct range {
    double first, last, by;
    char how;     /* + or * */
    int decimals; /* of its numbers, the most */
};

static int count_decimals(const char *from, const char *end)
{
    const char *point = memchr(from, '.', (size_t)(end - from));
    return point ? (int)(end - point) - 1 : 0;
}

/* A plain number at `*at`, which is moved behind it: digits, a point with digits, no exponent. */
static bool take_number(const char **at, double *value, int *decimals)
{
    const char *from = *at, *end = from + (*from == '-');
    size_t digits = strspn(end, "0123456789");
    end += digits;
    if (*end == '.' && end[1] >= '0' && end[1] <= '9')
        end += 1 + strspn(end + 1, "0123456789");
    int own = count_decimals(from, end);
    if (!digits || own > 9)
        return false;
    *value = strtod(from, NULL);
    *decimals = own > *decimals ? own : *decimals;
    *at = end;
    return true;
}

static bool parse_range(const char *text, struct range *r)
{
    *r = (struct range){.how = '+', .by = 1};
    if (!take_number(&text, &r->first, &r->decimals) || strncmp(text, "..", 2) != 0)
        return false;
    text += 2;
    if (!take_number(&text, &r->last, &r->decimals))
        return false;
    if (*text == '+' || *text == '*') {
        r->how = *text++;
        if (!take_number(&text, &r->by, &r->decimals))
            return false;
    }
    return !*text && r->last >= r->first && (r->how == '+' ? r->by > 0 : r->by > 1 && r->first > 0);
}

/* Each from the first, so that sums of decimals do not drift. */
static int add_range(struct words *values, const struct range *r, struct mh_error *err)
{
    double slack = r->how == '+' ? r->by * 1e-6 : r->last * 1e-9;
    for (unsigned i = 0; values->count <= SPEC_VALUES; i++) {
        char text[64];
        double v = r->how == '+' ? r->first + i * r->by : r->first * pow(r->by, i);
        if (v > r->last + slack)
            return 0;
        snprintf(text, sizeof text, "%.*f", r->decimals, v);
        words_add(values, text);
    }
    return mh_fail(err, "more than %d values", SPEC_VALUES);
}

int axis_parse(struct words *values, const char *text, struct mh_error *err)
{
    struct words parts = {0};
    struct range range;
    int status = 0;
    words_split(&parts, text);
    for (unsigned i = 0; !status && i < parts.count; i++) {
        const char *part = parts.text[i];
        if (!*part)
            status = mh_fail(err, "'%.60s': a value is missing between two commas", text);
        else if (parse_range(part, &range))
            status = add_range(values, &range, err);
        else if (strstr(part, ".."))
            status = mh_fail(err, "'%.60s' is no range: write 1..8, 1..64*2 or 0..100+25, the smaller end first", part);
        else
            words_add(values, part);
    }
    words_free(&parts);
    return status;
}
