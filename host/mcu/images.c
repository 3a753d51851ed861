#include "images.h"

#include <stddef.h>
#include <string.h>

#include "../../firmware/image/common/groups.h"

#define POLICY(name) #name " "

const struct image_row image_rows[] = {
#define IMAGE(name, paper, preset, steers, needs, sentence, policies)                                                  \
    {name, paper, preset, steers, needs, sentence, "defaults " policies},
#define FORMERLY(old, now)
#include "../../firmware/images.def"
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL}};

const struct image_row *image_row(const char *name)
{
    for (const struct image_row *r = image_rows; r->name; r++)
        if (!strcmp(r->name, name))
            return r;
    return NULL;
}

const char *image_formerly(const char *old)
{
    static const struct {
        const char *old, *now;
    } names[] = {
#define IMAGE(name, paper, preset, steers, needs, sentence, policies)
#define FORMERLY(was, is) {was, is},
#include "../../firmware/images.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].old, old))
            return names[i].now;
    return NULL;
}
