/* Event sources: what firmware is asked, when it answers, and what it misses. */
#include "control/internal.h"

/* Epochs and walk epochs have names of their own in the results: the same numbers. */
static void keep_old_names(struct mh_control_stats *s)
{
    const struct mh_source_stats *epoch = &s->source[MH_SOURCE_EPOCH], *walk = &s->source[MH_SOURCE_WALK_EPOCH];

    s->epochs = epoch->raised;
    s->missed = epoch->missed;
    s->latency_count = epoch->answered;
    s->latency_sum = epoch->latency_sum;
    s->latency_max = epoch->latency_max;
    s->walk_epochs = walk->raised;
    s->walk_missed = walk->missed;
    s->walk_latency_count = walk->answered;
    s->walk_latency_sum = walk->latency_sum;
    s->walk_latency_max = walk->latency_max;
}

void mh_source_raised(struct mh_control *c, enum mh_source source)
{
    c->stats.source[source].raised++;
    keep_old_names(&c->stats);
}

void mh_source_missed(struct mh_control *c, enum mh_source source)
{
    c->stats.source[source].missed++;
    keep_old_names(&c->stats);
}

void mh_source_answered(struct mh_control *c, enum mh_source source, uint64_t latency)
{
    struct mh_source_stats *s = &c->stats.source[source];

    s->answered++;
    s->latency_sum += latency;
    if (latency > s->latency_max)
        s->latency_max = latency;
    keep_old_names(&c->stats);
}

/* Not yet seen: a SNAPSHOT or WALK_ENQ of before the question answers nothing. */
void mh_question_ask(struct mh_control *c, enum mh_source source, uint64_t cycle)
{
    c->question[source] = (struct mh_question){.open = true, .cycle = cycle};
    mh_source_raised(c, source);
}

bool mh_question_drop(struct mh_control *c, enum mh_source source)
{
    bool open = c->question[source].open;

    if (open)
        mh_source_missed(c, source);
    c->question[source].open = false;
    return open;
}

/* A COMMIT of firmware that has not looked is no answer: the question stays open. */
bool mh_question_answer(struct mh_control *c, enum mh_source source, uint64_t now)
{
    struct mh_question *q = &c->question[source];
    bool answers = q->open && q->seen;

    if (answers) {
        mh_source_answered(c, source, now - q->cycle);
        q->open = false;
    }
    return answers;
}

static bool comes_or_goes(uint32_t kind)
{
    return kind == MH_EVENT_TENANT_ARRIVED || kind == MH_EVENT_TENANT_LEFT;
}

/* Only tenants that come or go ask for a decision. One that finished, or the host, does not. */
void mh_tenant_event_raised(struct mh_control *c, uint32_t kind, bool lost)
{
    if (!comes_or_goes(kind))
        return;
    mh_source_raised(c, MH_SOURCE_TENANT);
    if (lost)
        mh_source_missed(c, MH_SOURCE_TENANT);
}

void mh_tenant_event_taken(struct mh_control *c, uint32_t kind, uint64_t raised)
{
    if (!comes_or_goes(kind))
        return;
    if (c->taken.events == MH_FIFO_SLOTS) /* no COMMIT for so many of them */
        mh_source_missed(c, MH_SOURCE_TENANT);
    else
        c->taken.event[c->taken.events++] = raised;
}

/*
 * One COMMIT answers all events that were taken: it was decided with them in view. CAP_EPOCH as the limit is ours: no
 * paper gives a deadline.
 */
void mh_tenant_events_answer(struct mh_control *c, uint64_t now)
{
    uint64_t limit = *mh_control_value(c, MH_REG_CAP_EPOCH);

    for (uint32_t i = 0; i < c->taken.events; i++)
        if (now - c->taken.event[i] <= limit)
            mh_source_answered(c, MH_SOURCE_TENANT, now - c->taken.event[i]);
        else
            mh_source_missed(c, MH_SOURCE_TENANT);
    c->taken.events = 0;
}

void mh_tenant_events_drop(struct mh_control *c)
{
    for (; c->taken.events; c->taken.events--)
        mh_source_missed(c, MH_SOURCE_TENANT);
}

void mh_page_fault_taken(struct mh_control *c, uint32_t raised)
{
    if (c->taken.faults == MH_PAGE_FAULT_FIFO) /* no COMMIT for so many of them */
        mh_source_missed(c, MH_SOURCE_PAGE_FAULT);
    else
        c->taken.fault[c->taken.faults++] = raised;
}

/* The latency of a fault as the limit is ours: up to then the SM that faulted does nothing that a decision could stop.
 */
void mh_page_faults_answer(struct mh_control *c, uint64_t now)
{
    for (uint32_t i = 0; i < c->taken.faults; i++)
        if ((uint32_t)now - c->taken.fault[i] <= c->fault_cycles)
            mh_source_answered(c, MH_SOURCE_PAGE_FAULT, (uint32_t)now - c->taken.fault[i]);
        else
            mh_source_missed(c, MH_SOURCE_PAGE_FAULT);
    c->taken.faults = 0;
}

void mh_page_faults_drop(struct mh_control *c)
{
    for (; c->taken.faults; c->taken.faults--)
        mh_source_missed(c, MH_SOURCE_PAGE_FAULT);
}

/* The one taken before, if it has no score yet, stays open for ever: no policy has to score. */
void mh_arrival_taken(struct mh_control *c, uint32_t instruction, uint32_t raised)
{
    c->taken.arrival = true;
    c->taken.instruction = instruction;
    c->taken.arrived = raised;
}

/* Only low words of cycles are kept: their difference is right below 2^32. */
void mh_arrival_scored(struct mh_control *c, uint64_t now, uint32_t instruction, bool in_time)
{
    if (!c->taken.arrival || c->taken.instruction != instruction)
        return;
    c->taken.arrival = false;
    if (in_time)
        mh_source_answered(c, MH_SOURCE_ARRIVAL, (uint32_t)now - c->taken.arrived);
    else
        mh_source_missed(c, MH_SOURCE_ARRIVAL);
}
