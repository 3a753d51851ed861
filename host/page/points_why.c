#include "points_why.h"

#include "pivot/words.h"

enum { MOST = 60 /* more is no page to read */ };

/* -1: it was not asked. */
static int why_column(const struct points *p)
{
    struct mh_error none;
    return points_column_named(p, "why", &none);
}

static unsigned count_words(const struct points *p, unsigned column)
{
    unsigned count = 0;
    for (unsigned r = 0; r < p->rows; r++)
        count += points_at(p, r, column)->text != NULL;
    return count;
}

void points_why(struct part *p, const struct input *in, const struct points *points, const struct column_list *varied)
{
    const int column = why_column(points);
    const unsigned count = column < 0 ? 0 : count_words(points, (unsigned)column);
    unsigned said = 0;
    if (!count)
        return;
    doc_heading(&p->doc, 1, "Why");
    doc_paragraph(&p->doc, "SM cycles per warp instruction, beside those of the first image at the same point.");
    for (unsigned r = 0; r < points->rows && said < MOST; r++) {
        const char *text = points_at(points, r, (unsigned)column)->text;
        char label[WORDS_LABEL];
        if (!text)
            continue;
        words_label(points, varied, r, label);
        doc_item(&p->doc, "%s: %s", label, text);
        said++;
    }
    if (said < count)
        doc_paragraph(&p->doc, "And %u more: `memhelm table %s --show why`.", count - said, in->path);
}
