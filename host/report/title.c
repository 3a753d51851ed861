#include "title.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "run/options.h"
#include "run/setup.h"
#include "base/json.h"
#include "base/provenance.h"

/* Tenants that come or go: their rates count the cycles in which they were there. */
static void presence(const struct mh_config *c, FILE *out)
{
    for (uint32_t t = 0; t < c->tenants_count; t++) {
        const struct mh_tenant_cfg *tenant = &c->tenants[t];
        if (!tenant->arrive && !tenant->leave)
            continue;
        fprintf(out, "tenant %u %s is there from cycle %" PRIu64, t, setup_kernel_name(tenant), tenant->arrive);
        if (tenant->leave)
            fprintf(out, " to %" PRIu64, tenant->leave);
        fputs("; its IPC, slowdown and GB/s are of these cycles\n", out);
    }
}

static void window(const struct mh_config *c, FILE *out)
{
    if (c->run.completions)
        fprintf(out, ", until each has finished %u time%s, at most", c->run.completions,
                c->run.completions > 1 ? "s" : "");
    else
        fputc(',', out);
    fprintf(out, " %" PRIu64 " GPU cycles", c->run.cycles);
}

/* "dws as changed by gpu.yaml and 2 keys": a preset's name alone would promise the paper's GPU. */
static void gpu(const struct experiment *x, FILE *out)
{
    const struct options *o = x->options;
    const char *file = o->config ? o->config : o->preset && preset_is_file(o->preset) ? o->preset : NULL;
    unsigned keys = 0;
    for (unsigned i = 0; i < o->set_count; i++) /* length and seed stand behind */
        keys += strncmp(o->sets[i], "run.", strlen("run.")) != 0;
    fprintf(out, "%s%s%s%s", x->cfg.preset, *x->cfg.design ? ", design " : "", x->cfg.design,
            file || keys ? " as changed by " : "");
    if (file)
        escape_print(out, file);
    if (keys)
        fprintf(out, "%s%u key%s", file ? " and " : "", keys, keys == 1 ? "" : "s");
    fputs(": ", out);
}

void report_title(const struct experiment *x, FILE *out)
{
    const struct mh_config *c = &x->cfg;
    gpu(x, out);
    for (uint32_t t = 0; t < c->tenants_count; t++)
        fprintf(out, "%s%s", t ? " + " : "", setup_kernel_name(&c->tenants[t]));
    window(c, out);
    if (x->seeds > 1)
        fprintf(out, ", seeds %u-%u", x->options->seed_first, x->options->seed_last);
    else
        fprintf(out, ", seed %" PRIu64, c->run.seed);
    fprintf(out, ", epoch %" PRIu64 ", ", c->run.epoch);
    if (x->options->twin)
        fprintf(out, "native twin\n");
    else if (c->mcu.hz)
        fprintf(out, "core %s at %.6g MHz\n", c->mcu.core, (double)c->mcu.hz / 1e6);
    else
        fprintf(out, "infinitely fast mcu\n");
    presence(c, out);
}

/* Two files may have one name: a built image, and a file of the user's. */
static void put_image(json_t *images, const struct image *image)
{
    char name[96];
    const char *suffix = image->twin ? ".so" : ".elf", *known;
    snprintf(name, sizeof name, "%s%s", image->base, suffix);
    for (unsigned n = 2; (known = json_string_value(json_object_get(images, name))); n++) {
        if (!strcmp(known, image->sha256))
            return;
        snprintf(name, sizeof name, "%s%s (%u)", image->base, suffix, n);
    }
    json_put(images, name, json_string(image->sha256));
}

void made_put(json_t *o, const struct plan *p)
{
    json_t *images = json_object();
    for (unsigned i = 0; i < plan_count(p); i++)
        put_image(images, plan_sims(p)[i]->sim.image);
    json_put(o, "made_by", provenance_json());
    json_put(o, "images", images);
}

static void add_config(struct hash *h, const struct kept_sim *s)
{
    if (s)
        hash_add(h, s->key.config, sizeof s->key.config);
}

void made_add_configs(struct hash *h, const struct point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_config(h, points[i].run);
        for (unsigned t = 0; t < MH_MAX_TENANTS; t++)
            add_config(h, points[i].alone[t]);
    }
}
