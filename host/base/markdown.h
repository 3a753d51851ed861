/* Escapes names, labels and other foreign text for Markdown: no markup, no link, no HTML. */
#ifndef HOST_BASE_MARKDOWN_H
#define HOST_BASE_MARKDOWN_H

#include <stdio.h>

/** What a text is. */
enum markdown_kind {
    MARKDOWN_TEXT,  /**< a name, a label: all of it is text */
    MARKDOWN_PROSE, /**< a sentence of a rows file or a table of ours: `code` in it is code */
    MARKDOWN_CODE,  /**< a command, an identifier: all of it is code */
    MARKDOWN_STRONG /**< a text that stands out */
};

/** Writes `text`, on one line; fit for a cell of a table, too. */
void markdown_write(FILE *out, enum markdown_kind kind, const char *text);

/** Writes `text` at the beginning of a line, where it must not become a heading, a list, a quotation or a rule. */
void markdown_line(FILE *out, const char *text);

/** Writes a formatted text: with `markdown` as MARKDOWN_TEXT, else as it is. */
void markdown_print(FILE *out, int markdown, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
