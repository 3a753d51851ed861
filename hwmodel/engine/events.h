/* The kinds of event and their handlers, from events.def. Handlers are called by gpu/ alone, or by their own
 * block. */
#ifndef MEMHELM_ENGINE_EVENTS_H
#define MEMHELM_ENGINE_EVENTS_H

#include <stdint.h>

#include "engine/wheel.h"

struct mh_gpu;

enum mh_event_kind_internal {
#define MH_EVENT_ROW(name, handler, what) name,
#include "engine/events.def"
    MH_EVENT_KINDS
};
_Static_assert(MH_EVENT_KINDS <= 1 << (32 - MH_EVENT_KIND_SHIFT), "kinds fit the top bits of an event");

#define MH_EVENT_ROW(name, handler, what) void handler(struct mh_gpu *g, uint32_t payload);
#include "engine/events.def"

/** EV_.. of a kind of event; NULL: there is none. */
const char *mh_event_name(uint32_t kind);

#endif
