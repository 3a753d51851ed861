#include "engine/events.h"

#include <stddef.h>

const char *mh_event_name(uint32_t kind)
{
    static const char *const names[] = {
#define MH_EVENT_ROW(name, handler, what) #name,
#include "engine/events.def"
    };

    return kind < MH_EVENT_KINDS ? names[kind] : NULL;
}
