#include "translate/instruction.h"

#include "engine/gpu.h"
#include "engine/request.h"
#include "engine/upstream.h"

/*
 * An ID comes again after 2^20 instructions. The records are swept in each half of such a turn, so one whose
 * instruction lasts less than half a turn is free before its ID comes again.
 */
enum { HALF_TURN = MH_WALK_INSTR_BITS - 1 };

/*
 * Twice as many as can be in use at a time: an instruction in use holds an L1 TLB MSHR, or is at the head of its LSU.
 * So a sweep of a full table frees at least half of it.
 */
int mh_instructions_init(struct mh_instructions *t, const struct mh_config *cfg)
{
    t->capacity = 2 * cfg->sm.count * (cfg->l1tlb.mshrs + 1);
    t->free = MH_NONE;
    t->record = mh_aligned_zeros((t->capacity + 1) * sizeof *t->record);
    return t->record ? mh_index_init(&t->index, t->capacity) : -1;
}

void mh_instructions_free(struct mh_instructions *t)
{
    free(t->record);
    mh_index_free(&t->index);
}

static int find(const struct mh_instructions *t, uint32_t id)
{
    return id == MH_NO_INSTRUCTION ? -1 : mh_index_find(&t->index, id);
}

const struct mh_instruction *mh_instruction_find(const struct mh_instructions *t, uint32_t id)
{
    int at = find(t, id);

    return at < 0 ? NULL : &t->record[at];
}

void mh_instruction_mark(struct mh_instructions *t, uint32_t id)
{
    int at = find(t, id);

    if (at >= 0)
        t->record[at].may_go_on = true;
}

/* A score for walks that all have a walker is too late: it must not reach those that the instruction has later. */
bool mh_instruction_tell_score(struct mh_instructions *t, uint32_t id, uint32_t score)
{
    int at = find(t, id);

    if (at < 0 || !t->record[at].waiting)
        return false;
    t->record[at].told = (uint16_t)score;
    return true;
}

void mh_instructions_forget_scores(struct mh_instructions *t)
{
    for (struct mh_instruction *i = t->record; i < t->record + t->used; i++)
        i->told = 0;
}

/* Bins of 16 reads, as figure 3 of Shin et al. needs them. */
static uint64_t *reads_counter(struct mh_counters *c, uint32_t reads)
{
    uint64_t *const of[] = {&c->walk_reads_16, &c->walk_reads_32, &c->walk_reads_48, &c->walk_reads_64,
                            &c->walk_reads_more};
    uint32_t sixteens = (reads - 1) / 16;

    return of[sixteens < 4 ? sixteens : 4];
}

static void count(struct mh_counters *c, const struct mh_instruction *i)
{
    c->walk_instr++;
    ++*reads_counter(c, i->reads);
    /* Figures 5, 6 and 10 of Shin et al. are of instructions with two walks or more. */
    if (i->walks < 2)
        return;
    c->walk_instr_many++;
    c->walk_instr_mixed += i->mixed;
    c->walk_first_cycles += i->first;
    c->walk_last_cycles += i->last;
}

static void retire(struct mh_gpu *g, struct mh_instruction *i)
{
    struct mh_instructions *t = g->instructions;

    count(&g->tenant[i->tenant].count, i);
    mh_index_del(&t->index, i->id);
    i->id = MH_NO_INSTRUCTION;
    i->next_free = t->free;
    t->free = (uint32_t)(i - t->record);
}

/*
 * An instruction without a walk under way may have one yet: while it holds an L1 TLB MSHR, or is at the head of its
 * LSU. Those are marked first, the others are finished.
 */
void mh_instructions_sweep(struct mh_gpu *g)
{
    struct mh_instructions *t = g->instructions;

    t->swept = t->accepted >> HALF_TURN;
    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        mh_lsu_mark(g, i);
    for (struct mh_instruction *i = t->record; i < t->record + t->used; i++) {
        if (i->id != MH_NO_INSTRUCTION && !i->live && !i->may_go_on)
            retire(g, i);
        i->may_go_on = false;
    }
}

static uint32_t take_record(struct mh_gpu *g)
{
    struct mh_instructions *t = g->instructions;

    if (t->free == MH_NONE && t->used == t->capacity)
        mh_instructions_sweep(g);
    if (t->free == MH_NONE) {
        MH_CHECK(t->used < t->capacity);
        return t->used++;
    }
    uint32_t record = t->free;

    t->free = t->record[record].next_free;
    return record;
}

static uint32_t record_of(struct mh_gpu *g, uint32_t id, uint32_t tenant, uint64_t missed)
{
    struct mh_instructions *t = g->instructions;

    /* First: the index may lead from this ID to a finished instruction that had it a turn ago. */
    if (t->accepted >> HALF_TURN != t->swept)
        mh_instructions_sweep(g);
    int found = mh_index_find(&t->index, id);

    if (found >= 0)
        return (uint32_t)found;
    if (id == MH_NO_INSTRUCTION) /* which an index does not find */
        return t->capacity;
    uint32_t record = take_record(g);

    t->record[record] = (struct mh_instruction){.id = id, .missed = missed, .tenant = (uint8_t)tenant};
    mh_index_put(&t->index, id, record);
    return record;
}

uint32_t mh_instruction_walk(struct mh_gpu *g, uint32_t id, uint32_t tenant, uint64_t missed)
{
    struct mh_instructions *t = g->instructions;
    uint32_t record = record_of(g, id, tenant, missed);
    struct mh_instruction *i = &t->record[record];

    t->walks++;
    /* Figure 5: since its last walk one of another instruction has come. */
    i->mixed |= i->walks && i->last_walk + 1 != t->walks;
    i->last_walk = t->walks;
    i->walks++;
    i->live++;
    return record;
}

void mh_instruction_walked(struct mh_instructions *t, uint32_t record, uint64_t cycle)
{
    struct mh_instruction *i = &t->record[record];

    i->last = cycle - i->missed;
    /* None of its walks has ended before. */
    if (i->live-- == i->walks)
        i->first = i->last;
}
