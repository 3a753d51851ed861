/* The stack as the instructions of a function use it. The comment on each line is the code in assembly. */
#include "unit/test.h"

#include "budget/code/program.h"
#include "unit/instructions.h"

enum { AT = 0x100000 };

static struct frame f;
static struct mh_error err;

static int walk(const uint32_t *code, size_t bytes, bool table, bool switching)
{
    return frame_walk(&f, (const uint8_t *)code, AT, (uint32_t)bytes, table, switching, &err);
}

#define WALK(code) walk(code, sizeof(code), false, false)

static void accept(int status)
{
    assert_good(!status, err);
}

static void refuse(int status, const char *part)
{
    assert_int_equal(status, -1);
    assert_has(err.text, part);
}

static uint32_t enabled(const uint32_t *code, size_t bytes)
{
    accept(walk(code, bytes, false, false));
    uint32_t at = f.enables;
    frame_free(&f);
    return at;
}

TEST(test_leaf)
{
    const uint32_t code[] = {RET};

    accept(WALK(code));
    assert_int_equal(f.bytes, 0);
    assert_int_equal(f.count, 0);
    frame_free(&f);
}

TEST(test_call_and_tail_call)
{
    const uint32_t code[] = {ADDI(SP, SP, -48), JAL(RA, 0x100), ADDI(SP, SP, 48), JAL(0, 0x200)};

    accept(WALK(code));
    assert_int_equal(f.bytes, 48);
    assert_int_equal(f.count, 2);
    assert_int_equal(f.calls[0].target, AT + 4 + 0x100);
    assert_int_equal(f.calls[0].depth, 48);
    assert_false(f.calls[0].tail);
    assert_int_equal(f.calls[1].target, AT + 12 + 0x200);
    assert_int_equal(f.calls[1].depth, 0); /* its own frame is gone */
    assert_true(f.calls[1].tail);
    frame_free(&f);
}

/* A return in the middle: what follows it has the depth of where it is jumped to from. */
TEST(test_return_in_the_middle)
{
    const uint32_t code[] = {ADDI(SP, SP, -32), BEQZ(A0, 12), ADDI(SP, SP, 32), RET, JAL(RA, 0x100),
                             ADDI(SP, SP, 32),  RET};

    accept(WALK(code));
    assert_int_equal(f.bytes, 32);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.calls[0].depth, 32);
    frame_free(&f);
}

/* Behind a call that does not come back stands code of another path, deeper than it. */
TEST(test_deeper_of_two)
{
    const uint32_t code[] = {BEQZ(A0, 12), ADDI(SP, SP, -64), JAL(0, 8), JAL(RA, 0x100), ADDI(SP, SP, 64), RET};

    accept(WALK(code));
    assert_int_equal(f.bytes, 64);
    assert_int_equal(f.calls[0].depth, 0);
    frame_free(&f);
}

TEST(test_compressed)
{
    const uint16_t code[] = {0x1101 /* c.addi sp, -32 */, 0x713d /* c.addi16sp sp, -32 */, 0x6121 /* .. 64 */, 0x8082};

    accept(frame_walk(&f, (const uint8_t *)code, AT, sizeof code, false, false, &err));
    assert_int_equal(f.bytes, 64);
    frame_free(&f);
}

TEST(test_hook)
{
    const uint32_t code[] = {ADDI(SP, SP, -16), LW(A5, A5, 8),    BEQZ(A5, 12), ADDI(A0, S0, 0),
                             JALR(RA, A5, 0),   ADDI(SP, SP, 16), RET};

    accept(WALK(code));
    assert_int_equal(f.count, 1);
    assert_true(f.calls[0].indirect);
    assert_int_equal(f.calls[0].offset, 8);
    assert_int_equal(f.calls[0].depth, 16);
    frame_free(&f);
}

/* Two ways lead to the call, with two pointers: neither is taken for the one. */
TEST(test_hook_not_clear)
{
    const uint32_t joined[] = {LW(A5, A5, 8), BEQZ(A0, 8), LW(A5, A5, 12), JALR(RA, A5, 0), RET};
    const uint32_t clobbered[] = {LW(A5, A5, 8), JAL(RA, 0x100), JALR(RA, A5, 0), RET};
    const uint32_t saved[] = {LW(S0, A5, 8), JAL(RA, 0x100), JALR(RA, S0, 0), RET};

    accept(WALK(joined));
    assert_int_equal(f.calls[0].offset, -1);
    frame_free(&f);
    accept(WALK(clobbered));
    assert_int_equal(f.calls[1].offset, -1);
    frame_free(&f);
    accept(WALK(saved));
    assert_int_equal(f.calls[1].offset, 8);
    frame_free(&f);
}

TEST(test_far_call)
{
    const uint32_t code[] = {AUIPC(RA, 2), JALR(RA, RA, -8), RET};

    accept(WALK(code));
    assert_int_equal(f.count, 1);
    assert_false(f.calls[0].indirect);
    assert_int_equal(f.calls[0].target, AT + 0x2000 - 8);
    frame_free(&f);
}

/* A computed jump: through a pointer, unless the compiler says that there is none: then a switch. */
TEST(test_switch)
{
    const uint32_t code[] = {ADDI(SP, SP, -16), LW(A5, A5, 0), JALR(0, A5, 0), JAL(RA, 0x100), ADDI(SP, SP, 16), RET};

    accept(WALK(code));
    assert_int_equal(f.count, 1);
    assert_true(f.calls[0].indirect && f.calls[0].tail);
    frame_free(&f);
    accept(walk(code, sizeof code, true, false));
    assert_int_equal(f.count, 1);
    assert_int_equal(f.calls[0].target, AT + 12 + 0x100);
    assert_int_equal(f.calls[0].depth, 16);
    frame_free(&f);
}

TEST(test_own_stack)
{
    const uint32_t code[] = {AUIPC(SP, 0x100), ADDI(SP, SP, 0x400), JAL(RA, 0x100), ADDI(SP, SP, -16), WFI, JAL(0, -4)};

    accept(walk(code, sizeof code, false, true));
    assert_true(f.switches);
    assert_int_equal(f.bytes, 16);
    assert_int_equal(f.asleep, 16);
    assert_int_equal(f.calls[0].depth, 0);
    frame_free(&f);
    refuse(WALK(code), "at 0x100000: sp is set to what is no constant away");
}

/* Whether interrupts are enabled: by an immediate, a constant, something unknown; not by what clears them. */
TEST(test_interrupts)
{
    const uint32_t immediate[] = {CSR_I(CSRRSI, 0x300, 8), RET}, other_bit[] = {CSR_I(CSRRSI, 0x300, 16), RET};
    const uint32_t clears[] = {CSR_I(CSRRCI, 0x300, 8), RET}, other_csr[] = {CSR_I(CSRRSI, 0x304, 8), RET};
    const uint32_t plain[] = {LUI(T0, 2), ADDI(T0, T0, -2048), CSR(CSRRW, 0x300, T0), RET};
    const uint32_t small[] = {ADDI(T0, 0, 8), CSR(CSRRS, 0x300, T0), RET};
    const uint32_t upper[] = {LUI(T0, 2), CSR(CSRRW, 0x300, T0), RET};
    const uint32_t unknown[] = {CSR(CSRRS, 0x300, A0), RET};
    const uint32_t last[] = {CSR_I(CSRRSI, 0x300, 8), JAL(RA, 0x100), CSR_I(CSRRSI, 0x300, 8), RET};

    assert_int_equal(enabled(immediate, sizeof immediate), AT);
    assert_int_equal(enabled(other_bit, sizeof other_bit), 0);
    assert_int_equal(enabled(clears, sizeof clears), 0);
    assert_int_equal(enabled(other_csr, sizeof other_csr), 0);
    assert_int_equal(enabled(plain, sizeof plain), 0); /* 0x1800 */
    assert_int_equal(enabled(upper, sizeof upper), 0);
    assert_int_equal(enabled(small, sizeof small), AT + 4);
    assert_int_equal(enabled(unknown, sizeof unknown), AT);
    assert_int_equal(enabled(last, sizeof last), AT + 8);
}

TEST(test_unknown)
{
    const uint32_t alloca_like[] = {0x40a10133 /* sub sp, sp, a0 */, RET};
    const uint32_t loop[] = {ADDI(SP, SP, -16), JAL(0, -4)};
    const uint32_t pops[] = {ADDI(SP, SP, 16), RET};
    const uint32_t none[] = {0};

    refuse(WALK(alloca_like), "at 0x100000: sp is set to what is no constant away");
    refuse(WALK(loop), "grows without bound");
    refuse(WALK(pops), "at 0x100000: more is taken off");
    refuse(WALK(none), "at 0x100000: no instruction");
    refuse(walk(none, 0, false, false), "a function without code");
}
