/*
 * What instructions cost, written from the cores' documents and not from our tables: pairs with a use, shifts, halves
 * of words. Loops whose cycles the documents imply: tests/e2e/test_core.sh.
 */
#include "unit/test.h"

#include "mcu/cost.h"
#include "mcu/insn.h"
#include "mcu/timing.h"

enum core_name { IPC1, IBEX, IBEX_SLOW, IBEX_MAX, PICO, PICO_FAST, INORDER5, CORES };

static const char *const names[CORES] = {"ipc1",     "ibex",          "ibex-slow", "ibex-max",
                                         "picorv32", "picorv32-fast", "inorder5"};

static struct core cores[CORES];

static int open_cores(void **)
{
    struct mh_error err;

    for (unsigned i = 0; i < CORES; i++)
        assert_good(!core_open(&cores[i], names[i], &err), err);
    return 0;
}

static int close_cores(void **)
{
    for (unsigned i = 0; i < CORES; i++)
        core_close(&cores[i]);
    return 0;
}

/* As an assembler makes them. */
enum {
    LW_T0 = 0x42283,    /* lw t0,0(s0) */
    LW_X0 = 0x42003,    /* lw x0,0(s0) */
    LW_RA = 0x12083,    /* lw ra,0(sp) */
    LW_T1_T0 = 0x2a303, /* lw t1,0(t0) */
    SW_T0 = 0x542023,   /* sw t0,0(s0) */
    SW_S0 = 0x82a023,   /* sw s0,0(t0) */
    ADD_T0 = 0x530333,  /* add t1,t1,t0 */
    ADD_X0 = 0x30333,   /* add t1,t1,x0 */
    SET_T0 = 0x7302b3,  /* add t0,t1,t2 */
    INC_T0 = 0x128293,  /* addi t0,t0,1 */
    NOP = 0x13,
    RET = 0x8067,
    J = 0x80006f,      /* j .+8 */
    BEQ = 0x50463,     /* beq a0,x0,.+8 */
    BNE_T0 = 0x29463,  /* bne t0,x0,.+8 */
    MUL = 0x27302b3,   /* mul t0,t1,t2 */
    MULHU = 0x27332b3, /* mulhu t0,t1,t2 */
    DIVU = 0x27352b3,  /* divu t0,t1,t2 */
    CSRW = 0x34029073, /* csrw mscratch,t0 */
    ECALL = 0x73,
    MRET = 0x30200073,
    C_ADD_T0 = 0x9316,  /* c.add t1,t0 */
    C_LWSP_T0 = 0x4282, /* c.lwsp t0,0(sp) */
    END = 0,            /* of the code */
};

static struct cost_window window(const uint32_t words[3])
{
    struct cost_window w;
    memset(&w, 0, sizeof w);
    for (unsigned i = 0; i < 3 && words[i]; i++)
        insn_decode(words[i], &w.at[i]);
    return w;
}

/*
 * UG1629, 5-Stage Pipeline: what reads a load or product in the next instruction waits 2 cycles, in the one after
 * that 1. Ibex with a write-back stage: 1 and 0. The others never wait.
 */
TEST(test_uses)
{
    static const struct {
        uint32_t words[3];
        unsigned inorder5, ibex_max, ibex;
    } rows[] = {
        {{LW_T0, ADD_T0, NOP}, 2, 1, 1},    {{LW_T0, NOP, ADD_T0}, 1, 0, 1},
        {{LW_T0, ADD_T0, ADD_T0}, 2, 1, 1},                                        /* one wait covers both uses */
        {{LW_T0, NOP, NOP}, 0, 0, 1},       {{C_LWSP_T0, C_ADD_T0, NOP}, 2, 1, 1}, /* compressed: the same */
        {{LW_T0, LW_T1_T0, NOP}, 2, 1, 1},                                         /* as an address */
        {{LW_T0, SW_S0, NOP}, 2, 1, 1},     {{LW_T0, SW_T0, NOP}, 2, 1, 1},        /* as data */
        {{LW_T0, CSRW, NOP}, 2, 1, 1},      {{LW_T0, BNE_T0, NOP}, 2, 1, 1},
        {{LW_RA, RET, NOP}, 2, 1, 1},       {{LW_T0, INC_T0, ADD_T0}, 2, 1, 1}, /* read before it is overwritten */
        {{LW_T0, SET_T0, ADD_T0}, 0, 0, 1},                                     /* overwritten first */
        {{LW_T0, LW_T0, ADD_T0}, 0, 0, 1},  {{LW_X0, ADD_X0, ADD_X0}, 0, 0, 1}, /* x0 carries nothing */
        {{LW_T0, J, ADD_T0}, 0, 0, 1},                                          /* behind a jump is somewhere else */
        {{LW_T0, RET, ADD_T0}, 0, 0, 1},    {{LW_T0, ECALL, ADD_T0}, 0, 0, 1},
        {{LW_T0, MRET, ADD_T0}, 0, 0, 1},   {{LW_T0, BEQ, ADD_T0}, 1, 0, 1}, /* as if it were not taken */
        {{LW_T0, END, END}, 0, 0, 1},       {{LW_T0, ADD_T0, END}, 2, 1, 1},
        {{LW_T0, NOP, END}, 0, 0, 1},       {{MUL, ADD_T0, NOP}, 2, 0, 2},
        {{MUL, NOP, ADD_T0}, 1, 0, 2},      {{MULHU, ADD_T0, NOP}, 2, 1, 3},
        {{MULHU, NOP, ADD_T0}, 1, 1, 3},    {{DIVU, ADD_T0, NOP}, 35, 36, 36},
        {{DIVU, NOP, ADD_T0}, 33, 36, 36},  {{SET_T0, ADD_T0, ADD_T0}, 0, 0, 0}, /* forwarded */
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cost_window w = window(rows[i].words);
        unsigned got[] = {core_cost(cores[INORDER5].values, CORE_CYCLES, &w, 0).extra,
                          core_cost(cores[IBEX_MAX].values, CORE_CYCLES, &w, 0).extra,
                          core_cost(cores[IBEX].values, CORE_CYCLES, &w, 0).extra};
        if (got[0] != rows[i].inorder5 || got[1] != rows[i].ibex_max || got[2] != rows[i].ibex)
            fail_msg("row %zu: inorder5 %u ibex-max %u ibex %u", i, got[0], got[1], got[2]);
    }
}

/* The document's "1-2 cycle stall" is the bound of a use; a product of the slow multiplier takes 2 to 33. */
TEST(test_bounds)
{
    const uint32_t use[] = {LW_T0, ADD_T0, NOP}, product[] = {MUL, NOP, NOP};
    struct cost_window w = window(use), m = window(product);

    assert_int_equal(core_cost(cores[INORDER5].values, CORE_MIN, &w, 0).extra, 1);
    assert_int_equal(core_cost(cores[INORDER5].values, CORE_CYCLES, &w, 0).extra, 2);
    assert_int_equal(core_cost(cores[INORDER5].values, CORE_MAX, &w, 0).extra, 2);
    assert_int_equal(core_cost(cores[IBEX_SLOW].values, CORE_MIN, &m, 0).extra, 1);
    assert_int_equal(core_cost(cores[IBEX_SLOW].values, CORE_CYCLES, &m, 0).extra, 32);
    assert_int_equal(core_cost(cores[IBEX_SLOW].values, CORE_MAX, &m, 0).extra, 32);
}

/* PicoRV32 shifts by 4, then by 1: "4-14" cycles in its README. */
TEST(test_shifts)
{
    static const struct {
        unsigned amount, cycles;
    } rows[] = {{0, 4}, {1, 5}, {3, 7}, {4, 5}, {7, 8}, {8, 6}, {15, 10}, {16, 8}, {28, 11}, {31, 14}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t words[] = {0x31293 | rows[i].amount << 20, NOP, NOP}; /* slli t0,t1,k */
        struct cost_window w = window(words);
        assert_int_equal(core_cost(cores[PICO].values, CORE_CYCLES, &w, 0).extra, rows[i].cycles - 1);
        assert_int_equal(core_cost(cores[PICO].values, CORE_MAX, &w, 0).extra, rows[i].cycles - 1);
        assert_int_equal(core_cost(cores[PICO_FAST].values, CORE_CYCLES, &w, 0).extra, 2);
        assert_int_equal(core_cost(cores[IBEX].values, CORE_CYCLES, &w, 0).extra, 0);
    }
}

/* Where an instruction of 32 bits begins on an odd half word: a target on Ibex, anything on PicoRV32. */
TEST(test_unaligned)
{
    static const struct {
        uint32_t word, address;
        unsigned ibex, pico;
    } rows[] = {{NOP, 0x100, 0, 0}, {NOP, 0x102, 1, 1}, {C_ADD_T0, 0x100, 0, 0}, {C_ADD_T0, 0x102, 0, 0}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t words[] = {rows[i].word, NOP, NOP};
        struct cost_window w = window(words);
        struct cost ibex = core_cost(cores[IBEX].values, CORE_CYCLES, &w, rows[i].address);
        struct cost pico = core_cost(cores[PICO].values, CORE_CYCLES, &w, rows[i].address);
        struct cost inorder5 = core_cost(cores[INORDER5].values, CORE_MAX, &w, rows[i].address);
        assert_int_equal(ibex.landing, rows[i].ibex);
        assert_int_equal(ibex.extra, 0);
        assert_int_equal(pico.landing, 0);
        assert_int_equal(pico.extra, 2 + rows[i].pico);
        assert_int_equal(inorder5.landing, rows[i].ibex);
    }
}

/* --- Calls and returns among decoded instructions; what the decoder makes of every encoding: test_core_objdump.c. */

/* jalr rd, rs1: calls, returns and neither, as compilers use them. */
TEST(test_calls)
{
    static const struct {
        uint32_t word;
        bool calls, returns;
    } rows[] = {
        {0x000080e7, true, false},  /* jalr ra, 0(ra) */
        {0x0007a2e7, false, false}, /* funct3 2: illegal */
        {0x000782e7, true, false},  /* jalr t0, 0(a5) */
        {0x00008067, false, true},  /* ret */
        {0x00028067, false, true},  /* jalr x0, 0(t0) */
        {0x00408067, false, false}, /* jalr x0, 4(ra) */
        {0x00078067, false, false}, /* jr a5 */
        {0x008000ef, true, false},  /* jal ra */
        {0x008002ef, true, false},  /* jal t0 */
        {0x0080006f, false, false}, /* j */
        {0x008007ef, false, false}, /* jal a5 */
        {0x8082, false, true},      /* c.jr ra */
        {0x9782, true, false},      /* c.jalr a5 */
        {0x2001, true, false},      /* c.jal */
        {0xa001, false, false},     /* c.j */
        {0x00000013, false, false}, /* nop */
    };

    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct insn i;
        insn_decode(rows[n].word, &i);
        if (insn_calls(&i) != rows[n].calls || insn_returns(&i) != rows[n].returns)
            fail_msg("0x%x: calls %d returns %d", rows[n].word, insn_calls(&i), insn_returns(&i));
    }
}

TEST_GROUP(.setup = open_cores, .teardown = close_cores);
