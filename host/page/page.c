#include "page.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/figure.h"
#include "base/memory.h"
#include "part.h"

/* The page's look, and what zooms a timeline; the assembler includes them. */
__asm__(".section .rodata\npage_style:\n.incbin \"host/page/style.css\"\n.byte 0\n"
        "page_script:\n.incbin \"host/page/timeline.js\"\n.byte 0\n.previous\n");
extern const char page_style[], page_script[];

struct page {
    const struct page_request *request;
    struct input inputs[PAGE_FILES];
    struct part part;
};

/* Runs, and timelines, stand together, where the first of them is; `first`: is input `i` that? */
static unsigned gather(const struct page *g, enum input_kind kind, unsigned i, struct input *into)
{
    unsigned count = 0;
    for (unsigned k = 0; k < i; k++)
        if (g->inputs[k].kind == kind)
            return 0;
    for (unsigned k = i; k < g->request->count; k++)
        if (g->inputs[k].kind == kind)
            into[count++] = g->inputs[k];
    return count;
}

static int write_part(struct page *g, unsigned i, struct mh_error *err)
{
    const struct input *in = &g->inputs[i];
    struct input together[PAGE_FILES];
    const unsigned count = gather(g, in->kind, i, together);

    switch (in->kind) {
    case INPUT_RUNS:
        return count ? part_runs(&g->part, together, count, err) : 0;
    case INPUT_TIMELINE:
        return count ? part_timeline(&g->part, together, count, err) : 0;
    case INPUT_STUDY:
        return part_study(&g->part, in, err);
    case INPUT_LATENCY:
        return part_latency(&g->part, in, err);
    case INPUT_POINTS:
        return part_points(&g->part, in, err);
    default:
        part_other(&g->part, in);
        return 0;
    }
}

static void write_allowed(FILE *out, const char *what, const char *text)
{
    unsigned char digest[EVP_MAX_MD_SIZE], base64[2 * EVP_MAX_MD_SIZE];
    unsigned length;
    must(EVP_Digest(text, strlen(text), digest, &length, EVP_sha256(), NULL) ? digest : NULL);
    EVP_EncodeBlock(base64, digest, (int)length);
    fprintf(out, "; %s 'sha256-%s'", what, base64);
}

/*
 * Whatever stands in the page, a browser runs nothing of it and loads nothing: the policy allows images with data URLs,
 * the style and, if there is a timeline, the script with these hashes, and forbids the rest.
 */
static void write_policy(const struct page *g, FILE *out)
{
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:", out);
    write_allowed(out, "style-src", page_style);
    if (g->part.zooms)
        write_allowed(out, "script-src", page_script);
    fputs("; base-uri 'none'; form-action 'none'\">\n", out);
}

static void write_head(const struct page *g, FILE *out)
{
    char made[PART_TITLE + 16];
    snprintf(made, sizeof made, "memhelm: %.200s", g->inputs[0].name);
    const char *title = g->request->title ? g->request->title : made;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    write_policy(g, out);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
          out);
    doc_html(out, title);
    fprintf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<header><h1>", page_style);
    doc_html(out, title);
    fputs("</h1></header>\n", out);
}

static void write_end(const struct page *g, FILE *out)
{
    fputs("<footer>\n<p>Made of", out);
    for (unsigned i = 0; i < g->request->count; i++) {
        fputs(i ? ", " : " ", out);
        doc_html(out, g->inputs[i].name);
    }
    fputs(".</p>\n</footer>\n", out);
    if (g->part.zooms)
        fprintf(out, "<script>%s</script>\n", page_script);
    fputs("</body>\n</html>\n", out);
}

static int write_page(struct page *g, const char *body, const char *nav, struct mh_error *err)
{
    char path[HOST_PATH];
    struct draft d;
    if (path_join(path, g->request->dir, "index.html", err))
        return -1;
    draft_open(&d);
    write_head(g, d.out);
    if (g->part.sections > 1)
        fprintf(d.out, "<nav aria-label=\"Contents\"><ol>\n%s</ol></nav>\n", nav);
    fprintf(d.out, "<main>\n%s</main>\n", body);
    write_end(g, d.out);
    return draft_write(&d, path, err);
}

static int write_all(struct page *g, struct mh_error *err)
{
    struct draft body, nav;
    int status = 0;

    draft_open(&body);
    draft_open(&nav);
    g->part.doc = (struct doc){body.out, DOC_HTML, 2};
    g->part.nav = nav.out;
    for (unsigned i = 0; i < g->request->count && !status; i++)
        status = write_part(g, i, err);
    char *body_text = draft_text(&body), *nav_text = draft_text(&nav);
    status = status ? status : write_page(g, body_text, nav_text, err);
    free(body_text);
    free(nav_text);
    return status;
}

int page_write(const struct page_request *q, struct mh_error *err)
{
    struct page *g = must(calloc(1, sizeof *g));
    g->request = q;
    int status = 0;
    for (unsigned i = 0; i < q->count && !status; i++)
        status = input_open(&g->inputs[i], q->files[i], err);
    if (!status)
        status = path_join(g->part.figures, q->dir, "figures", err) || gnuplot_check(g->part.figures, err) ||
                         write_all(g, err)
                     ? -1
                     : 0;
    for (unsigned i = 0; i < q->count; i++)
        input_close(&g->inputs[i]);
    free(g);
    return status;
}
