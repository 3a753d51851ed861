/* Counts of what the mcu executed: spreads, where the longest was spent, and files that are none. */
#include "unit/test.h"

#include "budget/profile/profile.h"

static struct mh_error err;

#define NODES                                                                                                          \
    "\"nodes\": [[0, 0, -1, 0, 0, 0, 0], [1, 0, 0, 1, 100, 200, 3], [2, 1, 2, 4, 40, 70, 0], [3, 2, 1, 4, 10, 15, 0]," \
    " [4, 1, 1, 1, 9, 9, 0]]"
#define AT "\"at\": [[1048576, 9, 0, 0, 0], [1048578, 100, 40, 3, 2109412]]"
/* Classes as values.def has them, then 3 instructions of no function. */
#define MIX(alu)                "{\"classes\": [" alu REST("0", "0", "0") "], \"taken\": 0, \"mmio\": 0, \"traps\": 0}"
#define ZEROS                   "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
#define REST(load, branch, jal) ", 0, 0, 0, 0, 0, " load ", 0, " branch ", 0, " jal ", 0, 0, 0, 0, 0, 0, 0, 0, 0, 3"
#define NOTHING                 "{\"classes\": [" ZEROS "0], \"taken\": 0, \"mmio\": 0, \"traps\": 0}"
#define RUN_MIX(taken)          "{\"classes\": [70" REST("30", "50", "6") "], \"taken\": " taken ", \"mmio\": 9, \"traps\": 2}"

#define FILE_ALL(schema, mix, at, nodes, spans)                                                                        \
    "{\"schema\": \"" schema "\", \"instructions\": 159, \"traps\": 4, \"stack_low\": 2109412, \"mix\": " mix ", " at  \
    ", " nodes ", \"spans\": [" spans "]}"
#define FILE_WITH(at, nodes, spans) FILE_ALL("memhelm-core-2", RUN_MIX("40"), at, nodes, spans)
#define FILE_OF(nodes, spans)       FILE_WITH(AT, nodes, spans)

#define SPAN_MIX(kind, id, samples, worst, mix, worst_mix)                                                             \
    "{\"kind\": \"" kind "\", \"id\": " id ", \"stack_low\": 2109440, \"samples\": [" samples "], \"worst\": [" worst  \
    "], \"mix\": " mix ", \"worst_mix\": " worst_mix "}"
/* Of samples of 4 instructions: one, or two. */
#define SPAN(kind, id, samples, worst)  SPAN_MIX(kind, id, samples, worst, MIX("1"), MIX("1"))
#define SPAN2(kind, id, samples, worst) SPAN_MIX(kind, id, samples, worst, MIX("5"), MIX("1"))

static struct profile *parse(const char *text)
{
    struct profile *p = profile_parse("core.json", text, 3, &err);
    assert_good(p, err);
    return p;
}

TEST(test_series)
{
    struct profile *p =
        parse(FILE_OF(NODES, SPAN_MIX("source", "0", "[30, 60, 5], [10, 20, 1], [20, 100, 3], [19, 100, 3]",
                                      "[1, 5, 10], [3, 4, 40], [2, 6, 12], [4, 3, 30]", MIX("76"), MIX("17"))));
    const struct series *s = &p->sources[MH_SOURCE_EPOCH];
    assert_int_equal(p->instructions, 159);
    assert_int_equal(s->count, 4);
    assert_int_equal(s->instructions.min, 10);
    assert_int_equal(s->instructions.max, 30);
    assert_true(s->cycles.mean == 70);
    assert_int_equal(s->cycles.p99, 100);
    assert_int_equal(s->stalls.max, 5);
    assert_int_equal(s->mix.classes[CORE_ALU], 76);
    assert_int_equal(s->worst_mix.classes[CORE_ALU], 17); /* of the first of the two longest */
    assert_int_equal(s->stack_low, 2109440);
    assert_int_equal(s->worst_count, 3);
    assert_int_equal(s->worst[0].function, 1); /* at two places of the tree: 40 + 30 */
    assert_int_equal(s->worst[0].cycles, 70);
    assert_int_equal(s->worst[0].instructions, 7);
    assert_int_equal(s->worst[1].function, 2);
    assert_int_equal(s->worst[2].function, 0);
    assert_int_equal(p->sources[MH_SOURCE_WALK_EPOCH].count, 0);
    assert_int_equal(p->node_count, 5);
    assert_int_equal(p->nodes[3].parent, 2);
    profile_free(p);
}

/* Of a decision's functions the longest decision's cycles stand for all of the source; hooks' do not count twice. */
TEST(test_decided)
{
    struct profile *p = parse(
        FILE_OF(NODES, SPAN2("source", "0", "[4, 50, 0], [4, 40, 0]", "[2, 5, 10], [3, 4, 40]") "," SPAN(
                           "source", "1", "[4, 7, 0]", "[2, 5, 7]") "," SPAN("hook", "0", "[4, 40, 0]", "[3, 4, 40]")));
    assert_int_equal(p->nodes[1].decided, 0);
    assert_int_equal(p->nodes[2].decided, 2 * 10 + 7);
    assert_int_equal(p->nodes[3].decided, 2 * 40);
    profile_free(p);
}

TEST(test_addresses)
{
    struct profile *p = parse(FILE_OF(NODES, ""));
    assert_int_equal(p->at_count, 2);
    assert_int_equal(profile_at(p, 0x100000)->count, 9);
    assert_int_equal(profile_at(p, 0x100002)->count, 100);
    assert_int_equal(profile_at(p, 0x100002)->taken, 40);
    assert_int_equal(profile_at(p, 0x100002)->mmio, 3);
    assert_int_equal(profile_at(p, 0x100000)->stack_low, 0);
    assert_int_equal(profile_at(p, 0x100002)->stack_low, 2109412);
    assert_int_equal(p->traps, 4);
    assert_int_equal(p->stack_low, 2109412);
    assert_null(profile_at(p, 0x100001));
    assert_null(profile_at(p, 0x100004));
    assert_null(profile_at(p, 0));
    profile_free(p);
}

TEST(test_hooks)
{
    struct profile *p = parse(FILE_OF(NODES, SPAN("hook", "7", "[4, 2, 3]", "")));
    assert_int_equal(p->hooks[7].count, 1);
    assert_int_equal(p->hooks[7].cycles.p99, 2);
    assert_int_equal(p->hooks[7].worst_count, 0);
    assert_int_equal(p->hooks[6].count, 0);
    profile_free(p);
}

/* Samples 1 .. count: the smallest that 99 % do not exceed. */
static uint64_t p99_of(unsigned count)
{
    char *samples = calloc(1 + count, 24), *text = malloc(2000 + (size_t)count * 24), *at = samples;
    assert_true(samples && text);
    for (unsigned i = count; i; i--)
        at += sprintf(at, "[0, %u, 0]%s", i, i > 1 ? ", " : "");
    sprintf(text, FILE_OF(NODES, SPAN_MIX("source", "1", "%s", "", NOTHING, NOTHING)), samples);
    free(samples);
    struct profile *p = parse(text);
    uint64_t p99 = p->sources[1].cycles.p99;
    profile_free(p);
    free(text);
    return p99;
}

TEST(test_p99)
{
    assert_int_equal(p99_of(1), 1);
    assert_int_equal(p99_of(2), 2);
    assert_int_equal(p99_of(99), 99);
    assert_int_equal(p99_of(100), 99);
    assert_int_equal(p99_of(101), 100);
    assert_int_equal(p99_of(200), 198);
}

static void refuse(const char *text, const char *part)
{
    if (profile_parse("core.json", text, 3, &err))
        fail_msg("accepted: %s", text);
    assert_has(err.text, part);
}

TEST(test_damaged)
{
    refuse("", "core.json:");
    refuse("[]", "core.json: no counts of this image");
    refuse(FILE_OF("\"nodes\": []", ""), "no counts");
    refuse(FILE_OF("\"nodes\": [[1, 0, 0, 0, 0, 0, 0]]", ""), "no counts");
    refuse(FILE_OF("\"nodes\": [[0, 0, -1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0]]", ""), "no counts"); /* its own parent */
    refuse(FILE_OF("\"nodes\": [[0, 0, -1, 0, 0, 0, 0], [1, 0, 3, 0, 0, 0, 0]]", ""),
           "no counts"); /* no such function */
    refuse(FILE_OF("\"nodes\": [[0, 0, -1, 0, 0, 0]]", ""), "no counts");
    refuse(FILE_OF(NODES, SPAN("source", "99", "[4, 1, 1]", "")), "no counts");
    refuse(FILE_OF(NODES, SPAN("source", "-1", "[4, 1, 1]", "")), "no counts");
    refuse(FILE_OF(NODES, SPAN("other", "0", "[4, 1, 1]", "")), "no counts");
    refuse(FILE_OF(NODES, SPAN("hook", "256", "[4, 1, 1]", "")), "no counts");
    refuse(FILE_OF(NODES, SPAN("source", "0", "", "")), "no counts");
    refuse(FILE_OF(NODES, SPAN("source", "0", "[4, -1, 1]", "")), "no counts");
    refuse(FILE_OF(NODES, SPAN("source", "0", "[4, 1, 1]", "[5, 1, 1]")), "no counts"); /* no such node */
    refuse(FILE_OF(NODES, SPAN("source", "0", "[4, 1, 1]", "[0, 1, 1]")), "no counts"); /* the root spends nothing */
    refuse(FILE_OF(NODES, SPAN("hook", "1", "[4, 1, 1]", "") "," SPAN("hook", "1", "[4, 1, 1]", "")), "no counts");
    refuse(FILE_WITH("\"at\": 1", NODES, ""), "no counts");
    refuse(FILE_WITH("\"at\": [[1, 1, 0, 0]]", NODES, ""), "no counts");
    refuse(FILE_WITH("\"at\": [[4, 1, 0, 0, 0], [2, 1, 0, 0, 0]]", NODES, ""), "no counts"); /* not by address */
    refuse(FILE_WITH("\"at\": [[4, -1, 0, 0, 0]]", NODES, ""), "no counts");
    refuse(FILE_WITH("\"at\": [[4294967296, 1, 0, 0, 0]]", NODES, ""), "no counts");
    refuse(FILE_ALL("memhelm-core-1", RUN_MIX("40"), AT, NODES, ""), "no counts");
}

TEST(test_mix)
{
    struct profile *p = parse(FILE_OF(NODES, ""));
    const struct mix *m = &p->mix;
    assert_int_equal(m->classes[CORE_ALU], 70);
    assert_int_equal(m->classes[CORE_LOAD], 30);
    assert_int_equal(m->classes[CORE_BRANCH_TAKEN], 40);
    assert_int_equal(m->classes[CORE_BRANCH_NOT_TAKEN], 10);
    assert_int_equal(m->classes[CORE_JAL], 6);
    assert_int_equal(m->unknown, 3);
    assert_int_equal(m->mmio, 9);
    assert_int_equal(m->traps, 2);
    assert_int_equal(mix_instructions(m), 159);
    profile_free(p);
}

/* One more than there are: a trap came between a branch in front of a span and where it went. */
TEST(test_branch_before)
{
    struct profile *p = parse(FILE_ALL("memhelm-core-2", RUN_MIX("51"), AT, NODES, ""));
    assert_int_equal(p->mix.classes[CORE_BRANCH_TAKEN], 50);
    assert_int_equal(p->mix.classes[CORE_BRANCH_NOT_TAKEN], 0);
    assert_int_equal(mix_instructions(&p->mix), 159);
    profile_free(p);
}

static void refuse_mix(const char *mix)
{
    char text[2000];
    snprintf(text, sizeof text, FILE_ALL("memhelm-core-2", "%s", AT, NODES, ""), mix);
    refuse(text, "no counts");
}

/* All of a run, a series and its longest must be accounted for. */
TEST(test_damaged_mix)
{
    refuse_mix("1");
    refuse_mix("{\"classes\": [" ZEROS "159], \"taken\": 0, \"mmio\": 0}");
    refuse_mix("{\"classes\": [" ZEROS "159], \"taken\": 0, \"traps\": 0}");
    refuse_mix("{\"classes\": [" ZEROS "159], \"mmio\": 0, \"traps\": 0}");
    refuse_mix("{\"classes\": [" ZEROS "158], \"taken\": 0, \"mmio\": 0, \"traps\": 0}");
    refuse_mix("{\"classes\": [" ZEROS "160], \"taken\": 0, \"mmio\": 0, \"traps\": 0}");
    refuse_mix("{\"classes\": [" ZEROS "0, 159], \"taken\": 0, \"mmio\": 0, \"traps\": 0}"); /* a class too many */
    refuse_mix("{\"classes\": [159], \"taken\": 0, \"mmio\": 0, \"traps\": 0}");
    refuse_mix("{\"classes\": [160" REST("0", "0", "-4") "], \"taken\": 0, \"mmio\": 0, \"traps\": 0}");
    refuse_mix(RUN_MIX("-1"));
    refuse(FILE_OF(NODES, SPAN_MIX("source", "0", "[4, 1, 1], [5, 2, 1]", "", MIX("5"), MIX("2"))), "no counts");
    refuse(FILE_OF(NODES, SPAN_MIX("source", "0", "[4, 1, 1], [5, 2, 1]", "", MIX("7"), MIX("2"))), "no counts");
    refuse(FILE_OF(NODES, SPAN_MIX("source", "0", "[4, 1, 1], [5, 2, 1]", "", MIX("6"), MIX("1"))), "no counts");
    profile_free(parse(FILE_OF(NODES, SPAN_MIX("source", "0", "[4, 1, 1], [5, 2, 1]", "", MIX("6"), MIX("2")))));
}
