#include "part.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

void part_begin(struct part *p, const char *title)
{
    p->sections++;
    fprintf(p->nav, "<li><a href=\"#s%u\">", p->sections);
    doc_html(p->nav, title);
    fputs("</a></li>\n", p->nav);
    fprintf(p->doc.out, "<section id=\"s%u\">\n", p->sections);
    doc_heading(&p->doc, 0, title);
}

void part_end(struct part *p)
{
    fputs("</section>\n", p->doc.out);
}

void part_fold(struct part *p, const char *title)
{
    fputs("<details><summary>", p->doc.out);
    doc_html(p->doc.out, title);
    fputs("</summary>\n", p->doc.out);
}

void part_fold_end(struct part *p)
{
    fputs("</details>\n", p->doc.out);
}

void part_figure_name(struct part *p, const char *what, char name[PART_TITLE])
{
    p->drawn++;
    snprintf(name, PART_TITLE, "%02u-%.60s", p->drawn, what);
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *c))
            *c = '-';
}

/* Names that a picture gives its own parts: another picture of the page must not have them. */
static const char *const references[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};

static size_t reference_at(const char *c)
{
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (!strncmp(c, references[i], strlen(references[i])))
            return strlen(references[i]);
    return 0;
}

static void put_svg(const struct part *p, const char *svg)
{
    while (*svg) {
        const size_t n = reference_at(svg);
        if (n)
            fprintf(p->doc.out, "%.*sf%u-", (int)n, svg, p->drawn);
        else
            fputc(*svg, p->doc.out);
        svg += n ? n : 1;
    }
}

int part_figure(struct part *p, const char *path, const char *words, struct mh_error *err)
{
    size_t length;
    char *text = read_file(path, &length, err);
    const char *svg = text ? strstr(text, "<svg") : NULL;
    if (!svg) {
        free(text);
        return text ? mh_fail(err, "%.300s: no SVG", path) : -1;
    }
    fputs("<figure role=\"img\" aria-label=\"", p->doc.out);
    doc_html(p->doc.out, words);
    fputs("\">", p->doc.out);
    put_svg(p, svg);
    fputs("<figcaption>", p->doc.out);
    doc_html(p->doc.out, words);
    fputs("</figcaption></figure>\n", p->doc.out);
    free(text);
    return 0;
}

int part_figures(struct part *p, const struct input *in, const char *name, const char *end, struct mh_error *err)
{
    char pattern[2 * HOST_PATH];
    glob_t found;
    int status = 0;
    const char *slash = strrchr(in->path, '/');
    snprintf(pattern, sizeof pattern, "%.*s%s%s", slash ? (int)(slash - in->path + 1) : 0, in->path, name, end);
    if (glob(pattern, 0, NULL, &found))
        return 0;
    for (size_t i = 0; i < found.gl_pathc && !status; i++) {
        char title[PART_TITLE];
        const char *file = strrchr(found.gl_pathv[i], '/');
        p->drawn++;
        snprintf(title, sizeof title, "%s", file ? file + 1 : found.gl_pathv[i]);
        title[strlen(title) - strlen(".svg")] = 0;
        status = part_figure(p, found.gl_pathv[i], title, err);
    }
    globfree(&found);
    return status;
}
