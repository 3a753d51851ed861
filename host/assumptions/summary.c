#include "summary.h"

#include <stdlib.h>

#include "base/table.h"
#include "shift.h"

static void say_why(const struct mh_assumption *of, FILE *out)
{
    if (of->why_length)
        fprintf(out, " (%.*s)", of->why_length, of->why);
    else
        fputs(" (no source)", out);
}

char *summary_words(const struct assumptions *a, unsigned row, bool why)
{
    char *text = NULL;
    size_t length;
    unsigned count, n = 0;
    struct swing *s = swings_of(a, row, &count);
    FILE *out = open_memstream(&text, &length);
    if (!out)
        abort();
    for (unsigned i = 0; i < count; i++) {
        if (!s[i].hangs)
            continue;
        fprintf(out, "%s%s", n++ ? ", " : "", s[i].of->key);
        if (why)
            say_why(s[i].of, out);
    }
    fputs(n ? "" : "nothing", out);
    if (fclose(out))
        abort();
    free(s);
    return text;
}

unsigned summary_count(const struct assumptions *a, unsigned row, unsigned *of)
{
    unsigned count, n = 0;
    struct swing *s = swings_of(a, row, &count);
    *of = 0;
    for (unsigned i = 0; i < count; i++) {
        *of += s[i].furthest != NULL;
        n += s[i].hangs;
    }
    free(s);
    return n;
}

static void line(const struct assumptions *a, unsigned row, bool markdown, struct table *t)
{
    const struct reproduce_row *r = &a->reproduction.rows[row];
    char text[64];
    struct outcome own;
    unsigned of;
    outcome_of(r, &own);
    if (own.verdict == VERDICT_NOT_RUN)
        return;
    const unsigned n = summary_count(a, row, &of);
    char *words = summary_words(a, row, markdown);
    claim_format_interval(&r->row->claim, own.summary.value, own.summary.half, text, sizeof text);
    table_row(t);
    table_text(t, "%s", r->row->id);
    table_text(t, "%s", r->row->paper);
    table_text(t, "%s", text);
    table_text(t, "%u of %u", n, of);
    table_prose(t, words);
    free(words);
}

void summary_show(const struct assumptions *a, bool markdown, FILE *out)
{
    struct table *t = table_new();
    table_row(t);
    table_text(t, "row");
    table_text(t, "paper");
    table_text(t, "ours");
    table_text(t, "hangs on");
    table_left(t, markdown ? "these, and what the preset says of them" : "these");
    for (unsigned r = 0; r < a->reproduction.row_count; r++)
        line(a, r, markdown, t);
    fputc('\n', out);
    (markdown ? table_markdown : table_print)(t, out);
    table_free(t);
}
