#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "describe.h"
#include "man.h"
#include "version.h"

/* In text that is no request: what troff would take for something else. `quoted` in backquotes is bold. */
static void put(FILE *out, const char *text, size_t length)
{
    bool bold = false;
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case '\\':
            fputs("\\e", out);
            break;
        case '-':
            fputs("\\-", out);
            break;
        case '\'':
            fputs("\\(aq", out);
            break;
        case '^':
            fputs("\\(ha", out);
            break;
        case '~':
            fputs("\\(ti", out);
            break;
        case '`':
            bold = !bold;
            fputs(bold ? "\\fB" : "\\fR", out);
            break;
        default:
            fputc(text[i], out);
        }
    fputs(bold ? "\\fR" : "", out);
}

/* A line of text: a request begins with a dot. */
static void put_line(FILE *out, const char *text, size_t length)
{
    if (length && *text == '.')
        fputs("\\&", out);
    put(out, text, length);
    fputc('\n', out);
}

static bool is(const char *line, size_t length, const char *text)
{
    return length == strlen(text) && !strncmp(line, text, length);
}

static bool begins(const char *line, const char *text)
{
    return !strncmp(line, text, strlen(text));
}

/* What a page is written with: inside of .EX lines stand as they are. */
struct page {
    FILE *out;
    bool example, fresh; /* fresh: behind a heading, where no paragraph begins */
};

static void leave_example(struct page *p)
{
    if (p->example)
        fputs(".EE\n", p->out);
    p->example = false;
}

static void heading(struct page *p, const char *name)
{
    leave_example(p);
    fprintf(p->out, ".SH %s\n", name);
    p->fresh = true;
}

static void paragraph(struct page *p)
{
    leave_example(p);
    fputs(p->fresh ? "" : ".PP\n", p->out);
    p->fresh = true;
}

static void example_line(struct page *p, const char *line, size_t length)
{
    if (!p->example)
        fprintf(p->out, "%s.EX\n", p->fresh ? "" : ".PP\n");
    p->example = true;
    p->fresh = false;
    put_line(p->out, line, length);
}

static void text_line(struct page *p, const char *line, size_t length)
{
    if (is(line, length, "Examples:"))
        heading(p, "EXAMPLES");
    else if (begins(line, "Exit code")) {
        heading(p, "\"EXIT STATUS\"");
        put_line(p->out, line, length);
        p->fresh = false;
    } else {
        if (p->example)
            paragraph(p);
        put_line(p->out, line, length);
        p->fresh = false;
    }
}

/* Paragraphs, parted by empty lines; lines that begin with a blank are examples and tables. */
static void text(struct page *p, const char *all, size_t size)
{
    for (size_t at = 0, length; at < size; at += length + 1) {
        const char *line = all + at;
        length = strcspn(line, "\n");
        length = at + length > size ? size - at : length;
        if (!length)
            paragraph(p);
        else if (*line == ' ')
            example_line(p, line, length);
        else
            text_line(p, line, length);
    }
    leave_example(p);
}

static void option(FILE *out, const struct described *o)
{
    fputs(".TP\n", out);
    if (o->letter)
        fprintf(out, "\\fB\\-%c\\fR%s", o->letter, o->name ? ", " : "");
    fputs("\\fB\\-\\-", out);
    put(out, o->name, strlen(o->name));
    fputs("\\fR", out);
    if (o->arg) {
        fputs(o->optional ? "[=\\fI" : "=\\fI", out);
        put(out, o->arg, strlen(o->arg));
        fputs(o->optional ? "\\fR]" : "\\fR", out);
    }
    fputc('\n', out);
    put_line(out, o->doc, strlen(o->doc));
}

static void options(struct page *p, const struct argp *argp)
{
    struct described list[DESCRIBE_OPTIONS];
    unsigned count = describe_options(argp, list);
    heading(p, "OPTIONS");
    for (unsigned i = 0; i < count; i++)
        if (list[i].name)
            option(p->out, &list[i]);
        else {
            fputs(".SS \"", p->out);
            put(p->out, list[i].doc, strlen(list[i].doc));
            fputs("\"\n", p->out);
        }
}

static void begin(struct page *p, const struct command *c)
{
    const char *name = c ? c->name : "";
    fprintf(p->out, ".\\\" Made by `memhelm man`: see the tables of the command itself.\n");
    fputs(".TH MEMHELM", p->out);
    for (const char *letter = name; *letter; letter++)
        fprintf(p->out, "%s%c", letter == name ? "\\-" : "", toupper((unsigned char)*letter));
    fprintf(p->out, " 1 \"\" \"memhelm %s\" \"memhelm\"\n.SH NAME\nmemhelm%s%s \\- ", MEMHELM_VERSION, c ? "\\-" : "",
            name);
}

static void synopsis(struct page *p, const struct command *c)
{
    const char *args = c->argp->args_doc ? c->argp->args_doc : "";
    heading(p, "SYNOPSIS");
    do {
        size_t length = strcspn(args, "\n");
        fprintf(p->out, ".B memhelm %s\n[\\fIOPTION\\fR...] ", c->name);
        put(p->out, args, length);
        fputs("\n.br\n", p->out);
        args += length + (args[length] == '\n');
    } while (*args);
    p->fresh = false;
}

static void see_also(struct page *p, const struct command *self)
{
    const char *comma = "";
    heading(p, "\"SEE ALSO\"");
    if (self)
        fputs("\\fBmemhelm\\fR(1)\n", p->out);
    for (const struct command *c = command_table; !self && c->name; c++, comma = ",\n")
        fprintf(p->out, "%s\\fBmemhelm\\-%s\\fR(1)", comma, c->name);
    fputs(self ? "" : "\n", p->out);
}

static void page_of(struct page *p, const struct command *c)
{
    const char *doc = c->argp->doc, *more = strchr(doc, '\v');
    begin(p, c);
    put_line(p->out, c->summary, strlen(c->summary));
    synopsis(p, c);
    heading(p, "DESCRIPTION");
    text(p, doc, more ? (size_t)(more - doc) : strlen(doc));
    options(p, c->argp);
    if (more) {
        bool at_once = begins(more + 1, "Examples:") || begins(more + 1, "Exit code");
        if (!at_once)
            heading(p, "NOTES");
        text(p, more + 1, strlen(more + 1));
    }
    see_also(p, c);
}

/* A command per line, as in a list of options. */
static void list_commands(struct page *p)
{
    heading(p, "COMMANDS");
    for (const struct command *c = command_table; c->name; c++) {
        fprintf(p->out, ".TP\n\\fBmemhelm %s\\fR\n", c->name);
        put_line(p->out, c->summary, strlen(c->summary));
    }
}

void man_page(const struct command *command, FILE *out)
{
    struct page p = {.out = out};
    if (command) {
        page_of(&p, command);
        return;
    }
    begin(&p, NULL);
    put_line(out, commands_title, strlen(commands_title));
    heading(&p, "SYNOPSIS");
    fputs(".B memhelm\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n", out);
    heading(&p, "DESCRIPTION");
    text(&p, commands_about, strlen(commands_about));
    list_commands(&p);
    heading(&p, "ENVIRONMENT");
    text(&p, commands_environment, strlen(commands_environment));
    see_also(&p, NULL);
}
