#define _GNU_SOURCE /* vasprintf */

#include "doc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "markdown.h"
#include "memory.h"

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void doc_html(FILE *out, const char *text)
{
    const size_t size = ESCAPE_MOST * (strlen(text) + 1);
    char *clean = must(malloc(size));
    for (const char *c = escape_text(clean, size, text); *c; c++)
        if (entity(*c))
            fputs(entity(*c), out);
        else
            fputc(*c, out);
    free(clean);
}

static void put_markdown(FILE *out, const char *text)
{
    const size_t size = ESCAPE_MOST * (strlen(text) + 1);
    char *clean = must(malloc(size));
    markdown_line(out, escape_text(clean, size, text));
    free(clean);
}

static void put(const struct doc *d, const char *text)
{
    if (d->form == DOC_HTML)
        doc_html(d->out, text);
    else if (d->form == DOC_MARKDOWN)
        put_markdown(d->out, text);
    else
        escape_print(d->out, text);
}

/* `text` between `before` and `after` of each form. */
static void wrap(const struct doc *d, const char *const before[3], const char *text, const char *const after[3])
{
    fputs(before[d->form], d->out);
    put(d, text);
    fputs(after[d->form], d->out);
}

void doc_heading(const struct doc *d, unsigned level, const char *text)
{
    level += d->level;
    if (d->form == DOC_HTML) {
        fprintf(d->out, "<h%u>", level);
        put(d, text);
        fprintf(d->out, "</h%u>\n", level);
        return;
    }
    const char *before[] = {"", "###### " + (6 - level), ""};
    wrap(d, before, text, (const char *const[]){"\n\n", "\n\n", ""});
}

static char *made(const char *format, va_list args)
{
    char *text;
    return must(vasprintf(&text, format, args) < 0 ? NULL : text);
}

void doc_paragraph(const struct doc *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = made(format, args);
    va_end(args);
    wrap(d, (const char *const[]){"", "", "<p>"}, text, (const char *const[]){"\n\n", "\n\n", "</p>\n"});
    free(text);
}

void doc_item(const struct doc *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = made(format, args);
    va_end(args);
    wrap(d, (const char *const[]){"- ", "- ", "<p class=\"item\">"}, text, (const char *const[]){"\n", "\n", "</p>\n"});
    free(text);
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

void doc_table_bare(const struct doc *d, const struct table *t)
{
    if (d->form == DOC_HTML)
        html_table(d, t);
    else
        (d->form == DOC_MARKDOWN ? table_markdown : table_print)(t, d->out);
}

void doc_table(const struct doc *d, const struct table *t)
{
    doc_table_bare(d, t);
    if (d->form != DOC_HTML)
        fputc('\n', d->out);
}
