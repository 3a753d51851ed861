#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "memory.h"

void doc_html(FILE *out, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    char *clean = escape_copy(text);

    for (const char *c = clean; *c; c++)
        if (strchr(special, *c))
            fputs(entities[strchr(special, *c) - special], out);
        else
            fputc(*c, out);
    free(clean);
}

/* `text` between `before` and `after` of each form. */
static void wrap(const struct doc *d, const char *const before[3], const char *text, const char *const after[3])
{
    char *clean = escape_copy(text);

    fputs(before[d->form], d->out);
    if (d->form == DOC_HTML)
        doc_html(d->out, text);
    else if (d->form == DOC_MARKDOWN)
        markdown_line(d->out, clean);
    else
        fputs(clean, d->out);
    fputs(after[d->form], d->out);
    free(clean);
}

void doc_heading(const struct doc *d, unsigned level, const char *text)
{
    char begin[8], end[8];

    level += d->level;
    snprintf(begin, sizeof begin, "<h%u>", level);
    snprintf(end, sizeof end, "</h%u>\n", level);
    if (d->form < DOC_CSV)
        wrap(d, (const char *const[]){"", "###### " + (6 - level), begin}, text,
             (const char *const[]){"\n\n", "\n\n", end});
}

static void say(const struct doc *d, const char *const before[3], const char *const after[3], const char *format,
                va_list args)
{
    char *text = must_vprint(format, args);
    if (d->form < DOC_CSV)
        wrap(d, before, text, after);
    free(text);
}

void doc_paragraph(const struct doc *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(d, (const char *const[]){"", "", "<p>"}, (const char *const[]){"\n\n", "\n\n", "</p>\n"}, format, args);
    va_end(args);
}

void doc_item(const struct doc *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(d, (const char *const[]){"- ", "- ", "<p class=\"item\">"}, (const char *const[]){"\n", "\n", "</p>\n"}, format,
        args);
    va_end(args);
}

/* --- Tables. */

static void html_cell(const struct doc *d, const struct table *t, unsigned row, unsigned column)
{
    static const char *const classes[] = {
        [COLOUR_NONE] = "", [COLOUR_GOOD] = "good", [COLOUR_BAD] = "bad", [COLOUR_DOUBT] = "doubt"};
    const char *tag = row ? "td" : "th", *colour = classes[table_cell_colour(t, row, column)];
    const char *left = table_is_left(t, column) ? "left" : "";
    const char *between = *left && *colour ? " " : "";
    fprintf(d->out, "<%s", tag);
    if (*left || *colour)
        fprintf(d->out, " class=\"%s%s%s\"", left, between, colour);
    fputc('>', d->out);
    doc_html(d->out, table_cell(t, row, column));
    fprintf(d->out, "</%s>", tag);
}

/* A wide one scrolls by itself, not the page. */
static void html_table(const struct doc *d, const struct table *t)
{
    fputs("<div class=\"wide\"><table>\n", d->out);
    for (unsigned r = 0; r < t->rows; r++) {
        fputs(r == 0 ? "<thead><tr>" : "<tr>", d->out);
        for (unsigned c = 0; c < t->width; c++)
            html_cell(d, t, r, c);
        fputs(r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n", d->out);
    }
    fputs("</tbody></table></div>\n", d->out);
}

struct table *doc_table_new(const struct doc *d)
{
    struct table *t = table_new();

    t->raw = d->form == DOC_CSV;
    return t;
}

void doc_table_bare(const struct doc *d, struct table *t)
{
    static void (*const print[])(const struct table *, FILE *) = {
        [DOC_TEXT] = table_print, [DOC_MARKDOWN] = table_markdown, [DOC_CSV] = table_csv, [DOC_LATEX] = table_latex};

    if (d->form == DOC_HTML)
        html_table(d, t);
    else
        print[d->form](t, d->out);
    table_free(t);
}

void doc_table(const struct doc *d, struct table *t)
{
    doc_table_bare(d, t);
    if (d->form == DOC_TEXT || d->form == DOC_MARKDOWN || d->form == DOC_LATEX)
        fputc('\n', d->out);
}
