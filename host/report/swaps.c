#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "base/table.h"
#include "plan/metrics.h"
#include "report.h"

static double ipc(const struct mh_swap_span *s)
{
    return metrics_ratio((double)s->lane_instr, (double)s->cycles);
}

static void row(struct table *t, const struct mh_swap *s)
{
    table_row(t);
    table_left(t, s->image);
    table_number(t, s->began ? (double)s->began : NAN, 0);
    table_number(t, s->committed ? (double)(s->committed - s->began) : NAN, 0);
    table_number(t, ipc(&s->before), 2);
    table_number(t, ipc(&s->during), 2);
    table_number(t, ipc(&s->after), 2);
}

/* What the table does not say. */
static void line(const struct mh_swap *s, const struct image *before, FILE *out)
{
    if (s->refused)
        fprintf(out, "at GPU cycle %" PRIu64 " %s was to take over, and %s goes on: %s\n", s->asked, s->image,
                before->name, mh_boot_texts[s->refused]);
    else if (s->rolled_back)
        fprintf(out, "%s failed, and at GPU cycle %" PRIu64 " the mcu booted %s again\n", s->image, s->rolled_back,
                before->name);
    else if (!s->confirmed)
        fprintf(out, "%s %s\n", s->image,
                s->committed ? "had its probation not behind it at the end" : "did not come to its first COMMIT");
}

void report_swaps(const struct sim *s, FILE *out)
{
    const struct mh_swaps *all = &s->result.mcu.swaps;
    if (!all->count)
        return;
    struct table *t = table_new();
    table_heading(t, "<took over|at GPU cycle|no policy [cycles]|IPC an epoch before|meanwhile|an epoch after");
    for (uint32_t i = 0; i < all->count; i++)
        row(t, &all->list[i]);
    table_print(t, out);
    table_free(t);
    for (uint32_t i = 0; i < all->count; i++)
        line(&all->list[i], sim_image_at(s, all->list[i].asked - 1), out);
}

json_t *result_swaps(const struct sim *s)
{
    const struct mh_swaps *all = &s->result.mcu.swaps;
    json_t *list = json_array();
    for (uint32_t i = 0; i < all->count; i++) {
        const struct mh_swap *one = &all->list[i];
        json_t *o = json_object();
        json_put(o, "image", json_string(one->image));
        json_put(o, "cycle", json_integer((json_int_t)one->began));
        json_put(o, "no_policy",
                 one->committed ? json_integer((json_int_t)(one->committed - one->began)) : json_null());
        json_put_real(o, "ipc_before", ipc(&one->before));
        json_put_real(o, "ipc_during", ipc(&one->during));
        json_put_real(o, "ipc_after", ipc(&one->after));
        json_array_append_new(list, o);
    }
    return list;
}
