#include "part.h"

#include <errno.h>
#include <glob.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/words.h"
#include "memhelm/utf8.h"

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

/* --- Pictures. An SVG may have scripts and links, which a browser ignores in an image. */

enum { FIGURE_MIB = 8 };

/* What follows the first `end` if `text` begins with `begin`, else `text`. */
static const char *skip(const char *text, const char *begin, const char *end)
{
    const char *at = strncmp(text, begin, strlen(begin)) ? NULL : strstr(text, end);
    return at ? at + strlen(end) : text;
}

/* Is the first element of the XML an <svg>? */
static bool is_svg(const char *text)
{
    const char *at = skip(text, "\xef\xbb\xbf", "\xbf"), *was;
    do {
        was = at;
        at += strspn(at, " \t\r\n");
        at = skip(skip(skip(at, "<?", "?>"), "<!--", "-->"), "<!DOCTYPE", ">");
    } while (at != was);
    return !strncmp(at, "<svg", 4) && strchr(" \t\r\n/>", at[4]);
}

/* The caller frees it. */
static char *read_svg(const char *path, size_t *length, struct mh_error *err)
{
    struct stat st;
    char *text = NULL;
    if (stat(path, &st))
        (void)mh_fail(err, "%.300s: cannot open: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode) || st.st_size > FIGURE_MIB << 20)
        (void)mh_fail(err, "%.300s: a figure is a file of at most %d MiB; move this one elsewhere", path, FIGURE_MIB);
    else
        text = read_file(path, length, err);
    if (!text || (strlen(text) == *length && is_svg(text) && !mh_utf8_broken(text)))
        return text;
    (void)mh_fail(err, "%.300s: no SVG; move it elsewhere, or draw the figure again", path);
    free(text);
    return NULL;
}

static void put_base64(FILE *out, const char *data, size_t length)
{
    enum { STEP = 3 << 12 };
    static unsigned char text[4 * STEP / 3 + 1];
    for (size_t n; length; data += n, length -= n) {
        n = length < STEP ? length : STEP;
        EVP_EncodeBlock(text, (const unsigned char *)data, (int)n);
        fputs((const char *)text, out);
    }
}

int part_figure(struct part *p, const char *path, const char *words, struct mh_error *err)
{
    size_t length = 0;
    char *svg = read_svg(path, &length, err);
    if (!svg)
        return -1;
    fputs("<figure><img alt=\"", p->doc.out);
    doc_html(p->doc.out, words);
    fputs("\" src=\"data:image/svg+xml;base64,", p->doc.out);
    put_base64(p->doc.out, svg, length);
    fputs("\"><figcaption>", p->doc.out);
    doc_html(p->doc.out, words);
    fputs("</figcaption></figure>\n", p->doc.out);
    free(svg);
    return 0;
}

enum { PATTERN_END = 16 };

int part_figures(struct part *p, const struct input *in, const char *name, const char *end, struct mh_error *err)
{
    char beside[2 * HOST_PATH], pattern[4 * HOST_PATH];
    glob_t found;
    int status = 0;
    const char *slash = strrchr(in->path, '/');
    if (strchr(name, '/')) /* no file's name */
        return 0;
    snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash - in->path + 1) : 0, in->path, name);
    patterns_quote(pattern, sizeof pattern - PATTERN_END, beside);
    strncat(pattern, end, PATTERN_END - 1);
    if (glob(pattern, 0, NULL, &found))
        return 0;
    for (size_t i = 0; i < found.gl_pathc && !status; i++) {
        char title[PART_TITLE];
        const char *file = strrchr(found.gl_pathv[i], '/');
        snprintf(title, sizeof title, "%.190s", file ? file + 1 : found.gl_pathv[i]);
        char *dot = strrchr(title, '.');
        if (dot && !strcmp(dot, ".svg"))
            *dot = 0;
        status = part_figure(p, found.gl_pathv[i], title, err);
    }
    globfree(&found);
    return status;
}
