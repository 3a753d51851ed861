#include <string.h>

#include "base/figure.h"
#include "explain.h"
#include "run/setup.h"
#include "stack.h"

/* Instructions at the bottom, then the way to memory; parts that nobody has are left out. */
static const char *const colours[STACK_PARTS] = {"#009E73", "#999999", "#bbbbbb", "#56B4E9", "#0072B2",
                                                 "#003f72", "#CC79A7", "#E69F00", "#F0E442", "#D55E00",
                                                 "#8b3a00", "#555555", "#333333", "#dddddd", "#eeeeee"};

static bool is_there(const struct explain_run *runs, unsigned count, unsigned part)
{
    for (uint32_t t = 0; t < runs->cfg->tenants_count; t++)
        for (unsigned i = 0; i < count; i++) {
            struct stack s;
            stack_of(runs[i].cfg, runs[i].stats, t, &s);
            if (s.part[part] >= 0.005 * s.all)
                return true;
        }
    return false;
}

/* A name that is longer than there is room for lacks its middle. */
static void label_of(const char *kernel, const char *image, char *text, size_t size)
{
    enum { MOST = 36, BEGIN = 18, END = MOST - BEGIN - 3 };
    snprintf(text, size, "%s, %s", kernel, image);
    const size_t length = strlen(text);
    if (length > MOST) {
        memcpy(text + BEGIN, "...", 3);
        memmove(text + BEGIN + 3, text + length - END, END + 1);
    }
}

static unsigned write_data(struct figure *f, const struct explain_run *runs, unsigned count)
{
    char text[HOST_PATH];
    struct stack s;
    const unsigned block = figure_block(f, "stacks");

    for (uint32_t t = 0; t < runs->cfg->tenants_count; t++)
        for (unsigned i = 0; i < count; i++) {
            stack_of(runs[i].cfg, runs[i].stats, t, &s);
            label_of(setup_kernel_name(&runs[i].cfg->tenants[t]), runs[i].image, text, sizeof text);
            figure_row(f, text);
            figure_values(f, STACK_PARTS, s.part);
        }
    figure_block_end(f);
    return block;
}

int explain_draw(const struct explain_run *runs, unsigned count, const char *dir, const char *name,
                 struct mh_error *err)
{
    struct figure f;

    figure_open(&f, "tenant and image, then the parts of its stack");
    const unsigned block = write_data(&f, runs, count);
    figure_line(&f, "set style data histograms\nset style histogram rowstacked\nset style fill solid 0.9\n"
                    "set boxwidth 0.7\nset ylabel 'SM cycles per warp instruction'\n"
                    "set key outside right reverse Left invert\nset xtics rotate by -20 nomirror noenhanced\n"
                    "set yrange [0:*]\nset grid ytics");
    for (unsigned p = 0; p < STACK_PARTS; p++) {
        char how[32];
        snprintf(how, sizeof how, "%u:xtic(1)", p + 2);
        if (is_there(runs, count, p))
            figure_layer(&f, block, how, colours[p], stack_name(p));
    }
    figure_panel_end(&f);
    return figure_finish(&f, dir, name, err);
}
