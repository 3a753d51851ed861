/* Headings, paragraphs and tables on the terminal, in Markdown, on a page of HTML; in CSV and LaTeX tables alone. */
#ifndef HOST_BASE_DOC_H
#define HOST_BASE_DOC_H

#include <stdio.h>

#include "table.h"

enum doc_form { DOC_TEXT, DOC_MARKDOWN, DOC_HTML, DOC_CSV, DOC_LATEX };

struct doc {
    FILE *out;
    enum doc_form form;
    unsigned level; /**< of what is written here, 0: on its own */
};

/** A heading of level `d->level + level`, 1 (the greatest) to 6. Texts here and below are escaped. */
void doc_heading(const struct doc *d, unsigned level, const char *text);

/** A paragraph; an empty line after it. */
void doc_paragraph(const struct doc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A point of a list. */
void doc_item(const struct doc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A new table of that form, for doc_table(). */
struct table *doc_table_new(const struct doc *d);

/** Writes a table, with an empty line after it, and frees it. */
void doc_table(const struct doc *d, struct table *t);

/** Writes a table that is the whole document: no empty line after it. */
void doc_table_bare(const struct doc *d, struct table *t);

/** Writes `text` to HTML: escaped (escape.h), and what has a meaning there as an entity. */
void doc_html(FILE *out, const char *text);

#endif
