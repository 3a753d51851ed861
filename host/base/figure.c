#include "figure.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { PIXELS = 96 /* of an inch, as in SVG */ };

double figure_paper_width(unsigned columns)
{
    return PIXELS * (columns == 1 ? 3.35 : 7);
}

void figure_open(struct figure *f, const char *heading)
{
    *f = (struct figure){.width = 960, .height = 480};
    gnuplot_open(&f->g);
    f->body = must(open_memstream(&f->text, &f->size));
    fprintf(f->g.data, "# %s\n", heading);
}

void figure_drop(struct figure *f)
{
    fclose(f->body);
    free(f->text);
    gnuplot_drop(&f->g);
}

/* All have one layout: at 96 pixels an inch texts are as large as in the SVG. A white ground: a page may be dark. */
static void terminal(const struct figure *f, const char *type, FILE *out)
{
    if (!strcmp(type, "svg"))
        fprintf(out, "svg size %.0f,%.0f background 'white'", f->width, f->height);
    else if (!strcmp(type, "png"))
        fprintf(out, GNUPLOT_PNG " size %.0f,%.0f truecolor", f->width, f->height);
    else
        fprintf(out, "%scairo size %.6gin,%.6gin fontscale 0.75", type, f->width / PIXELS, f->height / PIXELS);
}

static void draw_picture(const struct figure *f, const char *type, FILE *out)
{
    fputs("reset\nset datafile separator tab\nset datafile missing '?'\nset terminal ", out);
    terminal(f, type, out);
    fputs("\nset output ", out);
    gnuplot_file(out, type);
    fprintf(out, "\n%s", f->panels ? "set multiplot\n" : "");
    fwrite(f->text, 1, f->size, out);
    fputs(f->panels ? "unset multiplot\nset output\n" : "set output\n", out);
}

int figure_finish(struct figure *f, const char *dir, const char *name, struct mh_error *err)
{
    fclose(f->body);
    for (const char *const *type = gnuplot_pictures; *type; type++)
        draw_picture(f, *type, f->g.script);
    free(f->text);
    return gnuplot_finish(&f->g, dir, name, err);
}

/* --- Data. */

unsigned figure_block(struct figure *f, const char *format, ...)
{
    char name[512];
    va_list args;

    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    fputs("# ", f->g.data);
    gnuplot_cell(f->g.data, name);
    fputc('\n', f->g.data);
    return f->blocks++;
}

void figure_row(struct figure *f, const char *text)
{
    gnuplot_cell(f->g.data, text);
}

void figure_row_at(struct figure *f, double number)
{
    fprintf(f->g.data, "%.9g", number);
}

void figure_values(struct figure *f, unsigned count, const double *values)
{
    for (unsigned i = 0; i < count; i++)
        gnuplot_value(&f->g, values[i]);
    fputc('\n', f->g.data);
}

void figure_block_end(struct figure *f)
{
    fputs("\n\n", f->g.data);
}

/* --- Frames. */

static void title_line(struct figure *f, unsigned number, const char *text, double y, const char *font)
{
    char place[100];

    snprintf(place, sizeof place, " at screen 0.5,%.6g center noenhanced font ',%s'", 1 - y / f->height, font);
    fprintf(f->body, "set label %u ", number);
    figure_quoted(f, "", text, place);
}

void figure_title(struct figure *f, const char *title, const char *note, unsigned key_rows)
{
    const double above = *note ? 52 : *title ? 34 : 4;

    f->panels = true;
    title_line(f, 1, title, 18, "13");
    title_line(f, 2, note, 40, "10");
    if (key_rows)
        figure_line(f, "set key at screen 0.5,%.6g center top horizontal noenhanced samplen 2 maxrows %u",
                    1 - above / f->height, key_rows);
    else
        figure_line(f, "unset key");
}

void figure_edges(struct figure *f, double left, double right, double top, double bottom)
{
    figure_line(f, "set lmargin at screen %.6g\nset rmargin at screen %.6g", left / f->width, right / f->width);
    figure_line(f, "set tmargin at screen %.6g\nset bmargin at screen %.6g", 1 - top / f->height,
                1 - bottom / f->height);
}

void figure_line(struct figure *f, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(f->body, format, args);
    va_end(args);
    fputc('\n', f->body);
}

void figure_quoted(struct figure *f, const char *before, const char *text, const char *after)
{
    fputs(before, f->body);
    gnuplot_quote(f->body, text);
    fprintf(f->body, "%s\n", after);
}

/* The first tick follows the bracket, others a comma. */
void figure_ticks(struct figure *f, const char *axis, const char *how)
{
    fprintf(f->body, "set %stics noenhanced %s (", axis, how);
    f->layers = 0;
}

void figure_tick(struct figure *f, const char *name, double place)
{
    fputs(f->layers++ ? ", " : "", f->body);
    gnuplot_quote(f->body, name);
    fprintf(f->body, " %.9g", place);
}

void figure_ticks_end(struct figure *f)
{
    fputs(")\n", f->body);
    f->layers = 0;
}

/* --- Layers. */

static void begin_layer(struct figure *f)
{
    fputs(f->layers++ ? ", " : "plot ", f->body);
}

static void end_layer(struct figure *f, const char *colour, const char *title)
{
    if (colour)
        fprintf(f->body, " lc rgb '%s'", colour);
    fputs(title ? " title " : " notitle", f->body);
    if (title)
        gnuplot_quote(f->body, title);
}

void figure_layer(struct figure *f, unsigned block, const char *how, const char *colour, const char *title)
{
    begin_layer(f);
    gnuplot_file(f->body, "dat");
    fprintf(f->body, " index %u using %s", block, how);
    end_layer(f, colour, title);
}

void figure_key(struct figure *f, const char *how, const char *colour, const char *title)
{
    begin_layer(f);
    fprintf(f->body, "keyentry with %s", how);
    end_layer(f, colour, title);
}

void figure_constant(struct figure *f, const char *format, ...)
{
    va_list args;

    begin_layer(f);
    va_start(args, format);
    vfprintf(f->body, format, args);
    va_end(args);
}

/* gnuplot finds fault with a plot of nothing. Title and key of the figure are drawn with its first panel. */
void figure_panel_end(struct figure *f)
{
    if (!f->layers)
        figure_constant(f, "1e30 notitle");
    fputs(f->panels ? "\nunset key\nunset label 1\nunset label 2\n" : "\n", f->body);
    f->layers = 0;
}

double figure_text_width(const char *text)
{
    return 7.5 * (double)strlen(text);
}

/* The name `text` begins with, which ends where no letter or digit follows; NULL: it stays. */
static const char *word_of(const char *text, size_t length)
{
    static const char *const words[][2] = {
        {"ipc", "IPC"}, {"l1d", "L1D"},  {"l2", "L2"},   {"l1tlb", "L1 TLB"}, {"l2tlb", "L2 TLB"}, {"dram", "DRAM"},
        {"noc", "NoC"}, {"gbs", "GB/s"}, {"sms", "SMs"}, {"uvm", "UVM"},      {"ctas", "CTAs"},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (length == strlen(words[i][0]) && !strncmp(words[i][0], text, length))
            return words[i][1];
    return NULL;
}

void figure_words(const char *name, char *text, size_t size)
{
    size_t used = 0;

    *text = 0;
    while (*name && used + 1 < size) {
        const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
        const char *word = word_of(name, length);
        const int n = word     ? snprintf(text + used, size - used, "%s", word)
                      : length ? snprintf(text + used, size - used, "%.*s", (int)length, name)
                               : snprintf(text + used, size - used, "%c", *name == '_' ? ' ' : *name);
        used += (size_t)n;
        name += length ? length : 1;
    }
}
