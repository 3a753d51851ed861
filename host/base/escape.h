/* Foreign text on its way to a terminal, a shell or Markdown. */
#ifndef HOST_BASE_ESCAPE_H
#define HOST_BASE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Text that firmware or a file gave, on its way to a terminal: control characters are shown (\x1b), not obeyed. */

enum { ESCAPE_MOST = 8 };

/**
 * Writes to `out` what stands for `byte`, and returns how many characters: 0..ESCAPE_MOST. Newline, tab and whole
 * characters of UTF-8 stay; a carriage return stays away before a newline. `last` is the byte before it, 0 at first.
 */
size_t escape_byte(char out[ESCAPE_MOST], unsigned char byte, unsigned char *last);

/** What is left of a stream whose last byte was `last`. */
size_t escape_end(char out[ESCAPE_MOST], unsigned char last);

/**
 * escape_byte() for a whole text, cut off where `size` ends. Also shows bytes that are no UTF-8, and characters that
 * change the direction of writing. Returns `out`.
 */
char *escape_text(char *out, size_t size, const char *text);

/** The whole of it, which the caller frees. */
char *escape_copy(const char *text);

/** Writes a whole `text` to `f`, escaped. */
void escape_print(FILE *f, const char *text);

/* Lines that users paste into a shell, or that we write into a script. */

/** One word: as it is, or in single quotes if anything in it means something to a shell. */
void shell_word(FILE *out, const char *word);

/* Escapes names, labels and other foreign text for Markdown: no markup, no link, no HTML. */

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
