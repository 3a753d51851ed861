#include <string.h>

#include "part.h"
#include "report/epoch_plot.h"

enum { BESIDE = 4 /* runs in a figure */ };

static int draw(struct part *p, const struct input *in, unsigned count, struct mh_error *err)
{
    struct epoch_plot plot = {.file_count = count};
    char name[PART_TITLE], file[PART_TITLE + 8], path[HOST_PATH], words[512] = "Per epoch and tenant:";
    for (unsigned i = 0; i < count; i++) {
        const size_t used = strlen(words);
        plot.files[i] = in[i].path;
        snprintf(words + used, sizeof words - used, "%s %.80s", i ? "," : "", in[i].name);
    }
    part_figure_name(p, "epochs", name);
    snprintf(file, sizeof file, "%s.svg", name);
    if (epoch_plot_write(&plot, p->figures, name, err) || path_join(path, p->figures, file, err))
        return -1;
    return part_figure(p, path, words, err);
}

int part_epochs(struct part *p, const struct input *in, unsigned count, struct mh_error *err)
{
    int status = 0;
    part_begin(p, "Over time");
    doc_paragraph(
        &p->doc,
        "IPC, misses of the L2 TLB, GPU cycles from an epoch's end to its decision, and the knobs that a policy "
        "turned.");
    for (unsigned i = 0; i < count && !status; i += BESIDE)
        status = draw(p, &in[i], count - i < BESIDE ? count - i : BESIDE, err);
    part_end(p);
    return status;
}
