#include "sources.h"

#include <string.h>

static const struct {
    const char *name, *missed;
} rows[MH_SOURCES] = {
#define MH_SOURCE(NAME, field, irq, REGISTER, raised, missed) {#field, missed},
#include "memhelm/registers.def"
};

/* The hooks that serve them (firmware/image/common/fw.c). */
static const char *const hooks[MH_SOURCES] = {
    [MH_SOURCE_EPOCH] = "on_epoch",    [MH_SOURCE_WALK_EPOCH] = "on_walk_epoch", [MH_SOURCE_ARRIVAL] = "on_arrival",
    [MH_SOURCE_TENANT] = "on_event",   [MH_SOURCE_PAGE_FAULT] = "on_page_fault", [MH_SOURCE_TIMER] = "on_timer",
    [MH_SOURCE_TIMER_2] = "on_timer_2"};

struct source_info source_info(unsigned source)
{
    struct source_info info = {.name = rows[source].name, .hook = hooks[source], .missed = rows[source].missed};
    for (enum limit l = LIMIT_EPOCH; l < LIMITS; l++)
        if (!strcmp(limit_names[l], info.name)) {
            info.limited = true;
            info.limit = l;
        }
    return info;
}
