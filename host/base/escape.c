#include "escape.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memhelm/text.h"
#include "memory.h"

/* Control characters of ASCII, and the further ones of Unicode: U+0080 to U+009F, of UTF-8 0xc2 0x80 .. */
static bool is_control(unsigned char byte, unsigned char last)
{
    if (byte < 0x20)
        return byte != '\n' && byte != '\t';
    return byte == 0x7f || (byte >= 0x80 && byte < 0xa0 && (last < 0x80 || last == 0xc2));
}

static size_t put_escaped(char *out, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";
    const char text[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    memcpy(out, text, sizeof text);
    return sizeof text;
}

size_t escape_byte(char out[ESCAPE_MOST], unsigned char byte, unsigned char *last)
{
    size_t n = *last == '\r' && byte != '\n' ? put_escaped(out, '\r') : 0;
    bool control = is_control(byte, *last);
    *last = byte;
    if (byte == '\r')
        return n;
    if (control)
        return n + put_escaped(out + n, byte);
    out[n] = (char)byte;
    return n + 1;
}

size_t escape_end(char out[ESCAPE_MOST], unsigned char last)
{
    return last == '\r' ? put_escaped(out, '\r') : 0;
}

/* Where in a whole text one is: the byte before, and what is left of a character of UTF-8. */
struct place {
    unsigned char last;
    size_t left;
};

/* Does a character of UTF-8 begin that shows what follows in another order than it stands there? */
static bool turns(const char *c)
{
    const unsigned char last = strncmp(c, "\xe2\x80", 2) && strncmp(c, "\xe2\x81", 2) ? 0 : (unsigned char)c[2];
    return c[1] == '\x80' ? last == 0x8e || last == 0x8f || (last >= 0xaa && last <= 0xae)
                          : last >= 0xa6 && last <= 0xa9;
}

/* As escape_byte(); a byte that is of no character is shown, too: to a terminal it may be anything. */
static size_t escape_next(char out[ESCAPE_MOST], const char *text, struct place *p)
{
    if (!p->left && !turns(text))
        p->left = mh_utf8_length(text);
    if (p->left) {
        p->left--;
        return escape_byte(out, (unsigned char)*text, &p->last);
    }
    size_t n = escape_end(out, p->last);
    p->last = (unsigned char)*text;
    return n + put_escaped(out + n, p->last);
}

static bool append(char *out, size_t size, size_t *used, const char *part, size_t n)
{
    if (*used + n >= size)
        return false;
    memcpy(out + *used, part, n);
    out[ *used += n] = 0;
    return true;
}

char *escape_text(char *out, size_t size, const char *text)
{
    char part[ESCAPE_MOST] = "";
    struct place p = {0};
    size_t used = 0;
    bool room = true;
    *out = 0;
    for (; *text && room; text++)
        room = append(out, size, &used, part, escape_next(part, text, &p));
    if (room)
        append(out, size, &used, part, escape_end(part, p.last));
    return out;
}

char *escape_copy(const char *text)
{
    const size_t size = ESCAPE_MOST * (strlen(text) + 1);
    char *copy = escape_text(must(malloc(size)), size, text);

    return must(realloc(copy, strlen(copy) + 1));
}

void escape_print(FILE *f, const char *text)
{
    char part[ESCAPE_MOST] = "";
    struct place p = {0};
    for (; *text; text++)
        fwrite(part, 1, escape_next(part, text, &p), f);
    fwrite(part, 1, escape_end(part, p.last), f);
}

void shell_word(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-=:.,/_@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

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
    va_start(args, format);
    char *text = must_vprint(format, args);
    va_end(args);
    if (markdown)
        write_text(out, text, false);
    else
        fputs(text, out);
    free(text);
}
