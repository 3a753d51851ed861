#include "made.h"

#include <string.h>

#include "base/json.h"
#include "base/provenance.h"

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
