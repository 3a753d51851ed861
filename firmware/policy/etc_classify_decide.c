#include "etc.h"
#include "etc_classify.h"

static enum etc_class class_of(const struct etc_classify_config *config, uint32_t lines, uint32_t instructions)
{
    return lines > (uint64_t)config->lines * instructions ? ETC_IRREGULAR : ETC_REGULAR;
}

enum etc_class etc_classify_decide(const struct etc_classify_config *config, struct etc_classify_state *state,
                                   const struct etc_classify_counters *now)
{
    uint32_t instructions = now->instructions - state->last.instructions;
    enum etc_class class;

    if (instructions < config->least)
        return state->class;
    class = class_of(config, now->lines - state->last.lines, instructions);
    state->last = *now;
    if (state->class == ETC_UNKNOWN)
        state->class = class;
    state->late_changes += class != state->class;
    return state->class;
}

uint32_t etc_classify_techniques(enum etc_class class, bool shares)
{
    switch (class) {
    case ETC_REGULAR:
        return shares ? ETC_PE | ETC_CC : ETC_PE;
    case ETC_IRREGULAR:
        return ETC_MT | ETC_CC;
    default:
        return 0;
    }
}
