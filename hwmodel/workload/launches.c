#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct selected {
    struct mh_workload w; /* first */
    struct mh_workload *whole;
    struct mh_launch_range range;
};

static const char one[] = "@launch=", many[] = "@launches=";

static bool begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

const char *mh_launches_part(const char *spec)
{
    const char *at = strrchr(spec, '@');

    /* one in the name of a folder is none */
    return at && !strchr(at, '/') && (begins(at, one) || begins(at, many)) ? at : spec + strlen(spec);
}

/* A number of launches at `text`, and what is behind it; NULL: there is none. */
static const char *number(const char *text, uint32_t *value)
{
    uint64_t n = 0;

    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9' && n < UINT32_MAX; text++)
        n = n * 10 + (uint64_t)(*text - '0');
    *value = (uint32_t)n;
    return n < UINT32_MAX ? text : NULL;
}

int mh_launches_range(const char *spec, struct mh_launch_range *range, struct mh_error *err)
{
    const char *part = mh_launches_part(spec), *end;
    uint32_t last;

    *range = (struct mh_launch_range){0, UINT32_MAX};
    if (!*part)
        return 0;
    end = number(part + (begins(part, one) ? strlen(one) : strlen(many)), &range->first);
    last = range->first;
    if (end && begins(part, many))
        end = *end == '-' ? number(end + 1, &last) : NULL;
    if (!end || *end || last < range->first)
        return mh_fail(err, "'%.64s': write @launch=2 or, for several, @launches=2-5; the first launch is number 0",
                       part);
    range->end = last + 1;
    return 0;
}

void mh_launches_text(struct mh_launch_range range, char text[MH_LAUNCHES_TEXT])
{
    if (range.end == UINT32_MAX)
        *text = 0;
    else if (range.end - range.first == 1)
        snprintf(text, MH_LAUNCHES_TEXT, "%s%u", one, range.first);
    else
        snprintf(text, MH_LAUNCHES_TEXT, "%s%u-%u", many, range.first, range.end - 1);
}

/* The whole workload knows its own numbers. */
static void start(const struct mh_workload *w, struct mh_cursor *c)
{
    const struct selected *s = (const struct selected *)w;

    c->launch += s->range.first;
    s->whole->start(s->whole, c);
    c->launch -= s->range.first;
}

static void next(const struct mh_workload *w, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct selected *s = (const struct selected *)w;

    c->launch += s->range.first;
    s->whole->next(s->whole, c, op, addr);
    c->launch -= s->range.first;
}

static void destroy(struct mh_workload *w)
{
    struct selected *s = (struct selected *)w;

    s->whole->destroy(s->whole);
    free(s);
}

const struct mh_workload *mh_launches_whole(const struct mh_workload *w, struct mh_launch_range *range)
{
    const struct selected *s = (const struct selected *)w;

    *range = w->destroy == destroy ? s->range : (struct mh_launch_range){0, w->launch_count};
    return w->destroy == destroy ? s->whole : w;
}

/* The error lists so many launches by name. */
enum { NAMED = 8 };

static void fail_range(const struct mh_workload *w, const char *spec, struct mh_error *err)
{
    const char *part = mh_launches_part(spec);
    char names[NAMED * 48] = "";
    size_t used = 0;

    for (uint32_t l = 0; l < w->launch_count && l < NAMED; l++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%u %.32s", l ? ", " : "", l, w->launches[l].name);
    (void)mh_fail(err, "%.*s has launches 0 to %u (%s%s): '%.64s' is not among them", (int)(part - spec), spec,
                  w->launch_count - 1, names, w->launch_count > NAMED ? ", .." : "", part);
}

struct mh_workload *mh_launches_select(struct mh_workload *w, const char *spec, struct mh_error *err)
{
    struct mh_launch_range range;
    struct selected *s = NULL;

    if (!*mh_launches_part(spec))
        return w;
    if (mh_launches_range(spec, &range, err) == 0) {
        if (range.end > w->launch_count)
            fail_range(w, spec, err);
        else if (!(s = malloc(sizeof *s)))
            (void)mh_fail(err, "%s: out of memory", spec);
    }
    if (!s) {
        w->destroy(w);
        return NULL;
    }
    *s = (struct selected){.w = *w, .whole = w, .range = range};
    s->w.launches += range.first;
    s->w.launch_count = range.end - range.first;
    s->w.start = start;
    s->w.next = next;
    s->w.destroy = destroy;
    return &s->w;
}
