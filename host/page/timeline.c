#include "part.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

/* A line has at most two values of each part of the run: more are no wider than a pixel, and slow a browser down. */
enum { PARTS = 2000, COLOURS = 8, NAME = 120, TICKS = 4 };

struct span {
    double from, to, value;
};

struct timeline_line {
    char track[NAME], name[NAME];
    unsigned run;
    enum timeline_shape shape;
    int colour;
    struct span *spans;
    unsigned count, room;
};

struct timeline {
    char (*runs)[NAME];
    unsigned run_count, run_room;
    struct timeline_line **lines;
    unsigned count, room;
};

struct timeline *timeline_new(void)
{
    return must_have(1, sizeof(struct timeline));
}

void timeline_free(struct timeline *t)
{
    for (unsigned i = 0; i < t->count; i++) {
        free(t->lines[i]->spans);
        free(t->lines[i]);
    }
    free(t->lines);
    free(t->runs);
    free(t);
}

void timeline_run(struct timeline *t, const char *name)
{
    t->runs = grow(t->runs, t->run_count, &t->run_room, sizeof *t->runs);
    snprintf(t->runs[t->run_count++], NAME, "%.*s", NAME - 1, name);
}

static bool in_track(const struct timeline_line *l, unsigned run, const char *track)
{
    return l->run == run && !strcmp(l->track, track);
}

struct timeline_line *timeline_line(struct timeline *t, const char *track, const char *name, enum timeline_shape shape,
                                    int colour)
{
    struct timeline_line wanted = {.run = t->run_count - 1, .shape = shape, .colour = colour};
    unsigned of_run = 0, of_track = 0;

    snprintf(wanted.track, NAME, "%.*s", NAME - 1, track);
    snprintf(wanted.name, NAME, "%.*s", NAME - 1, name);
    for (unsigned i = 0; i < t->count; i++) {
        const bool same = in_track(t->lines[i], wanted.run, wanted.track);
        if (same && t->lines[i]->shape == shape && !strcmp(t->lines[i]->name, wanted.name))
            return t->lines[i];
        of_run += t->lines[i]->run == wanted.run;
        of_track += same;
    }
    if (of_run == TIMELINE_LINES)
        return NULL;
    if (colour == TIMELINE_NEXT)
        wanted.colour = (int)of_track;
    t->lines = grow(t->lines, t->count, &t->room, sizeof *t->lines);
    t->lines[t->count] = must_have(1, sizeof wanted);
    *t->lines[t->count] = wanted;
    return t->lines[t->count++];
}

void timeline_add(struct timeline_line *l, double from, double to, double value)
{
    struct span *last = l && l->count ? &l->spans[l->count - 1] : NULL;

    if (!l || !isfinite(value) || !(from >= 0 && to >= from) || (l->shape == TIMELINE_STEPS && to == from))
        return;
    if (last && l->shape == TIMELINE_STEPS && last->to == from && last->value == value) {
        last->to = to;
        return;
    }
    l->spans = grow(l->spans, l->count, &l->room, sizeof *l->spans);
    l->spans[l->count++] = (struct span){from, to, value};
}

/* --- What is drawn of a line. */

static bool is_thinned(const struct timeline_line *l)
{
    return l->count > 2 * PARTS;
}

/* Of each part the least and the greatest value, in their order; `kept` has room for 2 * PARTS. Returns how many. */
static unsigned thin(const struct timeline_line *l, struct span *kept)
{
    unsigned n = 0;

    for (unsigned p = 0; p < PARTS; p++) {
        const unsigned begin = (unsigned)((uint64_t)p * l->count / PARTS);
        unsigned least = begin, most = begin;
        for (unsigned i = begin; i < (uint64_t)(p + 1) * l->count / PARTS; i++) {
            least = l->spans[i].value < l->spans[least].value ? i : least;
            most = l->spans[i].value > l->spans[most].value ? i : most;
        }
        kept[n++] = l->spans[least < most ? least : most];
        if (least != most)
            kept[n++] = l->spans[least < most ? most : least];
    }
    for (unsigned i = 1; i < n && l->shape == TIMELINE_STEPS; i++)
        kept[i - 1].to = kept[i].from;
    return n;
}

static void put_value(FILE *out, const char *before, double value)
{
    char text[NUMBER_TEXT + 300];

    number_short(value, 6, text, sizeof text);
    fprintf(out, "%s%s", before, text);
}

/* Data in their own units; timeline.js reads them back. A value begins at each M and V. */
static void put_data(FILE *out, const struct timeline_line *l, const struct span *spans, unsigned count, double top)
{
    double end = -1;

    for (unsigned i = 0; i < count; end = spans[i++].to) {
        const bool flag = l->shape != TIMELINE_STEPS;
        if (flag || spans[i].from != end)
            fprintf(out, "M%.0f ", spans[i].from);
        if (flag)
            fputc('0', out);
        put_value(out, flag || spans[i].from == end ? "V" : "", l->shape == TIMELINE_MISSED ? top : spans[i].value);
        if (l->shape != TIMELINE_MISSED)
            fprintf(out, "H%.0f", spans[i].to);
    }
}

static void put_class(FILE *out, const struct timeline_line *l)
{
    if (l->shape == TIMELINE_MISSED)
        fputs("class=\"bad\"", out);
    else
        fprintf(out, "class=\"c%d\"", l->colour % COLOURS);
}

/* SVG's y grows downwards. */
static void put_line(FILE *out, const struct timeline_line *l, double top)
{
    struct span *kept = must_have(2 * PARTS, sizeof *kept);
    const bool thinned = is_thinned(l);
    const unsigned count = thinned ? thin(l, kept) : l->count;

    fputs("<path ", out);
    put_class(out, l);
    fputs(" transform=\"scale(1 -1)\" d=\"", out);
    put_data(out, l, thinned ? kept : l->spans, count, top);
    fputs("\"/>", out);
    free(kept);
}

/* --- A track. */

static void widen(double range[2], const struct timeline_line *l)
{
    for (unsigned i = 0; i < l->count && l->shape != TIMELINE_MISSED; i++) {
        range[0] = fmin(range[0], l->spans[i].value);
        range[1] = fmax(range[1], l->spans[i].value);
    }
}

/* Of all runs; from 0 on, where that would not flatten all that changes. */
static void range_of(const struct timeline *t, const char *track, double range[2])
{
    range[0] = INFINITY;
    range[1] = 0;
    for (unsigned i = 0; i < t->count; i++)
        if (!strcmp(t->lines[i]->track, track)) {
            widen(range, t->lines[i]);
            range[0] = t->lines[i]->shape == TIMELINE_STEPS ? range[0] : fmin(range[0], 0);
        }
    if (range[0] == range[1] || range[0] < 0.8 * range[1])
        range[0] = fmin(range[0], 0);
    if (!(range[0] < range[1])) {
        range[0] = 0;
        range[1] = 1;
    }
}

/* A line's name and values, of which the script shows the one at the pointer. */
static void put_legend(FILE *out, const struct timeline_line *l)
{
    double range[2] = {INFINITY, -INFINITY};

    fputs(" <span ", out);
    put_class(out, l);
    fputc('>', out);
    doc_html(out, l->name);
    if (l->shape == TIMELINE_MISSED) {
        fprintf(out, " <strong>%u</strong></span>", l->count);
        return;
    }
    widen(range, l);
    if (!l->count)
        range[0] = range[1] = 0;
    fputs(*l->name ? " <strong class=\"value\">" : "<strong class=\"value\">", out);
    put_value(out, "", range[0]);
    if (range[1] > range[0])
        put_value(out, " to ", range[1]);
    fputs("</strong></span>", out);
}

static void put_edge(FILE *out, const char *y, double value)
{
    fprintf(out, "<text x=\"2\" y=\"%s\">", y);
    put_value(out, "", value);
    fputs("</text>", out);
}

static void put_track(const struct timeline *t, unsigned first, double end, FILE *out)
{
    const struct timeline_line *l = t->lines[first];
    double range[2];

    range_of(t, l->track, range);
    const double space = 0.06 * (range[1] - range[0]), top = range[1] + space, height = top - range[0] + space;
    fputs("<figure><figcaption>", out);
    doc_html(out, l->track);
    for (unsigned i = first; i < t->count; i++)
        if (in_track(t->lines[i], l->run, l->track))
            put_legend(out, t->lines[i]);
    fputs("</figcaption><svg class=\"plot\" role=\"img\" aria-label=\"", out);
    doc_html(out, l->track);
    fprintf(out, "\"><svg viewBox=\"0 %.9g %.0f %.9g\" preserveAspectRatio=\"none\">", -top, end, height);
    for (unsigned i = first; i < t->count; i++)
        if (in_track(t->lines[i], l->run, l->track))
            put_line(out, t->lines[i], top);
    fputs("</svg>", out);
    put_edge(out, "12", range[1]);
    put_edge(out, "96%", range[0]);
    fputs("</svg></figure>\n", out);
}

static void put_axis(double end, FILE *out)
{
    static const char *const anchors[] = {"start", "middle", "middle", "middle", "end"};

    fputs("<svg class=\"axis\" aria-hidden=\"true\">", out);
    for (unsigned i = 0; i <= TICKS; i++)
        fprintf(out, "<text x=\"%u%%\" y=\"14\" text-anchor=\"%s\">%.0f%s</text>", 100 * i / TICKS, anchors[i],
                end * i / TICKS, i < TICKS ? "" : " GPU cycles");
    fputs("</svg>\n", out);
}

/* --- A run, and all. */

static bool begins_track(const struct timeline *t, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (in_track(t->lines[k], t->lines[i]->run, t->lines[i]->track))
            return false;
    return true;
}

static void put_run(const struct timeline *t, unsigned run, double end, const struct doc *d)
{
    unsigned most = 0;

    doc_heading(d, 1, t->runs[run]);
    for (unsigned i = 0; i < t->count; i++)
        if (t->lines[i]->run == run) {
            most = t->lines[i]->count > most ? t->lines[i]->count : most;
            if (begins_track(t, i))
                put_track(t, i, end, d->out);
        }
    put_axis(end, d->out);
    if (most > 2 * PARTS)
        doc_paragraph(d,
                      "Thinned: a line of more than %d values, here up to %u, is cut into %d parts, and has the least "
                      "and the greatest value of each.",
                      2 * PARTS, most, PARTS);
}

/* What only the script makes useful is hidden without it. */
static void put_tools(FILE *out)
{
    fputs("<div class=\"tools\" hidden><button type=\"button\" value=\"+\" aria-label=\"Zoom in\">+</button>"
          "<button type=\"button\" value=\"-\" aria-label=\"Zoom out\">&minus;</button>"
          "<button type=\"button\" value=\"0\">Whole run</button> <span class=\"range\"></span>"
          "<p>Drag to move. The wheel zooms after a click, or with Ctrl; keys: + - 0 and arrows. Values are those at "
          "the pointer, or the last before it.</p></div>\n<div class=\"cursor\" hidden></div>\n",
          out);
}

/* A decision may outlast the run, a value does not. */
static double end_of(const struct timeline *t)
{
    double end = 1;

    for (unsigned i = 0; i < t->count; i++)
        if (t->lines[i]->shape == TIMELINE_STEPS && t->lines[i]->count)
            end = fmax(end, t->lines[i]->spans[t->lines[i]->count - 1].to);
    return end;
}

void timeline_write(const struct timeline *t, const struct doc *d)
{
    const double end = end_of(t);

    fprintf(d->out, "<div class=\"timeline\" data-end=\"%.0f\">\n", end);
    put_tools(d->out);
    for (unsigned run = 0; run < t->run_count; run++)
        put_run(t, run, end, d);
    fputs("</div>\n", d->out);
}
