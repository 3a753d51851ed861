#define _GNU_SOURCE /* vasprintf */

#include "markdown.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static bool is_blank(char c)
{
    return !c || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Is `c` markup between these two characters? In l2tlb.entries and "[ours]" nothing is. */
static bool has_meaning(char before, char c, char after)
{
    switch (c) {
    case '|':
    case '`':
    case '~':
    case '$':
        return true;
    case '\\':
        return ispunct((unsigned char)after);
    case '<': /* HTML, or a link */
        return isalpha((unsigned char)after) || (after && strchr("/!?", after));
    case '&':
        return isalnum((unsigned char)after) || after == '#';
    case ']': /* of a link, or what one refers to */
        return after && strchr("([:", after);
    case '[':
        return before == '!' || after == '^';
    case '*':
        return !is_blank(before) || !is_blank(after);
    case '_':
        return !isalnum((unsigned char)before) || !isalnum((unsigned char)after);
    default:
        return false;
    }
}

static void put(FILE *out, char before, const char *c)
{
    if ((unsigned char)*c < ' ') {
        fputc(' ', out);
        return;
    }
    if (has_meaning(before, *c, c[1]))
        fputc('\\', out);
    fputc(*c, out);
}

/* Code needs no escapes, except that a bar would end a table's cell. */
static void put_code(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '|')
            fputc('\\', out);
        fputc((unsigned char)text[i] < ' ' ? ' ' : text[i], out);
    }
}

/* The longest row of backquotes in it. */
static size_t longest_fence(const char *text)
{
    size_t most = 0;
    for (size_t n; *text; text += n ? n : 1) {
        n = strspn(text, "`");
        most = n > most ? n : most;
    }
    return most;
}

static void write_code(FILE *out, const char *text)
{
    const size_t fence = longest_fence(text) + 1, length = strlen(text);
    const bool apart = length && (*text == '`' || text[length - 1] == '`');
    for (size_t i = 0; i < fence; i++)
        fputc('`', out);
    fputs(apart ? " " : "", out);
    put_code(out, text, length);
    fputs(apart ? " " : "", out);
    for (size_t i = 0; i < fence; i++)
        fputc('`', out);
}

/* Of a piece of code at the start of `text`: `code`, its length; 0: there is none. */
static size_t code_at(const char *text)
{
    const char *end = *text == '`' && text[1] != '`' ? strchr(text + 1, '`') : NULL;
    return end && end[1] != '`' ? (size_t)(end - text) + 1 : 0;
}

static void write_text(FILE *out, const char *text, bool prose)
{
    for (char before = 0; *text;) {
        const size_t code = prose ? code_at(text) : 0;
        if (code)
            put_code(out, text, code);
        else
            put(out, before, text);
        text += code ? code : 1;
        before = text[-1];
    }
}

void markdown_write(FILE *out, enum markdown_kind kind, const char *text)
{
    const char *around = kind == MARKDOWN_STRONG ? "**" : "";

    fputs(around, out);
    if (kind == MARKDOWN_CODE)
        write_code(out, text);
    else
        write_text(out, text, kind == MARKDOWN_PROSE);
    fputs(around, out);
}

void markdown_line(FILE *out, const char *text)
{
    const size_t blanks = strspn(text, " \t\r\n"), digits = strspn(text + blanks, "0123456789");
    text += blanks;
    const bool number = digits && (text[digits] == '.' || text[digits] == ')');
    if (number)
        fprintf(out, "%.*s\\", (int)digits, text);
    else if (*text && strchr("#>+-=", *text))
        fputc('\\', out);
    write_text(out, number ? text + digits : text, false);
}

void markdown_print(FILE *out, int markdown, const char *format, ...)
{
    va_list args;
    char *text;
    va_start(args, format);
    must(vasprintf(&text, format, args) < 0 ? NULL : text);
    va_end(args);
    if (markdown)
        write_text(out, text, false);
    else
        fputs(text, out);
    free(text);
}
